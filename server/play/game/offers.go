package game

import "slices"

// Offer is an operation that the pieces of a kind offer (T36). It has all that a client needs that
// does not know the kind.
type Offer struct {
	Op    string           // as in T24
	Key   string           // a small letter, or "" if there is none
	Label string           // the text on the button
	With  map[string]int32 // fixed arguments
	Asks  []Ask            // arguments for which the player is asked
}

// Ask is an argument of an operation for which a player is asked. Numbers have bounds and an
// initial value. A "text" has a Max in bytes. A "seat" and the container "into" have none of these.
type Ask struct {
	Name, Label       string
	Min, Max, Initial int32
}

// maxMany is the most pieces that come out of a container, or to each hand, at once (T30).
const maxMany = 100

// offerAll gives all kinds of a game their offers. If no kind has anything newer than offers, it
// gives none: such a game keeps its catalogue, and so its hash.
func offerAll(kinds []Kind) {
	if !slices.ContainsFunc(kinds, func(k Kind) bool { return k.isNewer() }) {
		return
	}
	for i := range kinds {
		kinds[i].Offers = offersOf(&kinds[i], kinds)
	}
}

// isNewer reports whether the kind has anything that no kind had before offers were introduced.
func (k *Kind) isNewer() bool {
	older := k.Hand || k.Clock.Sides() > 0
	return k.Private || k.Peek != "" || k.Uncounted || !older && len(k.functions()) > 0
}

// offersOf returns what the pieces of a kind offer beside the operations of all pieces and of
// clocks. Their keys are free for all pieces (docs/protocol/http.md). The keys of light kinds also
// differ from those of piles and of stow.
func offersOf(k *Kind, all []Kind) []Offer {
	var offers []Offer
	switch {
	case k.Container.Holds():
		return containerOffers(k, all)
	case k.Hand:
		return handOffers()
	case k.Die.Rolls:
		label := "Roll"
		if len(k.Faces) == 2 {
			label = "Toss"
		}
		offers = []Offer{{Op: "roll", Key: "o", Label: label}}
	case k.Counter.Counts:
		offers = counterOffers(k.Counter)
	case k.Currency > 0:
		offers = []Offer{{Op: "split", Key: "v", Label: "Take some off",
			Asks: []Ask{number("How much?", 1, MaxValue-1, 1)}}}
	case k.Text.Written:
		offers = []Offer{{Op: "write", Key: "m", Label: "Write",
			Asks: []Ask{{Name: "text", Label: "What stands on it?", Max: MaxText}}}}
	case k.Seat != "":
		offers = seatOffers(k.Seat)
	case k.Secret:
		offers = []Offer{{Op: "show", Key: "v", Label: "Show to one player",
			Asks: []Ask{seatAsk("To whom?")}}}
		if k.Peek != "" {
			offers = append(offers, Offer{Op: "peek", Key: "k", Label: "Peek"})
		}
	}
	return append(offers, stowOffers(k, all)...)
}

// containerOffers returns the offers of a deck or a bag. A bag has no order, so it is neither
// shuffled nor cut. Only containers that can hold private pieces offer deal.
func containerOffers(k *Kind, all []Kind) []Offer {
	hidden := slices.ContainsFunc(all, func(o Kind) bool {
		return (o.Secret || o.Private) && k.Container.takes(&o)
	})
	ordered := k.Container.Draws == drawsTop
	peeked := "At how many?"
	if ordered {
		peeked = "At how many, from the top?"
	}
	var offers []Offer
	for _, o := range []struct {
		when bool
		Offer
	}{
		{true, Offer{Op: "draw", Key: "d", Label: "Draw"}},
		{hidden, Offer{Op: "deal", Key: "e", Label: "Deal",
			Asks: []Ask{number("How many to each hand?", 1, maxMany, 1)}}},
		{ordered, Offer{Op: "shuffle", Key: "s", Label: "Shuffle"}},
		{true, Offer{Op: "recall", Key: "a", Label: "Call all back"}},
		{k.Peek != "",
			Offer{Op: "peek", Key: "k", Label: "Peek", Asks: []Ask{number(peeked, 1, maxMany, 1)}}},
		{ordered, Offer{Op: "cut", Key: "t", Label: "Cut"}},
		{true, Offer{Op: "draw", Label: "Draw several",
			Asks: []Ask{number("How many?", 1, maxMany, 2)}}},
		{ordered,
			Offer{Op: "draw", Label: "Draw from the bottom", With: map[string]int32{"at": -1}}},
	} {
		if o.when {
			offers = append(offers, o.Offer)
		}
	}
	return offers
}

func handOffers() []Offer {
	return []Offer{
		{Op: "claim", Key: "m", Label: "Make it mine"},
		{Op: "leave", Key: "v", Label: "Leave it"},
		{Op: "give", Key: "y", Label: "Give to a player", Asks: []Ask{seatAsk("To whom?")}},
		{Op: "share", Label: "Share with a player", Asks: []Ask{seatAsk("With whom?")}},
		{Op: "unshare", Label: "Share no longer", Asks: []Ask{seatAsk("With whom?")}},
	}
}

func counterOffers(c Counter) []Offer {
	span := int32(min(int64(c.Max)-int64(c.Min), int64(MaxValue))) //nolint:gosec // bounded
	return []Offer{
		{Op: "count", Key: "k", Label: "Add 1", With: map[string]int32{"n": 1}},
		{Op: "count", Key: "j", Label: "Take 1 off", With: map[string]int32{"n": -1}},
		{Op: "count", Key: "m", Label: "Add or take off",
			Asks: []Ask{number("How much more? Less than 0 takes off.", -span, span, 1)}},
	}
}

func seatOffers(seat string) []Offer {
	offers := []Offer{
		{Op: "assign", Key: "y", Label: "Give to a player", Asks: []Ask{seatAsk("Whose is it?")}},
		{Op: "assign", Label: "Take back", With: map[string]int32{"seat": 0}},
	}
	if seat == seatTurn {
		offers = slices.Insert(offers, 0, Offer{Op: "pass", Key: "o", Label: "Next player"})
	}
	return offers
}

// stowOffers returns the offers of a piece for which the game has containers. If none of these has
// an order, there is only one way to put it in.
func stowOffers(k *Kind, all []Kind) []Offer {
	taken, ordered := false, false
	for i := range all {
		if c := all[i].Container; c.takes(k) {
			taken, ordered = true, ordered || c.Draws == drawsTop
		}
	}
	asks := []Ask{{Name: "into", Label: "Into which?"}}
	switch {
	case !taken:
		return nil
	case !ordered:
		return []Offer{{Op: "stow", Key: "q", Label: "Put in", Asks: asks}}
	}
	return []Offer{
		{Op: "stow", Key: "q", Label: "Put on top", Asks: asks},
		{Op: "stow", Label: "Put at the bottom", With: map[string]int32{"at": -1}, Asks: asks},
		{Op: "stow", Label: "Put in anywhere", With: map[string]int32{"at": 0}, Asks: asks},
	}
}

func number(label string, low, high, initial int32) Ask {
	return Ask{Name: "n", Label: label, Min: low, Max: high, Initial: initial}
}

func seatAsk(label string) Ask { return Ask{Name: "seat", Label: label} }
