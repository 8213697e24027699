package table

import (
	"cmp"
	"slices"

	"holt/server/id"
)

// Steps that a button does for each who plays (T92).

// ownedBy returns the sides of the pieces that belong to one.
func ownedBy(sides [][]id.Piece) map[id.Piece]uint32 {
	owned := map[id.Piece]uint32{}
	for i, names := range sides {
		for _, name := range names {
			owned[name] = uint32(i) + 1
		}
	}
	return owned
}

// inTurn returns the seats that play, in the order in which a deal goes round: the one behind the
// sender is first.
func (j *judging) inTurn() (seats []id.Seat) {
	for i := range j.t.seats {
		if who := &j.t.seats[i]; who.Plays() {
			seats = append(seats, who.Seat)
		}
	}
	behind := func(seat id.Seat) int { return (int(seat) - int(j.by.Seat) - 1 + MaxSeats) % MaxSeats }
	slices.SortFunc(seats, func(a, b id.Seat) int { return cmp.Compare(behind(a), behind(b)) })
	return seats
}

// playing returns how many seats play.
func (t *Table) playing() (n int) {
	for i := range t.seats {
		if t.seats[i].Plays() {
			n++
		}
	}
	return n
}

// meant says which pieces are meant by a step that is done for a seat: of the kinds of which pieces
// that lie open belong to the seat, those; of others, those that belong to nobody. Everybody knows
// to whom a piece belongs. The zero value means all pieces.
type meant struct {
	t     *Table
	seat  id.Seat
	side  uint32 // of the seat; 0: none
	kinds []uint32
}

// meantFor returns which pieces are meant for a seat; all if that is 0.
func (t *Table) meantFor(seat id.Seat) (m meant) {
	if seat == 0 {
		return m
	}
	who, _ := t.Seat(seat)
	m = meant{t: t, seat: seat, side: who.Side}
	add := func(p *piece) {
		if p != nil && m.owns(p) && t.open(&p.state) && !slices.Contains(m.kinds, p.state.Kind) {
			m.kinds = append(m.kinds, p.state.Kind)
		}
	}
	t.looks += uint64(len(t.hands.all) + len(t.owned))
	for _, h := range t.hands.all {
		add(h)
	}
	for name := range t.owned {
		add(t.names[name])
	}
	return m
}

// owns reports whether a piece belongs to the seat.
func (m *meant) owns(p *piece) bool {
	if m.t.kind(p).Hand {
		return p.state.Owner == m.seat
	}
	return m.side != 0 && m.t.owned[p.name] == m.side
}

// has reports whether a piece is meant.
func (m *meant) has(p *piece) bool {
	switch {
	case m.seat == 0:
		return true
	case slices.Contains(m.kinds, p.state.Kind):
		return m.owns(p)
	default:
		return !m.t.kind(p).Hand && m.t.owned[p.name] == 0
	}
}
