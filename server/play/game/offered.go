package game

import (
	"fmt"
	"maps"
	"slices"
)

// The form of offers in a catalogue (docs/protocol/http.md).
type (
	catalogOffer struct {
		Op    string           `json:"op"`
		Key   string           `json:"key,omitempty"`
		Label string           `json:"label"`
		With  map[string]int32 `json:"with,omitempty"` // written in the order of the names
		Asks  []catalogAsk     `json:"asks,omitempty"`
	}
	catalogAsk struct {
		Name    string `json:"name"`
		Label   string `json:"label"`
		Min     *int32 `json:"min,omitempty"`
		Max     *int32 `json:"max,omitempty"`
		Initial *int32 `json:"initial,omitempty"`
	}
)

// The names of arguments that are not numbers.
const (
	askText = "text"
	askSeat = "seat"
	askInto = "into"
)

// Bounds of the offers in a catalogue.
const (
	maxOffers    = 64 // of a kind
	maxArguments = 16 // of an offer, fixed or asked for
)

func (o *Offer) catalog() catalogOffer {
	c := catalogOffer{Op: o.Op, Key: o.Key, Label: o.Label, With: o.With}
	for _, a := range o.Asks {
		asked := catalogAsk{Name: a.Name, Label: a.Label}
		switch a.Name {
		case askSeat, askInto:
		case askText:
			asked.Max = &a.Max
		default:
			asked.Min, asked.Max, asked.Initial = &a.Min, &a.Max, &a.Initial
		}
		c.Asks = append(c.Asks, asked)
	}
	return c
}

// readOffers reads the offers of a kind in a catalogue.
func readOffers(kind object) (all []Offer) {
	if !kind.has("offers") {
		return nil
	}
	for i, v := range kind.list("offers", 1, maxOffers) {
		o := readOffer(kind.r, v, fmt.Sprintf("%s: offer %d", kind.where, i))
		if kind.r.err != nil {
			return nil
		}
		if o.Key != "" && slices.ContainsFunc(all, func(p Offer) bool { return p.Key == o.Key }) {
			kind.fail(v, "offer %d: another one has the key %q", i, o.Key)
		}
		all = append(all, o)
	}
	return all
}

func readOffer(r *reader, v value, where string) Offer {
	o := r.object(v, where, "op", "key", "label", "with", "asks")
	offer := Offer{Op: o.slug("op"), Label: o.text("label", MaxName)}
	if o.has("key") {
		offer.Key = o.slug("key")
		if len(offer.Key) != 1 || offer.Key < "a" {
			o.fail(o.get("key"), "key: %q is not a small letter", offer.Key)
		}
	}
	if o.has("with") {
		offer.With = readWith(o)
	}
	if !o.has("asks") {
		return offer
	}
	for i, v := range o.list("asks", 1, maxArguments) {
		a := readAsk(r, v, fmt.Sprintf("%s: ask %d", where, i))
		_, fixed := offer.With[a.Name]
		if fixed || slices.ContainsFunc(offer.Asks, func(b Ask) bool { return b.Name == a.Name }) {
			o.fail(v, "ask %d: %q stands here a second time", i, a.Name)
		}
		offer.Asks = append(offer.Asks, a)
	}
	return offer
}

// readWith reads the fixed arguments of an offer, which are whole numbers.
func readWith(offer object) map[string]int32 {
	v, ok := offer.want("with", anObject)
	if !ok {
		return nil
	}
	if n := len(v.members); n < 1 || n > maxArguments {
		offer.fail(v, "with has %d arguments, not 1 to %d", n, maxArguments)
		return nil
	}
	o := object{r: offer.r, where: offer.where + ": with", at: v.at, members: v.members}
	with := make(map[string]int32, len(v.members))
	for _, name := range slices.Sorted(maps.Keys(v.members)) { // for the same error each time
		if !isSlug(name) {
			o.fail(v.members[name], "%q is not an argument", name)
		}
		with[name] = o.integer(name, -MaxValue, MaxValue)
	}
	return with
}

func readAsk(r *reader, v value, where string) Ask {
	fields := []string{"name", "label"}
	switch v.members["name"].text {
	case askSeat, askInto:
	case askText:
		fields = append(fields, "max")
	default:
		fields = append(fields, "min", "max", "initial")
	}
	o := r.object(v, where, fields...)
	a := Ask{Name: o.slug("name"), Label: o.text("label", MaxName)}
	switch len(fields) {
	case 3:
		a.Max = o.integer("max", 1, MaxValue)
	case 5:
		a.Min = o.integer("min", -MaxValue, MaxValue)
		a.Max = o.integer("max", a.Min, MaxValue)
		a.Initial = o.integer("initial", a.Min, a.Max)
	}
	return a
}
