package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestF12Revealed plays random games in which an adversary reads the revealed seeds. With them it
// must not learn more about hidden cards than it knows without them.
func TestF12Revealed(t *testing.T) {
	// Clauses: F8.3, F12.1, F12.8, F12.9
	t.Run("F8, F12 a revealed seed reveals nothing that is hidden", func(t *testing.T) {
		seed := *revealSeed
		if seed == 0 {
			seed = firstSeed("revealgames")
		}
		tells := 0
		for n := range *revealGames {
			tells += playRevealGame(t, seed, uint64(n))
		}
		t.Logf("-revealseed %d: %d seeds were revealed in %d games", seed, tells, *revealGames)
		if tells < *revealGames {
			t.Errorf("%d seeds were revealed in %d games: too few", tells, *revealGames)
		}
	})
	t.Run("F12.20, F12.23 games in which a seed revealed something", func(t *testing.T) {
		playRevealGame(t, 8922295626423192842, 853) // a card drawn from a bag was deleted unseen
		playRevealGame(t, 9512899795866861268, 643) // a card that was added left a bag again
		// Cards came into a deck at random, and it was not seen which of them left it.
		playRevealGame(t, 10768212431396315809, 51845)
	})
}

// playRevealGame plays a game and returns how many seeds were revealed.
func playRevealGame(t *testing.T, seed, n uint64) int {
	t.Helper()
	g := setUpRevealGame(t, rand.New(rand.NewPCG(seed, n)))
	for range 30 {
		if g.play(); t.Failed() {
			t.Fatalf("game %d of -revealseed %d", n, seed)
		}
	}
	if g.finish(); t.Failed() {
		t.Fatalf("the end of game %d of -revealseed %d", n, seed)
	}
	return g.reveals
}

const (
	blindly = table.HasPiece
	tagged  = table.HasPiece | table.HasTag
)

// container returns one of the containers.
func (g *revealGame) container() (site, id.Piece) {
	var all []site
	for at := deckA; at <= pileE; at++ {
		if g.names[at] != 0 {
			all = append(all, at)
		}
	}
	at := all[g.rnd.IntN(len(all))]
	return at, g.names[at]
}

// isBag reports whether a container is a bag.
func (g *revealGame) isBag(at site) bool { return g.bag && at == deckA }

// spot returns one of the cards that eve sees. With mine it is one in her hand, otherwise one
// elsewhere.
func (g *revealGame) spot(mine bool) (table.Shown, site, bool) {
	all := slices.DeleteFunc(g.sees(2), func(p table.Shown) bool { return (p.Owner == 2) != mine })
	if len(all) == 0 {
		return table.Shown{}, 0, false
	}
	p := all[g.rnd.IntN(len(all))]
	return p, g.spots[p.Name], true
}

// ours returns one of the cards in ada's hand.
func (g *revealGame) ours() (table.Shown, bool) {
	all := slices.DeleteFunc(g.sees(1), func(p table.Shown) bool { return p.Owner != 1 })
	if len(all) == 0 {
		return table.Shown{}, false
	}
	return all[g.rnd.IntN(len(all))], true
}

// free returns a place on the table for a card.
func (g *revealGame) free() (x, y int32) {
	return int32(g.rnd.IntN(16_000)) - 8000, int32(g.rnd.IntN(5000)) - 2500
}

// play does something.
func (g *revealGame) play() {
	moves := []func(){
		g.draws, g.draws, g.draws, g.draws, g.stowsSpot, g.stowsSpot, g.playsOut, g.playsOut,
		g.stowsOurs, g.recallsAll, g.shufflesOne,
		g.shufflesOne, g.shufflesOne, g.cutsOne, g.mixesSpots, g.turns, g.opens, g.opens, g.addsOne,
		g.deletesOne, g.addsPile,
		g.rollsOrShows, g.tidies,
	}
	moves[g.rnd.IntN(len(moves))]()
}

func (g *revealGame) draws() {
	at, name := g.container()
	x, y := g.free()
	u := table.Update{Piece: name, X: x, Y: y}
	seat, has := id.Seat(1+g.rnd.IntN(2)), blindly
	open := g.rnd.IntN(3)
	switch open {
	case 0:
		has |= table.HasXY
	case 1:
		has |= table.HasXY | table.HasFace
	}
	chance, ok := g.do(seat, table.OpDraw, has, u)
	if !ok {
		return
	}
	into := otherHand
	if fresh := g.look(); len(fresh) > 0 {
		into = fresh[0]
	}
	g.then(takes(at, g.isBag(at), into), chance.Outputs)
}

