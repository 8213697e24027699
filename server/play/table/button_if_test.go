package table_test

import (
	"slices"
	"testing"

	"holt/server/play/table"
)

// TestConditions shows which steps of a button are done, by what everybody knows.
func TestConditions(t *testing.T) {
	// held presses the dealer, and reports whether the condition held: the token has turned then.
	// Otherwise it has face 2 up, if the condition was known.
	held := func(t *testing.T, c table.Condition, before func(s *server, ada *tab)) (yes, known bool) {
		t.Helper()
		s, ada, bob := pressing(t,
			when(c, []table.Step{{Do: table.DoRotate, Kind: kindToken, By: 9000}},
				table.Step{Do: table.DoFace, Kind: kindToken, N: 2}))
		if before != nil {
			before(s, ada)
		}
		bob.want(t, 0, table.OpRun, worldDealer)
		is := s.state(worldToken)
		if is.Angle != 0 && is.Face == 2 {
			t.Error("both lists were done")
		}
		return is.Angle != 0, is.Angle != 0 || is.Face == 2
	}
	cond := func(of table.Fact, kind uint32, is table.Comparison, n int32) table.Condition {
		return table.Condition{Of: of, Kind: kind, Is: is, N: n}
	}
	want := func(t *testing.T, c table.Condition, holds bool, before func(s *server, ada *tab)) {
		t.Helper()
		if yes, known := held(t, c, before); !known || yes != holds {
			t.Errorf("%+v: holds %v, known %v", c, yes, known)
		}
	}
	// Clauses: T91.1
	t.Run("T91.1 comparisons", func(t *testing.T) {
		for is, holds := range map[table.Comparison][3]bool{ // for 39, 40 and 41
			table.Equal: {false, true, false}, table.Less: {false, false, true},
			table.LessOrEqual: {false, true, true}, table.Greater: {true, false, false},
			table.GreaterOrEqual: {true, true, false},
		} {
			for i, yes := range holds {
				want(t, cond(table.FactValue, kindCounter, is, 39+int32(i)), yes, nil)
			}
		}
	})
	// Clauses: T91.2
	t.Run("T91.2 the value of the uppermost counter", func(t *testing.T) {
		forty := cond(table.FactValue, kindCounter, table.Equal, 40)
		want(t, forty, false, func(_ *server, ada *tab) {
			ada.do(table.OpCopy, worldCounter, at(3000, -3000))
			ada.do(table.OpCount, worldCounter, amount(1))
			ada.do(table.OpRaise, worldCounter)
		})
		want(t, forty, true, func(_ *server, ada *tab) {
			ada.do(table.OpCopy, worldCounter, at(3000, -3000))
			ada.do(table.OpCount, worldCounter, amount(1))
		})
		if _, known := held(t, forty, func(_ *server, ada *tab) {
			ada.do(table.OpDelete, worldCounter)
		}); known {
			t.Error("a counter that is deleted has a value")
		}
	})
	// Clauses: T91.3
	t.Run("T91.3 pieces that lie open, on the table or in a zone", func(t *testing.T) {
		want(t, cond(table.FactPieces, kindDie, table.Equal, 2), true, nil)
		want(t, cond(table.FactPieces, kindDie, table.Equal, 1), true, func(_ *server, ada *tab) {
			ada.do(table.OpMove, worldDieOne, at(0, handOneY)) // into a hand
		})
		want(t, cond(table.FactPieces, kindNote, table.Equal, 0), true, func(_ *server, ada *tab) {
			ada.do(table.OpStow, worldNote, into(worldBag))
		})
		inRow := table.Condition{
			Of: table.FactPieces, Kind: kindBack, InZone: true, Zone: kindRow, Is: table.Equal, N: 2,
		}
		fill := func(_ *server, ada *tab) {
			ada.drop(worldCard, zoneX-700, rowY)
			ada.drop(worldCardTwo, zoneX, rowY)
			ada.do(table.OpFlip, worldCard, face(1)) // whichever side is up
			ada.drop(worldCoin, zoneX+700, rowY)
		}
		want(t, inRow, true, fill)
		inRow.Any, inRow.N = true, 3
		want(t, inRow, true, fill)
		want(t, inRow, false, func(s *server, ada *tab) {
			fill(s, ada)
			ada.do(table.OpGrab, worldCoin)
		})
		if _, known := held(t, inRow, func(s *server, ada *tab) {
			ada.do(table.OpDelete, worldRow)
		}); known {
			t.Error("pieces are counted in a zone that is deleted")
		}
	})
	// Clauses: T91.4
	t.Run("T91.4 pieces in the uppermost container, if it is counted", func(t *testing.T) {
		full := cond(table.FactHolds, kindDeck, table.Equal, inDeck)
		want(t, full, true, nil)
		want(t, full, false, func(_ *server, ada *tab) {
			ada.do(table.OpDeal, worldDeck, amount(1))
		})
		if _, known := held(t, cond(table.FactHolds, kindBag, table.Equal, inBag), nil); known {
			t.Error("the number in a bag that is not counted decides")
		}
	})
	// Clauses: T91.5
	t.Run("T91.5 what earlier steps did counts", func(t *testing.T) {
		add := table.Step{Do: table.DoAdd, Kind: kindCounter, N: 1}
		same := when(cond(table.FactValue, kindCounter, table.Equal, 42), []table.Step{
			when(cond(table.FactValue, kindCounter, table.Equal, 42), []table.Step{add}),
		}, table.Step{Do: table.DoSet, Kind: kindCounter})
		s, _, bob := pressing(t, add, add, same, add)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := s.state(worldCounter).Value; got != 44 {
			t.Errorf("the counter shows %d", got)
		}
		s.undo(2)
		s.settle()
		if got := s.state(worldCounter).Value; got != 40 {
			t.Errorf("after an undo the counter shows %d", got)
		}
	})
	// Clauses: T91.6
	t.Run("T91.6 the longer list counts for the bounds", func(t *testing.T) {
		roll := table.Step{Do: table.DoRoll, Kind: kindDie} // two dice
		rolls := slices.Repeat([]table.Step{roll}, table.MaxActs/2)
		never := cond(table.FactHolds, kindDeck, table.Equal, 0)
		s, _, bob := pressing(t, when(never, rolls, rolls...))
		bob.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.drawn); n != 2 { // dice that cool down are not rolled again
			t.Errorf("%d draws", n)
		}
		for _, steps := range [][]table.Step{
			{when(never, slices.Concat(rolls, rolls[:1]))},
			{when(never, rolls, rolls[0]), roll}, {roll, when(never, rolls[:1], rolls...)},
		} {
			s, _, bob = pressing(t, steps...)
			gen := s.table.Gen()
			bob.want(t, table.ReasonRange, table.OpRun, worldDealer)
			if s.table.Gen() != gen {
				t.Error("something has changed")
			}
		}
	})
	// Clauses: T91.7, T87.6
	t.Run("T91.7 what cannot be counted is said", func(t *testing.T) {
		step := when(cond(table.FactValue, kindCounter, table.Equal, 40),
			[]table.Step{{Do: table.DoFlip, Kind: kindCoin}})
		step.At = 3
		s, ada, bob := pressing(t, step, table.Step{Do: table.DoFlip, Kind: kindCoin, At: 5})
		ada.do(table.OpDelete, worldCounter)
		bob.notices = nil
		bob.want(t, 0, table.OpRun, worldDealer)
		if len(bob.notices) != 1 || bob.notices[0].count != 3 {
			t.Errorf("the notices are %+v", bob.notices)
		}
		if s.state(worldCoin).Face != 0 {
			t.Error("the steps behind it were not done")
		}
		s.at(s.now + cooldown)
		ada.do(table.OpLock, worldCoin)
		bob.want(t, table.ReasonEmpty, table.OpRun, worldDealer)
	})
	// Clauses: T91.8
	t.Run("T91.8 nothing of a guest set counts", func(t *testing.T) {
		turn := []table.Step{{Do: table.DoRotate, Kind: kindToken, By: 9000}}
		for _, c := range []struct {
			of    table.Condition
			angle int32
			why   table.Reason
		}{
			{cond(table.FactPieces, kindDie, table.Equal, 1), 9000, 0},
			{cond(table.FactPieces, kindDie, table.Equal, 2), 0, table.ReasonEmpty},
			{cond(table.FactValue, kindCounter, table.Equal, 40), 0, 0},
			{cond(table.FactHolds, kindDeck, table.Equal, inDeck), 0, 0},
		} {
			dealerDoes(t, when(c.of, turn))
			s, _, bob := sitWithGuests(t)
			bob.want(t, c.why, table.OpRun, worldDealer)
			if got := s.state(worldToken).Angle; got != c.angle {
				t.Errorf("%+v: the token is at %d", c.of, got)
			}
		}
	})
}

