package table

import (
	"cmp"
	"math"
	"slices"

	"holt/server/play/zlevel"
)

// Buttons that sort what lies in a zone (T87).

// MaxSorted is the most pieces in the zones that one press sorts.
const MaxSorted = 256

// sort lays what lies in a zone in the order of the kinds. The pieces keep the places and the
// levels that they have together. Only what everybody sees decides.
func (j *judging) sort(z *piece) Outcome {
	t := j.t
	if !t.open(&z.state) || z.state.Holder != 0 {
		return Outcome{Verdict: Rejected}
	}
	places := j.sortable(z)
	if t.pressed.sorted += len(places); t.pressed.sorted > MaxSorted {
		return Outcome{Verdict: Rejected}
	}
	t.looks += 3 * sorting(len(places))
	levels := slices.Clone(places)
	slices.SortFunc(levels, t.byDrawing)
	if t.kind(z).Zone.Lay == LayPile {
		copy(places, levels)
	} else {
		slices.SortStableFunc(places, t.byReading(z))
	}
	want := slices.Clone(places)
	slices.SortStableFunc(want, func(a, b *piece) int {
		of, on := t.mask(a.state, 0), t.mask(b.state, 0)
		return cmp.Or(cmp.Compare(of.Kind, on.Kind), cmp.Compare(of.Face, on.Face))
	})
	if slices.Equal(want, places) {
		return Outcome{Verdict: Rejected}
	}
	type place struct {
		x, y int32
		z    zlevel.Level
	}
	var at []place
	for i, p := range places {
		at = append(at, place{p.state.X, p.state.Y, levels[i].state.Z})
	}
	for i, p := range want {
		after := p.state
		after.X, after.Y, after.Z, after.ZGen = at[i].x, at[i].y, at[i].z, zGenSelf
		t.record(j.about(p, after, false))
	}
	return Outcome{Verdict: Recorded}
}

// sortable returns the pieces in a zone that a sort moves: not those that this seat could not move
// by itself, and not those that lie under a hand.
func (j *judging) sortable(z *piece) (all []*piece) {
	t := j.t
	half := t.kind(z).span() / 2
	t.near(z.state.X, z.state.Y, half, half, func(g *bunch) {
		t.looks += uint64(len(g.pieces))
		for _, p := range g.pieces {
			s := &p.state
			_, _, in := t.inZone(z, s.X, s.Y)
			if in && p.oid != t.pressed.button && !t.kind(p).Heavy && s.Holder == 0 &&
				s.Set.IsZero() && !j.spares(s, OpMove) && !t.underHand(s) {
				all = append(all, p)
			}
		}
	})
	slices.SortFunc(all, t.byDrawing)
	return all
}

// underHand reports whether an owned hand lies over the place of a piece. What is not secret lies
// under a rack, which does not take it (T96), and a card that came to its place would be on the
// rack.
func (t *Table) underHand(s *State) bool {
	hands := t.hands.at(s.X, s.Y)
	t.looks += uint64(len(hands))
	return slices.ContainsFunc(hands, func(h *piece) bool { return t.covers(h, s.X, s.Y) })
}

// byReading compares pieces by where they lie in a zone: row by row, and each row along the zone.
func (t *Table) byReading(z *piece) func(a, b *piece) int {
	of := &t.kind(z).Zone
	where := func(p *piece) (row, along float64) {
		along, across, _ := t.inZone(z, p.state.X, p.state.Y)
		switch of.Lay {
		case LayGrid:
			row = math.Round(across / float64(of.Down) * 2)
		case LayColumn:
			row, along = math.Round(across), 0
		default:
		}
		return row, along
	}
	return func(a, b *piece) int {
		rowA, alongA := where(a)
		rowB, alongB := where(b)
		return cmp.Or(cmp.Compare(rowA, rowB), cmp.Compare(alongA, alongB))
	}
}

// sort weighs the sorting of a zone.
func (w *weighing) sort(z *piece) {
	if w.t.kind(z).Zone.Lay == LayNone {
		return
	}
	half := w.t.kind(z).span() / 2
	n := w.pieces(w.t.about(z.state.X, z.state.Y, half, half))
	w.Looks += n*(2+len(w.t.hands.all)) + 3*int(sorting(n)) //nolint:gosec // small
	w.records(min(n, MaxSorted))
	w.sets(min(n, MaxSorted))
}
