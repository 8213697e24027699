package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Chance is what the lot decided in an update, for whoever has to show that it was fair (docs/fairness.md). The zero value
// is of an update in which it decided nothing.
type Chance struct {
	What            ChanceOf
	Pieces          []id.OID // the container or the die; of a shuffle outside containers those to which the outputs were dealt, ascending
	Inputs, Outputs []uint32
}

// ChanceOf says what was decided. The numbers are those of docs/fairness.md.
type ChanceOf uint8

// What the lot decides: inputs and outputs.
const (
	ChanceShuffle ChanceOf = 1 // the kinds of all, ascending: in their new order, the undermost first
	ChanceCut     ChanceOf = 2 // how many there are: how many are brought below
	ChanceDraw    ChanceOf = 3 // the kinds of all, ascending: those taken, in order
	ChanceRoll    ChanceOf = 4 // how many sides there are: the one that is up
	ChancePlace   ChanceOf = 5 // how many places there are: which one
)

// chance notes what the lot has decided.
func (j *judging) chance(what ChanceOf, inputs, outputs []uint32) {
	j.lot = Chance{What: what, Pieces: []id.OID{j.p.oid}, Inputs: inputs, Outputs: outputs}
}

// Audience returns the only seat that may know of what the lot decides in u: the owner of the hand in which it happens, or
// whoever stows a piece, since others are not told at which place (T30). It returns 0 if everybody may know.
func (t *Table) Audience(u *Update, seat id.Seat) id.Seat {
	switch u.Op {
	case OpStow:
		return seat
	case OpRoll, OpShuffle:
	default:
		return 0
	}
	names := u.Pieces
	if u.Has&HasPiece != 0 {
		names = []id.Piece{u.Piece}
	}
	var owner id.Seat
	for _, name := range names {
		p := t.find(name, t.ViewOf(seat))
		if p == nil || !t.inHand(&p.state) {
			return 0
		}
		owner = p.state.Owner
	}
	return owner
}

// shuffled deals things out anew. Their order before does not matter for what comes out: else whoever can foresee the lot
// could choose one.
func (j *judging) shuffled(things []*piece) {
	slices.SortStableFunc(things, func(a, b *piece) int { return cmp.Compare(a.state.Kind, b.state.Kind) })
	for i := len(things) - 1; i > 0; i-- {
		k := j.in.Rand.IntN(i + 1)
		things[i], things[k] = things[k], things[i]
	}
}

// kindsOf returns the kinds of pieces, in their order.
func kindsOf(pieces []*piece) []uint32 {
	kinds := make([]uint32, len(pieces))
	for i, p := range pieces {
		kinds[i] = p.state.Kind
	}
	return kinds
}
