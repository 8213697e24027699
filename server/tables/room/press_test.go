package room_test

import (
	"testing"

	"holt/server/play/fairness"
	"holt/server/play/table"
)

// TestPress shows that a press is one commit, with each of its random draws in the round.
// Clauses: T84.1, T84.11
func TestPress(t *testing.T) {
	atCards(t).Run("T84.11 the draws of a press are in the export", func(t *testing.T, r *rig) {
		p := r.partyWithoutPouch()
		p.bob.mustSend(p.bob.blind(table.OpRun, dealer))
		p.readAll()
		e, _, err := r.rooms.Fairness(t.Context(), p.eve.session)
		if err != nil {
			t.Fatal(err)
		}
		drawn := 0 // what was drawn is sealed until the round ends
		for _, round := range e.Rounds {
			for _, f := range round.Facts {
				if _, is := f.Fact.(fairness.Drawn); is {
					drawn++
				}
			}
		}
		if drawn != 3 { // a shuffle, and two dice
			t.Errorf("the export has %d draws", drawn)
		}
		if _, err := fairness.Verify(e); err != nil {
			t.Errorf("the export: %v", err)
		}
	})
}
