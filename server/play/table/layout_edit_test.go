package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT102Edited shows that what somebody adds who edits can be saved, and that it tells nothing of
// hands.
func TestT102Edited(t *testing.T) {
	edited := func(t *testing.T) (s *server, ada, bob *tab) {
		t.Helper()
		s, ada, bob, _ = sitAtWorld(t)
		for _, seat := range []id.Seat{1, 2} {
			if !s.table.LetEdit(seat, true, 1, s.now) {
				t.Fatalf("seat %d does not edit", seat)
			}
		}
		s.publish(nil)
		s.settle()
		return s, ada, bob
	}
	// Clauses: T102.3
	t.Run("what is added into a deck and taken back leaves no trace", func(t *testing.T) {
		s, ada, _ := edited(t)
		was := s.layout()
		ada.want(t, 0, table.OpAdd, 0, kind(kindKing), at(0, 0), into(worldDeck))
		if !s.undo(1) {
			t.Fatal("it is not taken back")
		}
		s.settle()
		if now := s.layout(); !slices.Equal(now, was) {
			t.Errorf("now they lie\n%+v, before\n%+v", now, was)
		}
		s.restart()
		if now := s.layout(); !slices.Equal(now, was) {
			t.Errorf("after a restart they lie\n%+v, before\n%+v", now, was)
		}
	})
	// Clauses: T102.5
	t.Run("which card somebody adds into their own hand is not saved", func(t *testing.T) {
		s, ada, _ := edited(t)
		ada.want(t, 0, table.OpAdd, 0, kind(kindKing), at(0, handOneY))
		if all, known := s.table.Layout(false); known {
			t.Errorf("it is saved: %+v", all)
		}
		s, ada, bob := edited(t)
		ada.want(t, 0, table.OpAdd, 0, kind(kindKing), at(0, 3000))
		bob.want(t, 0, table.OpMove, bob.newest(), at(0, handTwoY))
		s.layout() // everybody has seen it
	})
	// Clauses: T99.5, T102.3, T102.4
	t.Run("which cards lie on a rack is not saved", func(t *testing.T) {
		var saved [2][2][]table.Laid
		for i := range saved {
			places := world()
			deck := slices.IndexFunc(places, func(p table.Place) bool { return p.In == int(worldDeck) })
			for k := range places {
				if p := &places[k].State; p.Kind == kindHand {
					p.Kind = kindRack
				}
			}
			if i == 1 { // the other cards come out on top
				slices.Reverse(places[deck : deck+inDeck])
			}
			s := serve(t, 1, places)
			ada, bob := s.join(1), s.join(2)
			ada.want(t, 0, table.OpDraw, worldDeck, amount(3))
			bob.want(t, 0, table.OpDraw, worldDeck, at(500, handTwoY), from(-1))
			for k := range saved[i] {
				all, known := s.table.Layout(k == 1)
				if !known {
					t.Fatal("it is not known what there is")
				}
				for n := range all {
					all[n].Name = min(all[n].Name, table.MinRandomName)
				}
				saved[i][k] = all
			}
		}
		for k := range saved[0] {
			one, other := saved[0][k], saved[1][k]
			for n := range max(len(one), len(other)) {
				if n >= len(one) || n >= len(other) || one[n] != other[n] {
					t.Errorf("from %d on: %+v\n%+v", n, one[n:], other[n:])
					break
				}
			}
		}
	})
	// Clauses: T102.5
	t.Run("after a rewind what was known then is known again", func(t *testing.T) {
		s, ada, _ := edited(t)
		ada.want(t, 0, table.OpDraw, worldDeck)
		ada.want(t, 0, table.OpMove, worldCard, at(0, handOneY))
		before, ok := s.savePoint()
		ada.want(t, 0, table.OpCopy, ada.newest(), at(0, handOneY))
		after, alsoOK := s.savePoint()
		if !ok || !alsoOK {
			t.Fatal("there is no save point")
		}
		for _, to := range []struct {
			saved
			known bool
		}{{before, true}, {after, false}, {before, true}} {
			if !s.rewind(&to.saved, 1) {
				t.Fatal("the table does not go back")
			}
			s.settle()
			if _, known := s.table.Layout(false); known != to.known {
				t.Errorf("it can be saved: %v", known)
			}
			s.restart()
			if _, known := s.table.Layout(false); known != to.known {
				t.Errorf("after a restart it can be saved: %v", known)
			}
		}
	})
}

// newest returns the piece with the newest version that a tab shows.
func (c *tab) newest() (newest id.Piece) {
	for _, p := range c.sorted() {
		if newest == 0 || c.pieces[p].is.Version > c.pieces[newest].is.Version {
			newest = p
		}
	}
	return newest
}
