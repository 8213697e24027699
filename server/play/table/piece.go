package table

import (
	"fmt"

	"holt/server/id"
)

// What can be done to every piece (T24): it is held, moved, turned, pinned and locked.

// OpPivot moves and turns a piece, as its part in the turn of a group (T60).
const OpPivot Op = 60

func init() {
	define(rows{
		OpGrab: {Name: "grab", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
			Required: tagged, Optional: HasZ | HasLoose,
			Ack:     "`z`, `z_mark`",
			Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonStaleLoose},
		}}, change: (*judging).grab},
		OpWrest: {Name: "wrest", Forms: []Form{{
			Required: tagged, Optional: HasZ,
			Ack:     "`z`, `z_mark`",
			Rejects: []Reason{ReasonLocked},
		}}, change: (*judging).grab},
		OpRelease: {Name: "release", Forms: []Form{{
			Required: tagged, Optional: HasXY | HasAngle | HasZ,
			Condition: "held by this seat",
			Ack:       "`kind`, `angle`, `face`, `z`, `z_mark`, `owner`, `team`, `renamed`",
			Rejects:   []Reason{ReasonNotHeld, ReasonOffTable},
		}},
			Traits: DespiteLock | OnAnyHand | NeedsHold | PutsDown,
			change: (*judging).release, weigh: (*weighing).put},
		OpMove: {Name: "move", Traits: NeedsFree | NeedsUnpinned | PutsDown | LastCounts, Forms: []Form{{
			Required: tagged | HasXY, Optional: HasZ,
			Ack:     "`kind`, `angle`, `face`, `z`, `z_mark`, `owner`, `team`, `renamed`",
			Rejects: []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonOffTable},
		}}, change: (*judging).move, weigh: (*weighing).put},
		OpRotate: {Name: "rotate", Traits: NeedsFree | NeedsUnpinned | LastCounts, Forms: []Form{{
			Required: tagged | HasAngle,
			Ack:      "`angle`",
			Rejects:  []Reason{ReasonHeld, ReasonPinned, ReasonLocked},
		}}, change: (*judging).asGiven, weigh: (*weighing).put},
		OpPivot: {Name: "pivot", Forms: []Form{{
			Required: tagged | HasXY | HasAngle,
			Ack:      "`kind`, `angle`, `face`, `z`, `z_mark`, `owner`, `team`, `renamed`",
			Rejects:  []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonOffTable},
		}},
			Traits: NeedsFree | NeedsUnpinned | PutsDown | LastCounts,
			change: (*judging).move, weigh: (*weighing).put},
		OpFlip: {Name: "flip", Traits: NeedsFree | NeedsUnpinned, Forms: []Form{{
			Required: tagged | HasFace,
			Ack:      "`kind`, `face`",
			Rejects:  []Reason{ReasonHeld, ReasonPinned, ReasonLocked, ReasonNotAllowed, ReasonAway},
		}}, checkPiece: (*Table).checkFace, change: (*judging).flip},
		OpRaise: {Name: "raise", Traits: NeedsFree, Forms: []Form{{
			Required: tagged, Optional: HasZ,
			Ack:     "`z`, `z_mark`",
			Rejects: []Reason{ReasonHeld, ReasonLocked},
		}}, change: (*judging).restack, weigh: (*weighing).chooseLevel},
		OpLower: {Name: "lower", Traits: NeedsFree, Forms: []Form{{
			Required: tagged, Optional: HasZ,
			Ack:     "`z`, `z_mark`",
			Rejects: []Reason{ReasonHeld, ReasonLocked},
		}}, change: (*judging).restack, weigh: (*weighing).chooseLevel},
		OpSetZ: {Name: "setz", Traits: NeedsFree, Forms: []Form{{
			Required: tagged | HasZ,
			Ack:      "`z`, `z_mark`",
			Rejects:  []Reason{ReasonHeld, ReasonLocked},
		}}, change: (*judging).asGiven},
		OpPin: {Name: "pin", Traits: NeedsFree, Forms: []Form{{
			Required: tagged,
			Ack:      "name",
			Rejects:  []Reason{ReasonHeld, ReasonLocked},
		}}, change: (*judging).pin},
		OpUnpin: {Name: "unpin", Traits: NeedsFree, Forms: []Form{{
			Required: tagged,
			Ack:      "name",
			Rejects:  []Reason{ReasonHeld, ReasonLocked},
		}}, change: (*judging).pin},
		OpLock: {Name: "lock", Traits: DespiteLock | ByHost, Forms: []Form{{
			Required: tagged,
			Ack:      "name",
			Rejects:  []Reason{ReasonNotAllowed},
		}}, change: (*judging).lock},
		OpUnlock: {Name: "unlock", Traits: DespiteLock | ByHost, Forms: []Form{{
			Required: tagged,
			Ack:      "name",
			Rejects:  []Reason{ReasonNotAllowed},
		}}, change: (*judging).lock},
	})
}

