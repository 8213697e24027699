package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestForgottenClients shows what the table accepts from a client that it has forgotten.
func TestForgottenClients(t *testing.T) {
	t.Run("T15.13 the tag of a reject is good after 16 other clients of the seat", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpGrab, tokenOne)
		bob.act(table.OpMove, tokenOne, at(7, 7))
		tag := s.receive(bob).Reject.Piece.Version
		bob.drain()
		check := func(c *tab, tag id.Version) *table.Invalid {
			u := c.make(table.OpPin, tokenOne)
			u.Tag = tag
			return s.table.Check(c.id, c.seat, []table.Update{u})
		}
		wantBogus(t, check(s.join(2), tag), table.CodeFutureTag)
		for i := range int32(table.ClientsPerSeat) {
			c := s.join(2)
			s.must(t, c, c.make(table.OpMove, tokenTwo, at(i, 0)), table.Recorded)
		}
		if seat := s.table.SeatOf(bob.id); seat != 0 {
			t.Fatalf("bob's client is still known at seat %d", seat)
		}
		if invalid := check(bob, tag); invalid != nil {
			t.Errorf("the tag of the reject: %v", invalid)
		}
		now := s.table.VersionAt(bob.seat, s.table.Gen())
		wantBogus(t, check(bob, now+1), table.CodeFutureTag)
	})
}
