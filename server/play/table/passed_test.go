package table_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// cardsIn returns the names of the cards in a hand, by the kinds of their fronts.
func (s *server) cardsIn(hand id.Piece) map[uint32]id.Piece {
	cards := map[uint32]id.Piece{}
	for name, is := range s.states(hand) {
		if kinds[is.Kind].Secret {
			cards[is.Kind] = name
		}
	}
	return cards
}

// passing begins a game in which the player 1 has the jack in their hand, brings the ace from the
// table into it, and then plays the ace or the jack, all while they hold a token. They may turn the
// jack over in their hand before.
func passing(t *testing.T, played uint32, touched bool) *server {
	t.Helper()
	s := newWorld(t, 1)
	ada := s.join(1)
	ada.act(table.OpMove, worldCardFour, at(300, handOneY)) // the jack
	s.settle()
	ada.act(table.OpGrab, worldToken)
	s.settle()
	if touched {
		ada.act(table.OpFlip, s.cardsIn(worldHandOne)[kindJack], face(1))
		s.settle()
	}
	ada.act(table.OpMove, worldCard, at(0, handOneY)) // the ace
	s.settle()
	ada.act(table.OpFlip, s.cardsIn(worldHandOne)[played], face(1))
	s.settle()
	ada.act(table.OpMove, s.cardsIn(worldHandOne)[played], at(2000, 2500))
	s.settle()
	ada.act(table.OpRelease, worldToken)
	s.settle()
	return s
}

// TestT63PassedThroughAHand shows that an undo does not tell whether what came out of a hand is
// what went into it in the same gesture.
// Clauses: T63.29
func TestT63PassedThroughAHand(t *testing.T) {
	var first string
	for _, c := range []struct {
		played  uint32
		touched bool
	}{{kindAce, false}, {kindAce, true}, {kindJack, false}, {kindJack, true}} {
		s := passing(t, c.played, c.touched)
		bob := s.join(2)
		s.settle()
		u := s.wantUndo(1, table.OpMove, false, false)
		ghosts := s.table.Ghosts(u, bob.seat)
		for i := range ghosts {
			ghosts[i].Piece = min(ghosts[i].Piece, 1) // names are random
		}
		shown := fmt.Sprintf("ghosts %+v", ghosts)
		before := len(s.log)
		s.undo(1)
		for i := range s.log[before:] {
			if is, becomes, ok := s.table.Shows(&s.log[before+i], bob.seat); ok {
				shown += fmt.Sprintf("\nkind %d at %d, %d becomes %d at %d, %d, gone %v",
					is.Kind, is.X, is.Y, becomes.Kind, becomes.X, becomes.Y, becomes.Gone)
			}
		}
		s.settle()
		if cards := s.cardsIn(worldHandOne); len(cards) != 1 || cards[kindJack] == 0 {
			t.Errorf("T63.11 in the hand are %v, not the jack alone", cards)
		}
		if first == "" {
			first = shown
		}
		if shown != first {
			t.Errorf("T63.29 others see of %+v\n%s\nand of another game\n%s", c, shown, first)
		}
	}
}

// TestT63PassedThroughAHandIntoAHeap shows that a heap which came into a hand and out again is made
// again where it lay, if it was merged into another one, and that undos go on from there.
// Clauses: T63.2, T63.12
func TestT63PassedThroughAHandIntoAHeap(t *testing.T) {
	s := newWorld(t, 1)
	ada := s.join(1)
	ada.act(table.OpMove, worldChips, at(1000, 2500))
	s.settle()
	ada.act(table.OpGrab, worldToken)
	s.settle()
	ada.act(table.OpMove, worldChips, at(0, handOneY))
	s.settle()
	for heap, is := range s.states(worldHandOne) {
		if is.Kind == kindChip {
			ada.act(table.OpGrab, heap)
			s.settle()
			ada.act(table.OpRelease, heap, at(2000, 1500))
			s.settle()
		}
	}
	if v := s.state(worldChipsThree).Value; v != 200 {
		t.Fatalf("the heap has %d", v)
	}
	ada.act(table.OpRelease, worldToken)
	s.settle()
	s.wantUndo(1, table.OpMove, false, false)
	s.undo(1)
	s.settle()
	wantHeaps := func(what string, want ...int32) {
		t.Helper()
		var at []int32
		for _, is := range s.states(0) {
			if is.Kind == kindChip && is.Value == 100 {
				at = append(at, is.X, is.Y)
			}
		}
		slices.Sort(at)
		if !slices.Equal(at, want) {
			t.Errorf("T63.12 %s heaps of 100 lie at %v, want %v", what, at, want)
		}
	}
	wantHeaps("then", 1000, 1500, 1500, 1500, 2000, 2500)
	s.undo(1)
	s.settle()
	wantHeaps("after one more undo", 1000, 1500, 1500, 1500, 1500, 2000)
}

