package game

import (
	"encoding/json"
	"fmt"
)

// The formats of catalogues. Those of the first one have a picture for each face. Those of the
// second one have layers, too, and templates for kinds that are alike.
const (
	catalogFormat1 = "holt.catalog/1"
	catalogFormat2 = "holt.catalog/2"
)

// The written form of a catalogue (docs/protocol/http.md, Catalogues). The order of the fields here
// is their order in the bytes, which have a hash. It must never change.
type (
	catalogDoc struct {
		Format    string        `json:"format"`
		Templates []catalogKind `json:"templates,omitempty"`
		Kinds     []any         `json:"kinds"` // catalogKind or catalogRow
		Seats     []catalogSeat `json:"seats,omitempty"`
		Attached  []Attachment  `json:"attached,omitempty"`
		Sheet     *catalogSheet `json:"sheet,omitempty"`
		SheetIn   *catalogSheet `json:"sheetIn,omitempty"`
	}
	// catalogRow is a kind that is made of a template.
	catalogRow struct {
		Template int      `json:"template"`
		Values   []string `json:"values"`
	}
)

// CatalogRest is what a catalogue has beside kinds.
type CatalogRest struct {
	Seats    []Seat
	Attached []Attachment
	Sheet    Sheet // with which the game begins (G15)
	SheetIn  Sheet // the same in the language of the catalogue, if that is translated (G13)
}

// encodeCatalog returns a catalogue. Equal ones give equal bytes.
func encodeCatalog(kinds []Kind, rest *CatalogRest) []byte {
	doc := catalogDoc{
		Format: catalogFormat1, Kinds: make([]any, len(kinds)), Seats: catalogSeats(rest.Seats),
		Attached: rest.Attached, Sheet: rest.Sheet.catalog(), SheetIn: rest.SheetIn.catalog(),
	}
	all := make([]catalogKind, len(kinds))
	layered := false
	for i := range kinds {
		all[i] = catalogOf(&kinds[i])
		doc.Kinds[i] = all[i]
		for j := range kinds[i].Faces {
			layered = layered || kinds[i].Faces[j].Layers != nil
		}
	}
	if layered {
		doc.Format = catalogFormat2
		doc.Templates, doc.Kinds = shared(all)
	}
	return encoded(doc)
}

// encoded returns the JSON of a value that can always be encoded: it has texts, whole numbers and
// booleans.
func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// ParseCatalog returns the kinds of a catalogue, as ReadCatalog does.
func ParseCatalog(doc []byte) ([]Kind, error) {
	kinds, _, err := ReadCatalog(doc)
	return kinds, err
}

// ReadCatalog reads a catalogue, for a table that is loaded again. It is as strict as Parse: it
// accepts only what Parse could have made, with five exceptions. Names may repeat, fields may be
// without effect, kinds may be unknown ones (T38), offers may be those of another version, and the
// hand of a seat and what is attached may be any pieces.
func ReadCatalog(doc []byte) (kinds []Kind, rest CatalogRest, err error) {
	r, root := readDocument(doc)
	fields := []string{"format", "kinds", "seats", "attached", "sheet", "sheetIn"}
	if root.members["format"].text == catalogFormat2 {
		fields = append(fields, "templates")
	}
	o := r.object(root, "", fields...)
	o.choice("format", catalogFormat1, catalogFormat2)
	var templates []value
	if o.has("templates") {
		templates = o.list("templates", 1, MaxKinds)
	}
	var objects []object
	for i, v := range o.list("kinds", 1, MaxKinds) {
		if _, ok := v.members["template"]; ok {
			v = unshared(r, v, fmt.Sprintf("kind %d", i), templates)
		}
		if r.err != nil {
			return nil, CatalogRest{}, r.err
		}
		o, k := readKind(r, v, fmt.Sprintf("kind %d", i), hashOf, moreFields("offers", "unknown")...)
		k.Offers, k.Unknown = readOffers(o), readUnknown(o, k)
		kinds, objects = append(kinds, k), append(objects, o)
	}
	if r.err != nil {
		return nil, CatalogRest{}, r.err
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
	rest = CatalogRest{
		Seats: readCatalogSeats(o), Attached: readCatalogAttached(o),
		Sheet: readSheet(o, "sheet"), SheetIn: readSheet(o, "sheetIn"),
	}
	if r.err != nil {
		return nil, CatalogRest{}, r.err
	}
	return kinds, rest, nil
}
