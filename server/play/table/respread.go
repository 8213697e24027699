package table

import (
	"iter"
	"slices"

	"holt/server/id"
	"holt/server/play/zlevel"
)

// respread gives p, whose level has become long, a short one at the same place in the drawing order, and with it
// those of its neighbours whose levels are long as well: all between two pieces with short levels (T13). There
// is room for them, but if these two touch in the last of ShortDigits. Then the crowd about p is spread out: all
// pieces whose levels go on behind the digits that they share with p's, so many digits that the crowd is small for
// the room there.
//
// So every piece is relabelled at the cost of the update that made its level long, or of those that filled the
// room about it: what was spread out has hardly more than half of the pieces that make a crowd again. A piece
// whose level has no more digits than any crowd shares is never touched.
func (t *Table) respread(p *piece, now id.Millis) {
	run, lo, hi := t.around(p, func(q *piece) bool { return q.state.Z.Digits() > zlevel.ShortDigits })
	levels, err := zlevel.SpreadBetween(lo, hi, len(run))
	small := 1
	for shared := zlevel.ShortDigits - 1; err != nil || !short(levels); shared-- {
		small *= smallPerDigit
		lo, hi = zlevel.Stretch(p.state.Z, shared)
		run, _, _ = t.around(p, func(q *piece) bool { return q.state.Z > lo && (hi == "" || q.state.Z < hi) })
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

// smallPerDigit says how many pieces are a small crowd: this many where levels differ in the last of ShortDigits
// alone, the square of it in the last two, and so on. Its sixth power is more than MaxPieces: a crowd shares at
// least 58 digits.
const smallPerDigit = 5

func short(levels []zlevel.Level) bool {
	return !slices.ContainsFunc(levels, func(l zlevel.Level) bool { return l.Digits() > zlevel.ShortDigits })
}

// around returns p and the pieces next to it that belong, in drawing order, and the levels of those that end the
// run on either side; "" where there is none.
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

// below goes through all pieces that are drawn below p, from the nearest on; of those in the same hand or container that
// are of its group.
func (t *Table) below(p *piece) iter.Seq[*piece] {
	switch {
	case p.state.In != 0:
		return t.stack(&p.state).downwards(p)
	case t.kinds[p.state.Kind].Heavy:
		return t.heavy.downwards(p)
	}
	return chain(t.light.downwards(p), t.heavy.downwards(nil))
}

// over goes through all pieces that are drawn over p, from the nearest on; of those in the same hand or container that
// are of its group.
func (t *Table) over(p *piece) iter.Seq[*piece] {
	switch {
	case p.state.In != 0:
		return t.stack(&p.state).upwards(p)
	case !t.kinds[p.state.Kind].Heavy:
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
