package table

import "holt/server/id"

// How pieces are added, copied and deleted (T20, T24).

func init() {
	define(rows{
		OpAdd: {Name: "add", Traits: MakesPiece | NeedsRoom | ShownLater, Forms: []Form{{
			Required: HasKind | HasXY, Optional: HasAngle | HasFace | HasZ | HasInto,
			Condition: "not an unknown kind; for `into` T101",
			Ack:       "name of the new piece, made",
			Rejects:   []Reason{ReasonTableFull, ReasonNotAllowed, ReasonOffTable, ReasonGone},
		}}, run: (*judging).add, weigh: (*weighing).make},
		OpCopy: {Name: "copy", Traits: DespiteLock | OnAnyHand | MakesPiece | NeedsRoom | ShownLater,
			Forms: []Form{{
				Required: tagged | HasXY, Optional: HasZ,
				Condition: "not concealed from the seat, not an unknown kind (T38)",
				Ack:       "name of the copy, made",
				Rejects:   []Reason{ReasonHidden, ReasonTableFull, ReasonOffTable},
			}}, forbids: (*judging).mayCopy, run: (*judging).copyPiece, weigh: (*weighing).make},
		OpDelete: {Name: "delete", Traits: NeedsFree | NeedsUnpinned | KeepsSets | ShownLater,
			Forms: []Form{{
				Required: tagged,
				Ack:      "name",
				Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed,
					ReasonNotEmpty},
			}}, run: (*judging).delete, weigh: (*weighing).remove},
	})
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
	if u.Has&HasInto != 0 {
		c := t.find(u.Into, t.ViewOf(j.by.Seat))
		switch {
		case c == nil:
			return j.reject(ReasonGone, 0)
		case !t.Edits(j.by.Seat), !t.takes(c, &s):
			return j.reject(ReasonNotAllowed, 0)
		}
		t.stow(&s, c)
		s.Native = true
		t.relevel(&s, &State{}, false)
	}
	j.make(s)
	return Outcome{Verdict: Recorded}
}

// mayCopy forbids the copy of a piece whose front the seat does not see, or the table does not
// know.
func (j *judging) mayCopy() Reason {
	s := &j.p.state
	if j.t.concealed(s, j.by.Seat) || j.t.kinds[s.Kind].Unknown {
		return ReasonHidden
	}
	return reasonNone
}

// copyPiece makes a piece like another one.
func (j *judging) copyPiece() Outcome {
	t, s := j.t, &j.after
	j.setPlace()
	// The level belongs to the order in the hand, and would reveal something of it (T43).
	if s.In != 0 && j.u.Has&HasZ == 0 {
		z, err := t.top(t.kinds[s.Kind].Heavy, nil)
		if err != nil {
			return j.reject(ReasonNotAllowed, 0)
		}
		s.Z = z
	}
	if !t.onTable(s.X, s.Y) {
		return j.reject(ReasonOffTable, 0)
	}
	c := s.own()
	c.X, c.Y, c.Angle, c.Z, c.Home = s.X, s.Y, s.Angle, s.Z, t.homeOf(s)
	k := &t.kinds[s.Kind]
	j.make(k.ability().copied(k, c, j.in.Now))
	return Outcome{Verdict: Recorded}
}

// delete deletes the piece. A container in which something lies stays.
func (j *judging) delete() Outcome {
	k := j.t.kind(j.p)
	if k.Container.Holds && j.t.holds[j.p.name] != nil {
		return j.reject(ReasonNotEmpty, 0)
	}
	j.after.Gone = true
	j.record(j.after, true)
	if k.Hand {
		j.t.followHand(j.p, j.in.Now)
	}
	return Outcome{Verdict: Recorded}
}

// make records a new piece, made by copy or add.
func (j *judging) make(s State) { j.recordNew(s, j.entry(Entry{})) }

// recordNew records a new piece by e, which may acknowledge the update. It returns the name of the
// piece, or 0 if the view of the update's client does not see it. A secret piece is in its hand
// from the start: others must not see it on the way there.
func (j *judging) recordNew(s State, e Entry) (brought id.Piece) {
	t, none := j.t, State{In: s.In}
	t.putDown(&s, &none, false, j.u.Has&HasZ != 0)
	t.lay(&s, &none, nil, false)
	s.ZGen = zGenSelf
	e.At, e.Op, e.Seat = j.in.Now, j.u.Op, j.by.Seat
	e.Server, e.Made, e.Piece, e.Name, e.After = true, true, j.in.OID, t.randomName(), s
	if t.sees(&s, t.ViewOf(j.by.Seat)) {
		brought = e.Name
	}
	if e.Client != (id.Client{}) {
		e.Brought = brought
	}
	t.record(e)
	t.follow(t.pieces[j.in.OID], &none, j.by.Seat, j.in.Now, j.u)
	return brought
}

// make weighs an update that makes a piece.
func (w *weighing) make(u *Update, p *piece) {
	w.made++
	// The new piece, the change of the old one, and a corrected level or a face.
	w.Entries += 3
	w.log(3, p)
	if u.Op == OpAdd {
		w.Bytes += w.t.kinds[u.Kind].newTextBytes()
	}
	if p != nil && w.t.kind(p).Supply.Known {
		w.Bytes += w.t.kinds[w.t.kind(p).Supply.Of].newTextBytes()
	}
	w.moves(1)
	w.fall(1, u.X, u.Y, false)
	if p != nil && w.t.kind(p).isZone() || p == nil && w.t.kinds[u.Kind].isZone() {
		w.zones++
	}
	if p != nil && u.Op == OpCopy && w.t.coverer(p.state.Kind) ||
		p == nil && w.t.coverer(u.Kind) {
		w.hands++
	}
}

// coverer reports whether pieces of a kind are hands, containers or supplies.
func (t *Table) coverer(kind uint32) bool {
	return t.kinds[kind].Hand || t.kinds[kind].Container.Holds || t.kinds[kind].Supply.Gives
}

// remove weighs a deletion. It looks at each container that had pieces when the table was set up:
// the piece may be from one of them (F12).
func (w *weighing) remove(u *Update, p *piece) {
	w.Looks += len(w.t.natives)
	w.turnHand(u, p)
}
