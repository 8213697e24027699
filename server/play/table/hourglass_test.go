package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// unturned is the state of an hourglass of these tests whose sand lies below.
var unturned = table.Clock{Left: [2]int32{0, glassRuns}, Initial: glassRuns}

// turnAt makes a tab turn the hourglass of world over at a time of the server.
func (s *server) turnAt(t *testing.T, c *tab, when id.Millis) {
	t.Helper()
	c.act(table.OpTurn, worldGlass)
	s.at(when)
	wantVerdict(t, s.receive(c), table.Recorded)
	s.settle() // compares what all show, too
}

// TestT59TurningHourglasses shows how the sand of an hourglass runs when it is turned over.
// Clauses: T59.1, T59.3
func TestT59TurningHourglasses(t *testing.T) {
	const t0 = 2_000_000
	type turn struct {
		at   id.Millis
		want table.Clock // afterwards; the initial time stays
	}
	bulbs := func(one, two int32, upper uint8, since id.Millis) table.Clock {
		return table.Clock{Left: [2]int32{one, two}, Running: upper, Since: since}
	}
	rows := []struct {
		name  string
		turns []turn
	}{
		{"T59.1 all sand is above, and runs", []turn{{t0, bulbs(0, 5000, 2, t0)}}},
		{"T59.1 what has run is left to run", []turn{
			{t0, bulbs(0, 5000, 2, t0)},
			{t0 + 2000, bulbs(2000, 3000, 1, t0+2000)},
			{t0 + 2500, bulbs(1500, 3500, 2, t0+2500)},
		}},
		{"T59.1 one that has run out runs in full again", []turn{
			{t0, bulbs(0, 5000, 2, t0)},
			{t0 + 5000, bulbs(5000, 0, 1, t0+5000)},
			{t0 + 90_000, bulbs(0, 5000, 2, t0+90_000)},
		}},
		{"T59.1 two turns at once leave the sand where it was", []turn{
			{t0, bulbs(0, 5000, 2, t0)},
			{t0 + 1, bulbs(1, 4999, 1, t0+1)},
			{t0 + 2, bulbs(0, 5000, 2, t0+2)},
		}},
		{"T59.3 a server clock that is set back moves no sand", []turn{
			{t0, bulbs(0, 5000, 2, t0)},
			{t0 - 50_000, bulbs(0, 5000, 1, t0)},
			{t0 - 40_000, bulbs(0, 5000, 2, t0)},
			{t0 + 1000, bulbs(1000, 4000, 1, t0+1000)},
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			for i, turn := range row.turns {
				s.turnAt(t, []*tab{ada, bob}[i%2], turn.at)
				turn.want.Initial = glassRuns
				if got := s.clock(worldGlass); got != turn.want {
					t.Errorf("turn %d: it is %+v, want %+v", i, got, turn.want)
				}
			}
		})
	}
}

// TestT59HourglassesAsPieces shows that hourglasses are pieces: they are added, copied, held,
// locked, hidden and restarted, and conflict.
func TestT59HourglassesAsPieces(t *testing.T) {
	const t0 = 2_000_000
	t.Run("T14.13, T24.6, T59.2 what blocks a turn", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		bob.do(table.OpPin, worldGlass)
		ada.want(t, 0, table.OpTurn, worldGlass)
		bob.do(table.OpUnpin, worldGlass)
		bob.do(table.OpGrab, worldGlass)
		ada.want(t, table.ReasonHeld, table.OpTurn, worldGlass)
		bob.want(t, 0, table.OpTurn, worldGlass)
		ada.do(table.OpLock, worldGlass)
		bob.want(t, table.ReasonLocked, table.OpTurn, worldGlass)
		for _, p := range []id.Piece{worldToken, worldClock, worldCard} {
			bob.want(t, table.ReasonNotAllowed, table.OpTurn, p)
		}
	})
	t.Run("T59 of two people who turn it at once, one does", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.act(table.OpTurn, worldGlass)
		bob.act(table.OpTurn, worldGlass)
		wantVerdict(t, s.receive(ada), table.Recorded)
		wantVerdict(t, s.receive(bob), table.Discarded)
		s.settle()
		if got := s.clock(worldGlass); len(bob.conflicts) != 1 || got.Running != 2 {
			t.Errorf("conflicts on %v, it is %+v", bob.conflicts, got)
		}
	})
	t.Run("T59.5 a new one and a copy have all sand below", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		if got := s.clock(worldGlass); got != unturned {
			t.Errorf("set up is %+v", got)
		}
		s.turnAt(t, ada, t0)
		was := s.clock(worldGlass)
		ada.do(table.OpAdd, 0, kind(kindGlass), at(0, 0))
		ada.do(table.OpCopy, worldGlass, at(0, 0))
		for i, what := range []string{"new", "copied"} {
			if got := s.clock(ada.made[i]); got != unturned {
				t.Errorf("%s is %+v", what, got)
			}
		}
		if s.clock(worldGlass) != was {
			t.Error("the original has changed")
		}
	})
	hidden := map[string]func(cid *tab){
		"T59.6 out of a hand": func(cid *tab) {
			cid.do(table.OpMove, worldGlass, at(screenX, 0))
			cid.do(table.OpTurn, worldGlass)
			cid.do(table.OpMove, worldGlass, at(0, 0))
		},
		"T59.6 into a hand": func(cid *tab) {
			cid.do(table.OpTurn, worldGlass)
			cid.do(table.OpMove, worldGlass, at(screenX, 0))
		},
		"T29.5, T59.6 into a bag": func(cid *tab) {
			cid.do(table.OpTurn, worldGlass)
			cid.do(table.OpStow, worldGlass, into(worldBag))
		},
	}
	for name, does := range hidden {
		t.Run(name+" all its sand lies below", func(t *testing.T) {
			s, _, _, cid := sitAtWorld(t)
			does(cid)
			if got := s.clock(worldGlass); got != unturned {
				t.Errorf("it is %+v", got)
			}
		})
	}
	t.Run("T21.2, T59.6 others do not see a turn in a hand", func(t *testing.T) {
		s, _, bob, cid := sitAtWorld(t)
		cid.do(table.OpMove, worldGlass, at(screenX, 0))
		before := s.table.VersionAt(2, s.table.Gen())
		cid.want(t, 0, table.OpTurn, worldGlass)
		if bob.known(worldGlass) != nil || s.table.VersionAt(2, s.table.Gen()) != before {
			t.Error("bob gets a turn in another's hand")
		}
	})
	t.Run("T3, T59 it runs on over a restart", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		s.turnAt(t, ada, t0)
		s.keep()
		s.turnAt(t, bob, t0+2000)
		was := s.clock(worldGlass)
		s.restart() // compares
		s.settle()
		if got := s.clock(worldGlass); got != was || got.Left != [2]int32{2000, 3000} {
			t.Errorf("it was %+v and is %+v", was, got)
		}
	})
}
