package table

import (
	"holt/server/id"
	"holt/server/play/zlevel"
)

// How a set is placed on the table (T41).

func init() {
	define(rows{
		OpPlace: {Name: "place", Traits: ShownLater, Forms: []Form{{
			Required:  HasSet | HasXY,
			Condition: "a set of the sender's",
			Ack:       "name of the container, or of the piece, made",
			Rejects:   []Reason{ReasonNotAllowed, ReasonAway, ReasonTableFull, ReasonOffTable},
		}}, run: (*judging).place},
	})
}

// place judges the placing of a set on the table (T41). It asks the owner first.
func (j *judging) place() Outcome {
	if reason := j.placeable(j.u.Set, 1); reason != reasonNone {
		return j.reject(reason, 0)
	}
	j.ask = &Ask{Set: j.u.Set, What: AskHold}
	return j.defers()
}

// placeable returns the reason against placing a set with so many parts, if there is one.
func (j *judging) placeable(set id.OID, parts int) Reason {
	t := j.t
	switch {
	case !t.bring:
		return ReasonNotAllowed
	// The owner does not know yet that the set has left.
	case t.sets[set] != nil && t.sets[set].info.Stage == StageReturn:
		return ReasonAway
	case t.sets[set] != nil:
		return ReasonNotAllowed
	case parts > MaxPieces-len(t.pieces):
		return ReasonTableFull
	case !t.onTable(j.u.X, j.u.Y):
		return ReasonOffTable
	}
	return reasonNone
}

// placeGiven puts a set on the table that its owner has given (T41).
func (j *judging) placeGiven(set id.OID, a *Answer) Outcome {
	t, parts := j.t, a.Parts
	reason := j.placeable(set, len(parts))
	if reason == reasonNone && (!t.layable(parts) || len(j.in.OIDs) < len(parts)) {
		reason = ReasonNotAllowed
	}
	if reason != reasonNone {
		// The owner believes that the set is here.
		if t.sets[set] == nil {
			t.recordSet(OpErrand, SetInfo{Set: set, Seat: j.by.Seat, Shuffles: a.Shuffles,
				Stage: StageReturn, Parts: parts}, j.by.Seat, j.in.Now)
		}
		return j.reject(reason, 0)
	}
	t.recordSet(OpGuest, SetInfo{Set: set, Number: t.lastSet + 1, Seat: j.by.Seat,
		Shuffles: a.Shuffles}, j.by.Seat, j.in.Now)
	first := &parts[0]
	s := State{Kind: first.Kind, X: j.u.X, Y: j.u.Y, Face: first.Face, Set: set, Part: first.Part}
	t.equipPart(&s, first, j.in.Now)
	z, err := t.top(t.kinds[s.Kind].Heavy, nil)
	if err != nil {
		// There is no level left. A respread comes long before that (T13).
		z = zlevel.Spread(1)[0]
	}
	s.Z = z
	j.in.OID = j.in.OIDs[0]
	j.recordNew(s, j.entry(Entry{}))
	j.fill(t.pieces[j.in.OID], parts[1:])
	return Outcome{Verdict: Recorded}
}

// fill puts the parts of a set into its container, the undermost first.
func (j *judging) fill(c *piece, parts []SetPart) {
	t := j.t
	levels := zlevel.Spread(len(parts))
	for i := range parts {
		part := &parts[i]
		s := State{Kind: part.Kind, Face: part.Face, Z: levels[i], ZGen: zGenSelf, Set: c.state.Set,
			Part: part.Part}
		t.equipPart(&s, part, j.in.Now)
		t.stow(&s, c)
		s.Native = true
		t.record(Entry{
			At: j.in.Now, Op: OpPlace, Seat: j.by.Seat, Server: true, Made: true,
			Piece: j.in.OIDs[i+1], Name: t.randomName(), After: s,
		})
	}
}

// equipPart gives a part its own value and text, and whatever else its kind starts with.
func (t *Table) equipPart(s *State, part *SetPart, now id.Millis) {
	k := &t.kinds[s.Kind]
	k.equip(s, now)
	*s = k.ability().part(*s, part)
}

// layable reports whether parts make a set that can lie on a table: one piece, or a container and
// parts that it takes.
func (t *Table) layable(parts []SetPart) bool {
	if len(parts) == 0 || len(parts) > MaxParts {
		return false
	}
	seen := map[uint32]bool{}
	for i := range parts {
		p := &parts[i]
		if int64(p.Kind) >= int64(len(t.kinds)) || seen[p.Part] {
			return false
		}
		seen[p.Part] = true
		k := &t.kinds[p.Kind]
		switch {
		case p.Face < 0 || p.Face >= k.Faces || !k.ability().fits(k, p):
			return false
		case i == 0 && len(parts) > 1 && !k.Container.Holds:
			return false
		case i > 0 && !t.takes(&piece{state: State{Kind: parts[0].Kind}}, &State{Kind: p.Kind}):
			return false
		}
	}
	return true
}