// setPlace applies the place, the angle and the level that the update gives to the new state.
func (j *judging) setPlace() {
	u, s := j.u, &j.after
	if u.Has&HasXY != 0 {
		s.X, s.Y = u.X, u.Y
	}
	if u.Has&HasAngle != 0 {
		s.Angle = u.Angle
	}
	if u.Has&HasZ != 0 {
		s.Z, s.ZGen = u.Z, zGenSelf
	}
}

// asGiven is the change of operations that only set the place, the angle or the level.
func (j *judging) asGiven() Reason { return reasonNone }

// grab is the change of grab and wrest.
func (j *judging) grab() Reason {
	j.after.Holder = j.by.Seat
	return reasonNone
}

func (j *judging) release() Reason {
	j.after.Holder = 0
	return j.layDown(true)
}

// move is the change of move and pivot.
func (j *judging) move() Reason { return j.layDown(false) }

// layDown gives the piece to the hand, the container or the table where it comes to lie. into says
// that it may go into a container.
func (j *judging) layDown(into bool) Reason {
	if j.u.Has&HasXY != 0 && !j.t.onTable(j.after.X, j.after.Y) {
		return ReasonOffTable
	}
	j.t.putDown(&j.after, &j.p.state, into, j.u.Has&HasZ != 0)
	if into && j.t.supplyAt(&j.after) != nil {
		return reasonNone // it goes back (T89)
	}
	laid := j.after
	if j.t.lay(&laid, &j.p.state, j.p, into) {
		j.laid, j.x, j.y, j.angle, j.z = true, laid.X, laid.Y, laid.Angle, laid.Z
	}
	j.after.Face = laid.Face // the rest follows: an ack repeats no place, and no old level (T10)
	return reasonNone
}

// onTable reports whether a centre lies on the table.
func (t *Table) onTable(x, y int32) bool {
	return 2*x >= -t.width && 2*x <= t.width && 2*y >= -t.height && 2*y <= t.height
}

// checkFace refuses a face that the piece cannot have. Another piece with the same mask may have
// been dealt to where a client saw a secret one (T26).
func (t *Table) checkFace(p *piece, _ id.Seat, u *Update) (code, detail string) {
	faces := t.mostFaces(p.state.Kind)
	if u.Face < 0 || u.Face >= faces {
		return CodeImpossible, fmt.Sprintf("piece %d has no face %d", u.Piece, u.Face)
	}
	return "", ""
}

func (j *judging) flip() Reason {
	s := &j.after
	faces := j.t.kinds[s.Kind].Faces
	if j.t.concealed(s, j.by.Seat) { // whether it has further fronts, nobody learns
		faces = j.t.facesInside(s.Kind)
	}
	if j.u.Face >= faces {
		return ReasonNotAllowed
	}
	s.Face = j.u.Face
	if j.t.unread(s) && j.t.isAway(s.Set, j.in.Now) {
		return ReasonAway
	}
	return reasonNone
}

// pin is the change of pin and unpin.
func (j *judging) pin() Reason {
	j.after.Pinned = j.u.Op == OpPin
	return reasonNone
}

// lock is the change of lock and unlock.
func (j *judging) lock() Reason {
	j.after.Locked = j.u.Op == OpLock
	return reasonNone
}

// restack puts a piece at the top or bottom of its weight class. The server chooses the level if
// the client gave none.
func (j *judging) restack() Reason {
	if j.u.Has&HasZ != 0 {
		return reasonNone
	}
	level := j.t.uppermost
	if j.u.Op == OpLower {
		level = j.t.undermost
	}
	z, err := level(&j.after, j.p)
	if err != nil {
		// There is no level left. A respread comes long before that (T13).
		return ReasonNotAllowed
	}
	j.after.Z, j.after.ZGen = z, zGenSelf
	return reasonNone
}

// put weighs an update that may move its piece.
func (w *weighing) put(u *Update, p *piece) {
	if p == nil {
		return
	}
	w.attached(p, MaxAttachedDepth)
	if u.Op == OpRotate && !w.t.kinds[p.state.Kind].Hand {
		return
	}
	k, more := &w.t.kinds[p.state.Kind], 0
	if u.Has&HasZ == 0 && p.state.In != 0 { // for the level out of the hand or container
		more++
	}
	if k.Secret { // for the face in a hand
		more++
	}
	w.Entries += more
	w.log(more, p)
	w.sets(more)
	x, y := p.state.X, p.state.Y
	if u.Has&HasXY != 0 {
		x, y = u.X, u.Y
	}
	w.fall(1, x, y, u.Op == OpRelease)
	if k.isZone() {
		w.zones++
	}
	if u.Op == OpRelease {
		w.giveBack(p, x, y)
	}
	if k.Hand || k.Container.Holds || k.Supply.Gives {
		w.hand(p, x, y)
		return
	}
	if !w.seen[p] {
		w.seen[p] = true
		w.moves(1)
	}
	if u.Op == OpRelease {
		k.ability().weighRelease(w, p, x, y)
	}
}

// chooseLevel weighs an update for which the table chooses a level.
func (w *weighing) chooseLevel(*Update, *piece) { w.sets(1) }
