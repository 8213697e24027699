package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Chance is the random draw that an update made, for the record that proves its fairness
// (docs/fairness.md). The zero value stands for an update without a draw.
type Chance struct {
	What ChanceOf
	// Pieces are the container or the die. For a shuffle outside containers they are the pieces
	// that got the outputs, in ascending order of their identifiers.
	Pieces          []id.OID
	Inputs, Outputs []uint32
}

// ChanceOf says what was drawn. The numbers are those of docs/fairness.md.
type ChanceOf uint8

// The draws, and their inputs and outputs.
const (
	ChanceShuffle ChanceOf = 1 // all kinds, ascending: the new order, the undermost first
	ChanceCut     ChanceOf = 2 // the number of pieces: how many go below the others
	ChanceDraw    ChanceOf = 3 // all kinds, ascending: the kinds taken, in order
	ChanceRoll    ChanceOf = 4 // the number of faces: the face that is up
	ChancePlace   ChanceOf = 5 // the number of places: the place, counted from 0
)

// chance notes a draw for the piece of the update.
func (j *judging) chance(what ChanceOf, inputs, outputs []uint32) {
	j.lot = Chance{What: what, Pieces: []id.OID{j.p.oid}, Inputs: inputs, Outputs: outputs}
}

// Audience returns the only seat that may know the draw of u: the owner of the hand in which it
// happens, or the seat that stows a piece, since others do not learn the place (T30). It returns 0
// if everybody may know.
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

// shuffled brings things into a random order. Their order before does not influence the outcome:
// otherwise somebody who can foresee the random numbers could choose one.
func (j *judging) shuffled(things []*piece) {
	slices.SortStableFunc(things, func(a, b *piece) int {
		return cmp.Compare(a.state.Kind, b.state.Kind)
	})
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
