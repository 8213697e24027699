package table

import (
	"holt/server/id"
)

// Look returns the state of a piece. It reports false if no piece has that name.
func (t *Table) Look(name id.Piece) (State, bool) {
	p := t.names[name]
	if p == nil {
		return State{}, false
	}
	return p.state, true
}

// Watchers returns the seats that see a piece in a hand (T23, T74). It returns none if the piece
// lies in no hand.
func (t *Table) Watchers(name id.Piece) []id.Seat {
	p := t.names[name]
	if p == nil {
		return nil
	}
	if seats := t.watchers(&p.state); len(seats) > 0 {
		return append(seats, t.referees...)
	}
	return nil
}

// Hidden reports whether a piece lies in a hand or in a container, so that not everybody sees it.
// It reports false if no piece has that name.
func (t *Table) Hidden(name id.Piece) bool {
	p := t.names[name]
	return p != nil && !t.open(&p.state)
}

// Find returns the current name of a piece that seat calls name (T21). It reports false if the name
// means nothing to the view of seat.
func (t *Table) Find(name id.Piece, seat id.Seat) (id.Piece, bool) {
	p := t.find(name, t.ViewOf(seat))
	if p == nil {
		return 0, false
	}
	return p.name, true
}

// Held returns the held pieces, in the order of their names.
func (t *Table) Held() []id.Piece {
	var held []id.Piece
	for _, p := range t.sorted() {
		if p.state.Holder != 0 {
			held = append(held, p.name)
		}
	}
	return held
}

// Drop records that the server releases a piece whose holder has vanished, and lays it down at a
// place, or at the nearest place on the table (S14). It reports false if nobody holds a piece of
// that name.
func (t *Table) Drop(name id.Piece, x, y int32, now id.Millis) bool {
	p := t.names[name]
	if p == nil || p.state.Holder == 0 {
		return false
	}
	was, s := p.state, p.state
	s.Holder = 0
	s.X, s.Y = t.Within(x, y)
	t.putDown(&s, &was, true, false)
	// No update has said which side is up.
	if (was.In != 0 || t.isOnRack(&was)) && comes(&s, &was) {
		t.turn(&s)
	}
	t.serve(p, OpRelease, 0, now, s)
	t.follow(p, &was, 0, now, &Update{Op: OpRelease, Has: HasXY})
	return true
}

// Within returns the place on the table that is nearest to x, y.
func (t *Table) Within(x, y int32) (int32, int32) {
	w, h := t.width/2, t.height/2
	return min(max(x, -w), w), min(max(y, -h), h)
}

// GenAt returns the generation of the entry that has the version mark in the view of seat, as a
// frame carries it (S4). Later entries of the view have higher generations. GenAt reports false if
// the view does not have this version, or does not remember it.
func (t *Table) GenAt(seat id.Seat, mark id.Version) (id.Generation, bool) {
	return t.view(seat).at(mark)
}

// HighestVersion returns the highest version that a seat can have been given up to generation g,
// rejects included. It reports false where the numbering of the view is no longer exact.
func (t *Table) HighestVersion(seat id.Seat, g id.Generation) (id.Version, bool) {
	v := t.view(seat)
	i := v.runOf(g)
	switch {
	case i < 0:
		return markRejects, len(v.runs) == 0 || v.runs[0].Num == 1
	case i+1 < len(v.runs) && v.runs[i+1].Num != v.runs[i].Num+v.runs[i].N:
		return 0, false
	}
	return v.mark(g) | markRejects, true
}

// at is the inverse of mark.
func (v *view) at(mark id.Version) (id.Generation, bool) {
	n := uint64(mark >> markShift)
	if n<<markShift != uint64(mark) {
		return 0, false // a reject's version, which no frame carries
	}
	for i := len(v.runs) - 1; i >= 0; i-- {
		if r := v.runs[i]; n >= r.Num {
			return r.Gen + id.Generation(n-r.Num), n < r.Num+r.N
		}
	}
	return 0, false
}
