package table

import "holt/server/id"

// blind judges an update that does not depend on what its client has last seen of the piece (T28).
func (j *judging) blind() Outcome {
	j.p = j.t.find(j.u.Piece, j.t.ViewOf(j.by.Seat))
	if j.p == nil {
		return j.reject(ReasonGone, 0)
	}
	if j.in.Refused != reasonNone {
		return j.reject(j.in.Refused, 0)
	}
	s := j.p.state
	if reason := j.forbidden(&s); reason != reasonNone {
		return j.reject(reason, 0)
	}
	if j.u.Op.has(NeedsFree) && s.Holder != 0 && s.Holder != j.by.Seat {
		return j.reject(ReasonHeld, s.Holder)
	}
	var reason Reason
	switch j.u.Op {
	case OpClaim, OpLeave, OpGive, OpShare, OpUnshare:
		reason = j.ownHand(&s)
	case OpRoll, OpCount, OpPass:
		reason = j.operate(&s)
	case OpSplit:
		return j.split()
	case OpShow:
		return j.show()
	case OpPeek:
		return j.peek()
	case OpTake:
		return j.take()
	default:
		return j.contain()
	}
	switch {
	case reason != reasonNone:
		return j.reject(reason, 0)
	case j.ask != nil:
		return j.defers()
	}
	was := j.p.state
	j.record(s, false)
	j.t.follow(j.p, &was, j.by.Seat, j.in.Now, j.u)
	return Outcome{Verdict: Recorded}
}

// ownHand changes the owner or the team of a hand (T23).
func (j *judging) ownHand(s *State) Reason {
	t, u := j.t, j.u
	if !t.kinds[s.Kind].Hand {
		return ReasonNotAllowed
	}
	switch {
	case u.Op == OpClaim && s.Owner != 0:
		return ReasonOwned
	case u.Op == OpClaim:
		s.Owner = j.by.Seat
		return reasonNone
	case s.Owner == 0:
		return ReasonNotAllowed
	case u.Op == OpLeave:
		s.Owner, s.Team = 0, ""
		return reasonNone
	}
	other, _ := t.Seat(u.Seat) // Check has checked that the seat exists.
	switch {
	case !other.Plays() || u.Seat == s.Owner:
		return ReasonNotAllowed
	case u.Op == OpGive:
		s.Owner, s.Team = u.Seat, ""
	case u.Op == OpUnshare:
		s.Team = s.Team.without(u.Seat)
	case !s.Team.Has(u.Seat) && s.Team.Len() >= MaxTeam:
		return ReasonNotAllowed
	default:
		s.Team = s.Team.with(u.Seat)
	}
	return reasonNone
}

// operate rolls a die, adds to a counter or passes a turn marker (T32, T33, T35).
func (j *judging) operate(s *State) Reason {
	k := &j.t.kinds[s.Kind]
	switch {
	case j.u.Op == OpRoll && k.Die.Rolls:
		if s.Rolled != 0 && j.in.Now < s.Rolled+k.Die.Cooldown {
			return ReasonCooling
		}
		if !s.Set.IsZero() {
			return j.askOf(s, AskRoll)
		}
		s.Face, s.Rolled = int32(j.in.Rand.IntN(int(k.Faces))), j.in.Now //nolint:gosec // a face
		j.chance(ChanceRoll,
			[]uint32{uint32(k.Faces)}, []uint32{uint32(s.Face)}) //nolint:gosec // not negative
	case j.u.Op == OpCount && k.Counter.Counts:
		v := s.Value + j.u.N // no overflow: both lie within MaxValue
		if v < k.Counter.Min || v > k.Counter.Max {
			return ReasonRange
		}
		s.Value = v
		return j.askOf(s, AskCount)
	case j.u.Op == OpPass && k.Seat == SeatTurn:
		s.Owner = j.t.next(s.Owner)
	default:
		return ReasonNotAllowed
	}
	return reasonNone
}

// next returns the next seat after seat that plays, the first one after the last. It returns 0 if
// nobody plays.
func (t *Table) next(seat id.Seat) id.Seat {
	n := len(t.seats)
	for i := range n {
		if who := t.seats[(int(seat)+i)%n]; who.Plays() {
			return who.Seat
		}
	}
	return 0
}

// split takes an amount off a heap of currency and makes a new heap of it (T34).
func (j *judging) split() Outcome {
	t, u, s := j.t, j.u, j.p.state
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
	brought := j.lay(part, Entry{})
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