func (g *revealGame) stowsSpot() {
	p, from, ok := g.spot(g.rnd.IntN(4) == 0)
	at, name := g.container()
	if !ok {
		return
	}
	where := int32(g.rnd.IntN(3)) - 1
	seat := id.Seat(2)
	chance, ok := g.do(seat, table.OpStow, tagged|table.HasInto|table.HasAt, table.Update{
		Piece: p.Name, Into: name, At: where,
	})
	if !ok {
		return
	}
	g.look()
	if g.isBag(at) {
		g.then(moves(from, at, true), nil)
		return
	}
	g.then(stows(from, at, where), chance.Outputs)
}

// playsOut makes ada or eve lay a card from a hand on the table, front up or down.
func (g *revealGame) playsOut() {
	p, ok := g.ours()
	seat, from := id.Seat(1), otherHand
	if g.rnd.IntN(3) == 0 {
		seat = 2
		p, from, ok = g.spot(true)
	}
	if !ok {
		return
	}
	if g.rnd.IntN(2) == 0 {
		g.do(seat, table.OpFlip, tagged|table.HasFace, table.Update{Piece: p.Name, Face: 1})
	}
	x, y := g.free()
	if _, ok := g.do(
		seat, table.OpMove, tagged|table.HasXY, table.Update{Piece: p.Name, X: x, Y: y},
	); !ok {
		g.t.Fatal("a card does not come out of a hand")
	}
	if seat == 2 {
		g.look()
		g.then(stays, nil)
		return
	}
	g.then(moves(from, g.look()[0], false), nil)
}

func (g *revealGame) stowsOurs() {
	p, ok := g.ours()
	at, name := g.container()
	if !ok {
		return
	}
	if _, ok := g.do(
		1, table.OpStow, tagged|table.HasInto, table.Update{Piece: p.Name, Into: name},
	); ok {
		g.then(moves(otherHand, at, g.isBag(at)), nil)
	}
}

func (g *revealGame) recallsAll() {
	at, name := g.container()
	if _, ok := g.do(1, table.OpRecall, blindly, table.Update{Piece: name}); ok {
		g.look()
		g.then(recalls(at, g.isBag(at)), nil)
	}
}

func (g *revealGame) shufflesOne() {
	at, name := g.container()
	if chance, ok := g.do(1, table.OpShuffle, blindly, table.Update{Piece: name}); ok &&
		chance.What != 0 {
		g.then(shuffles(at), chance.Outputs)
	}
}

func (g *revealGame) cutsOne() {
	at, name := g.container()
	if chance, ok := g.do(2, table.OpCut, blindly, table.Update{Piece: name}); ok &&
		chance.What != 0 {
		g.then(cutsAt(at), chance.Outputs)
	}
}

// mixesSpots shuffles the cards that lie on the table.
func (g *revealGame) mixesSpots() {
	var names []id.Piece
	for _, p := range g.sees(2) {
		if p.Owner == 0 {
			names = append(names, p.Name)
		}
	}
	if len(names) < 2 {
		return
	}
	chance, ok := g.do(1, table.OpShuffle, table.HasPieces, table.Update{Pieces: names})
	if !ok {
		return
	}
	var spots []site
	for _, oid := range chance.Pieces {
		spots = append(spots, g.spots[g.of[oid]])
	}
	g.then(mixes(spots), chance.Outputs)
}

func (g *revealGame) turns() {
	p, _, ok := g.spot(false)
	if !ok {
		return
	}
	face := int32(1)
	if p.Kind == revealBack {
		face = 0
	}
	if _, ok := g.do(
		2, table.OpFlip, tagged|table.HasFace, table.Update{Piece: p.Name, Face: face},
	); ok {
		g.then(stays, nil)
	}
}

func (g *revealGame) opens() {
	g.open()
	g.then(stays, nil)
}

// addsOne makes ada add a card: in her hand, where eve does not see which, or on the table, front
// down.
func (g *revealGame) addsOne() {
	if g.rnd.IntN(3) > 0 || g.cards() > 6 {
		return
	}
	kind := []uint32{revealAce, revealJack}[g.rnd.IntN(2)]
	x, y := g.free()
	if g.rnd.IntN(2) == 0 {
		x, y = 0, -5000
	}
	_, ok := g.do(1, table.OpAdd, table.HasKind|table.HasXY|table.HasFace, table.Update{
		Kind: kind, X: x, Y: y, Face: 1,
	})
	if !ok {
		g.t.Fatal("no card is added")
	}
	at := otherHand
	if fresh := g.look(); len(fresh) > 0 {
		at = fresh[0]
	}
	g.then(adds(at, revealAce, revealJack), nil)
}

