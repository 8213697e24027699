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

// offerAll gives all kinds of a game their offers. If no kind has anything newer than offers, it
// gives none: such a game keeps its catalogue, and so its hash.
func offerAll(kinds []Kind) {
	if !slices.ContainsFunc(kinds, func(k Kind) bool { return k.needsOffers() }) {
		return
	}
	for i := range kinds {
		kinds[i].Offers = offersOf(&kinds[i], kinds)
	}
}

// needsOffers reports whether the kind has anything that no kind had before offers were introduced.
func (k *Kind) needsOffers() bool {
	return k.Private || k.Peek != "" || k.Uncounted || k.Rack ||
		k.is(func(a *ability) bool { return !a.old })
}

// offersOf returns what the pieces of a kind offer beside the operations of all pieces and of
// clocks. Their keys are free for all pieces (docs/protocol/http.md). The keys of light kinds also
// differ from those of piles and of stow.
func offersOf(k *Kind, all []Kind) []Offer {
	var offers []Offer
	for _, a := range k.abilities() {
		if a.offers != nil {
			offers = a.offers(k, all)
		}
	}
	if k.Secret {
		offers = secretOffers(k)
	}
	return append(offers, stowOffers(k, all)...)
}

func secretOffers(k *Kind) []Offer {
	offers := []Offer{{Op: "show", Key: "v", Label: "Show to one player",
		Asks: []Ask{seatAsk("To whom?")}}}
	if k.Peek != "" {
		offers = append(offers, Offer{Op: "peek", Key: "k", Label: "Peek"})
	}
	return offers
}

func number(label string, low, high, initial int32) Ask {
	return Ask{Name: "n", Label: label, Min: low, Max: high, Initial: initial}
}

func seatAsk(label string) Ask { return Ask{Name: "seat", Label: label} }
