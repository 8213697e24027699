package table

import (
	"slices"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/play/zlevel"
)

// effect returns the state after the update. If the update is inapplicable, it returns the reason
// and, for a held piece, the seat that holds it (T14, T24).
func (j *judging) effect() (after State, reason Reason, holder id.Seat) {
	s := j.p.state
	if reason := j.forbidden(&s); reason != reasonNone {
		return s, reason, 0
	}
	if j.u.Op.has(NeedsFree) && s.Holder != 0 && s.Holder != j.by.Seat {
		return s, ReasonHeld, s.Holder
	}
	if j.u.Op == OpRelease && s.Holder != j.by.Seat {
		return s, ReasonNotHeld, s.Holder
	}
	if reason := j.change(&s); reason != reasonNone {
		return s, reason, 0
	}
	if j.u.Op == OpDelete && j.t.kinds[s.Kind].Container.Holds && j.t.holds[j.p.name] != nil {
		return s, ReasonNotEmpty, 0
	}
	if j.u.Has&HasXY != 0 && !j.t.onTable(s.X, s.Y) {
		return s, ReasonOffTable, 0
	}
	if j.u.Has&HasXY != 0 && j.u.Op != OpCopy || j.u.Op == OpRelease {
		j.t.putDown(&s, &j.p.state, j.u.Op == OpRelease, j.u.Has&HasZ != 0)
	}
	return s, reasonNone, 0
}

// forbidden returns the reason that the rights of the seat or the piece itself give, whoever holds
// the piece (T14).
func (j *judging) forbidden(s *State) Reason {
	op := j.u.Op
	switch {
	case op.has(ByHost) && j.by.Role != RoleHost:
		return ReasonNotAllowed
	case j.foreign(s) && !op.has(OnAnyHand):
		return ReasonNotAllowed
	case (op == OpPeek || j.u.aimed()) && !j.t.kinds[s.Kind].Peek.has(j.by.Role):
		return ReasonNotAllowed
	case s.Locked && !op.has(DespiteLock):
		return ReasonLocked
	case s.Pinned && op.has(NeedsUnpinned):
		return ReasonPinned
	case op == OpCopy && j.t.concealed(s, j.by.Seat):
		return ReasonHidden
	case op == OpCopy && j.t.kinds[s.Kind].Unknown:
		return ReasonHidden
	case (op == OpCopy || op == OpSplit) && len(j.t.pieces) >= MaxPieces:
		return ReasonTableFull
	case !s.Set.IsZero() && op.has(KeepsSets): // T37
		return ReasonNotAllowed
	}
	return reasonNone
}

// foreign reports whether the piece is a hand of another seat. Hosts may do with it what its owner
// may (T24).
func (j *judging) foreign(s *State) bool {
	return j.t.kinds[s.Kind].Hand && s.Owner != 0 && s.Owner != j.by.Seat && j.by.Role != RoleHost
}

// change applies the arguments of the update to s.
func (j *judging) change(s *State) Reason {
	u := j.u
	if u.Has&HasXY != 0 {
		s.X, s.Y = u.X, u.Y
	}
	if u.Has&HasAngle != 0 {
		s.Angle = u.Angle
	}
	if u.Has&HasZ != 0 {
		s.Z, s.ZGen = u.Z, zGenSelf
	}
	switch u.Op {
	case OpGrab, OpWrest:
		s.Holder = j.by.Seat
	case OpRelease:
		s.Holder = 0
	case OpFlip:
		// For the client a concealed piece has two faces (see Check). The real kind may have fewer.
		if u.Face >= j.t.kinds[s.Kind].Faces {
			return ReasonNotAllowed
		}
		s.Face = u.Face
		if j.t.unread(s) && j.t.isAway(s.Set, j.in.Now) {
			return ReasonAway
		}
	case OpPin, OpUnpin:
		s.Pinned = u.Op == OpPin
	case OpLock, OpUnlock:
		s.Locked = u.Op == OpLock
	case OpRaise, OpLower:
		return j.reorder(s)
	case OpCopy:
		clock := j.t.kinds[s.Kind].Clock.stop(s.Clock, max(j.in.Now, s.Clock.Since),
			curve.Side.Pause)
		// The level belongs to the order in the hand, and would reveal something of it (T43).
		if s.In != 0 && u.Has&HasZ == 0 {
			z, err := j.t.top(j.t.kinds[s.Kind].Heavy, nil)
			if err != nil {
				return ReasonNotAllowed
			}
			s.Z = z
		}
		*s = State{Kind: s.Kind, X: s.X, Y: s.Y, Angle: s.Angle, Face: s.Face, Z: s.Z,
			Home: j.t.homeOf(s), Value: s.Value, Text: s.Text, Clock: clock}
	case OpStart, OpPause, OpPress, OpSet, OpReset:
		var reason Reason
		s.Clock, reason = j.t.kinds[s.Kind].Clock.operate(s.Clock, u, j.in.Now)
		return reason
	case OpWrite:
		if !j.t.kinds[s.Kind].Text {
			return ReasonNotAllowed
		}
		if j.t.isAway(s.Set, j.in.Now) {
			return ReasonAway
		}
		s.Text = u.Text
	case OpAssign:
		if who, _ := j.t.Seat(u.Seat); j.t.kinds[s.Kind].Seat == SeatNone || who.Left != 0 {
			return ReasonNotAllowed
		}
		s.Owner = u.Seat
	case OpStow:
		return j.stowed(s)
	case OpMove, OpRotate, OpSetZ, OpDelete:
	default:
		return ReasonNotAllowed
	}
	return reasonNone
}

