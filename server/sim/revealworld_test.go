package sim

import "slices"

// This file works out what an adversary knows who has seen a game through one seat: every way in
// which the hidden cards can lie. The adversary knows the rules of the table and nothing of its
// code.

// A site is a container, the hand of the other player, or a spot: a piece that the adversary sees.
type site uint8

const (
	nowhere site = iota
	deckA
	deckB
	pileE
	otherHand
	firstSpot
)

// card is a card as it may lie: its kind, its home, where it lies, and how many lie below it in its
// container. 0 is not a card.
type card uint32

func cardOf(kind uint32, home, at site, up int) card {
	return card(kind<<24 | uint32(home)<<16 | uint32(at)<<8 | uint32(up))
}

func (c card) kind() uint32 { return uint32(c >> 24) }
func (c card) home() site   { return site(c >> 16) }
func (c card) at() site     { return site(c >> 8) }
func (c card) up() int      { return int(c & 0xff) }

// put returns the card at another place. If it has no home, the first container into which it goes
// becomes its home.
func (c card) put(at site, up int) card {
	home := c.home()
	if home == nowhere && at >= deckA && at <= pileE {
		home = at
	}
	return cardOf(c.kind(), home, at, up)
}

const mostCards = 9

// world is one way in which everything can lie: its cards, ascending, and what the die in the other
// player's hand shows.
type world struct {
	cards [mostCards]card
	die   uint8
}

// worlds are all ways that are possible.
type worlds map[world]bool

// add adds a world.
func (ws worlds) add(cards []card, die uint8) {
	w := world{die: die}
	copy(w.cards[mostCards-len(cards):], cards)
	slices.Sort(w.cards[:])
	ws[w] = true
}

// withoutOrigins returns the worlds without the homes of those cards on the table whose kinds
// everybody knows: all worlds of known have the same kind there. Where such a card came from is not
// secret (F12).
func (ws worlds) withoutOrigins(known worlds) worlds {
	kinds, several := map[site]uint32{}, map[site]bool{}
	for w := range known {
		for _, c := range w.cards {
			if kind, met := kinds[c.at()]; met && kind != c.kind() {
				several[c.at()] = true
			}
			kinds[c.at()] = c.kind()
		}
	}
	all := worlds{}
	for w := range ws {
		cards := slices.Clone(w.cards[:])
		for i, c := range cards {
			if c != 0 && c.at() >= firstSpot && !several[c.at()] {
				cards[i] = cardOf(c.kind(), nowhere, c.at(), c.up())
			}
		}
		all.add(cards, w.die)
	}
	return all
}

// in returns the cards at a place, from the bottom up, and all others.
func (w world) in(at site) (there, others []card) {
	for _, c := range w.cards {
		switch {
		case c == 0:
		case c.at() == at:
			there = append(there, c)
		default:
			others = append(others, c)
		}
	}
	slices.SortStableFunc(there, func(a, b card) int { return a.up() - b.up() })
	return there, others
}

// laid returns cards one above the other in a container, or without an order in a bag.
func laid(cards []card, at site, bag bool) []card {
	all := make([]card, len(cards))
	for i, c := range cards {
		up := i
		if bag {
			up = 0
		}
		all[i] = c.put(at, up)
	}
	return all
}

// orders calls each with every order of cards.
func orders(cards []card, each func([]card)) {
	var next func(n int)
	next = func(n int) {
		if n == len(cards) {
			each(cards)
			return
		}
		for i := n; i < len(cards); i++ {
			cards[n], cards[i] = cards[i], cards[n]
			next(n + 1)
			cards[n], cards[i] = cards[i], cards[n]
		}
	}
	next(0)
}

// drawing is the result of a draw, where it is known; nil where it is not.
type drawing []uint32

// fits reports whether a number can be the result, as far as that is known.
func (o drawing) fits(n int) bool { return o == nil || int(o[0]) == n }

// change adds to the worlds to what can become of the world w.
type change func(w world, known drawing, to worlds)

// shuffles is a shuffle of a container.
func shuffles(at site) change {
	return func(w world, known drawing, to worlds) {
		there, others := w.in(at)
		orders(there, func(cards []card) {
			for i := range known {
				if cards[i].kind() != known[i] {
					return
				}
			}
			to.add(append(laid(cards, at, false), others...), w.die)
		})
	}
}

