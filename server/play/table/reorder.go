package table

import (
	"fmt"

	"holt/server/play/zlevel"
)

// If the pieces of a container come into another order, one entry is recorded, however many they
// are. Nobody sees the pieces there, so nothing is published about any one of them. The entry says
// where each of them lay before.

// numbered returns all that lies in a container, the undermost first, and stores in each piece
// where it lies.
func (j *judging) numbered(within *order) []*piece {
	all := j.everything(within)
	for i, p := range all {
		p.was = uint32(i)
	}
	return all
}

// reordered records that the pieces of the update's container lie in the order of within from now
// on, the undermost first. numbered must have returned them before. This ends the update. owed is
// the round on which the places of all depend from now on (F12), 0 if it stays as it was.
func (j *judging) reordered(within []*piece, owed uint32) Outcome {
	e := Entry{
		Count: int32(len(within)), //nolint:gosec // at most MaxPieces
		Order: make([]uint32, len(within)),
		Owed:  owed,
	}
	for i, p := range within {
		e.Order[i] = p.was
	}
	return j.noticed(e)
}

// reorder brings what lies in a container into the order of an entry.
func (t *Table) reorder(c *piece, e *Entry) {
	in := t.contents(c)
	was, is := in.all(), make([]*piece, in.n)
	t.looks += uint64(in.n) //nolint:gosec // not negative
	levels := zlevel.Spread(len(is))
	for i, at := range e.Order {
		p := was[at]
		t.lengths.count(&p.state, -1)
		p.state.Z, p.state.ZGen = levels[i], e.Gen
		if e.Owed != 0 && !t.secretly(&p.state) {
			p.state.Since = e.Owed
		}
		t.lengths.count(&p.state, +1)
		is[i] = p
	}
	if e.Op == OpShuffle && e.Owed != 0 {
		// From now on Since of every piece in it says on which round its place depends.
		c.touched = false
	}
	in.refill(is)
}

// ordered returns an error unless the order of an entry names every piece in the container exactly
// once.
func (t *Table) ordered(p *piece, e *Entry) error {
	n := t.contents(p).n
	if len(e.Order) != n || !t.kinds[p.state.Kind].Container.Holds {
		return fmt.Errorf("order of %d pieces in a container of %d", len(e.Order), n)
	}
	seen := make([]bool, n)
	for _, at := range e.Order {
		if int64(at) >= int64(n) || seen[at] {
			return fmt.Errorf("order of %d pieces names %d twice or not at all", n, at)
		}
		seen[at] = true
	}
	return nil
}
