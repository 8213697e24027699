package table_test

import (
	"holt/server/id"
	"holt/server/table"
)

// mayKnow says whether a seat may see the front of a secret piece in this state (T22, T23).
func mayKnow(s *table.State, seat id.Seat) bool {
	if s.Owner != 0 {
		return s.Owner == seat
	}
	return s.Face == 0
}

// checkSecrets goes through the whole log and checks that at no entry the front of a secret piece is in the
// view of a seat that may not see it, and that what is hidden leaves no trace (T21, T22).
func (s *server) checkSecrets(seat id.Seat) {
	s.t.Helper()
	for i := range s.log {
		e := &s.log[i]
		if e.Who != nil || !kinds[e.After.Kind].Secret {
			continue
		}
		before, after, shown := s.table.Shows(e, seat)
		if !shown {
			continue
		}
		s.checkShown(e, &e.After, &after, seat)
		if !e.Made {
			s.checkShown(e, &e.Before, &before, seat)
		}
		was := before
		was.Mark = after.Mark
		if !e.Made && was == after && e.Op != table.OpRenew {
			s.fatalf("T21: the entry of generation %d shows seat %d nothing new and is shown", e.Gen, seat)
		}
	}
}

func (s *server) checkShown(e *table.Entry, is *table.State, shown *table.Shown, seat id.Seat) {
	s.t.Helper()
	mask := kinds[is.Kind].Mask
	switch {
	case mayKnow(is, seat) && (shown.Kind != is.Kind || shown.Face != is.Face):
		s.fatalf("T22: the entry of generation %d shows seat %d %+v, and it may see %+v", e.Gen, seat, shown, is)
	case !mayKnow(is, seat) && (shown.Kind != mask || shown.Face != 0):
		s.fatalf("T22: the entry of generation %d shows seat %d %+v, which it may not see: %+v", e.Gen, seat, shown, is)
	}
}
