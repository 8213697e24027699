package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/play/table"
)

// TestUndoneSteps shows that a press says which steps it could not do.
func TestUndoneSteps(t *testing.T) {
	// press presses the dealer with these steps, and returns the counts of the notices.
	press := func(t *testing.T, before func(ada *tab), steps ...table.Step) (counts []int32) {
		t.Helper()
		for i := range steps {
			steps[i].At = int32(i) + 1
		}
		s, ada, bob := pressing(t, steps...)
		if before != nil {
			before(ada)
		}
		bob.notices, ada.notices = nil, nil
		from := s.table.Gen()
		ada.want(t, 0, table.OpRun, worldDealer)
		for _, n := range bob.notices {
			if n.op == table.OpRun {
				if n.piece != worldDealer || n.by != 1 {
					t.Errorf("the notice is %+v", n)
				}
				counts = append(counts, n.count)
			}
		}
		if u, no := s.table.Undoable(1); no == nil && u.Op != table.OpRun {
			t.Errorf("since %d the undo is %+v", from, u)
		}
		return counts
	}
	want := func(t *testing.T, got []int32, want ...int32) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("not done are %v, want %v", got, want)
		}
	}
	flip := table.Step{Do: table.DoFlip, Kind: kindCoin}
	count := table.Step{Do: table.DoAdd, Kind: kindCounter, N: 70}
	deal := func(n int32) table.Step { return table.Step{Do: table.DoDeal, Kind: kindDeck, N: n} }
	// Clauses: T87.6
	t.Run("T87.6 steps with nothing to do", func(t *testing.T) {
		want(t, press(t, nil, flip, deal(1)))
		want(t, press(t, nil, flip, count, deal(1), table.Step{Do: table.DoRoll, Kind: kindStopwatch}),
			2, 4)
		want(t, press(t, func(ada *tab) { ada.do(table.OpLock, worldCoin) }, flip, deal(1)), 1)
		want(t, press(t, nil, deal(100), deal(1)), 1+table.ShortStep, 2)
		want(t, press(t, nil, table.Step{Do: table.DoSort, Kind: kindRow}, flip), 1)
	})
	// Clauses: T87.9
	t.Run("T87.9 steps that find all as they say", func(t *testing.T) {
		set := table.Step{Do: table.DoSet, Kind: kindCounter, N: 40} // what it shows
		face := table.Step{Do: table.DoFace, Kind: kindToken, N: 0}
		want(t, press(t, nil, flip, set, face))
		want(t, press(t, func(ada *tab) { ada.do(table.OpLock, worldCounter) }, flip, set, face), 2)
	})
	// Clauses: T87.7
	t.Run("T87.7 steps with too few pieces", func(t *testing.T) {
		want(t, press(t, nil, deal(inDeck/3)))
		want(t, press(t, nil, deal(inDeck/3+1)), 1+table.ShortStep)
		move := table.Step{Do: table.DoMove, Kind: kindDeck, N: inDeck + 1, To: kindToken, Face: -1}
		want(t, press(t, nil, flip, move), 2+table.ShortStep)
	})
	t.Run("T87.7 nothing of a container that is not counted", func(t *testing.T) {
		was := kinds[kindBag].Uncounted
		t.Cleanup(func() { kinds[kindBag].Uncounted = was })
		for _, hidden := range []bool{false, true} {
			move := table.Step{Do: table.DoMove, Kind: kindBag, N: inBag + 1, To: kindCoin, Face: -1}
			kinds[kindBag].Uncounted = hidden
			got := press(t, nil, flip, move)
			if is := len(got) == 0; is != hidden {
				t.Errorf("not counted: %s, and not done are %v", fmt.Sprint(hidden), got)
			}
		}
	})
}
