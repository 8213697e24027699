package game

import (
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
		Seats  []catalogSeat `json:"seats,omitempty"`
	}
	catalogFace struct {
		Name string `json:"name"`
		Art  string `json:"art"`
	}
)

// encodeCatalog returns the catalogue of kinds and seats. Equal ones give equal bytes.
func encodeCatalog(kinds []Kind, seats []Seat) []byte {
	doc := catalogDoc{
		Format: catalogFormat, Kinds: make([]catalogKind, len(kinds)), Seats: catalogSeats(seats),
	}
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

// ParseCatalog returns the kinds of a catalogue, as ReadCatalog does.
func ParseCatalog(doc []byte) ([]Kind, error) {
	kinds, _, err := ReadCatalog(doc)
	return kinds, err
}

// ReadCatalog reads a catalogue of format holt.catalog/1, for a table that is loaded again. It is
// as strict as Parse: it accepts only what Parse could have made, with five exceptions. Names may
// repeat, fields may be without effect, kinds may be unknown ones (T38), offers may be those of
// another version, and the hand of a seat may be any piece.
func ReadCatalog(doc []byte) (kinds []Kind, seats []Seat, err error) {
	r, root := readDocument(doc)
	o := r.object(root, "", "format", "kinds", "seats")
	o.choice("format", catalogFormat)
	var objects []object
	for i, v := range o.list("kinds", 1, MaxKinds) {
		o, k := readKind(r, v, fmt.Sprintf("kind %d", i), hashOf, moreFields("offers", "unknown")...)
		k.Offers, k.Unknown = readOffers(o), readUnknown(o, k)
		kinds, objects = append(kinds, k), append(objects, o)
	}
	if r.err != nil {
		return nil, nil, r.err
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
	seats = readCatalogSeats(o)
	if r.err != nil {
		return nil, nil, r.err
	}
	return kinds, seats, nil
}