// cutsAt brings some cards of a container below the others.
func cutsAt(at site) change {
	return func(w world, known drawing, to worlds) {
		there, others := w.in(at)
		for n := 1; n < len(there); n++ {
			if known.fits(n) {
				low := len(there) - n
				to.add(append(laid(slices.Concat(there[low:], there[:low]), at, false), others...),
					w.die)
			}
		}
	}
}

// takes draws a card out of a container.
func takes(from site, bag bool, into site) change {
	return func(w world, known drawing, to worlds) {
		there, others := w.in(from)
		for i, c := range there {
			if bag && !known.fits(int(c.kind())) || !bag && i != len(there)-1 {
				continue
			}
			rest := laid(slices.Delete(slices.Clone(there), i, i+1), from, bag)
			to.add(append(append(rest, c.put(into, 0)), others...), w.die)
		}
	}
}

// moves is a move of any of the cards at a place that has no order to another place; in a container
// it lies on top.
func moves(from, into site, bag bool) change {
	return func(w world, _ drawing, to worlds) {
		there, others := w.in(from)
		below, _ := w.in(into)
		up := len(below)
		if bag || into >= otherHand {
			up = 0
		}
		for i, c := range there {
			rest := slices.Delete(slices.Clone(there), i, i+1)
			to.add(append(append(rest, c.put(into, up)), others...), w.die)
		}
	}
}

// stows puts a card from a spot into a container: on top, at the bottom, or at a random place.
func stows(from, into site, where int32) change {
	return func(w world, known drawing, to worlds) {
		moved, rest := w.in(from)
		there, _ := w.in(into)
		rest = slices.DeleteFunc(rest, func(c card) bool { return c.at() == into })
		for n := range len(there) + 1 {
			if where == 1 && n < len(there) || where == -1 && n > 0 ||
				where == 0 && !known.fits(n) {
				continue
			}
			to.add(append(laid(slices.Insert(slices.Clone(there), n, moved[0]), into, false),
				rest...), w.die)
		}
	}
}

// recalls brings all cards home that belong into a container, in any order.
func recalls(home site, bag bool) change {
	return func(w world, _ drawing, to worlds) {
		there, others := w.in(home)
		var coming []card
		for _, c := range others {
			if c.home() == home {
				coming = append(coming, c)
			}
		}
		others = slices.DeleteFunc(others, func(c card) bool { return c.home() == home })
		others = settled(others)
		orders(coming, func(cards []card) {
			to.add(append(laid(append(slices.Clone(there), cards...), home, bag), others...), w.die)
		})
	}
}

// settled closes the gaps in containers from which something was taken.
func settled(cards []card) []card {
	w := world{}
	copy(w.cards[:], cards)
	var all []card
	for at := deckA; at <= pileE; at++ {
		there, _ := w.in(at)
		bag := len(there) > 1 && there[len(there)-1].up() == 0
		all = append(all, laid(there, at, bag)...)
	}
	for _, c := range cards {
		if c.at() > pileE {
			all = append(all, c)
		}
	}
	return all
}

// mixes shuffles cards at spots among these.
func mixes(spots []site) change {
	return func(w world, known drawing, to worlds) {
		var there, others []card
		for _, c := range w.cards {
			switch {
			case c == 0:
			case slices.Contains(spots, c.at()):
				there = append(there, c)
			default:
				others = append(others, c)
			}
		}
		orders(there, func(cards []card) {
			dealt := make([]card, len(cards))
			for i, c := range cards {
				if known != nil && c.kind() != known[i] {
					return
				}
				dealt[i] = c.put(spots[i], 0)
			}
			to.add(slices.Concat(dealt, others), w.die)
		})
	}
}

// adds makes a card of one of some kinds.
func adds(at site, kinds ...uint32) change {
	return func(w world, _ drawing, to worlds) {
		_, all := w.in(nowhere)
		for _, kind := range kinds {
			to.add(append([]card{cardOf(kind, nowhere, at, 0)}, all...), w.die)
		}
	}
}

// deletes removes any of the cards at a place that has no order.
func deletes(at site) change {
	return func(w world, _ drawing, to worlds) {
		there, others := w.in(at)
		for i := range there {
			to.add(append(slices.Delete(slices.Clone(there), i, i+1), others...), w.die)
		}
	}
}

// rolls throws the die in the other player's hand.
func rolls(sides uint8) change {
	return func(w world, known drawing, to worlds) {
		for face := range sides {
			if known.fits(int(face)) {
				w.die = face
				to[w] = true
			}
		}
	}
}

// stays changes nothing: something was turned, or somebody had a look.
func stays(w world, _ drawing, to worlds) { to[w] = true }