// TestNothingToDo shows that a press is rejected if the conditions leave nothing to do, and that
// the next one need not wait.
// Clauses: T91.10
func TestNothingToDo(t *testing.T) {
	turn := table.Step{Do: table.DoRotate, Kind: kindToken, By: 9000}
	one := table.Condition{Of: table.FactValue, Kind: kindCounter, Is: table.Equal, N: 41}
	two := table.Condition{Of: table.FactHolds, Kind: kindDeck, Is: table.GreaterOrEqual, N: 0}
	for _, steps := range [][]table.Step{
		{when(one, []table.Step{turn})},
		{when(one, []table.Step{turn}), when(one, []table.Step{turn})},
		{when(two, []table.Step{when(one, []table.Step{turn})}, turn)},
		{{Do: table.DoEach, Then: []table.Step{when(one, []table.Step{turn})}}},
	} {
		s, ada, bob := pressing(t, steps...)
		gen := s.table.Gen()
		bob.want(t, table.ReasonEmpty, table.OpRun, worldDealer)
		if s.table.Gen() != gen {
			t.Error("something was recorded")
		}
		ada.do(table.OpCount, worldCounter, amount(1))
		bob.want(t, 0, table.OpRun, worldDealer)
		if s.state(worldToken).Angle == 0 {
			t.Errorf("%+v: the token has not turned", steps)
		}
	}
}
