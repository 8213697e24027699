package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// sitAtAttached sits people down at the world with the dealer and the stock attached to the board,
// and the box to the dealer.
func sitAtAttached(t *testing.T) (s *server, ada, bob, cid *tab) {
	t.Helper()
	config.Attached = worldAttached
	t.Cleanup(func() { config.Attached = nil })
	return sitAtWorld(t)
}

// Where the attached pieces lie at first.
var (
	dealerFirst = where{x: 6500, y: 4000}
	boxFirst    = where{x: worldBoxX}
	stockFirst  = where{x: stockX, y: stockY}
)

// by returns a place that is moved.
func (w where) by(x, y int32) where {
	w.x, w.y = w.x+x, w.y+y
	return w
}

// TestAttachedMove shows how attached pieces move and turn with the piece on which they lie.
func TestAttachedMove(t *testing.T) {
	// Clauses: T97.1, T97.2
	t.Run("T97.1 with a drag, at every depth", func(t *testing.T) {
		s, ada, bob, _ := sitAtAttached(t)
		ada.drop(worldBoard, -300, 200)
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst.by(-300, 200))
		s.wantWhere(t, "the box on the dealer", worldBox, boxFirst.by(-300, 200))
		s.wantWhere(t, "the stock", worldStock, stockFirst.by(-300, 200))
		s.wantWhere(t, "the deck, which is free", worldDeck, where{x: worldDeckX})
		for _, c := range []*tab{ada, bob} {
			if got := c.displayed(worldBox); got.X != worldBoxX-300 || got.Y != 200 {
				t.Errorf("seat %d sees the box at %d, %d", c.seat, got.X, got.Y)
			}
		}
	})
	t.Run("T97.1 with a move", func(t *testing.T) {
		s, _, bob, _ := sitAtAttached(t)
		bob.do(table.OpMove, worldDealer, at(6000, 4000))
		s.wantWhere(t, "the box", worldBox, boxFirst.by(-500, 0))
		s.wantWhere(t, "the stock", worldStock, stockFirst)
	})
	t.Run("T97.1 with a turn, about the middle of the other piece", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpRotate, worldBoard, turned(9000))
		s.wantWhere(t, "the dealer", worldDealer, where{-4000, 6500, 9000, 0})
		s.wantWhere(t, "the box", worldBox, where{0, worldBoxX, 9000, 0})
		ada.do(table.OpRotate, worldBoard, turned(0))
		s.wantWhere(t, "the dealer again", worldDealer, dealerFirst)
		ada.do(table.OpRotate, worldBoard, turned(4500))
		// 4500 × cos 45°
		s.wantWhere(t, "the box at an angle", worldBox, where{3182, 3182, 4500, 0})
	})
	t.Run("T97.1 with a pivot", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpPivot, worldDealer, at(5000, 0), turned(18_000))
		s.wantWhere(t, "the box", worldBox, where{7000, 4000, 18_000, 0})
	})
	t.Run("T97.1 when the server lays the piece down", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpGrab, worldBoard)
		s.table.Drop(worldBoard, 100, 100, s.now)
		s.publish(nil)
		s.settle()
		s.wantWhere(t, "the box", worldBox, boxFirst.by(100, 100))
	})
	t.Run("T97.1 when a button turns the piece", func(t *testing.T) {
		setSteps(t, []table.Step{{Do: table.DoRotate, Kind: kindBoard, By: 9000}})
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpRun, worldButton)
		s.wantWhere(t, "the box", worldBox, where{0, worldBoxX, 9000, 0})
		wantUndone(t, s, ada, worldBox, boxFirst)
	})
	t.Run("T97.2 at the edge of the table", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.drop(worldBoard, 5000, 0)
		s.wantWhere(t, "the dealer", worldDealer, where{10_000, 4000, 0, 0})
		s.wantWhere(t, "the box", worldBox, boxFirst.by(5000, 0))
	})
}

// setSteps gives the button of the world other steps for one test.
func setSteps(t *testing.T, steps []table.Step) {
	was := kinds[kindButton].Button.Steps
	kinds[kindButton].Button.Steps = steps
	t.Cleanup(func() { kinds[kindButton].Button.Steps = was })
}

// wantUndone checks that a piece lies where it lay when the last gesture of a person is undone.
func wantUndone(t *testing.T, s *server, c *tab, p id.Piece, want where) {
	t.Helper()
	if !s.undo(c.seat) {
		t.Error("it cannot be undone")
	}
	s.settle()
	s.wantWhere(t, "undone", p, want)
}

