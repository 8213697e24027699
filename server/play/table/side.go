package table

import "holt/server/id"

// Sides is the number of seats of the game of a table, which are its sides (T61).
func (t *Table) Sides() uint32 { return t.sides }

// freeSide returns the first side that nobody has, 0 if there is none.
func (t *Table) freeSide() uint32 {
	for side := uint32(1); side <= t.sides; side++ {
		if t.atSide(side) == 0 {
			return side
		}
	}
	return 0
}

// atSide returns the seat that has a side, 0 if nobody has it.
func (t *Table) atSide(side uint32) id.Seat {
	for i := range t.seats {
		if s := &t.seats[i]; s.Side == side && s.Left == 0 {
			return s.Seat
		}
	}
	return 0
}

// TakeSide records that a seat takes a side (T61). Whoever has that side gets the one of the seat.
// TakeSide reports false and records nothing if the seat does not play, if there is no such side,
// or if somebody has it and the seat has none to give.
func (t *Table) TakeSide(seat id.Seat, side uint32, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || !who.Plays() || side < 1 || side > t.sides {
		return false
	}
	if who.Side == side {
		return true
	}
	if at := t.atSide(side); at != 0 {
		if who.Side == 0 {
			return false
		}
		other, _ := t.Seat(at)
		other.Side = who.Side
		t.recordSeat(other, seat, now)
	}
	who.Side = side
	t.recordSeat(who, seat, now)
	return true
}