// TestT63WhatWasOutOfSightIsNotNamed shows that nobody learns from what stands in the way of an
// undo which card another has played.
// Clauses: T63.30
func TestT63WhatWasOutOfSightIsNotNamed(t *testing.T) {
	s := newWorld(t, 1)
	ada, bob := s.join(1), s.join(2)
	ada.act(table.OpMove, worldCard, at(2000, 2500))
	s.settle()
	bob.act(table.OpMove, worldCard, at(0, handTwoY))
	s.settle()
	bob.act(table.OpMove, s.cardsIn(worldHandTwo)[kindAce], at(3000, 2500))
	s.settle()
	s.wantObstacle(1, table.UndoChanged, 0)
}

// TestT63HandGoesBackWithWhatLiesInIt shows that cards which came into a hand stay in it when the
// hand goes back to where it lay, and that nobody else notices it.
// Clauses: T63.31
func TestT63HandGoesBackWithWhatLiesInIt(t *testing.T) {
	s := newWorld(t, 1)
	ada, bob := s.join(1), s.join(2)
	ada.act(table.OpMove, worldHandOne, at(7000, handOneY))
	s.settle()
	bob.act(table.OpDeal, worldDeck)
	s.settle()
	cards := len(s.cardsIn(worldHandOne))
	seen := len(bob.pieces)
	s.undo(1)
	s.settle()
	if h := s.state(worldHandOne); h.X != 0 {
		t.Fatalf("the hand lies at %d", h.X)
	}
	if n := len(s.cardsIn(worldHandOne)); cards == 0 || n != cards {
		t.Errorf("T63.31 %d cards were dealt, and %d lie in the hand", cards, n)
	}
	if n := len(bob.pieces); n != seen {
		t.Errorf("T63.31 bob sees %d pieces, before %d", n, seen)
	}
}

// TestT63DrawGoesBackItself shows that the very cards of a draw go back although others have lost
// sight of them since, and not others of the same kinds that lay in the hand before.
// Clauses: T63.11
func TestT63DrawGoesBackItself(t *testing.T) {
	s := newWorld(t, 1)
	ada := s.join(1)
	s.join(2)
	ada.act(table.OpShare, worldHandOne, whom(2))
	s.settle()
	ada.act(table.OpDraw, worldDeck, amount(5))
	s.settle()
	first := s.inside(worldHandOne)
	ada.act(table.OpDraw, worldDeck, amount(6))
	s.settle()
	twice := map[uint32]bool{}
	for oid, is := range s.inside(worldHandOne) {
		if _, before := first[oid]; !before {
			twice[is.Kind] = true
		}
	}
	isTwice := slices.ContainsFunc(slices.Collect(maps.Values(first)), func(is table.State) bool {
		return twice[is.Kind]
	})
	s.table.Unseat(2, table.Ending{By: 1}, s.now)
	s.publish(nil)
	s.settle()
	if !s.undo(1) {
		t.Fatal("the draw is not undone")
	}
	s.settle()
	if got := s.inside(worldHandOne); len(first) != 5 || !isTwice || !maps.EqualFunc(got, first,
		func(a, b table.State) bool { return a.X == b.X && a.Y == b.Y && a.Kind == b.Kind }) {
		t.Errorf("kinds are twice in the hand: %v; in it are %v, before the draw were %v",
			isTwice, got, first)
	}
}

// inside returns the secret pieces in a hand.
func (s *server) inside(hand id.Piece) map[id.OID]table.State {
	all := map[id.OID]table.State{}
	for oid, is := range s.truth.states {
		if is.In == hand && !is.Gone && kinds[is.Kind].Secret {
			all[oid] = is
		}
	}
	return all
}

// TestT63HandThatOnlySeemsChanged shows that a card does not go back into a hand that somebody else
// has given up since, also if the gesture has turned that hand by nothing.
// Clauses: T63.12
func TestT63HandThatOnlySeemsChanged(t *testing.T) {
	s := newWorld(t, 1)
	host := s.join(1)
	ben := s.join(2)
	ben.act(table.OpDraw, worldDeck, amount(1))
	s.settle()
	ben.act(table.OpGrab, worldToken)
	s.settle()
	ben.act(table.OpRotate, worldHandTwo, turned(0))
	s.settle()
	for _, card := range s.cardsIn(worldHandTwo) {
		ben.act(table.OpStow, card, into(worldDeck))
	}
	s.settle()
	ben.act(table.OpRelease, worldToken)
	s.settle()
	host.act(table.OpLeave, worldHandTwo)
	s.settle()
	if owner := s.states(0)[worldHandTwo].Owner; owner != 0 {
		t.Fatalf("the hand belongs to %d", owner)
	}
	s.wantObstacle(2, table.UndoChanged, worldHandTwo)
}
