package table

import (
	"encoding/binary"
	"iter"

	"holt/server/id"
)

// Team is the seats with which the owner of a hand shares it (T23): two bytes each, ascending. So states that have
// teams can be compared.
type Team string

// NewTeam returns the team of some seats, false if they are not a team: ascending, at most MaxTeam of them.
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

// Seats goes through the team, in the order of their numbers.
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

// Len returns how many seats there are.
func (m Team) Len() int { return len(m) / 2 }

// with returns the team with a seat more.
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

// without returns the team with a seat less.
func (m Team) without(seat id.Seat) Team {
	out := make([]byte, 0, len(m))
	for s := range m.Seats() {
		if s != seat {
			out = appendSeat(out, s)
		}
	}
	return Team(out)
}

// appendSeat appends the two bytes of a seat, of which there are at most MaxSeats.
func appendSeat(b []byte, seat id.Seat) []byte {
	return binary.BigEndian.AppendUint16(b, uint16(seat)) //nolint:gosec // at most MaxSeats
}
