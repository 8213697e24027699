package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// The counters of a table at which things belong to sides. worldCounter belongs to nobody.
const (
	counterOne = worldAsker + 1 + id.Piece(iota)
	counterTwo
)

// sitAtSides sits three people down at the world with two more counters, of the sides of Ada and
// Bob, where a press of the dealer does these steps for each of them.
func sitAtSides(t *testing.T, steps ...table.Step) (s *server, ada, bob, cid *tab) {
	t.Helper()
	dealerDoes(t, table.Step{Do: table.DoEach, Then: steps})
	config.Sides = make([]id.Piece, 3)
	config.Owned = [][]id.Piece{{counterOne, worldDieOne}, {counterTwo, worldDieTwo}}
	t.Cleanup(func() { config.Sides, config.Owned = nil, nil })
	places := world()
	for i := range int32(2) {
		places = append(places, table.Place{OID: oid(uint64(900 + i)), State: table.State{
			Kind: kindCounter, X: 8000, Y: 1000 * i,
		}})
	}
	s = serve(t, 1, places)
	if s.state(counterTwo).Kind != kindCounter {
		t.Fatal("the counters have other names")
	}
	return s, s.join(1), s.join(2), s.join(3)
}

// TestEachSeat shows what a button does for each who plays.
func TestEachSeat(t *testing.T) {
	add := func(n int32) table.Step { return table.Step{Do: table.DoAdd, Kind: kindCounter, N: n} }
	values := func(s *server) [3]int32 {
		return [3]int32{s.state(counterOne).Value, s.state(counterTwo).Value, s.state(worldCounter).Value}
	}
	// Clauses: T92.1, T92.4, T87.7
	t.Run("T92.1 in turn, from behind who presses", func(t *testing.T) {
		s, _, bob, _ := sitAtSides(t, table.Step{Do: table.DoDeal, Kind: kindDeck, N: 5, At: 2})
		bob.notices = nil
		bob.want(t, 0, table.OpRun, worldDealer)
		for hand, n := range map[id.Piece]int{worldHandThree: 5, worldHandOne: 5, worldHandTwo: 2} {
			if got := len(s.lying(hand)); got != n {
				t.Errorf("%d cards lie in hand %d, want %d", got, hand, n)
			}
		}
		if !slices.ContainsFunc(bob.notices, func(n notice) bool {
			return n.op == table.OpRun && n.count == 2+table.ShortStep
		}) {
			t.Errorf("the notices are %+v", bob.notices)
		}
	})
	// Clauses: T92.1
	t.Run("T92.1 not for who watches or has left", func(t *testing.T) {
		s, ada, _, _ := sitAtSides(t, add(1))
		s.end(3, table.HandsBack, 0)
		s.settle()
		ada.want(t, 0, table.OpRun, worldDealer)
		if got := values(s); got != [3]int32{41, 41, 40} {
			t.Errorf("the counters show %v", got)
		}
	})
	// Clauses: T92.2
	t.Run("T92.2 what belongs to the seat, or else to nobody", func(t *testing.T) {
		s, ada, bob, _ := sitAtSides(t, add(2))
		ada.want(t, 0, table.OpRun, worldDealer)
		if got := values(s); got != [3]int32{42, 42, 42} {
			t.Errorf("the counters show %v", got)
		}
		ada.do(table.OpDelete, counterTwo) // so Bob has none
		s.at(s.now + cooldown)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := values(s); got[0] != 44 || got[2] != 46 {
			t.Errorf("without the counter of Bob they show %v", got)
		}
	})
	// Clauses: T92.2
	t.Run("T92.2 hands of others are not meant", func(t *testing.T) {
		s, ada, _, _ := sitAtSides(t,
			table.Step{Do: table.DoMove, Kind: kindDeck, N: 2, To: kindHand, Face: -1})
		ada.want(t, 0, table.OpRun, worldDealer)
		for hand, n := range map[id.Piece]int{worldHandOne: 2, worldHandTwo: 2, worldDeck: inDeck - 4} {
			if got := len(s.lying(hand)); got != n {
				t.Errorf("%d cards lie in %d, want %d", got, hand, n)
			}
		}
	})
	// Clauses: T92.3
	t.Run("T92.3 conditions look at what belongs to the seat", func(t *testing.T) {
		s, ada, _, _ := sitAtSides(t, when(
			table.Condition{Of: table.FactValue, Kind: kindCounter, Is: table.Greater, N: 45},
			[]table.Step{add(10)}, add(-10)))
		ada.do(table.OpCount, counterTwo, amount(6))
		ada.want(t, 0, table.OpRun, worldDealer)
		if got := values(s); got != [3]int32{30, 56, 30} {
			t.Errorf("the counters show %v", got)
		}
	})
	// Clauses: T92.5
	t.Run("T92.5 so many steps in all", func(t *testing.T) {
		steps := slices.Repeat([]table.Step{add(1)}, (table.MaxDone-1)/3)
		s, ada, _, _ := sitAtSides(t, steps[:20]...)
		ada.want(t, 0, table.OpRun, worldDealer)
		if got := values(s); got != [3]int32{60, 60, 60} {
			t.Errorf("the counters show %v", got)
		}
		s, ada, _, _ = sitAtSides(t, append(steps, add(1))...)
		gen := s.table.Gen()
		ada.want(t, table.ReasonRange, table.OpRun, worldDealer)
		if s.table.Gen() != gen {
			t.Error("something has changed")
		}
	})
}
