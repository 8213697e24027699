package room

import (
	"cmp"
	"maps"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// pieceCounts is how many pieces lie in each hand and container, by sort, as published (T29).
type pieceCounts map[id.Piece]map[uint32]int

// newPieceCounts returns the numbers that a table has in a full state.
func newPieceCounts(t *table.Table) pieceCounts {
	h := pieceCounts{}
	for _, tally := range t.Counts() {
		h.apply(tally)
	}
	return h
}

// apply applies a number that an entry has.
func (h pieceCounts) apply(t table.Tally) {
	of := h[t.Piece]
	switch {
	case t.Count > 0 && of == nil:
		h[t.Piece] = map[uint32]int{t.Sort: t.Count}
	case t.Count > 0:
		of[t.Sort] = t.Count
	default:
		delete(of, t.Sort)
		if len(of) == 0 {
			delete(h, t.Piece)
		}
	}
}

// of returns all numbers of one hand or container.
func (h pieceCounts) of(piece id.Piece) []table.Tally {
	sorts := slices.SortedFunc(maps.Keys(h[piece]), cmp.Compare[uint32])
	all := make([]table.Tally, len(sorts))
	for i, s := range sorts {
		all[i] = table.Tally{Piece: piece, Sort: s, Count: h[piece][s]}
	}
	return all
}

// allCounts returns all numbers of a table, for a full state.
func allCounts(t *table.Table) []*holtpb.Holds {
	h := newPieceCounts(t)
	var all []*holtpb.Holds
	for _, piece := range slices.Sorted(maps.Keys(h)) {
		all = append(all, wire.Holds(piece, h.of(piece)))
	}
	return all
}

// changedCounts returns the hands and containers whose numbers are changed by entries, ascending.
// It leaves out those that were deleted since: nothing is published of them any more.
func changedCounts(entries []table.Entry) []id.Piece {
	changed := map[id.Piece]bool{}
	for i := range entries {
		e := &entries[i]
		for _, t := range []table.Tally{e.Left, e.Entered} {
			if t.Piece != 0 {
				changed[t.Piece] = true
			}
		}
		if e.After.Gone {
			delete(changed, e.Name)
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// applyCounts notes the numbers that the entries of a tick have, and encodes all that have changed,
// once, for the end of the tick.
func (r *room) applyCounts(entries []table.Entry) []byte {
	for i := range entries {
		e := &entries[i]
		for _, t := range []table.Tally{e.Left, e.Entered} {
			if t.Piece != 0 {
				r.counts.apply(t)
			}
		}
		if e.After.Gone {
			delete(r.counts, e.Name)
		}
	}
	return r.appendCounts(nil, changedCounts(entries))
}

// appendCounts appends how many pieces lie in some hands and containers now.
func (r *room) appendCounts(frame []byte, pieces []id.Piece) []byte {
	for _, p := range pieces {
		h := wire.Holds(p, r.counts.of(p))
		frame = r.appendEvents(frame, []*holtpb.Event{wire.HoldsEvent(h)})
	}
	return frame
}
