package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// gestures returns how many gestures of a seat are kept.
func (s *server) gestures(seat id.Seat) int {
	n, _, _ := table.KeptOf(s.table, seat)
	return n
}

// wantGestures checks how many gestures of ada's there are.
func (s *server) wantGestures(want int) {
	s.t.Helper()
	if got := s.gestures(1); got != want {
		s.t.Errorf("T62 there are %d gestures, want %d", got, want)
	}
}

// wantObstacle checks what stands in the way of an undo.
func (s *server) wantObstacle(seat id.Seat, why table.ObstacleKind, piece id.Piece) {
	s.t.Helper()
	u, no := s.table.Undoable(seat)
	if no == nil {
		s.t.Errorf("T63 seat %d may undo %s", seat, u.Op)
		return
	}
	if no.Why != why || no.Piece != piece {
		s.t.Errorf("T63 %d stands in the way because of piece %d, want %d because of %d",
			no.Why, no.Piece, why, piece)
	}
}

// wantUndo checks that a seat may undo, and whether at once and without telling anybody.
func (s *server) wantUndo(seat id.Seat, op table.Op, atOnce, inner bool) *table.Undo {
	s.t.Helper()
	u, no := s.table.Undoable(seat)
	switch {
	case no != nil:
		s.t.Errorf("T63 seat %d may not undo: %+v", seat, *no)
	case u.Op != op || u.AtOnce != atOnce || u.Inner != inner:
		s.t.Errorf("T63 seat %d may undo %s, at once %v, inner %v; want %s, %v, %v",
			seat, u.Op, u.AtOnce, u.Inner, op, atOnce, inner)
	}
	return u
}

func TestGestures(t *testing.T) {
	t.Run("T62.1 a group drag is one gesture", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		for _, p := range []id.Piece{tokenOne, tokenTwo} {
			ada.act(table.OpGrab, p)
			s.deliver()
		}
		bob.act(table.OpMove, tokenThree, at(9, 9))
		s.deliver()
		s.wantObstacle(1, table.UndoHeld, 0)
		ada.act(table.OpRelease, tokenOne, at(100, 100))
		s.deliver()
		ada.act(table.OpRotate, tokenTwo, turned(9000))
		s.deliver()
		ada.act(table.OpRelease, tokenTwo, at(200, 100))
		s.deliver()
		s.wantGestures(1)
		before := [2]int32{}
		if u := s.wantUndo(1, table.OpMove, true, false); len(u.Pieces) != 2 {
			t.Errorf("the pieces are %v", u.Pieces)
		}
		s.undo(1)
		s.settle()
		bob.wantAt(t, tokenThree, 9, 9)
		if got := bob.position(tokenOne); got == ([2]int32{100, 100}) || got == before {
			t.Errorf("the first token lies at %v", got)
		}
		if bob.displayed(tokenTwo).Angle != 0 {
			t.Error("the second token is still turned")
		}
		s.wantObstacle(1, table.UndoNothing, 0)
	})
	t.Run("T62.2, T62.3 updates of one batch with the same operation are one gesture",
		func(t *testing.T) {
			s, ada, _, _ := sit(t)
			flip := func(p id.Piece) {
				u := ada.make(table.OpRotate, p, turned(9000))
				s.table.Apply(ada.by(), &u, table.Inputs{Now: s.now})
				s.publish(nil)
			}
			flip(tokenOne)
			flip(tokenTwo)
			s.wantGestures(1)
			s.now++
			flip(tokenThree)
			s.wantGestures(2)
		})
	t.Run("T62.4 the server ends the drag of who is not there", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpGrab, tokenOne)
		s.deliver()
		s.table.Drop(tokenOne, 500, 600, s.now)
		s.publish(nil)
		s.deliver()
		ada.act(table.OpMove, tokenTwo, at(7, 7))
		s.deliver()
		s.wantGestures(2)
		s.undo(1)
		s.wantUndo(1, table.OpMove, true, false)
		was := bob.position(tokenOne)
		s.undo(1)
		s.deliver()
		if was != [2]int32{500, 600} || bob.position(tokenOne) == was {
			t.Errorf("the token lay at %v and lies at %v", was, bob.position(tokenOne))
		}
	})
	t.Run("T62.5, T63.17 clocks go on", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(5, 5))
		s.deliver()
		ada.act(table.OpPress, chessClock, side(1))
		s.deliver()
		s.wantUndo(1, table.OpMove, true, false)
		s.undo(1)
		s.deliver()
		if bob.displayed(chessClock).Clock.Running != 2 {
			t.Error("the clock does not run any more")
		}
	})
	t.Run("T62.7 the number of gestures and changes is bounded", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for i := range 300 {
			ada.act(table.OpMove, tokenOne, at(int32(i), 0))
			s.deliver()
		}
		n, changes, memory := table.KeptOf(s.table, 1)
		if n != 32 || changes != 32 || memory > 256 {
			t.Errorf("%d gestures, %d changes, memory for %d", n, changes, memory)
		}
		for i := range table.GesturesKept {
			if !s.undo(1) {
				t.Fatalf("undo %d is not possible", i)
			}
		}
		s.wantObstacle(1, table.UndoNothing, 0)
	})
	t.Run("T62.8 a seat that ends has no gestures", func(t *testing.T) {
		s, _, bob, _ := sit(t)
		bob.act(table.OpMove, tokenOne, at(5, 5))
		s.deliver()
		s.table.Unseat(2, table.Ending{By: 1}, s.now)
		s.publish(nil)
		if n := s.gestures(2); n != 0 {
			t.Errorf("%d are kept", n)
		}
	})
	t.Run("T62.9 what was begun before is undone only by name", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(5, 5))
		s.settle()
		u := s.wantUndo(1, table.OpMove, true, false)
		s.restart()
		s.wantObstacle(1, table.UndoNothing, 0)
		if again, no := s.table.UndoableGesture(1, u.Gesture); no != nil || again.Op != table.OpMove {
			t.Errorf("by its name: %+v, %+v", again, no)
		}
	})
}

