package table

import (
	"slices"

	"holt/server/id"
)

// Open hands (T73). People who have played may let everybody at the table watch the past with the
// hands that they had. That is part of the state of their seats, like the consent to a referee.

// OpenHands records until when the person of a seat lets everybody watch the past with the hands of
// the seat; 0: not at all. It reports false and records nothing if the seat has never played.
func (t *Table) OpenHands(seat id.Seat, until, now id.Millis) bool {
	who, ok := t.seatInUse(seat)
	if !ok || !who.hasPlayed() {
		return false
	}
	if who.Opened != until {
		who.Opened = until
		t.recordSeat(who, seat, now)
	}
	return true
}

// hasPlayed reports whether somebody plays at the seat, or has played there.
func (s *SeatInfo) hasPlayed() bool { return s.Role.Plays() || s.Played }

// Opened returns what an open replay shows. until is the earliest of the times that seats have set;
// 0: no seat has set one. closed are the seats that have played and have set none.
func (t *Table) Opened() (until id.Millis, closed []id.Seat) {
	for i := range t.seats {
		switch who := &t.seats[i]; {
		case !who.hasPlayed():
		case who.Opened == 0:
			closed = append(closed, who.Seat)
		case until == 0 || who.Opened < until:
			until = who.Opened
		}
	}
	return until, closed
}

// OpenAll gives the public view the sight of a referee, except into the hands of closed seats. If
// there are any, it does not show the fronts that lie concealed on the table either. It is for a
// table that is made to be watched, and to which nobody writes.
func (t *Table) OpenAll(closed []id.Seat) {
	t.referees, t.closed = append(t.referees, t.public.seat), closed
}

// isOpened reports whether a view has the sight of a referee of pieces with that owner.
func (t *Table) isOpened(view, owner id.Seat) bool {
	if !t.isReferee(view) {
		return false
	}
	return len(t.closed) == 0 || owner != 0 && !slices.Contains(t.closed, owner)
}
