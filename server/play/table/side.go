package table

import (
	"slices"

	"holt/server/id"
)

// Sides is the number of seats of the game of a table, which are its sides (T61).
func (t *Table) Sides() uint32 {
	return uint32(len(t.sides)) //nolint:gosec // at most game.MaxSeats
}

// handOfSide returns the hand that belongs to a side if it is nobody's, else nil.
func (t *Table) handOfSide(side uint32) *piece {
	if side == 0 || side > t.Sides() {
		return nil
	}
	h := t.names[t.sides[side-1]]
	if h == nil || !t.kind(h).Hand || h.state.Owner != 0 {
		return nil
	}
	return h
}

// isKept reports whether a hand belongs to a side that nobody has.
func (t *Table) isKept(hand *piece) bool {
	i := slices.Index(t.sides, hand.name)
	return i >= 0 && t.atSide(uint32(i)+1) == 0 //nolint:gosec // at most game.MaxSeats
}

// sideOfHand returns the side to which a hand belongs, 0 if to none.
func (t *Table) sideOfHand(hand *piece) uint32 {
	return uint32(slices.Index(t.sides, hand.name) + 1) //nolint:gosec // at most game.MaxSeats
}

// freeSide returns the first side that nobody has, 0 if there is none.
func (t *Table) freeSide() uint32 {
	for side := uint32(1); side <= t.Sides(); side++ {
		if t.isFree(side) {
			return side
		}
	}
	return 0
}

// isFree reports whether there is such a side and nobody has it.
func (t *Table) isFree(side uint32) bool {
	return side >= 1 && side <= t.Sides() && t.atSide(side) == 0
}

// FreeSides returns the sides that nobody has.
func (t *Table) FreeSides() (all []uint32) {
	for side := uint32(1); side <= t.Sides(); side++ {
		if t.isFree(side) {
			all = append(all, side)
		}
	}
	return all
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
	if !ok || !who.Plays() || side < 1 || side > t.Sides() {
		return false
	}
	if who.Side == side {
		return true
	}
	was, at := who.Side, t.atSide(side)
	if at != 0 {
		if who.Side == 0 {
			return false
		}
		other, _ := t.Seat(at)
		other.Side = who.Side
		t.recordSeat(other, seat, now)
	}
	who.Side = side
	t.recordSeat(who, seat, now)
	if at == 0 {
		t.changeHand(seat, was, side, now)
	}
	return true
}

// GiveSide records that a host gives a free side to another seat (T98). The hand goes with it as if
// that seat had taken the side. GiveSide reports false and records nothing if the seat does not
// play, if there is no such side, or if somebody else has it.
func (t *Table) GiveSide(seat id.Seat, side uint32, host id.Seat, now id.Millis) bool {
	who, ok := t.Seat(seat)
	switch {
	case !ok || !who.Plays():
		return false
	case who.Side == side && side != 0:
		return true
	case !t.isFree(side):
		return false
	}
	was := who.Side
	who.Side, who.PlacedBy = side, host
	t.record(Entry{At: now, Op: OpSeat, Seat: host, Who: &who})
	t.changeHand(seat, was, side, now)
	return true
}

// changeHand gives a seat the hand of the free side that it has taken, for that of the side that it
// had (T90). It does nothing if the seat has another hand, or if not everybody knows that its hand
// is empty.
func (t *Table) changeHand(seat id.Seat, was, side uint32, now id.Millis) {
	if t.handOfSide(side) == nil {
		return
	}
	var own *piece
	for _, h := range t.hands.all {
		if h.state.Owner != seat {
			continue
		}
		if was == 0 || t.sideOfHand(h) != was || !t.seenEmpty(h) {
			return
		}
		own = h
	}
	if own != nil {
		s := own.state
		s.Owner, s.Team = 0, ""
		t.serve(own, OpLeave, seat, now, s)
		t.followHand(own, now)
	}
	t.giveHand(seat, side, now)
}