// TestT62Replay shows over random histories that live and replayed entries lead to the same
// gestures, with undos among them.
// Clauses: T62.6
func TestT62Replay(t *testing.T) {
	for seed := range uint64(6) {
		s := newWorld(t, seed+1)
		for _, seat := range []id.Seat{1, 2, 3} {
			s.join(seat)
		}
		undos := 0
		for s.step = 1; s.step <= 400; s.step++ {
			s.tabs[s.rnd.IntN(3)].randomAct()
			s.deliver()
			if s.step%5 == 0 && s.undo(id.Seat(1+s.rnd.IntN(3))) {
				undos++
			}
		}
		back := table.New(s.config)
		for i := range s.log {
			if err := back.Replay(&s.log[i]); err != nil {
				t.Fatal(err)
			}
		}
		if live, again := table.Gestures(s.table), table.Gestures(back); live != again || undos == 0 {
			t.Errorf("seed %d: after %d undos gestures are, live\n%s\nreplayed\n%s",
				seed+1, undos, live, again)
		}
	}
}

// TestUndo shows what undo does, and what stands in its way (T63).
func TestUndo(t *testing.T) {
	t.Run("T63.1, T63.2, T63.21 back, further back, and not past what somebody changed",
		func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			ada.act(table.OpMove, tokenOne, at(1, 1))
			s.deliver()
			ada.act(table.OpMove, tokenOne, at(2, 2))
			s.deliver()
			s.undo(1)
			s.deliver()
			bob.wantAt(t, tokenOne, 1, 1)
			bob.act(table.OpMove, tokenOne, at(3, 3))
			s.deliver()
			s.wantObstacle(1, table.UndoChanged, tokenOne)
			bob.act(table.OpGrab, tokenOne)
			s.deliver()
			s.wantObstacle(1, table.UndoHeld, tokenOne)
			bob.act(table.OpRelease, tokenOne)
			s.deliver()
			s.undo(2)
			s.undo(2)
			s.wantUndo(1, table.OpMove, true, false) // it lies as ada has left it again
		})
	t.Run("T63.2 the order of a hand is not worth an undo", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		ada.act(table.OpDraw, worldDeck)
		s.settle()
		var card id.Piece
		for card = range s.states(worldHandOne) {
			break
		}
		ada.act(table.OpRotate, card, turned(9000))
		s.deliver()
		ada.act(table.OpMove, card, at(5, handOneY))
		s.deliver()
		s.wantUndo(1, table.OpDraw, false, false)
		ada.act(table.OpFlip, card, face(1))
		s.deliver()
		s.wantUndo(1, table.OpFlip, true, true)
		ada.act(table.OpMove, card, at(0, 0))
		s.deliver()
		s.wantUndo(1, table.OpMove, false, false)
	})
	t.Run("T63.3, T63.4 what told something needs consent", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		for _, c := range []struct {
			what   string
			do     func()
			op     table.Op
			atOnce bool
		}{
			{"a move", func() { ada.act(table.OpMove, worldToken, at(5, 5)) }, table.OpMove, true},
			{"a note", func() { ada.act(table.OpWrite, worldNote, text("x")) }, table.OpWrite, true},
			{"a turn", func() { ada.act(table.OpPass, worldMarker) }, table.OpPass, true},
			{"a front", func() { ada.act(table.OpFlip, worldCard, face(0)) }, table.OpFlip, false},
			{"its back", func() { ada.act(table.OpFlip, worldCard, face(1)) }, table.OpFlip, true},
			{"a roll", func() { ada.act(table.OpRoll, worldDieOne) }, table.OpRoll, false},
			{"a draw", func() { ada.act(table.OpDraw, worldDeck) }, table.OpDraw, false},
			{"a deal", func() { ada.act(table.OpDeal, worldDeck) }, table.OpDeal, false},
			{"a shuffle", func() { ada.act(table.OpShuffle, worldDeck) }, table.OpShuffle, false},
			{"a cut", func() { ada.act(table.OpCut, worldDeck, amount(2)) }, table.OpCut, false},
			{"a hand", func() { ada.act(table.OpMove, worldHandOne, at(0, handOneY+10)) }, table.OpMove,
				false},
		} {
			c.do()
			s.deliver()
			if c.op == table.OpDeal { // the third player has a hand that is not counted
				s.wantObstacle(1, table.UndoStays, worldHandThree)
				continue
			}
			s.wantUndo(1, c.op, c.atOnce, false)
		}
	})
	t.Run("T63.21 a hand does not come back while somebody holds what lay in it",
		func(t *testing.T) {
			s := newWorld(t, 1)
			ada, tab := s.join(1), s.join(1)
			ada.act(table.OpDraw, worldDeck)
			s.settle()
			var card id.Piece
			for card = range s.states(worldHandOne) {
				break
			}
			tab.act(table.OpGrab, card)
			s.settle()
			ada.act(table.OpDelete, worldHandOne)
			s.settle()
			s.wantObstacle(1, table.UndoHeld, 0)
			tab.act(table.OpRelease, card)
			s.settle()
			if u, no := s.table.Undoable(1); no == nil && u.Op != table.OpDelete {
				t.Errorf("then %v is undone", u.Op)
			}
		})
	t.Run("T63.12 what was deleted comes back", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpDelete, tokenOne)
		s.deliver()
		s.undo(1)
		s.settle()
		var back []id.Piece
		for name, k := range bob.pieces {
			if k.is.Kind == kindToken && name != tokenTwo && name != tokenThree && !k.is.Gone {
				back = append(back, name)
			}
		}
		if len(back) != 1 || back[0] == tokenOne {
			t.Errorf("back is %v", back)
		}
	})
	t.Run("T63.13, T63.14 a draw goes back, and the deck is shuffled", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		ada.act(table.OpDraw, worldDeck)
		s.settle()
		before := len(s.states(worldDeck))
		u := s.wantUndo(1, table.OpDraw, false, false)
		s.now++
		if draws := takeBack(s.table, u, s.now, s.mint, s.rnd); draws != 1 {
			t.Errorf("%d shuffles followed", draws)
		}
		entries := s.publish(nil)
		s.settle()
		if n := len(s.states(worldDeck)); n != before+1 {
			t.Errorf("%d cards lie in the deck, before %d", n, before)
		}
		if last := entries[len(entries)-1]; last.Op != table.OpShuffle || len(last.Order) != before+1 {
			t.Errorf("the last entry is %s", last.Op)
		}
	})
	t.Run("T63.15 a roll that was undone is not free", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		ada.act(table.OpRoll, worldDieOne)
		s.deliver()
		s.undo(1)
		s.deliver()
		ada.act(table.OpRoll, worldDieOne)
		if out := s.receive(ada); out.Reject.Reason != table.ReasonCooling {
			t.Errorf("rolled at once again: %+v", out)
		}
	})
	t.Run("T63.15, T32.4 others do not see that a die was rolled in a hand", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		ada.act(table.OpMove, worldDieOne, at(0, handOneY))
		s.settle()
		asked := s.wantUndo(1, table.OpMove, false, false)
		dice := 0
		for die := range s.states(worldHandOne) {
			dice++
			ada.act(table.OpRoll, die) // while the others are asked
		}
		s.settle()
		u, no := s.table.UndoableGesture(1, asked.Gesture)
		if no != nil {
			t.Fatalf("the move cannot be undone: %+v", *no)
		}
		takeBack(s.table, u, s.now, s.mint, s.rnd)
		if dice != 1 {
			t.Fatalf("%d dice lie in the hand", dice)
		}
		for _, p := range s.table.Image().Pieces {
			if p.State.Kind == kindDie && p.State.In == 0 {
				if dice++; p.State.Rolled != 0 {
					t.Errorf("everybody sees that a die was rolled: %+v", p.State)
				}
			}
		}
		if dice != 3 {
			t.Errorf("%d dice lie on the table, want 2", dice-1)
		}
	})
	t.Run("T63.16 a look stays", func(t *testing.T) {
		s := newWorld(t, 1)
		ada := s.join(1)
		ada.act(table.OpPeek, worldDeck)
		s.deliver()
		s.wantObstacle(1, table.UndoStays, 0)
	})
}
