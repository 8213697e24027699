package table_test

import (
	"testing"

	"holt/server/play/table"
)

// wantShown checks the kind and the face of a piece as the view of a tab shows it.
func (c *tab) wantShown(t *testing.T, what string, kind uint32, face int32) {
	t.Helper()
	for _, p := range c.server.table.All(c.seat, c.id) {
		if p.Name == worldCardFour {
			if p.Kind != kind || p.Face != face {
				t.Errorf("%s: seat %d is shown face %d of kind %d, want %d of %d",
					what, c.seat, p.Face, p.Kind, face, kind)
			}
			return
		}
	}
	t.Errorf("%s: seat %d does not see the card", what, c.seat)
}

// TestT94Faces shows how a card with two backs and further fronts is turned. The jack has the faces
// 0, 3, 4 and 5 as fronts, and the ace only 0.
func TestT94Faces(t *testing.T) {
	// Clauses: T94.1, T94.2
	t.Run("T94.1 which back is up is public", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		ada.wantShown(t, "at first", kindBack, 0)
		ada.want(t, 0, table.OpFlip, worldCardFour, face(2))
		bob.wantShown(t, "the other back", kindBack, 1)
		bob.want(t, 0, table.OpFlip, worldCardFour, face(0))
		ada.wantShown(t, "the first front", kindJack, 0)
		ada.want(t, 0, table.OpFlip, worldCardFour, face(5))
		bob.wantShown(t, "the last front", kindJack, 5)
		bob.want(t, 0, table.OpFlip, worldCardFour, face(1))
		ada.wantShown(t, "the first back", kindBack, 0)
	})
	t.Run("T94.2 a concealed card does not say how many fronts it has", func(t *testing.T) {
		_, ada, _, _ := sitAtWorld(t)
		for f := int32(3); f < 6; f++ {
			ada.want(t, table.ReasonNotAllowed, table.OpFlip, worldCard, face(f))
			ada.want(t, table.ReasonNotAllowed, table.OpFlip, worldCardFour, face(f))
		}
		ada.want(t, 0, table.OpFlip, worldCard, face(0))
		ada.want(t, table.ReasonNotAllowed, table.OpFlip, worldCard, face(3))
	})
	t.Run("T94.2 nor whether it is one", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpAdd, 0, kind(kindBack), at(0, 3000))
		for name, is := range s.states(0) {
			if is.Kind == kindBack {
				ada.want(t, table.ReasonNotAllowed, table.OpFlip, name, face(2))
				return
			}
		}
		t.Error("there is no piece of that kind")
	})
	// Clauses: T94.3, T94.4
	t.Run("T94.3 in a hand", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpFlip, worldCardFour, face(2))
		ada.drop(worldCardFour, 0, handOneY)
		card := s.called(worldCardFour)
		if got := s.state(card).Face; got != 0 {
			t.Errorf("from a back it shows face %d", got)
		}
		ada.do(table.OpFlip, card, face(4))
		ada.drop(card, 3000, 4000)
		card = s.called(worldCardFour)
		if got := s.state(card).Face; got != 4 {
			t.Errorf("played front up it shows face %d, want the chosen one", got)
		}
		ada.drop(card, 0, handOneY)
		card = s.called(worldCardFour)
		if got := s.state(card).Face; got != 4 {
			t.Errorf("T94.3: from a front it shows face %d", got)
		}
		ada.do(table.OpFlip, card, face(2))
		ada.do(table.OpLeave, worldHandOne)
		card = s.called(worldCardFour)
		if got := s.state(card).Face; got != 1 {
			t.Errorf("T94.4: left behind it shows face %d, want the first back", got)
		}
	})
	// Clauses: T94.4, T94.5
	t.Run("T94.4 in a container and out of it", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpFlip, worldCardFour, face(2))
		ada.do(table.OpStow, worldCardFour, into(worldDeck), from(1))
		for _, in := range s.states(worldDeck) {
			if in.Face != 1 {
				t.Fatalf("T94.4: a card lies in the deck with face %d", in.Face)
			}
		}
		for f, want := range []int32{0, 1, 2, 1, 1, 1} { // the jack is on top
			ada.do(table.OpDraw, worldDeck, at(2000, -4000), face(int32(f)))
			card := s.called(worldCardFour)
			if got := s.state(card).Face; got != want {
				t.Errorf("T94.5: drawn with face %d it shows %d, want %d", f, got, want)
			}
			ada.do(table.OpStow, card, into(worldDeck), from(1))
		}
	})
	// Clauses: T94.6
	t.Run("T94.6 in a shuffle", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpFlip, worldCard, face(2))
		ada.do(table.OpFlip, worldCardFour, face(0))
		ada.do(table.OpFlip, worldCardFour, face(5))
		ada.want(t, 0, table.OpShuffle, 0, pieces(worldCard, worldCardTwo, worldCardFour))
		if a, b, c := s.state(worldCard).Face, s.state(worldCardTwo).Face,
			s.state(worldCardFour).Face; a != 2 || b != 1 || c != 1 {
			t.Errorf("the cards show %d, %d and %d, want 2, 1 and 1", a, b, c)
		}
	})
	// Clauses: T94.7
	t.Run("T94.7 in a zone", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpFlip, worldCardFour, face(2))
		ada.drop(worldCardFour, zoneX, pileY) // it turns down
		if got := s.state(worldCardFour).Face; got != 2 {
			t.Errorf("a back is turned to face %d", got)
		}
		ada.drop(worldCardFour, zoneX, rowY) // it turns up
		if got := s.state(worldCardFour).Face; got != 0 {
			t.Errorf("a back is turned up to face %d", got)
		}
		ada.drop(worldCardFour, 3000, 4000)
		ada.do(table.OpFlip, worldCardFour, face(5))
		ada.drop(worldCardFour, zoneX, rowY)
		if got := s.state(worldCardFour).Face; got != 5 {
			t.Errorf("a further front is turned to face %d", got)
		}
		ada.drop(worldCardFour, zoneX, pileY)
		if got := s.state(worldCardFour).Face; got != 1 {
			t.Errorf("a further front is turned down to face %d", got)
		}
	})
}
