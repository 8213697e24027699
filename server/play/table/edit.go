package table

import "holt/server/id"

// Who edits the game of a table (T99).

// LetEdit records that a host lets the person of a seat edit the game, or not any more. It reports
// false and records nothing if the seat does not play.
func (t *Table) LetEdit(seat id.Seat, edits bool, by id.Seat, now id.Millis) bool {
	who, ok := t.Seat(seat)
	if !ok || !who.Plays() {
		return false
	}
	if edits == (who.EditsBy != 0) {
		return true
	}
	if who.EditsBy = 0; edits {
		who.EditsBy = by
	}
	t.recordSeat(who, by, now)
	return true
}

// Edits reports whether the person of a seat edits the game.
func (t *Table) Edits(seat id.Seat) bool {
	who, ok := t.seatInUse(seat)
	return ok && who.EditsBy != 0
}
