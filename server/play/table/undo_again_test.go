package table_test

import (
	"testing"

	"holt/server/play/table"
)

// TestT63MadeAgain shows that what an undo makes again is treated like what comes to lie there.
// Clauses: T63.12
func TestT63MadeAgain(t *testing.T) {
	// Clauses: T23.1
	t.Run("T23 what lies there by now comes into a hand that is made again", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpDelete, worldHandOne)
		bob.want(t, 0, table.OpMove, worldDieOne, at(300, handOneY))
		bob.want(t, 0, table.OpMove, worldChips, at(-300, handOneY))
		if !s.undo(1) {
			t.Fatal("the deletion is not undone")
		}
		s.settle()
		lying := 0
		for _, is := range s.states(worldHandOne) {
			if is.Owner != 1 {
				t.Errorf("it lies in the hand of seat %d: %+v", is.Owner, is)
			}
			lying++
		}
		if lying != 2 {
			t.Errorf("in the hand lie %d pieces, not 2", lying)
		}
	})
	t.Run("T25 a heavy piece that is made again lies below light ones", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpDelete, worldStock) // the uppermost heavy piece
		bob.want(t, 0, table.OpSetZ, worldToken, z("0.2"))
		bob.want(t, 0, table.OpLower, worldToken)
		for range 3 { // a level between those of the other heavy pieces and that of the gone one
			bob.want(t, 0, table.OpLower, worldCoin)
		}
		if !s.undo(1) {
			t.Fatal("the deletion is not undone")
		}
		s.settle()
		s.inOrder()
		ada.checkWeights(t)
	})
}
