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

// TestLabelsOfNewcomers shows that the label beside a hand goes to whoever gets the hand.
func TestLabelsOfNewcomers(t *testing.T) {
	const far, beside, besideTwo = pieceCount + 1, pieceCount + 2, pieceCount + 3
	set := func(seed uint64, change func([]table.Place)) *server {
		places := setUp()
		for i, at := range [][2]int32{{4000, handOneY}, {0, handOneY + 900}, {0, handTwoY - 900}} {
			places = append(places, table.Place{OID: oid(uint64(pieceCount + 1 + i)), State: table.State{
				Kind: kindLabel, X: at[0], Y: at[1],
			}})
		}
		change(places[pieceCount:])
		return serve(t, seed, places)
	}
	owners := func(s *server) (all [3]id.Seat) {
		for i, p := range []id.Piece{far, beside, besideTwo} {
			all[i] = s.state(p).Owner
		}
		return all
	}
	t.Run("T35.6 finding 14: who gets a hand gets the nearest label", func(t *testing.T) {
		s := set(8, func([]table.Place) {})
		if got := owners(s); got != [3]id.Seat{0, 1, 2} {
			t.Errorf("the labels belong to %v; nobody is left who has a hand", got)
		}
	})
	t.Run("T35.6 of labels that are equally near the oldest is given", func(t *testing.T) {
		s := set(9, func(labels []table.Place) { labels[0].State.X, labels[0].State.Y = 0, handOneY-900 })
		if got := owners(s); got != [3]id.Seat{1, 0, 2} {
			t.Errorf("the labels belong to %v, want the first to the first seat", got)
		}
	})
	t.Run("T35.7 a locked label stays nobody's", func(t *testing.T) {
		s := set(10, func(labels []table.Place) { labels[1].State.Locked = true })
		if got := owners(s); got != [3]id.Seat{1, 0, 2} {
			t.Errorf("the labels belong to %v, want the far one to the first seat", got)
		}
	})
	t.Run("T35.7 a held label stays nobody's", func(t *testing.T) {
		s := set(11, func([]table.Place) {})
		ada := s.join(1)
		ada.want(t, 0, table.OpLeave, handOne)
		ada.want(t, 0, table.OpAssign, beside, whom(0))
		ada.want(t, 0, table.OpGrab, beside)
		seat, _ := s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
		s.publish(nil)
		s.settle()
		if got := owners(s); got != [3]id.Seat{seat, 0, 2} {
			t.Errorf("the labels belong to %v, want the far one to seat %d", got, seat)
		}
	})
}
