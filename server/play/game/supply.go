package game

import (
	"fmt"
	"slices"
)

// supplies are heavy pieces from which people take as many new pieces of a kind as they like (T89).
var supplies = ability{
	field: "supply", called: "a supply",
	has:    func(k *Kind) bool { return k.Supply != "" },
	read:   func(o object, k *Kind) { k.Supply = readSupply(o, k) },
	offers: supplyOffers,
}

// catalogSupply is the form of a supply in a catalogue (docs/protocol/http.md).
type catalogSupply struct {
	Of string `json:"of"`
}

// supplyOf returns the form of a kind's supply in a catalogue, nil if it is no supply.
func supplyOf(k *Kind) *catalogSupply {
	if k.Supply == "" {
		return nil
	}
	return &catalogSupply{Of: k.Supply}
}

// readSupply reads the name of the kind of which a supply gives new pieces.
func readSupply(kind object, k *Kind) string {
	if !kind.has("supply") {
		return ""
	}
	o := kind.r.object(kind.get("supply"), kind.where+": supply", "of")
	name := o.text("of", MaxName)
	if kind.r.err == nil && k.Weight != "heavy" {
		kind.fail(kind.get("weight"), "a supply is heavy")
	}
	return name
}

// SupplyOf returns the kind of the new pieces of a supply, of those of a table; -1 if there is
// none. Of several with its name the first one is meant.
func (k *Kind) SupplyOf(kinds []Kind) int {
	i := named(kinds, k.Supply)
	if i < 0 || supplyHindrance(kinds, i) != "" {
		return -1
	}
	return i
}

// supplyHindrance says why no supply can give a kind; "" if one can.
func supplyHindrance(kinds []Kind, i int) string {
	k := &kinds[i]
	switch {
	case k.Secret:
		return "is secret: everybody would know what comes out of a supply"
	case slices.ContainsFunc(kinds, func(o Kind) bool { return o.Secret && o.Mask == i }):
		return "is a mask: its pieces would look like concealed ones"
	case k.Weight == "heavy":
		return "is heavy: a supply gives light pieces"
	}
	return ""
}

// checkSupplies fails if a supply of a game names a kind that it can never give. Catalogues are not
// checked: a kind may have come to another table without the one that its supply names.
func checkSupplies(kinds []Kind, objects []object) {
	for i := range objects {
		name := kinds[i].Supply
		if name == "" {
			continue
		}
		of := named(kinds, name)
		why := fmt.Sprintf("no kind %q", name)
		if of >= 0 {
			if why = supplyHindrance(kinds, of); why == "" {
				continue
			}
			why = fmt.Sprintf("%q %s", name, why)
		}
		objects[i].fail(objects[i].get("supply").members["of"], "supply: of: %s", why)
	}
}

// supplyOffers returns the offers of a supply: one piece, or some amount of currency.
func supplyOffers(k *Kind, all []Kind) []Offer {
	of := k.SupplyOf(all)
	switch {
	case of < 0:
		return nil
	case all[of].Currency > 0:
		return []Offer{{Op: "split", Key: "v", Label: "Take some",
			Asks: []Ask{number("How much?", 1, MaxValue, all[of].Currency)}}}
	}
	return []Offer{{Op: "split", Key: "v", Label: "Take one", With: map[string]int32{"n": 1}}}
}
