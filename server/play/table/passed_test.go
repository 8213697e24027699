package table_test

import (
	"fmt"
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
// table into it, and then plays the ace or the jack, all while they hold a token.
func passing(t *testing.T, played uint32) *server {
	t.Helper()
	s := newWorld(t, 1)
	ada := s.join(1)
	ada.act(table.OpMove, worldCardFour, at(300, handOneY)) // the jack
	s.settle()
	ada.act(table.OpGrab, worldToken)
	s.settle()
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
	var asked, went [2]string
	for i, played := range []uint32{kindAce, kindJack} {
		s := passing(t, played)
		bob := s.join(2)
		s.settle()
		u := s.wantUndo(1, table.OpMove, false, false)
		ghosts := s.table.Ghosts(u, 2)
		for k := range ghosts {
			ghosts[k].Piece = min(ghosts[k].Piece, 1) // names are random
		}
		asked[i] = fmt.Sprintf("%+v", ghosts)
		s.undo(1)
		s.settle()
		backs := 0
		for _, k := range bob.pieces {
			if k.is.Kind == kindBack && k.is.X == 0 && k.is.Y == 0 && !k.is.Gone {
				backs++
			}
		}
		cards := s.cardsIn(worldHandOne)
		went[i] = fmt.Sprintf("%d cards lie open, %d in the hand", backs, len(cards))
		if len(cards) != 1 || cards[kindJack] == 0 {
			t.Errorf("T63.11 in the hand are %v, not the jack alone", cards)
		}
	}
	if asked[0] != asked[1] || went[0] != went[1] {
		t.Errorf("T63.29 the same card\n%s, %s\nanother card\n%s, %s",
			asked[0], went[0], asked[1], went[1])
	}
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
