package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestFindingS10Levels shows that what bob receives of a hand that ada gives him does not depend on
// how she arranged it before. She holds one of its cards meanwhile, and then puts it down.
// Clauses: T43.1
func TestFindingS10Levels(t *testing.T) {
	rows := []struct {
		name    string
		arrange func(ada *tab)
	}{
		{"T43 raises in a hand", func(ada *tab) {
			for range 5 {
				ada.do(table.OpRaise, cardOne)
			}
		}},
		{"T43 lowers in a hand", func(ada *tab) {
			for range 3 {
				ada.do(table.OpLower, cardOne)
			}
		}},
		{
			"T43 a level that ada has chosen",
			func(ada *tab) { ada.do(table.OpSetZ, cardOne, z("0.77")) },
		},
		{"T43 a third card, taken out again", func(ada *tab) {
			ada.do(table.OpMove, cardThree, at(400, handOneY))
			ada.do(table.OpMove, cardThree, at(3000, 0))
		}},
	}
	none := givenHand(t, func(*tab) {})
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := givenHand(t, row.arrange); got != none {
				t.Errorf("bob gets\n%s, and without it\n%s", got, none)
			}
		})
	}
}

// givenHand returns where a new owner sees the cards of a hand, and at which levels.
func givenHand(t *testing.T, arrange func(ada *tab)) string {
	t.Helper()
	s, ada, bob, _ := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	ada.do(table.OpMove, cardTwo, at(200, handOneY))
	arrange(ada)
	ada.do(table.OpGrab, cardOne)
	ada.do(table.OpGive, handOne, whom(bob.seat))
	ada.do(table.OpRelease, cardOne, at(-200, handOneY))
	s.settle()
	var told []string
	for _, p := range s.table.All(bob.seat, bob.id) {
		if kinds[p.Kind].Secret && p.Owner == bob.seat {
			told = append(told, fmt.Sprintf("%s at %d", p.Z, p.X))
		}
	}
	slices.Sort(told)
	if len(told) != 2 {
		t.Fatalf("bob sees %q in the hand, want two cards", told)
	}
	return fmt.Sprint(told)
}

// TestFindingS10Order shows that cards keep their order when a hand is given away or shared.
func TestFindingS10Order(t *testing.T) {
	for _, op := range []table.Op{table.OpGive, table.OpShare} {
		// Clauses: T43.3
		t.Run("T43 "+op.String(), func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			for i, card := range []id.Piece{cardOne, cardTwo, cardThree} {
				ada.do(table.OpMove, card, at(int32(i)*100, handOneY))
			}
			ada.do(table.OpRaise, cardOne)
			ada.do(op, handOne, whom(bob.seat))
			s.settle()
			if got := s.lyingAt(handOne); !slices.Equal(got, []int32{100, 200, 0}) {
				t.Errorf("the cards lie at %d, from the bottom to the top", got)
			}
		})
	}
}

// lyingAt returns where pieces lie in a hand, the lowest first.
func (s *server) lyingAt(hand id.Piece) (xs []int32) {
	names := s.lying(hand)
	slices.Reverse(names)
	for _, name := range names {
		xs = append(xs, s.state(name).X)
	}
	return xs
}

// TestFindingS10Slots shows that a card that ada still holds in a hand which is bob's now takes no
// place there: bob does not see it.
// Clauses: T43.1
func TestFindingS10Slots(t *testing.T) {
	drawn := func(holds bool) table.State {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpDraw, worldDeck)
		card := s.lying(worldHandOne)[0]
		if holds {
			ada.do(table.OpGrab, card)
			ada.do(table.OpGive, worldHandOne, whom(bob.seat))
		} else {
			ada.do(table.OpMove, card, at(7000, 0))
			ada.do(table.OpGive, worldHandOne, whom(bob.seat))
		}
		bob.do(table.OpDraw, worldDeck)
		s.settle()
		for _, p := range s.states(worldHandOne) {
			if p.Owner == bob.seat {
				return p
			}
		}
		t.Fatal("bob has no card")
		return table.State{}
	}
	if one, other := drawn(true), drawn(false); one.X != other.X || one.Y != other.Y {
		t.Errorf("T43: the card comes to %d, %d, and without the other one to %d, %d",
			one.X, one.Y, other.X, other.Y)
	}
}
