package table

import (
	"slices"

	"holt/server/id"
)

// Who edits the game of a table (T99), and how its kinds change (T37, T100, T104).

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

// SetKinds gives the table kinds that continue those it has. Those that it has may be defined in
// another way, but their pieces are of the same sort, hidden in the same way, and as heavy.
func (t *Table) SetKinds(kinds []Kind) {
	t.kinds = kinds
	t.hands, t.containers, t.zones, t.supplies = cover{}, cover{}, cover{}, cover{}
	for _, p := range t.pieces {
		t.cover(p)
	}
	if t.zoned || !slices.ContainsFunc(kinds, func(k Kind) bool { return k.isZone() }) {
		return
	}
	t.zoned = true
	for _, p := range t.pieces {
		if p.byCell.of == nil && t.grounded(&p.state) {
			bunchOf(t.ground, cellAt(p.state.X, p.state.Y)).join(p, &p.byCell)
		}
	}
}

// HasGuestsOf reports whether a piece of a guest set is of one of these kinds (T37).
func (t *Table) HasGuestsOf(kinds []uint32) bool {
	for _, members := range t.members {
		for _, p := range members.all() {
			if slices.Contains(kinds, p.state.Kind) {
				return true
			}
		}
	}
	return false
}
