package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestAssignToAnEndedSeat shows that labels and markers go to seats that are in use only.
func TestAssignToAnEndedSeat(t *testing.T) {
	t.Run("T35.4 nothing is assigned to a seat that has ended", func(t *testing.T) {
		s, ada, _, _ := seated(t)
		ada.want(t, 0, table.OpAssign, worldLabel, whom(2))
		ada.want(t, 0, table.OpAssign, worldLabel, whom(3))
		s.end(2, table.HandsBack, 0)
		for _, p := range []id.Piece{worldLabel, worldMarker} {
			before := s.state(p).Owner
			ada.want(t, table.ReasonNotAllowed, table.OpAssign, p, whom(2))
			if owner := s.state(p).Owner; owner != before {
				t.Errorf("piece %d belongs to seat %d, want %d", p, owner, before)
			}
		}
	})
}
