package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestButtons shows who presses a button, when, and what becomes of it.
func TestButtons(t *testing.T) {
	type looks struct{ face, angle, token, value int32 }
	of := func(s *server) (l looks) {
		if coin, ok := s.table.Look(worldCoin); ok {
			l.face, l.angle = coin.Face, coin.Angle
		}
		l.value = s.state(worldCounter).Value
		if token, ok := s.table.Look(worldToken); ok {
			l.token = token.Angle
		}
		return l
	}
	before, after := looks{1, 0, 0, 40}, looks{0, 9000, 35_000, 47}
	// Clauses: T84.1, T85.1, T85.2, T85.3
	t.Run("T84, T85 a press does all steps", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		if got := of(s); got != before {
			t.Fatalf("at first it is %+v", got)
		}
		bob.want(t, 0, table.OpRun, worldButton)
		if got := of(s); got != after {
			t.Errorf("it is %+v, want %+v", got, after)
		}
		s.at(s.now + cooldown)
		ada.want(t, 0, table.OpRun, worldButton)
		if got := of(s); got != (looks{1, 18_000, 34_000, 54}) {
			t.Errorf("after another press it is %+v", got)
		}
	})
	t.Run("T84.1 pieces change in drawing order", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for range 8 {
			ada.act(table.OpCopy, worldToken, at(s.rnd.Int32N(4000)-2000, 2500))
			s.settle()
		}
		from := len(s.log)
		ada.want(t, 0, table.OpRun, worldButton)
		var order []id.Generation // of equal levels, that which was set later lies above
		for _, e := range s.log[from:] {
			if e.Op == table.OpRun && e.After.Kind == kindToken {
				order = append(order, e.After.ZGen)
			}
		}
		if len(order) < 9 || !slices.IsSorted(order) {
			t.Errorf("tokens are changed in the order %v", order)
		}
	})
	// Clauses: T84.2, T84.3
	t.Run("T84 who may, and when", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		button := &kinds[kindButton].Button
		t.Cleanup(func() { button.Who = table.RightPlayers })
		button.Who = table.RightHost
		bob.want(t, table.ReasonNotAllowed, table.OpRun, worldButton)
		ada.want(t, 0, table.OpRun, worldButton)
		button.Who = table.RightPlayers
		s.at(s.state(worldButton).Rolled + cooldown - 1)
		bob.want(t, table.ReasonCooling, table.OpRun, worldButton)
		s.at(s.state(worldButton).Rolled + cooldown)
		bob.do(table.OpGrab, worldButton)
		ada.want(t, table.ReasonHeld, table.OpRun, worldButton)
		bob.want(t, 0, table.OpRun, worldButton)
		bob.do(table.OpRelease, worldButton, at(0, handTwoY))
		s.at(s.now + cooldown)
		bob.want(t, table.ReasonNotAllowed, table.OpRun, worldButton)
		bob.do(table.OpMove, worldButton, at(0, 0))
		bob.do(table.OpPin, worldButton)
		bob.want(t, 0, table.OpRun, worldButton)
		s.at(s.now + cooldown)
		ada.do(table.OpLock, worldButton)
		bob.want(t, table.ReasonLocked, table.OpRun, worldButton)
		bob.want(t, table.ReasonNotAllowed, table.OpRun, worldToken)
	})
	// Clauses: T84.4, T84.6, T85.1, T85.2, T85.3
	t.Run("T84, T85 what a press leaves as it is", func(t *testing.T) {
		for _, c := range []struct {
			what string
			do   func(ada, bob *tab)
			want looks
		}{
			{"T84.4 held by another", func(_, bob *tab) { bob.do(table.OpGrab, worldCoin) },
				looks{1, 0, 35_000, 47}},
			{"T84.4 held by who presses", func(ada, _ *tab) { ada.do(table.OpGrab, worldCoin) }, after},
			{"T84.4 pinned", func(_, bob *tab) { bob.do(table.OpPin, worldCoin) },
				looks{1, 0, 35_000, 47}},
			{"T84.4 a pinned counter counts", func(_, bob *tab) { bob.do(table.OpPin, worldCounter) },
				after},
			{"T84.4 locked", func(ada, _ *tab) { ada.do(table.OpLock, worldCounter) },
				looks{0, 9000, 35_000, 40}},
			{"T85 in a container", func(ada, _ *tab) { ada.do(table.OpStow, worldCoin, into(worldBag)) },
				looks{0, 0, 35_000, 47}},
			{"T84.6 deleted", func(ada, _ *tab) { ada.do(table.OpDelete, worldToken) },
				looks{0, 9000, 0, 47}},
			{"T85.3 beyond its bounds", func(_, bob *tab) {
				bob.do(table.OpCount, worldCounter, amount(57))
			}, looks{0, 9000, 35_000, 97}},
		} {
			t.Run(c.what, func(t *testing.T) {
				s, ada, bob, _ := sitAtWorld(t)
				c.do(ada, bob)
				ada.want(t, 0, table.OpRun, worldButton)
				if got := of(s); got != c.want {
					t.Errorf("it is %+v, want %+v", got, c.want)
				}
			})
		}
	})
	// Clauses: T84.5
	t.Run("T84.5 a press that changes nothing, or too much", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		for _, p := range []id.Piece{worldCoin, worldToken, worldCounter} {
			ada.do(table.OpLock, p)
		}
		bob.want(t, table.ReasonEmpty, table.OpRun, worldButton)
		if s.state(worldButton).Rolled != 0 {
			t.Error("it cools down")
		}
		ada.do(table.OpUnlock, worldCoin)
		for range table.MaxPressed - 1 {
			ada.act(table.OpAdd, 0, kind(kindCoin), at(8000, 8000))
			s.deliver()
		}
		bob.want(t, 0, table.OpRun, worldButton)
		ada.do(table.OpUnlock, worldToken)
		s.at(s.now + cooldown)
		was := of(s)
		bob.want(t, table.ReasonRange, table.OpRun, worldButton)
		if got := of(s); got != was {
			t.Errorf("it did %+v", got)
		}
	})
	// Clauses: T84.1, T63.1
	t.Run("T84.1 a press is one gesture", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		gen := s.table.Gen()
		bob.want(t, 0, table.OpRun, worldButton)
		if n := s.table.Gen() - gen; n != 4 {
			t.Errorf("it is %d entries", n)
		}
		u, no := s.table.Undoable(2)
		if no != nil || u.Op != table.OpRun || len(u.Pieces) != 3 || !u.AtOnce ||
			slices.Contains(u.Pieces, worldButton) {
			t.Fatalf("the undo is %+v, %+v", u, no)
		}
		s.undo(2)
		s.settle()
		if got := of(s); got != before {
			t.Errorf("after its undo it is %+v", got)
		}
		ada.want(t, table.ReasonCooling, table.OpRun, worldButton)
	})
}
