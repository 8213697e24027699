package table

import (
	"cmp"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// The order in a container (T31). If the pieces there come into another order, one entry is
// recorded, however many they are. Nobody sees the pieces there, so nothing is published about any
// one of them. The entry says where each of them lay before.

func init() {
	define(rows{
		OpCut: {Name: "cut", LowN: 1, HighN: MaxPieces, Traits: Fence, Forms: []Form{{
			Required: blind, Optional: HasN,
			Condition: "a container that draws from the top",
			Ack:       "none",
			Rejects:   []Reason{ReasonLocked, ReasonNotAllowed, ReasonEmpty},
		}}, run: (*judging).cut, weigh: (*weighing).cut},
	})
}

// cut brings the uppermost pieces below all others (T31).
func (j *judging) cut() Outcome {
	within, n := j.withinOrder(), int(j.u.N)
	if within == nil {
		return j.reject(ReasonNotAllowed, 0)
	}
	switch few := within.n < 2 || n >= within.n; {
	// A reject would reveal how many there are.
	case few && j.t.kind(j.p).Uncounted:
		return j.notice(within.n, 0)
	case few:
		return j.reject(ReasonEmpty, 0)
	case j.u.Has&HasN == 0:
		n = j.cutAt(within)
	}
	all, at := j.numbered(within), within.n-n
	return j.reordered(slices.Concat(all[at:], all[:at]), j.owedToCut(all))
}

// cutAt returns a random number of pieces to bring below the others.
func (j *judging) cutAt(within *order) int {
	if j.t.ofOthers(within.all()) {
		return 1 + j.in.Unproved.IntN(within.n-1)
	}
	n := 1 + j.in.Rand.IntN(within.n-1)
	j.noteDraw(ChanceCut,
		[]uint32{uint32(within.n)}, []uint32{uint32(n)}) //nolint:gosec // at most MaxPieces
	return n
}

// owedToCut returns the round on which the places of pieces depend after a cut; 0 if it is the same
// as before (F12).
func (j *judging) owedToCut(all []*piece) uint32 {
	asSetUp := 0
	for _, p := range all {
		if p.state.Since == 0 {
			asSetUp++
		}
	}
	switch {
	case j.drawn.What == 0 || asSetUp == 0:
		return 0
	case asSetUp == len(all):
		return j.in.Round
	default:
		return HiddenEver
	}
}

// cut weighs a cut.
func (w *weighing) cut(_ *Update, p *piece) {
	if p == nil {
		return
	}
	n := w.within(p)
	w.Bytes += n * kindBytes
	w.Looks += 2 * n
	w.fact(2)
}

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
		if e.Owed != 0 && !t.isSecretPart(&p.state) {
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
	if len(e.Order) != n || !t.kind(p).Container.Holds {
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

// Orders of pieces that reveal nothing.

// byPlace orders pieces by what everybody may know of where they lie. Pieces on the table come
// first, as they are drawn. Then follow those in each hand and container, by sort, and within a
// sort by owner and team, as they are drawn. So a viewer who sees some of these pieces does not
// learn what lies below them. What is hidden there does not influence the order in which entries
// are published (T21).
func (t *Table) byPlace(a, b *piece) int {
	hidden := 0
	if a.state.In != 0 {
		hidden = cmp.Compare(t.sortOf(a.state.Kind), t.sortOf(b.state.Kind))
	}
	return cmp.Or(t.byHolder(a, b), hidden, t.byDrawing(a, b))
}

// byHolder orders pieces by the age of the hand or container in which they lie. Those that lie in
// none come first.
func (t *Table) byHolder(a, b *piece) int {
	if a.state.In == b.state.In {
		return 0
	}
	age := func(p *piece) (oid id.OID) {
		// Otherwise the piece is held, and its hand is gone.
		if h := t.names[p.state.In]; h != nil {
			oid = h.oid
		}
		return oid
	}
	one, two := age(a), age(b)
	return cmp.Or(slices.Compare(one[:], two[:]), cmp.Compare(a.state.In, b.state.In))
}

// byDrawing orders pieces as they are drawn: hand by hand, and in each hand group by group.
func (t *Table) byDrawing(a, b *piece) int {
	drawn := 1
	if above(b, a) {
		drawn = -1
	}
	of, on := &a.state, &b.state
	if of.In == 0 && on.In == 0 {
		return drawn
	}
	return cmp.Or(t.byHolder(a, b), cmp.Compare(of.Owner, on.Owner), cmp.Compare(of.Team, on.Team),
		drawn)
}
