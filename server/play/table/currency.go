package table

import (
	"slices"

	"holt/server/id"
)

// Currency: heaps that are split, and that merge where they meet (T34).

func init() {
	define(rows{
		OpSplit: {Name: "split", LowN: 1, HighN: MaxValue, Traits: KeepsSets | MakesPiece | NeedsRoom,
			Forms: []Form{{
				Required: blind | HasN | HasXY, Optional: HasZ | HasHold,
				Condition: "currency, or a supply (T89)",
				Ack:       "`value`, made",
				Rejects: []Reason{ReasonLocked, ReasonNotAllowed, ReasonTableFull, ReasonRange,
					ReasonOffTable},
			}}, run: (*judging).split, weigh: (*weighing).make},
	})
}

// split takes an amount off a heap of currency and makes a new heap of it (T34), or a new piece
// from a supply (T89).
func (j *judging) split() Outcome {
	t, u, s := j.t, j.u, j.p.state
	if t.kinds[s.Kind].Supply.Gives {
		return j.supply()
	}
	switch {
	case t.kinds[s.Kind].Currency == 0:
		return j.reject(ReasonNotAllowed, 0)
	case u.N < 1 || u.N >= s.Value:
		return j.reject(ReasonRange, 0)
	case !t.onTable(u.X, u.Y):
		return j.reject(ReasonOffTable, 0)
	}
	part := State{Kind: s.Kind, X: u.X, Y: u.Y, Angle: s.Angle, Face: s.Face, Z: u.Z, Home: s.Home,
		Value: u.N}
	// A held piece does not leave the hand in which it lies (T23.5).
	if u.Has&HasHold != 0 {
		part.Holder, part.In = j.by.Seat, s.In
		if t.inHand(&s) {
			part.Owner, part.Team = s.Owner, s.Team
		}
	}
	if u.Has&HasZ == 0 {
		z, err := t.uppermost(&part, nil)
		if err != nil {
			return j.reject(ReasonNotAllowed, 0)
		}
		part.Z = z
	}
	s.Value -= u.N
	brought := j.recordNew(part, Entry{})
	j.t.record(j.entry(Entry{Before: j.p.state, After: s, Brought: brought}))
	return Outcome{Verdict: Recorded}
}

// merge merges p into the uppermost heap of the same currency at its place (T34). It does not
// matter which of the two lies higher: somebody who carries a heap there without raising it means
// the same. In a hand into which the seat does not see, merge does nothing: the number of heaps
// there would otherwise reveal what lies at that place.
func (t *Table) merge(p *piece, seat id.Seat, now id.Millis) {
	s := p.state
	if s.Pinned || s.Locked || s.Holder != 0 || !s.Set.IsZero() || !t.sees(&s, t.ViewOf(seat)) {
		return
	}
	q := t.heapAt(p)
	if q == nil || q.state.Holder != 0 || q.state.Pinned || q.state.Locked ||
		q.state.Value > MaxValue-s.Value {
		return
	}
	o := q.state
	o.Value += s.Value
	t.serve(q, OpMerge, seat, now, o)
	s.Gone = true
	t.serve(p, OpMerge, seat, now, s)
}

// heapAt returns the uppermost heap of p's kind, other than p, at its place; nil if there is none.
func (t *Table) heapAt(p *piece) (top *piece) {
	s := &p.state
	takes := func(q *piece) bool {
		t.looks++
		o := &q.state
		return q != p && o.Kind == s.Kind && o.Set.IsZero() && o.In == s.In && t.covers(q, s.X, s.Y)
	}
	if s.In != 0 {
		for q := range t.stack(s).downwards(nil) {
			if takes(q) {
				return q
			}
		}
		return nil
	}
	reach := t.extent(p)/2 + 1
	t.near(s.X, s.Y, reach, reach, func(g *bunch) {
		for _, q := range g.pieces {
			if takes(q) && (top == nil || above(q, top)) {
				top = q
			}
		}
	})
	return top
}

// merges reports whether pieces of the kind merge with others of their kind.
func (k *Kind) merges() bool { return k.Currency != 0 }

// currency is the ability of currency.
type currency struct{ plain }

func (currency) begin(k *Kind, s State, _ id.Millis) State {
	s.Value = k.Currency
	return s
}

func (currency) follow(t *Table, p *piece, d done) {
	if d.op == OpRelease {
		t.merge(p, d.by, d.now)
	}
}

// The heap may merge into another one.
func (currency) weighRelease(w *weighing, p *piece, x, y int32) {
	w.Entries += 2
	w.log(2, p)
	reach := w.t.extent(p)/2 + 1
	most := w.t.numberIn(p.state.In)
	for _, c := range slices.Concat(w.t.hands.at(x, y), w.t.containers.at(x, y)) {
		most = max(most, w.t.numberIn(c.name))
	}
	w.Looks += w.pieces(max(roundUp(most), w.t.about(x, y, reach, reach), w.besideIn(x, y, reach)) + 1)
}

func (currency) fits(_ *Kind, part *SetPart) bool {
	return part.Value >= 1 && part.Value <= MaxValue
}

func (currency) part(s State, part *SetPart) State {
	s.Value = part.Value
	return s
}
