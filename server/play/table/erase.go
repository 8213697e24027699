package table

import (
	"holt/server/id"
)

// A person erases what is kept of them (T80): their seat has ended, and it has no name any more.

// The name and the colour of a seat whose person has erased what was kept of them.
const (
	ErasedNick   = "Somebody"
	ErasedColour = 0x808080
)

// Erase records that a seat that has ended is nobody's who could be named, and returns the number
// that its name gets. It reports false if there is no such seat, or if it has not ended. If it was
// erased before, nothing is recorded.
func (t *Table) Erase(seat, by id.Seat, now id.Millis) (number uint32, ok bool) {
	who, ok := t.Seat(seat)
	if !ok || who.Left == 0 {
		return 0, false
	}
	if !who.Erased {
		who = who.Without(t.numberErased(seat))
		t.recordSeat(who, by, now)
	}
	return who.Number, true
}

// Without returns a seat without what identifies its person. number is that of its name.
func (s SeatInfo) Without(number uint32) SeatInfo {
	s.Nick, s.Colour, s.Home, s.Number = ErasedNick, ErasedColour, "", number
	s.Link, s.Erased = SeatLink{}, true
	return s
}

// numberErased returns the least number from 2 with which the name of an erased seat is no other's.
// It is never 0: earlier entries about the seat get the same name, and an entry without a number
// takes what is free when it is replayed.
func (t *Table) numberErased(seat id.Seat) uint32 {
	for who := (SeatInfo{Nick: ErasedNick, Number: 2}); ; who.Number++ {
		if other := t.named[nameKey(&who)]; other == 0 || other == seat {
			return who.Number
		}
	}
}
