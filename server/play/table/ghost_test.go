package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// wantGhosts checks where a view sees pieces lie after the undo of ada's last gesture.
func (s *server) wantGhosts(what string, view id.Seat, want ...table.Ghost) {
	s.t.Helper()
	u, no := s.table.Undoable(1)
	if no != nil {
		s.t.Errorf("T63 %s stays: %+v", what, *no)
		return
	}
	if got := s.table.Ghosts(u, view); fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("T63.26 %s: seat %d sees %+v, want %+v", what, view, got, want)
	}
}

// Clauses: T63.26, T63.27
func TestGhosts(t *testing.T) {
	const ada, bob, watcher = 1, 2, 4
	start := func(t *testing.T) (*server, *tab) {
		s := newWorld(t, 1)
		one := s.join(ada)
		return s, one
	}
	// inHand returns the name of the card in ada's hand.
	inHand := func(s *server) id.Piece {
		var cards []id.Piece
		for _, p := range s.table.All(ada, id.Client{}) {
			if p.Owner == ada && p.Kind >= kindAce && p.Kind <= kindJack {
				cards = append(cards, p.Name)
			}
		}
		if len(cards) != 1 {
			s.t.Fatalf("in her hand are %v", cards)
		}
		return cards[0]
	}
	t.Run("T63.26 what was moved would lie where it lay", func(t *testing.T) {
		s, one := start(t)
		one.act(table.OpMove, worldHandOne, at(500, handOneY+100))
		s.deliver()
		for _, view := range []id.Seat{ada, bob, watcher} {
			s.wantGhosts("her hand", view, table.Ghost{Piece: worldHandOne, Y: handOneY})
		}
	})
	t.Run("T63.26 what was made would go", func(t *testing.T) {
		s, one := start(t)
		one.act(table.OpFlip, worldCard, face(0))
		s.deliver()
		one.act(table.OpCopy, worldCard, at(700, 0))
		s.deliver()
		u, no := s.table.Undoable(ada)
		if no != nil || len(u.Pieces) != 1 {
			t.Fatalf("the copy: %+v, %+v", u, no)
		}
		for _, view := range []id.Seat{ada, bob, watcher} {
			s.wantGhosts("a copy", view, table.Ghost{Piece: u.Pieces[0], Goes: true})
		}
	})
	t.Run("T63.26 a drawn card would go back into the deck, and only its owner knows which one it is",
		func(t *testing.T) {
			s, one := start(t)
			one.act(table.OpDraw, worldDeck)
			s.deliver()
			s.wantGhosts("a draw", ada,
				table.Ghost{Into: worldDeck}, table.Ghost{Piece: inHand(s), Into: worldDeck})
			for _, view := range []id.Seat{bob, watcher} {
				s.wantGhosts("a draw", view, table.Ghost{Into: worldDeck})
			}
		})
	t.Run("T63.27 others see where a card in a hand lay, not which it is", func(t *testing.T) {
		s, one := start(t)
		one.act(table.OpMove, worldCard, at(2000, 2500))
		s.deliver()
		one.act(table.OpFlip, worldCard, face(0)) // all see that it is the ace
		s.deliver()
		one.act(table.OpMove, worldCard, at(0, handOneY))
		s.deliver()
		s.wantGhosts("a card", ada, table.Ghost{Piece: inHand(s), X: 2000, Y: 2500})
		for _, view := range []id.Seat{bob, watcher} {
			s.wantGhosts("a card", view, table.Ghost{X: 2000, Y: 2500, Kind: kindBack})
		}
		one.act(table.OpMove, inHand(s), at(2000, 2500))
		s.deliver()
		u, no := s.table.Undoable(ada)
		if no != nil || len(u.Pieces) != 1 {
			t.Fatalf("the card that was played: %+v, %+v", u, no)
		}
		for _, view := range []id.Seat{ada, bob, watcher} {
			s.wantGhosts("a card that was played", view,
				table.Ghost{Piece: u.Pieces[0], Into: worldHandOne})
		}
	})
	t.Run("T63.27 what was out of sight meanwhile could be another piece", func(t *testing.T) {
		s, one := start(t)
		one.act(table.OpGrab, worldToken)
		s.deliver()
		one.act(table.OpMove, worldCard, at(0, handOneY))
		s.deliver()
		one.act(table.OpMove, inHand(s), at(2000, 2500))
		s.deliver()
		one.act(table.OpRelease, worldToken)
		s.deliver()
		u, no := s.table.Undoable(ada)
		if no != nil {
			t.Fatalf("the gesture: %+v", no)
		}
		if u.AtOnce {
			t.Error("T63.4 nobody is asked, although it says that it was the same card")
		}
		card := u.Pieces[slices.IndexFunc(u.Pieces, func(p id.Piece) bool { return p != worldToken })]
		s.wantGhosts("a card", ada,
			table.Ghost{Piece: card}, table.Ghost{Piece: card, Into: worldHandOne})
		s.wantGhosts("a card", bob,
			table.Ghost{Kind: kindBack}, table.Ghost{Piece: card, Into: worldHandOne})
	})
	t.Run("T63.27 nobody else sees what would go back within a hand", func(t *testing.T) {
		s, one := start(t)
		one.act(table.OpMove, worldCard, at(0, handOneY))
		s.deliver()
		one.act(table.OpGrab, worldToken)
		s.deliver()
		one.act(table.OpMove, inHand(s), at(300, handOneY))
		s.deliver()
		one.act(table.OpFlip, inHand(s), face(1))
		s.deliver()
		one.act(table.OpMove, worldToken, at(2000, 2500))
		s.deliver()
		one.act(table.OpRelease, worldToken)
		s.deliver()
		s.wantGhosts("a token", bob, table.Ghost{Piece: worldToken, X: -1000})
	})
	t.Run("T63.27 who has two hands does not show from which one a card came",
		func(t *testing.T) {
			s, one := start(t)
			one.act(table.OpDraw, worldDeck)
			s.deliver()
			one.act(table.OpCopy, worldHandOne, at(-7000, 4500))
			s.deliver()
			u, no := s.table.Undoable(ada)
			if no != nil {
				t.Fatalf("the hand: %+v", no)
			}
			one.act(table.OpClaim, u.Pieces[0])
			s.deliver()
			one.act(table.OpMove, inHand(s), at(-3000, -2500))
			s.deliver()
			u, no = s.table.Undoable(ada)
			if no != nil || len(u.Pieces) != 1 {
				t.Fatalf("the card that was played: %+v, %+v", u, no)
			}
			s.wantGhosts("a card", ada, table.Ghost{Piece: u.Pieces[0], Into: worldHandOne})
			s.wantGhosts("a card", bob)
		})
}
