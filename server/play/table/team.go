package table

import (
	"encoding/binary"
	"iter"

	"holt/server/id"
)

// Team is the set of seats with which the owner of a hand shares it (T23): two bytes for each seat,
// ascending. It is a string so that states with teams are comparable.
type Team string

// NewTeam returns the team of some seats. It reports false if they do not ascend, or if there are
// more than MaxTeam.
func NewTeam(seats []id.Seat) (Team, bool) {
	var m []byte
	last := id.Seat(0)
	for _, s := range seats {
		if s <= last || s > MaxSeats {
			return "", false
		}
		m, last = appendSeat(m, s), s
	}
	return Team(m), len(seats) <= MaxTeam
}

// Seats goes through the team, in the order of the numbers.
func (m Team) Seats() iter.Seq[id.Seat] {
	return func(yield func(id.Seat) bool) {
		for i := 0; i+1 < len(m); i += 2 {
			if !yield(id.Seat(m[i])<<8 | id.Seat(m[i+1])) {
				return
			}
		}
	}
}

// Has reports whether a seat is in the team.
func (m Team) Has(seat id.Seat) bool {
	for i := 0; i+1 < len(m); i += 2 {
		if id.Seat(m[i])<<8|id.Seat(m[i+1]) == seat {
			return true
		}
	}
	return false
}

// Len returns the number of seats.
func (m Team) Len() int { return len(m) / 2 }

// with returns the team with one more seat.
func (m Team) with(seat id.Seat) Team {
	out := make([]byte, 0, len(m)+2)
	for s := range m.Seats() {
		if seat != 0 && seat <= s {
			if seat < s {
				out = appendSeat(out, seat)
			}
			seat = 0
		}
		out = appendSeat(out, s)
	}
	if seat != 0 {
		out = appendSeat(out, seat)
	}
	return Team(out)
}

// without returns the team without a seat.
func (m Team) without(seat id.Seat) Team {
	out := make([]byte, 0, len(m))
	for s := range m.Seats() {
		if s != seat {
			out = appendSeat(out, s)
		}
	}
	return Team(out)
}

// appendSeat appends the two bytes of a seat, which is at most MaxSeats.
func appendSeat(b []byte, seat id.Seat) []byte {
	return binary.BigEndian.AppendUint16(b, uint16(seat)) //nolint:gosec // at most MaxSeats
}
