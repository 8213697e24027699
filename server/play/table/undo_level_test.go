package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT63MiddleOfOneLevel moves one of three pieces of one level away, and takes that back.
// Clauses: T63.32
func TestT63MiddleOfOneLevel(t *testing.T) {
	same := []id.Piece{worldToken, worldCounter, worldCoin}
	for i, moved := range same {
		s := newWorld(t, 1)
		ada, bob := s.join(1), s.join(2)
		for _, p := range same {
			bob.act(table.OpMove, p, at(700, 900), z("0.9282"))
			s.deliver()
		}
		lying := func() []id.Piece {
			all := slices.Clone(same)
			slices.SortFunc(all, func(a, b id.Piece) int {
				x, y := s.state(a), s.state(b)
				if x.Z < y.Z || x.Z == y.Z && x.ZGen < y.ZGen {
					return -1
				}
				return 1
			})
			return all
		}
		if is := lying(); !slices.Equal(is, same) {
			t.Fatalf("the pieces lie as %v, not as %v", is, same)
		}
		ada.act(table.OpMove, moved, at(-900, 900), z("0.95"))
		s.deliver()
		if !s.undo(1) {
			t.Fatal("the move is not taken back")
		}
		s.deliver()
		if is := lying(); !slices.Equal(is, same) {
			t.Errorf("T63.32 after piece %d went back: they lie as %v, not as %v", i, is, same)
		}
		s.settle()
	}
}
