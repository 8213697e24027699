package room_test

import (
	"slices"
	"testing"
	"time"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/table"
)

// pile adds an empty deck, and puts cards from the top of the full one into it, front down.
func (d *dealing) pile(x int32, cards int32) id.Piece {
	d.t.Helper()
	d.ada.events()
	add := d.ada.make(table.OpAdd, 0)
	add.Has, add.Tag, add.Kind, add.X, add.Y = table.HasKind|table.HasXY, 0, cardsDeck, x, 2000
	d.ada.mustSend(add)
	name := made(d.t, d.ada.events())
	u := d.ada.blind(table.OpDraw, deck)
	u.Has, u.N, u.X, u.Y = u.Has|table.HasN|table.HasXY, cards, x, -2000
	d.ada.mustSend(u)
	d.ada.events()
	for _, p := range d.ada.lying() {
		d.ada.mustSend(d.ada.stow(id.Piece(p.GetId()), name, 1))
	}
	d.ada.events()
	return name
}

// shuffle makes ada shuffle containers.
func (d *dealing) shuffle(containers ...id.Piece) {
	d.t.Helper()
	for _, c := range containers {
		d.ada.mustSend(d.ada.blind(table.OpShuffle, c))
	}
	d.ada.events()
}

// shuffledIn returns the order in which the first shuffle of a round has laid its cards, from the
// bottom up, as a reader of the export knows it; nil while the round is sealed.
func (d *dealing) shuffledIn(round fairness.Round) []uint32 {
	d.t.Helper()
	<-time.After(3 * time.Second)
	e, _ := d.export()
	r := e.Rounds[round-1]
	if r.Seed == nil {
		return nil
	}
	for _, f := range r.Facts {
		if drawn, ok := f.Fact.(fairness.Drawn); ok && drawn.Record.Kind == fairness.Shuffle {
			return drawn.Record.Outputs
		}
	}
	return nil
}

// handOf returns the kinds of the cards in the hand of a player, ascending.
func handOf(p *player) (kinds []uint32) {
	p.events()
	for _, c := range p.hand(anyCard) {
		kinds = append(kinds, c.GetKind())
	}
	slices.Sort(kinds)
	return kinds
}

// takeAll makes bob take n cards of a container into his hand.
func (d *dealing) takeAll(from id.Piece, n int32) []uint32 {
	d.t.Helper()
	u := d.bob.blind(table.OpDraw, from)
	u.Has, u.N = u.Has|table.HasN, n
	d.bob.mustSend(u)
	return handOf(d.bob.player)
}

func TestFindingS2ToldHands(t *testing.T) {
	// Clauses: F12.11
	deal(t, "F12 piles in added decks do not reveal round 1", func(t *testing.T, d *dealing) {
		d.shuffle(deck)
		var piles []id.Piece
		for i := range int32(4) {
			piles = append(piles, d.pile(-3000+2000*i, 6))
		}
		d.openRound()
		d.shuffle(piles...)
		hand := d.takeAll(piles[0], 6)
		order := d.shuffledIn(1)
		if order != nil {
			read := slices.Sorted(slices.Values(order[18:]))
			t.Errorf("round 1 is revealed: bob's hand is read as %v, it is %v", read, hand)
		}
		d.shuffle(piles...)
		d.openRound()
		if d.shuffledIn(1) != nil || d.shuffledIn(2) != nil {
			t.Error("a round is revealed while bob has cards in his hand")
		}
		d.ada.mustSend(d.ada.blind(table.OpRecall, deck))
		d.shuffle(deck)
		if d.shuffledIn(1) == nil || d.shuffledIn(2) != nil && len(d.shuffledIn(2)) != 6 {
			t.Error("the deck was recalled and shuffled, and the rounds are not revealed")
		}
	})
	// Clauses: F12.31
	deal(t, "F12 a deck that returns has another order", func(t *testing.T, d *dealing) {
		d.shuffle(deck)
		d.openRound()
		d.makeGuestSet(d.ada.player, d.bob.player)
		if d.shuffledIn(1) == nil {
			t.Fatal("round 1 is not revealed, though its deck has left the table")
		}
		order := d.shuffledIn(1)
		d.takeAll(deck, 12)
		<-time.After(time.Second)
		if hand := handOf(
			d.bob.player,
		); slices.Equal(hand, slices.Sorted(slices.Values(order[12:]))) {
			t.Errorf("the upper half is %v, as round 1 says", hand)
		}
	})
	// Clauses: F12.32
	deal(t, "F12 hands do not decide when a seed is revealed", func(t *testing.T, d *dealing) {
		d.ada.mustSend(d.ada.move(openDie, 0, northY))
		d.listen()
		d.ada.mustSend(d.ada.blind(table.OpRoll, openDie))
		d.openRound()
		d.listen()
		<-time.After(2 * time.Second)
		d.ada.mustSend(d.ada.blind(table.OpRoll, openDie))
		<-time.After(3 * time.Second)
		if got := rejected(d.ada.events()); len(got) != 0 {
			t.Fatalf("the die was not rolled: %v", got)
		}
		if got := d.bob.fairs(); len(got) != 0 {
			t.Errorf("bob gets %v of a roll in a hand", got)
		}
	})
}