// cards returns how many cards there are.
func (g *revealGame) cards() (n int) {
	for w := range g.ws {
		for _, c := range w.cards {
			if c != 0 {
				n++
			}
		}
		break
	}
	return n
}

func (g *revealGame) deletesOne() {
	if g.rnd.IntN(4) > 0 {
		return
	}
	p, from, ok := g.spot(false)
	seat := id.Seat(2)
	if g.rnd.IntN(2) == 0 {
		p, ok = g.ours()
		seat, from = 1, otherHand
	}
	if !ok {
		return
	}
	if _, ok := g.do(seat, table.OpDelete, tagged, table.Update{Piece: p.Name}); ok {
		g.look()
		g.then(deletes(from), nil)
	}
}

// addsPile adds an empty deck.
func (g *revealGame) addsPile() {
	if g.names[pileE] != 0 {
		return
	}
	g.do(2, table.OpAdd, table.HasKind|table.HasXY, table.Update{Kind: revealDeck, X: 6000, Y: 0})
	for _, p := range g.table.All(2, id.Client{2}) {
		if p.Kind == revealDeck && p.X == 6000 {
			g.names[pileE] = p.Name
		}
	}
}

// rollsOrShows makes ada roll her die, or lay it open and take it back.
func (g *revealGame) rollsOrShows() {
	for _, p := range g.table.All(1, id.Client{1}) {
		switch {
		case p.Kind != revealDie:
		case p.Owner == 1 && g.rnd.IntN(2) == 0:
			if chance, ok := g.do(1, table.OpRoll, blindly, table.Update{Piece: p.Name}); ok {
				g.then(rolls(revealSides), chance.Outputs)
			}
		case p.Owner == 1:
			g.do(1, table.OpMove, tagged|table.HasXY, table.Update{Piece: p.Name, X: 0, Y: 0})
			g.then(shows(uint8(p.Face)), nil)
		default:
			g.do(1, table.OpMove, tagged|table.HasXY, table.Update{Piece: p.Name, X: 0, Y: -5000})
			g.then(stays, nil)
		}
	}
}

// shows lays the die open.
func shows(face uint8) change {
	return func(w world, _ drawing, to worlds) {
		if w.die == face {
			to[w] = true
		}
	}
}

// tidies ends a hand of cards now and then: all is recalled and shuffled.
func (g *revealGame) tidies() {
	if g.rnd.IntN(2) == 0 {
		return
	}
	for at := deckA; at <= deckB; at++ {
		if g.names[at] == 0 {
			continue
		}
		g.do(1, table.OpRecall, blindly, table.Update{Piece: g.names[at]})
		g.look()
		g.then(recalls(at, g.isBag(at)), nil)
		if chance, ok := g.do(1, table.OpShuffle, blindly, table.Update{Piece: g.names[at]}); ok &&
			chance.What != 0 {
			g.then(shuffles(at), chance.Outputs)
		}
	}
}

// finish ends a game so that its rounds can be revealed: the die lies open, and all cards are
// recalled and shuffled, or lie open.
func (g *revealGame) finish() {
	g.opens()
	for _, p := range g.table.All(1, id.Client{1}) {
		if p.Kind == revealDie && p.Owner == 1 {
			g.do(1, table.OpMove, tagged|table.HasXY, table.Update{Piece: p.Name, X: 0, Y: 0})
			g.then(shows(uint8(p.Face)), nil)
		}
	}
	for at := deckA; at <= deckB; at++ {
		if g.names[at] == 0 {
			continue
		}
		g.do(1, table.OpRecall, blindly, table.Update{Piece: g.names[at]})
		g.look()
		g.then(recalls(at, g.isBag(at)), nil)
	}
	for at := deckA; at <= deckB; at++ {
		if chance, ok := g.shuffle(at); ok && chance.What != 0 {
			g.then(shuffles(at), chance.Outputs)
		}
	}
}

// shuffle shuffles a container, if there is one.
func (g *revealGame) shuffle(at site) (table.Chance, bool) {
	if g.names[at] == 0 {
		return table.Chance{}, false
	}
	return g.do(1, table.OpShuffle, blindly, table.Update{Piece: g.names[at]})
}
