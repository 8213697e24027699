package table_test

import (
	"holt/server/id"
	"holt/server/play/table"
)

// undo undoes the last gesture of a seat, if that is possible, as a room does: with the shuffles
// that belong to it. It reports whether it was.
func (s *server) undo(seat id.Seat) bool {
	s.t.Helper()
	u, no := s.table.Undoable(seat)
	if no != nil {
		s.variety.obstacles[no.Why]++
		return false
	}
	if u.AtOnce {
		s.variety.atOnce++
	}
	s.now++
	s.remakes = table.Remakes(s.table, u)
	takeBack(s.table, u, s.now, s.mint, s.rnd)
	entries := s.publish(nil)
	s.remakes = false
	if len(entries) == 0 {
		s.fatalf("T63: the undo of %s by seat %d recorded nothing", u.Op, seat)
	}
	if n := len(entries); n > u.Entries+2*len(u.Pieces)+4 && n > 2*u.Entries {
		s.fatalf("T63: the undo of %s recorded %d entries, said were %d", u.Op, n, u.Entries)
	}
	return true
}

// takeBack undoes a gesture at a table.
func takeBack(
	t *table.Table, u *table.Undo, now id.Millis, mint func() id.OID,
	rnd interface{ IntN(n int) int },
) (draws int) {
	oids := make([]id.OID, u.Makes)
	for i := range oids {
		oids[i] = mint()
	}
	shuffles := t.TakeBack(u, now, oids)
	for i := range shuffles {
		out := t.Reshuffle(&shuffles[i], u.Seat,
			table.Inputs{Now: now, Rand: rnd, Unproved: rnd, Round: 1})
		if out.Chance.What != 0 {
			draws++
		}
	}
	return draws
}
