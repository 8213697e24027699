package web

import (
	"testing"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
)

func TestTickets(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ada := room.Session{Table: id.OID{1}, Seat: 1}
	bob := room.Session{Table: id.OID{1}, Seat: 2}
	issue := func(tk *tickets, s room.Session, at time.Time) string {
		text, err := tk.issue(s, at)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	t.Run("D30.3, D30.4 a ticket is valid once, for its session", func(t *testing.T) {
		tk := newTickets()
		a, b := issue(tk, ada, now), issue(tk, bob, now)
		if len(a) != 22 || a == b {
			t.Errorf("tickets %q and %q", a, b)
		}
		if s, ok := tk.redeem(b, now); !ok || s != bob {
			t.Errorf("redeemed for %v, %v", s, ok)
		}
		if _, ok := tk.redeem(b, now); ok {
			t.Error("valid a second time")
		}
		if _, ok := tk.redeem("nonsense", now); ok {
			t.Error("a ticket that was never issued is valid")
		}
	})
	t.Run("D30.5 for 30 s", func(t *testing.T) {
		tk := newTickets()
		a, b := issue(tk, ada, now), issue(tk, ada, now)
		if _, ok := tk.redeem(a, now.Add(30*time.Second-time.Millisecond)); !ok {
			t.Error("not valid within its time")
		}
		if _, ok := tk.redeem(b, now.Add(30*time.Second)); ok {
			t.Error("valid after its time")
		}
	})
	t.Run("D30 a seat that asks repeatedly has its last ones", func(t *testing.T) {
		tk := newTickets()
		other := issue(tk, bob, now)
		first := issue(tk, ada, now)
		var last string
		for range 8 {
			last = issue(tk, ada, now)
		}
		if _, ok := tk.redeem(first, now); ok {
			t.Error("the oldest of nine is valid")
		}
		if _, ok := tk.redeem(last, now); !ok {
			t.Error("the newest is not")
		}
		if _, ok := tk.redeem(other, now); !ok {
			t.Error("that of another seat is not")
		}
	})
	t.Run("D30 unused tickets are forgotten", func(t *testing.T) {
		tk := newTickets()
		for seat := range 100 {
			issue(tk, room.Session{Table: id.OID{2}, Seat: id.Seat(seat + 1)}, now)
		}
		issue(tk, ada, now.Add(time.Minute))
		if len(tk.byText) != 1 || len(tk.bySeat) != 1 {
			t.Errorf("%d tickets of %d seats are kept", len(tk.byText), len(tk.bySeat))
		}
	})
}
