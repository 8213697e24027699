package table

import (
	"iter"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// respread gives p, whose level has become long, a short one at the same place in the drawing
// order. The neighbours whose levels are also long get short ones, too: all between two pieces with
// short levels (T13). There is room for them, unless these two levels are adjacent in the last of
// ShortDigits digits. Then the crowd about p gets new levels. The crowd are all pieces whose levels
// go on behind the first digits that they share with the level of p. As many digits are shared as
// make the crowd small for the room there.
//
// So each new level is paid for by the update that made a level long, or by those that filled the
// room about it: a crowd that got new levels has hardly more than half of the pieces that it takes
// to need new levels again. A level that has no more digits than any crowd shares is never changed.
func (t *Table) respread(p *piece, now id.Millis) {
	run, lo, hi := t.around(p, func(q *piece) bool {
		return q.state.Z.Digits() > zlevel.ShortDigits
	})
	levels, err := zlevel.SpreadBetween(lo, hi, len(run))
	small := 1
	for shared := zlevel.ShortDigits - 1; err != nil || !short(levels); shared-- {
		small *= smallPerDigit
		lo, hi = zlevel.Stretch(p.state.Z, shared)
		run, _, _ = t.around(p, func(q *piece) bool {
			return q.state.Z > lo && (hi == "" || q.state.Z < hi)
		})
		if len(run) <= small {
			levels, err = zlevel.SpreadBetween(lo, hi, len(run))
		}
	}
	for i, q := range run {
		s := q.state
		s.Z, s.ZGen = levels[i], zGenSelf
		t.serve(q, OpRespread, 0, now, s)
	}
}

// smallPerDigit bounds a small crowd: this many pieces where levels differ in the last of
// ShortDigits digits alone, the square of it for the last two digits, and so on. Its sixth power is
// more than MaxPieces, so a crowd shares at least 58 digits.
const smallPerDigit = 5

func short(levels []zlevel.Level) bool {
	return !slices.ContainsFunc(levels, func(l zlevel.Level) bool {
		return l.Digits() > zlevel.ShortDigits
	})
}

// around returns p and the adjacent pieces that belong, in drawing order. lo and hi are the levels
// of the pieces that end this run on either side; "" where there is none.
func (t *Table) around(p *piece, belongs func(*piece) bool) (run []*piece, lo, hi zlevel.Level) {
	for q := range t.below(p) {
		if !belongs(q) {
			lo = q.state.Z
			break
		}
		run = append(run, q)
	}
	slices.Reverse(run)
	run = append(run, p)
	for q := range t.over(p) {
		if !belongs(q) {
			hi = q.state.Z
			break
		}
		run = append(run, q)
	}
	return run, lo, hi
}

// below goes through the pieces that are drawn below p, from the nearest on. In a hand or a
// container these are only pieces of its group.
func (t *Table) below(p *piece) iter.Seq[*piece] {
	switch {
	case p.state.In != 0:
		return t.stack(&p.state).downwards(p)
	case t.kind(p).Heavy:
		return t.heavy.downwards(p)
	}
	return chain(t.light.downwards(p), t.heavy.downwards(nil))
}

// over goes through the pieces that are drawn over p, from the nearest on. In a hand or a container
// these are only pieces of its group.
func (t *Table) over(p *piece) iter.Seq[*piece] {
	switch {
	case p.state.In != 0:
		return t.stack(&p.state).upwards(p)
	case !t.kind(p).Heavy:
		return t.light.upwards(p)
	}
	return chain(t.heavy.upwards(p), t.light.upwards(nil))
}

// chain goes through one sequence and then through another.
func chain(first, second iter.Seq[*piece]) iter.Seq[*piece] {
	return func(yield func(*piece) bool) {
		for p := range first {
			if !yield(p) {
				return
			}
		}
		second(yield)
	}
}
