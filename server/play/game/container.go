package game

import "slices"

// Container says that the pieces of a kind are containers (T29): decks and bags. The zero Container
// stands for a kind that holds nothing.
type Container struct {
	Draws string // how pieces come out (T30): "top" or "random"; "" if it is not a container
	Takes int    // the mask of the secret pieces that it takes, or AnyLight
}

var containers = ability{
	field: "container", called: "a container",
	has:    func(k *Kind) bool { return k.Container.Holds() },
	read:   func(o object, k *Kind) { k.Container = readContainer(o, *k) },
	offers: containerOffers,
}

// AnyLight is the Takes of a container that takes every light piece.
const AnyLight = -1

// The names of the ways in which pieces come out of a container.
const (
	drawsTop    = "top"
	drawsRandom = "random"
)

// Holds reports whether it is a container.
func (c Container) Holds() bool { return c.Draws != "" }

// takes reports whether pieces of the kind go into it.
func (c Container) takes(k *Kind) bool {
	return c.Holds() && k.Weight == "light" &&
		(c.Takes == AnyLight || k.Secret && k.Mask == c.Takes)
}

// catalogContainer is the form of a container in a catalogue (docs/protocol/http.md).
type catalogContainer struct {
	Draws string `json:"draws"`
	Takes *int   `json:"takes,omitempty"`
}

// catalog returns the form of the container in a catalogue, nil if it is not a container.
func (c *Container) catalog() *catalogContainer {
	if !c.Holds() {
		return nil
	}
	written := &catalogContainer{Draws: c.Draws}
	if c.Takes != AnyLight {
		written.Takes = &c.Takes
	}
	return written
}

// readContainer reads the container of a kind, except what it takes: that needs all kinds.
func readContainer(kind object, k Kind) Container {
	if !kind.has("container") {
		return Container{}
	}
	o := containerOf(kind)
	if k.Weight != "heavy" {
		kind.fail(kind.get("weight"), "a container is heavy")
	}
	return Container{Draws: o.choice("draws", drawsTop, drawsRandom), Takes: AnyLight}
}

func containerOf(kind object) object {
	return kind.r.object(kind.get("container"), kind.where+": container", "draws", "takes")
}

// checkTakes fails unless all[mask] stands for secret pieces that a container can hold.
func checkTakes(o object, all []Kind, mask int) {
	switch {
	case !slices.ContainsFunc(all, func(k Kind) bool { return k.Secret && k.Mask == mask }):
		o.fail(o.get("takes"), "takes: %q is the mask of no kind", all[mask].Name)
	case all[mask].Weight != "light":
		o.fail(o.get("takes"), "takes: %q is not light", all[mask].Name)
	}
}

// readPeek reads who may peek at pieces of the kind, or into them (T31).
func readPeek(kind object, k Kind) string {
	switch {
	case !kind.has("peek"):
		return ""
	case !k.Secret && !k.Container.Holds():
		kind.fail(kind.get("peek"), "only at a secret kind and into a container somebody may peek")
	}
	return kind.choice("peek", "players", "host")
}

// readUncounted reads whether the numbers of pieces in pieces of the kind are kept back (T29).
func readUncounted(kind object, k Kind) bool {
	if !kind.has("counted") {
		return false
	}
	if !k.Hand && !k.Container.Holds() {
		kind.fail(kind.get("counted"), "only what lies in a hand or a container is counted")
	}
	return !kind.boolean("counted")
}

// readRack reads whether hands of the kind are racks (T96).
func readRack(kind object, k Kind) bool {
	switch {
	case !kind.boolean("rack"):
		return false
	case !k.Hand:
		kind.fail(kind.get("rack"), "only a hand can be a rack")
	case k.Uncounted:
		kind.fail(kind.get("counted"), "everybody sees how many pieces lie on a rack")
	}
	return true
}

// maxMany is the most pieces that come out of a container, or to each hand, at once (T30).
const maxMany = 100

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
