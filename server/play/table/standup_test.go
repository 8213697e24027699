package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// up lets a seat get up, and checks that it uses nothing any more.
func (s *server) up(seat id.Seat, e table.Ending) {
	s.t.Helper()
	e.By = seat
	if !s.table.StandUp(seat, e, s.now) {
		s.t.Fatalf("seat %d does not get up", seat)
	}
	s.publish(nil)
	s.settle()
}

// Clauses: T75.1, T75.3, T75.6, T75.8
func TestT75StandUp(t *testing.T) {
	t.Run("T75.1 what becomes of holds, turns and hands", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpGrab, worldToken)
		bob.do(table.OpAssign, worldMarker, whom(2))
		bob.do(table.OpDraw, worldDeck, amount(2))
		s.up(2, table.Ending{Hands: table.HandsBack})
		who, _ := s.table.Seat(2)
		if who.Role != table.RoleSpectator || who.Left != 0 || who.Nick != "seat 2" || !who.Played {
			t.Errorf("T75.1 the seat is %+v", who)
		}
		if s.state(worldToken).Holder != 0 || s.state(worldMarker).Owner == 2 ||
			s.state(worldHandTwo).Owner != 0 || len(s.states(worldDeck)) != inDeck {
			t.Error("T75.1 it still uses something")
		}
		for _, e := range []table.Ending{{Hands: table.HandsBack}, {Hands: table.HandsGiven, To: 2}} {
			if s.table.StandUp(2, e, s.now) {
				t.Error("T75.1 who watches gets up")
			}
		}
	})
	t.Run("T75.1 given to another", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(2))
		s.up(2, table.Ending{Hands: table.HandsGiven, To: 3})
		if s.state(worldHandTwo).Owner != 3 || len(bob.pieces) != len(s.table.All(0, id.Client{})) {
			t.Error("T75.3 who got up sees a hand that is not theirs")
		}
	})
	t.Run("T75.6 it sits down again", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(2))
		version := s.table.VersionAt(2, s.table.Gen())
		s.up(2, table.Ending{Hands: table.HandsStay})
		if s.state(worldHandTwo).Owner != 2 || s.table.ViewOf(2) != 2 {
			t.Error("T75.3 the hand that stays is not seen any more")
		}
		s.keep()
		s.restart()
		if !s.table.SitDown(2, 2, s.now) || s.table.SitDown(2, 2, s.now) {
			t.Fatal("T75.6 it does not sit down once")
		}
		s.publish(nil)
		if s.table.VersionAt(2, s.table.Gen()) <= version {
			t.Error("T75.8 the versions of the seat begin again")
		}
		own := 0
		for _, name := range []id.Piece{worldHandOne, worldHandTwo, worldHandThree} {
			if s.state(name).Owner == 2 {
				own++
			}
		}
		if own != 1 {
			t.Errorf("T75.6 the seat has %d hands", own)
		}
	})
	t.Run("T75.6 who still has a hand gets no other one", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(2))
		s.up(2, table.Ending{Hands: table.HandsStay})
		s.end(1, table.HandsBack, 0)
		if !s.table.SitDown(2, 2, s.now) {
			t.Fatal("T75.6 seat 2 does not sit down")
		}
		s.publish(nil)
		one, two := s.state(worldHandOne).Owner, s.state(worldHandTwo).Owner
		if one != 0 || two != 2 {
			t.Errorf("T75.6 the hands are those of seats %d and %d", one, two)
		}
	})
	t.Run("T75.6 a spectator gets a hand, and a view of its own", func(t *testing.T) {
		s, ada, _, _ := seated(t)
		s.end(2, table.HandsBack, 0)
		watcher := s.join(watching)
		version := s.table.VersionAt(watching, s.table.Gen())
		if s.table.SitDown(3, 1, s.now) || !s.table.SitDown(watching, 1, s.now) {
			t.Fatal("T75.6 the spectator does not sit down, or a player does")
		}
		s.publish(nil)
		watcher.role = table.RolePlayer
		if s.state(worldHandTwo).Owner != watching || s.table.ViewOf(watching) != watching {
			t.Error("T75.6 it has no hand")
		}
		ada.do(table.OpDeal, worldDeck, amount(1))
		watcher.drain()
		if len(watcher.pieces) != len(s.table.All(watching, id.Client{})) ||
			len(watcher.pieces) == len(s.table.All(0, id.Client{})) {
			t.Error("T75.8 its stream does not show its cards")
		}
		if s.table.VersionAt(watching, s.table.Gen()) <= version {
			t.Error("T75.8 the versions of the seat begin again")
		}
	})
}

// TestT75Histories plays a table at which somebody gets up and sits down at random.
// Clauses: T75.1, T75.3, T75.8
func TestT75Histories(t *testing.T) {
	for seed := range uint64(3) {
		s := newWorld(t, 200+seed)
		s.onUpdate = func() {
			if s.rnd.IntN(40) > 0 {
				return
			}
			for _, c := range s.tabs {
				if c.seat == 3 && len(c.up) == 0 {
					s.table.StandUp(3, table.Ending{By: 3, Hands: table.HandsTo(s.rnd.IntN(2))}, s.now)
					s.publish(nil)
					s.table.SitDown(3, 3, s.now)
					s.publish(nil)
					return
				}
			}
		}
		s.play(2000)
		s.keep()
		s.restart()
	}
}
