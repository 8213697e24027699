package game

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

const catalogFormat = "holt.catalog/1"

// The written form of a catalogue (docs/protocol/http.md, Catalogues). The order of the fields here
// is their order in the bytes, which have a hash. It must never change.
type (
	catalogDoc struct {
		Format string        `json:"format"`
		Kinds  []catalogKind `json:"kinds"`
	}
	catalogKind struct {
		Name      string            `json:"name"`
		Width     int32             `json:"width"`
		Height    int32             `json:"height"`
		Shape     string            `json:"shape"`
		Weight    string            `json:"weight"`
		Secret    bool              `json:"secret"`
		Mask      *int              `json:"mask,omitempty"`
		Unknown   bool              `json:"unknown,omitempty"`
		Private   bool              `json:"private,omitempty"`
		Peek      string            `json:"peek,omitempty"`
		Hand      bool              `json:"hand,omitempty"`
		Container *catalogContainer `json:"container,omitempty"`
		Counted   *bool             `json:"counted,omitempty"`
		Clock     *catalogClock     `json:"clock,omitempty"`
		Die       *catalogDie       `json:"die,omitempty"`
		Counter   *catalogCounter   `json:"counter,omitempty"`
		Currency  *catalogCurrency  `json:"currency,omitempty"`
		Text      *catalogText      `json:"text,omitempty"`
		Seat      string            `json:"seat,omitempty"`
		Display   *Display          `json:"display,omitempty"`
		Faces     []catalogFace     `json:"faces"`
		Offers    []catalogOffer    `json:"offers,omitempty"`
	}
	catalogFace struct {
		Name string `json:"name"`
		Art  string `json:"art"`
	}
)

// encodeCatalog returns the catalogue of kinds. Equal kinds give equal bytes.
func encodeCatalog(kinds []Kind) []byte {
	doc := catalogDoc{Format: catalogFormat, Kinds: make([]catalogKind, len(kinds))}
	for i := range kinds {
		doc.Kinds[i] = catalogOf(&kinds[i])
	}
	data, err := json.Marshal(doc)
	// Texts, whole numbers and booleans can always be encoded.
	if err != nil {
		panic(err)
	}
	return data
}

func catalogOf(k *Kind) catalogKind {
	c := catalogKind{
		Name: k.Name, Width: k.Width, Height: k.Height, Shape: k.Shape, Weight: k.Weight,
		Secret: k.Secret, Unknown: k.Unknown, Private: k.Private, Peek: k.Peek, Hand: k.Hand,
		Container: k.Container.catalog(), Clock: k.Clock.catalog(), Die: k.Die.catalog(),
		Counter: k.Counter.catalog(), Text: k.Text.catalog(), Seat: k.Seat,
		Display: k.Display.catalog(),
	}
	if k.Mask != NoMask {
		c.Mask = &k.Mask
	}
	if k.Uncounted {
		c.Counted = new(bool)
	}
	if k.Currency > 0 {
		c.Currency = &catalogCurrency{Initial: k.Currency}
	}
	for _, f := range k.Faces {
		c.Faces = append(c.Faces, catalogFace{Name: f.Name, Art: hex.EncodeToString(f.Art[:])})
	}
	for _, o := range k.Offers {
		c.Offers = append(c.Offers, o.catalog())
	}
	return c
}

// ParseCatalog reads a catalogue of format holt.catalog/1, for a table that is loaded again. It is
// as strict as Parse: it accepts only what Parse could have made, with four exceptions. Names may
// repeat, fields may be without effect, kinds may be unknown ones (T38), and offers may be those of
// another version.
func ParseCatalog(doc []byte) ([]Kind, error) {
	r, root := readDocument(doc)
	o := r.object(root, "", "format", "kinds")
	o.choice("format", catalogFormat)
	var kinds []Kind
	var objects []object
	for i, v := range o.list("kinds", 1, MaxKinds) {
		o, k := readKind(r, v, fmt.Sprintf("kind %d", i), hashOf, "offers", "unknown")
		k.Offers, k.Unknown = readOffers(o), readUnknown(o, k)
		kinds, objects = append(kinds, k), append(objects, o)
	}
	if r.err != nil {
		return nil, r.err
	}
	refer(kinds, objects, func(o object, field string) int {
		i := int(o.integer(field, 0, MaxKinds-1))
		if r.err == nil && i >= len(kinds) {
			o.fail(o.get(field), "%s: no kind %d", field, i)
		}
		if r.err != nil {
			return -1
		}
		return i
	})
	if r.err != nil {
		return nil, r.err
	}
	return kinds, nil
}
