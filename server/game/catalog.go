package game

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

const catalogFormat = "holt.catalog/1"

// The catalogue as it is written (docs/protocol/http.md, Catalogues). The order of the fields here is
// their order in the bytes, which have a hash: it must never change.
type (
	catalogDoc struct {
		Format string        `json:"format"`
		Kinds  []catalogKind `json:"kinds"`
	}
	catalogKind struct {
		Name   string        `json:"name"`
		Width  int32         `json:"width"`
		Height int32         `json:"height"`
		Shape  string        `json:"shape"`
		Weight string        `json:"weight"`
		Secret bool          `json:"secret"`
		Mask   *int          `json:"mask,omitempty"`
		Hand   bool          `json:"hand,omitempty"`
		Clock  *catalogClock `json:"clock,omitempty"`
		Faces  []catalogFace `json:"faces"`
	}
	catalogFace struct {
		Name string `json:"name"`
		Art  string `json:"art"`
	}
)

// encodeCatalog writes the catalogue of kinds. The same kinds always give the same bytes.
func encodeCatalog(kinds []Kind) []byte {
	doc := catalogDoc{Format: catalogFormat, Kinds: make([]catalogKind, len(kinds))}
	for i, k := range kinds {
		c := catalogKind{
			Name: k.Name, Width: k.Width, Height: k.Height, Shape: k.Shape, Weight: k.Weight,
			Secret: k.Secret, Hand: k.Hand, Clock: k.Clock.catalog(),
		}
		if k.Mask != NoMask {
			c.Mask = &k.Mask
		}
		for _, f := range k.Faces {
			c.Faces = append(c.Faces, catalogFace{Name: f.Name, Art: hex.EncodeToString(f.Art[:])})
		}
		doc.Kinds[i] = c
	}
	data, err := json.Marshal(doc)
	if err != nil { // texts, whole numbers and booleans can always be written
		panic(err)
	}
	return data
}

// ParseCatalog reads a catalogue of format holt.catalog/1, as a table does that is loaded again. It is as
// strict as Parse; what it accepts is what Parse could have made, but for the names, which may repeat.
func ParseCatalog(doc []byte) ([]Kind, error) {
	r, root := readDocument(doc)
	o := r.object(root, "", "format", "kinds")
	o.choice("format", catalogFormat)
	var kinds []Kind
	var objects []object
	for i, v := range o.list("kinds", 1, MaxKinds) {
		o, k := readKind(r, v, fmt.Sprintf("kind %d", i), hashOf)
		kinds, objects = append(kinds, k), append(objects, o)
	}
	for i, o := range objects {
		if r.err != nil {
			break
		}
		if kinds[i].Secret {
			mask := int(o.integer("mask", 0, MaxKinds-1))
			if mask >= len(kinds) {
				o.fail(o.get("mask"), "mask: no kind %d", mask)
				break
			}
			kinds[i].Mask = mask
			checkMask(o, kinds[i], kinds[mask])
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return kinds, nil
}
