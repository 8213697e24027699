package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT56Numbers shows that a number of a seat is not given again while something refers to it
// (T56).
// Clauses: T56.1, T56.11, T56.12
func TestT56Numbers(t *testing.T) {
	tab := table.New(configured(1))
	host, _ := tab.Sit(table.SeatInfo{Nick: "Ada", Role: table.RoleHost}, 1)
	sit := func() id.Seat {
		n, _ := tab.Sit(table.SeatInfo{Nick: "Bob", Role: table.RoleSpectator}, 1)
		return n
	}
	for want := host + 1; want <= table.MaxSeats; want++ {
		n := sit()
		if n != want {
			t.Fatalf("T56 got the number %d, want %d", n, want)
		}
		tab.NoteLink(host, n, 1) // now something refers to the number
		if !tab.Unseat(n, table.Ending{By: host}, 1) {
			t.Fatalf("T56 seat %d does not end", n)
		}
	}
	if n := sit(); n != 0 || !tab.Full() {
		t.Errorf("T56 got the number %d when none is free", n)
	}
}