// reorder puts a piece at the top or bottom of its weight class. The server chooses the level if
// the client gave none.
func (j *judging) reorder(s *State) Reason {
	if j.u.Has&HasZ != 0 {
		return reasonNone
	}
	var z zlevel.Level
	var err error
	if j.u.Op == OpRaise {
		z, err = j.t.uppermost(s, j.p)
	} else { // no function value: the state would escape to the heap
		z, err = j.t.undermost(s, j.p)
	}
	if err != nil {
		// There is no level left. A respread comes long before that (T13).
		return ReasonNotAllowed
	}
	s.Z, s.ZGen = z, zGenSelf
	return reasonNone
}

// onTable reports whether a centre lies on the table.
func (t *Table) onTable(x, y int32) bool {
	return 2*x >= -t.width && 2*x <= t.width && 2*y >= -t.height && 2*y <= t.height
}

// add judges the making of a piece of a kind of the catalogue.
func (j *judging) add() Outcome {
	t, u := j.t, j.u
	switch {
	case len(t.pieces) >= MaxPieces:
		return j.reject(ReasonTableFull, 0)
	case t.kinds[u.Kind].Unknown:
		return j.reject(ReasonNotAllowed, 0)
	case !t.onTable(u.X, u.Y):
		return j.reject(ReasonOffTable, 0)
	}
	s := State{Kind: u.Kind, X: u.X, Y: u.Y, Z: u.Z}
	t.kinds[u.Kind].equip(&s, j.in.Now)
	if u.Has&HasAngle != 0 {
		s.Angle = u.Angle
	}
	if u.Has&HasFace != 0 {
		s.Face = u.Face
	}
	if u.Has&HasZ == 0 {
		z, err := t.top(t.kinds[u.Kind].Heavy, nil)
		if err != nil {
			return j.reject(ReasonNotAllowed, 0)
		}
		s.Z = z
	}
	j.make(s)
	return Outcome{Verdict: Recorded}
}

// equip gives a new piece what its kind starts with.
func (k *Kind) equip(s *State, now id.Millis) {
	s.Clock, s.Value, s.Text = k.Clock.made(now), k.Counter.Initial, k.Written
	if k.Currency != 0 {
		s.Value = k.Currency
	}
}

// shuffle deals the kinds of the listed pieces out among them at random (T26).
func (j *judging) shuffle() Outcome {
	t, u := j.t, j.u
	pieces := make([]*piece, len(u.Pieces))
	for i, name := range u.Pieces {
		p := t.find(name, t.ViewOf(j.by.Seat))
		// One of its names is not valid any more.
		if p == nil || slices.Contains(pieces[:i], p) {
			return j.reject(ReasonGone, 0)
		}
		s := &p.state
		pieces[i] = p
		k := &t.kinds[s.Kind]
		switch {
		case !k.Secret || k.Mask != t.kinds[pieces[0].state.Kind].Mask ||
			s.Set != pieces[0].state.Set:
			return j.reject(ReasonNotAllowed, 0)
		case s.Locked:
			return j.reject(ReasonLocked, 0)
		case s.Pinned:
			return j.reject(ReasonPinned, 0)
		case s.Holder != 0 && s.Holder != j.by.Seat:
			return j.reject(ReasonHeld, s.Holder)
		}
	}
	if !pieces[0].state.Set.IsZero() {
		return j.mix(pieces)
	}
	listed := slices.Clone(pieces)
	slices.SortFunc(pieces, byAge)
	dealt := slices.Clone(pieces)
	j.shuffled(dealt)
	kinds := kindsOf(dealt)
	j.lot = Chance{What: ChanceShuffle, Inputs: slices.Sorted(slices.Values(kinds)), Outputs: kinds}
	// The state that each piece is dealt: a card keeps its home.
	of := map[*piece]State{}
	for i, p := range pieces {
		j.lot.Pieces = append(j.lot.Pieces, p.oid)
		of[p] = dealt[i].state
	}
	// The entries keep the order of the list: another order would reveal which piece is which
	// (T21).
	for i, p := range listed {
		e := Entry{At: j.in.Now, Op: OpShuffle, Seat: j.by.Seat, Server: true, Piece: p.oid,
			Name: p.name, Before: p.state, After: p.state}
		is := of[p]
		e.After.Kind, e.After.Home, e.After.Native = is.Kind, is.Home, is.Native
		e.After.Face, e.After.Since = 1, HiddenEver
		if i == len(listed)-1 {
			e.Client, e.Seq, e.Digest = j.by.Client, u.Seq, u.digest()
		}
		t.record(e)
	}
	return Outcome{Verdict: Recorded}
}
