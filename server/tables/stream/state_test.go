package stream

import "testing"

// TestEdges goes through every state and event. The listed ones change the state; all others do
// not.
func TestEdges(t *testing.T) {
	type edge struct {
		from State
		by   event
	}
	edges := map[edge]State{
		{New, opened}:          Desynced,
		{Desynced, fullQueued}: OK,
		{Desynced, broke}:      New,
		{Desynced, closed}:     Teardown,
		{OK, changesQueued}:    OK,
		{OK, desynced}:         Desynced,
		{OK, broke}:            New,
		{OK, closed}:           Teardown,
	}
	t.Run("S2.1 every edge, and every impossible one", func(t *testing.T) {
		for from := State(0); from <= Teardown+1; from++ {
			for by := event(0); by <= closed+1; by++ {
				want, listed := edges[edge{from, by}]
				if !listed {
					want = from
				}
				if got, ok := from.after(by); got != want || ok != listed {
					t.Errorf("from %v by event %d to %v, %v; want %v, %v", from, by, got, ok, want,
						listed)
				}
			}
		}
	})
}