// TestAttachedAlone shows what does not follow, and that an attached piece can be moved alone.
func TestAttachedAlone(t *testing.T) {
	// Clauses: T97.3, T97.4, T97.5
	t.Run("T97.3 pinned and locked pieces follow", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpPin, worldDealer)
		ada.do(table.OpLock, worldBox)
		ada.drop(worldBoard, 10, 20)
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst.by(10, 20))
		s.wantWhere(t, "the box", worldBox, boxFirst.by(10, 20))
	})
	t.Run("T97.3 a held piece stays, with what is attached to it", func(t *testing.T) {
		s, ada, bob, _ := sitAtAttached(t)
		bob.do(table.OpGrab, worldDealer)
		ada.drop(worldBoard, 10, 20)
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst)
		s.wantWhere(t, "the box", worldBox, boxFirst)
		s.wantWhere(t, "the stock", worldStock, stockFirst.by(10, 20))
	})
	t.Run("T97.4 what the same gesture has put down stays there", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpGrab, worldBoard)
		ada.do(table.OpGrab, worldDealer)
		ada.do(table.OpRelease, worldDealer, at(6600, 4100))
		ada.do(table.OpRelease, worldBoard, at(100, 100))
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst.by(100, 100))
		s.wantWhere(t, "the box", worldBox, boxFirst.by(100, 100))
		s.wantWhere(t, "the stock", worldStock, stockFirst.by(100, 100))
		ada.drop(worldBoard, 200, 200)
		s.wantWhere(t, "the dealer, in the next gesture", worldDealer, dealerFirst.by(200, 200))
	})
	t.Run("T97.5 a piece that was moved alone keeps its new place on the other one",
		func(t *testing.T) {
			s, ada, _, _ := sitAtAttached(t)
			ada.drop(worldDealer, 1000, 1000)
			s.wantWhere(t, "the board", worldBoard, where{})
			ada.drop(worldBoard, 100, 0)
			s.wantWhere(t, "the dealer", worldDealer, where{x: 1100, y: 1000})
		})
}

// TestAttachedHistory shows that what follows belongs to the gesture, and outlives a deletion.
func TestAttachedHistory(t *testing.T) {
	// Clauses: T97.6, T97.7, T97.8
	t.Run("T97.6 one undo takes all back", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.drop(worldBoard, 300, 400)
		wantUndone(t, s, ada, worldBox, boxFirst)
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst)
		s.wantWhere(t, "the board", worldBoard, where{})
	})
	t.Run("T97.7 a deleted piece leaves them", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		ada.do(table.OpDelete, worldBoard)
		s.wantWhere(t, "the dealer", worldDealer, dealerFirst)
		if !s.undo(ada.seat) {
			t.Error("it cannot be undone")
		}
		s.settle()
		ada.drop(worldBoard, 300, 400)
		s.wantWhere(t, "the dealer, when the board is back", worldDealer, dealerFirst.by(300, 400))
	})
	t.Run("T97.8 a move weighs what follows", func(t *testing.T) {
		s, ada, _, _ := sitAtAttached(t)
		weigh := func(p id.Piece) int {
			u := ada.make(table.OpMove, p, at(1, 1))
			return s.table.Weigh(ada.seat, []table.Update{u}, 1<<20).Entries
		}
		if n := weigh(worldBoard) - weigh(worldMat); n != 3 {
			t.Errorf("it weighs %d entries more than a zone to which nothing is attached, want 3", n)
		}
	})
}

// wantOrder checks that of several pieces each lies above the one before it.
func (s *server) wantOrder(t *testing.T, what string, pieces ...id.Piece) {
	t.Helper()
	for i := 1; i < len(pieces); i++ {
		under, _ := s.table.Look(pieces[i-1])
		over, _ := s.table.Look(pieces[i])
		if over.Z < under.Z || over.Z == under.Z && over.ZGen < under.ZGen {
			t.Errorf("%s: piece %d lies at %s, not above piece %d at %s", what, pieces[i], over.Z,
				pieces[i-1], under.Z)
		}
	}
}

