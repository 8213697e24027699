package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestDrop shows where pieces come to lie when their holder has disappeared (S14).
func TestDrop(t *testing.T) {
	// Clauses: S14.6, S14.8
	t.Run("T23 a dropped card lies where its holder had it, in the hand there", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpGrab, cardOne)
		if !s.table.Drop(s.called(cardOne), 0, handTwoY, s.now) {
			t.Fatal("nobody holds it")
		}
		entries := s.table.Take()
		if len(entries) != 2 || entries[0].Op != table.OpRelease || entries[0].Seat != 0 ||
			!entries[0].Server || entries[1].Op != table.OpReveal {
			t.Errorf("recorded: %+v", entries)
		}
		if c, _ := s.table.Look(cardOne); c.Holder != 0 || c.Y != handTwoY || c.Owner != 2 ||
			c.Face != 0 {
			t.Errorf("the card is %+v", c)
		}
		if s.table.Drop(cardOne, 0, 0, s.now) || s.table.Drop(99, 0, 0, s.now) {
			t.Error("a piece that nobody holds or that is gone is dropped")
		}
	})
	t.Run("S14.7, T23 a card dropped outside its hand lies face down", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpGrab, cardOne)
		ada.do(table.OpRelease, cardOne, at(0, handOneY))
		name := s.called(cardOne)
		ada.do(table.OpGrab, name)
		if c, _ := s.table.Look(name); c.Face != 0 || c.Owner != 1 || c.Holder != 1 {
			t.Fatalf("the card is %+v", c)
		}
		s.table.Drop(name, 0, 0, s.now)
		if c, _ := s.table.Look(name); c.Face != 1 || c.Owner != 0 || c.Holder != 0 || c.In != 0 {
			t.Errorf("the card is %+v", c)
		}
	})
	t.Run("S14 nothing drops off the table", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpGrab, tokenOne)
		if held := s.table.Held(); len(held) != 1 || held[0] != tokenOne {
			t.Errorf("held: %v", held)
		}
		s.table.Drop(tokenOne, 1<<20, -1<<20, s.now)
		if p, ok := s.table.Look(tokenOne); !ok || p.X != config.Width/2 ||
			p.Y != -config.Height/2 {
			t.Errorf("the token lies at %d, %d", p.X, p.Y)
		}
		if _, ok := s.table.Look(id.Piece(99)); ok {
			t.Error("there is a piece 99")
		}
	})
}
