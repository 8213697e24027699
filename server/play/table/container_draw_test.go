package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestDrawPlaces shows which pieces a draw takes from a place on, and where they go.
func TestDrawPlaces(t *testing.T) {
	for from1, want := range map[int32][]int{
		3: {2, 3, 4}, 1: {0, 1, 2}, -1: {inDeck - 1, inDeck - 2, inDeck - 3},
		-3: {inDeck - 3, inDeck - 4, inDeck - 5},
	} {
		t.Run("T30.3 from a place on: below it, or above it from the bottom", func(t *testing.T) {
			s, ada, _, _ := sitAtWorld(t)
			before := s.lying(worldDeck)
			ada.want(t, 0, table.OpDraw, worldDeck, from(from1), amount(3), at(0, 3000))
			var taken []int
			for i, p := range before {
				if s.state(p).In != worldDeck {
					taken = append(taken, i)
				}
			}
			slices.Sort(want)
			if !slices.Equal(taken, want) {
				t.Errorf("from %d on it takes the pieces at %v, want %v", from1, taken, want)
			}
		})
	}
	t.Run("T30.9 without a place, public pieces come to lie beside the container", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		before := s.lying(worldBag)
		ada.want(t, 0, table.OpDraw, worldBag, amount(inBag))
		beside := 0
		for _, p := range before {
			is := s.state(p)
			if secretly(is.Kind) {
				if is.In != worldHandOne {
					t.Errorf("a private piece is %+v", is)
				}
				continue
			}
			beside++
			s.wantBeside(t, worldBag, &is)
		}
		if beside != 2 {
			t.Errorf("%d of the pieces are not private, want 2", beside)
		}
	})
	t.Run("T30.9 without a place, pieces drawn with hold lie beside a container", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		top := s.lying(worldDeck)[0]
		ada.want(t, 0, table.OpDraw, worldDeck, hold())
		is := s.state(top)
		if is.Holder != 1 {
			t.Errorf("the card is %+v", is)
		}
		s.wantBeside(t, worldDeck, &is)
	})
}

// wantBeside checks that a piece lies open on the table, beside a container.
func (s *server) wantBeside(t *testing.T, container id.Piece, is *table.State) {
	t.Helper()
	c := s.state(container)
	if gap := is.X - c.X; is.In != 0 || is.Y != c.Y || gap == 0 || max(gap, -gap) > 1500 ||
		covers(c, *is) {
		t.Errorf("it is %+v, want beside the container at %d, %d", is, c.X, c.Y)
	}
}