// TestAttachedLevel shows that a piece does not cover what is attached to it when it rises.
func TestAttachedLevel(t *testing.T) {
	// sit lays the board undermost, then the stock, the dealer and the box, and the mat above them.
	sit := func(t *testing.T) (s *server, ada, bob *tab) {
		s, ada, bob, _ = sitAtAttached(t)
		for _, p := range []id.Piece{worldBoard, worldStock, worldDealer, worldBox, worldMat} {
			ada.do(table.OpRaise, p)
		}
		s.wantOrder(t, "at first", worldBoard, worldStock, worldDealer, worldBox, worldMat)
		return s, ada, bob
	}
	// Clauses: T97.11
	for name, rise := range map[string]func(ada *tab){
		"by raise":             func(ada *tab) { ada.do(table.OpRaise, worldBoard) },
		"by raise to a level":  func(ada *tab) { ada.do(table.OpRaise, worldBoard, z("0.99")) },
		"by setz, among light": func(ada *tab) { ada.do(table.OpSetZ, worldBoard, z("0.9999")) },
		"by a grab":            func(ada *tab) { ada.do(table.OpGrab, worldBoard, z("0.99")) },
		"by a move": func(ada *tab) {
			ada.do(table.OpMove, worldBoard, at(100, 100), z("0.99"))
		},
	} {
		t.Run("T97.11 "+name, func(t *testing.T) {
			s, ada, bob := sit(t)
			rise(ada)
			s.wantOrder(t, "above the mat", worldMat, worldBoard, worldStock, worldDealer, worldBox)
			if sees := bob.displayed(worldDealer).Z; sees <= bob.displayed(worldBoard).Z {
				t.Errorf("bob sees the dealer at %s", sees)
			}
		})
	}
	t.Run("T97.11 directly above the piece", func(t *testing.T) {
		s, ada, _ := sit(t)
		box, _ := s.table.Look(worldBox)
		dealer, _ := s.table.Look(worldDealer)
		between, err := zlevel.Between(dealer.Z, box.Z)
		if err != nil {
			t.Fatal(err)
		}
		ada.do(table.OpSetZ, worldBoard, z(between))
		s.wantOrder(t, "below the box", worldBoard, worldStock, worldDealer, worldBox, worldMat)
		if now, _ := s.table.Look(worldBox); now != box {
			t.Error("the box has another level, and lay above the board")
		}
	})
	t.Run("T97.11 one undo takes all back", func(t *testing.T) {
		s, ada, _ := sit(t)
		ada.do(table.OpRaise, worldBoard)
		if !s.undo(ada.seat) {
			t.Error("it cannot be undone")
		}
		s.settle()
		s.wantOrder(t, "undone", worldBoard, worldStock, worldDealer, worldBox, worldMat)
	})
	t.Run("T97.11 also what is raised while something is carried", func(t *testing.T) {
		s, ada, _ := sit(t)
		ada.do(table.OpGrab, worldDeck)
		ada.do(table.OpRaise, worldBoard)
		ada.do(table.OpSetZ, worldBox, z("0.9999"))
		ada.do(table.OpRelease, worldDeck, at(4000, 5000))
		if !s.undo(ada.seat) {
			t.Error("it cannot be undone")
		}
		s.settle()
		s.wantWhere(t, "the deck", worldDeck, where{x: worldDeckX})
		s.wantOrder(t, "undone", worldBoard, worldStock, worldDealer, worldBox, worldMat)
	})
	t.Run("T97.11 what only follows a touch is nothing to undo", func(t *testing.T) {
		s, ada, _ := sit(t)
		ada.drop(worldDeck, 4000, 5000)
		ada.do(table.OpGrab, worldBoard, z("0.99"))
		ada.do(table.OpRelease, worldBoard, at(0, 0))
		if !s.undo(ada.seat) {
			t.Error("nothing can be undone")
		}
		s.settle()
		s.wantWhere(t, "the deck", worldDeck, where{x: worldDeckX})
	})
	t.Run("T97.11 what lay below the piece stays", func(t *testing.T) {
		s, ada, _ := sit(t)
		ada.do(table.OpLower, worldStock)
		ada.do(table.OpRaise, worldBoard)
		s.wantOrder(t, "raised", worldStock, worldMat, worldBoard, worldDealer, worldBox)
	})
	t.Run("T97.11 what somebody holds stays", func(t *testing.T) {
		s, ada, bob := sit(t)
		bob.do(table.OpGrab, worldDealer)
		ada.do(table.OpRaise, worldBoard)
		s.wantOrder(t, "raised", worldDealer, worldBox, worldMat, worldBoard, worldStock)
	})
	// Clauses: T97.8
	t.Run("T97.8 a level weighs what follows", func(t *testing.T) {
		s, ada, _ := sit(t)
		weigh := func(p id.Piece) int {
			u := ada.make(table.OpRaise, p)
			return s.table.Weigh(ada.seat, []table.Update{u}, 1<<20).Entries
		}
		if n := weigh(worldBoard) - weigh(worldMat); n != 3 {
			t.Errorf("it weighs %d entries more than a zone to which nothing is attached, want 3", n)
		}
	})
}
