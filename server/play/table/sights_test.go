package table_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// sightsOf returns what a seat sees, the uppermost first.
func (s *server) sightsOf(seat id.Seat) []table.Sight {
	return slices.Collect(s.table.Visible(seat))
}

// layer returns in which of the orders of T13 a piece lies: in a hand, light, or heavy.
func (s *server) layer(name id.Piece) int {
	switch state := s.state(name); {
	case state.In != 0:
		return 0
	case !kinds[state.Kind].Heavy:
		return 1
	default:
		return 2
	}
}

// checkSights checks that a seat sees what All shows it, at the same places, in the order of T13.
func (s *server) checkSights(seat id.Seat) {
	s.t.Helper()
	all := s.table.All(seat, id.Client{})
	slices.SortFunc(all, func(a, b table.Shown) int {
		return cmp.Or(
			cmp.Compare(s.layer(a.Name), s.layer(b.Name)), -cmp.Compare(a.Z, b.Z),
			-cmp.Compare(a.ZVersion, b.ZVersion), -cmp.Compare(a.Name, b.Name),
		)
	})
	want := make([]table.Sight, len(all))
	for i, p := range all {
		want[i] = table.Sight{Name: p.Name, Kind: p.Kind, X: p.X, Y: p.Y, Angle: p.Angle}
	}
	got := s.sightsOf(seat)
	if !slices.Equal(got, want) {
		s.fatalf("seat %d sees\n%v, and is shown\n%v", seat, got, want)
	}
	for _, p := range got {
		if alone, ok := s.table.SightOf(seat, p.Name); !ok || alone != p {
			s.fatalf("seat %d sees piece %d as %v, %t, and among the others as %v",
				seat, p.Name, alone, ok, p)
		}
	}
}

// TestT13SightsThroughRandomHistories compares Sights with full states.
func TestT13SightsThroughRandomHistories(t *testing.T) {
	const seed = 1
	s := newWorld(t, seed)
	s.run = fmt.Sprintf("seed %d", seed)
	for _, seat := range []id.Seat{1, 2, 3, 2} {
		s.join(seat)
	}
	watcher := s.join(4)
	inHands := 0
	for s.step = 1; s.step <= 20_000; s.step++ {
		s.random(watcher)
		if s.step%50 != 0 {
			continue
		}
		for seat := id.Seat(1); seat <= 4; seat++ {
			s.checkSights(seat)
			for _, p := range s.sightsOf(seat) {
				if s.layer(p.Name) == 0 {
					inHands++
				}
			}
		}
	}
	if inHands == 0 {
		t.Errorf("%s: nobody ever saw anything in a hand", s.run)
	}
}

// TestSights shows what each seat sees at a table, and in which order.
func TestSights(t *testing.T) {
	t.Run("T13.7, T23 pieces in a hand are topmost, and only for its viewers", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(0, handOneY))
		card := s.called(cardOne)
		if got := s.sightsOf(1)[0]; got.Name != card || got.Kind != kindAce {
			t.Errorf("the top piece is %+v, want the ace, piece %d", got, card)
		}
		for seat := id.Seat(2); seat <= 4; seat++ {
			for _, p := range s.sightsOf(seat) {
				if p.Name == card || p.Y == handOneY && p.Kind != kindHand {
					t.Errorf("seat %d sees %+v", seat, p)
				}
			}
			if p, ok := s.table.SightOf(seat, card); ok {
				t.Errorf("seat %d finds %+v by its identifier", seat, p)
			}
		}
	})
	t.Run("T22 the kind of a concealed card is its mask", func(t *testing.T) {
		s, _, _, _ := sit(t)
		if p, ok := s.table.SightOf(1, cardOne); !ok || p.Kind != kindBack {
			t.Errorf("the host sees %+v, %t", p, ok)
		}
	})
	t.Run("T29.6 nobody sees into a container", func(t *testing.T) {
		s := newWorld(t, 1)
		for seat := id.Seat(1); seat <= 4; seat++ {
			if got := len(s.sightsOf(seat)); got != worldOpen {
				t.Errorf("seat %d sees %d pieces, want %d", seat, got, worldOpen)
			}
		}
	})
	t.Run("T21 the old identifier still finds a piece, for its viewers", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(0, handOneY))
		name := s.called(cardOne)
		if p, ok := s.table.SightOf(1, cardOne); !ok || p.Name != name || name == cardOne {
			t.Errorf("the host finds %+v, %t, want piece %d", p, ok, name)
		}
		if p, ok := s.table.SightOf(2, cardOne); ok {
			t.Errorf("another player finds %+v", p)
		}
	})
	t.Run("T20 a deleted piece is not seen", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpDelete, tokenOne)
		if p, ok := s.table.SightOf(1, tokenOne); ok || len(s.sightsOf(1)) != pieceCount-1 {
			t.Errorf("it is %+v, and there are %d", p, len(s.sightsOf(1)))
		}
	})
	t.Run("T13 an iteration ends when its caller ends it", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(0, handOneY))
		for n := 1; n <= pieceCount; n++ {
			seen := 0
			for range s.table.Visible(1) {
				if seen++; seen == n {
					break
				}
			}
			if seen != n {
				t.Errorf("%d pieces are seen, want %d", seen, n)
			}
		}
	})
}
