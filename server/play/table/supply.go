package table

import "holt/server/id"

// Supplies: heavy pieces from which people take as many new pieces of a kind as they like (T89).

// SupplyKind describes the supplies of a kind. The zero value stands for a kind of other pieces.
type SupplyKind struct {
	Gives bool // it is a supply
	// Known says that the table has the kind Of, of which the new pieces are. It is light, neither
	// secret nor a mask.
	Known bool
	Of    uint32
}

// supply makes a new piece of the kind of a supply (T89). The supply stays as it is.
func (j *judging) supply() Outcome {
	t, u, of := j.t, j.u, &j.t.kind(j.p).Supply
	switch {
	case !of.Known:
		return j.reject(ReasonNotAllowed, 0)
	case t.kinds[of.Of].Currency == 0 && u.N != 1:
		return j.reject(ReasonRange, 0)
	case !t.onTable(u.X, u.Y):
		return j.reject(ReasonOffTable, 0)
	}
	s := State{Kind: of.Of, X: u.X, Y: u.Y, Angle: j.p.state.Angle, Z: u.Z}
	t.kinds[of.Of].equip(&s, j.in.Now)
	if t.kinds[of.Of].Currency != 0 {
		s.Value = u.N
	}
	if u.Has&HasHold != 0 {
		s.Holder = j.by.Seat
	}
	if u.Has&HasZ == 0 {
		z, err := t.uppermost(&s, nil)
		if err != nil {
			return j.reject(ReasonNotAllowed, 0)
		}
		s.Z = z
	}
	j.make(s)
	return Outcome{Verdict: Recorded}
}

// supplyAt returns the uppermost supply that takes back a piece put down in state s, nil if there
// is none. It depends on nothing that is hidden: no supply gives secret pieces.
func (t *Table) supplyAt(s *State) (top *piece) {
	if len(t.supplies.all) == 0 || s.In != 0 || s.Holder != 0 || s.Pinned || s.Locked ||
		!s.Set.IsZero() {
		return nil
	}
	supplies := t.supplies.at(s.X, s.Y)
	t.looks += uint64(len(supplies))
	for _, p := range supplies {
		of := &t.kind(p).Supply
		if of.Known && of.Of == s.Kind && p.state.Holder == 0 && !p.state.Locked &&
			t.covers(p, s.X, s.Y) && (top == nil || above(p, top)) {
			top = p
		}
	}
	return top
}

// giveBack takes a piece off the table that was released on a supply of its kind (T89). It reports
// false if it was not.
func (t *Table) giveBack(p *piece, seat id.Seat, now id.Millis) bool {
	if t.supplyAt(&p.state) == nil {
		return false
	}
	s := p.state
	s.Gone = true
	t.serve(p, OpDelete, seat, now, s)
	return true
}

// giveBack weighs what follows if a piece is released on a supply. It looks at each container that
// had pieces when the table was set up, as a deletion does.
func (w *weighing) giveBack(p *piece, x, y int32) {
	over := len(w.t.supplies.at(x, y)) + w.hands
	if over == 0 {
		return
	}
	w.Entries++
	w.log(1, p)
	w.Looks += 2*over + len(w.t.natives)
}

// supplies is the ability of supplies.
type supplies struct{ plain }

// No supply is part of a set.
func (supplies) fits(*Kind, *SetPart) bool { return false }
