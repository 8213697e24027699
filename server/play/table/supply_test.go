package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestSupply shows how people take new pieces from supplies, and give them back (T89).
func TestSupply(t *testing.T) {
	// Clauses: T89.1, T89.2
	t.Run("T89.1 a supply gives a new piece, and stays as it is", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpRotate, worldStock, turned(9000))
		before := s.state(worldStock)
		ada.want(t, 0, table.OpSplit, worldStock, amount(1), at(4000, -4000), z("0.999"))
		is := s.state(ada.made[0])
		if is.Kind != kindToken || is.X != 4000 || is.Y != -4000 || is.Angle != 9000 ||
			is.Z != "0.999" || is.Holder != 0 || bob.displayed(ada.made[0]).Kind != kindToken {
			t.Errorf("the new piece is %+v", is)
		}
		if s.state(worldStock) != before {
			t.Errorf("T89.2: the supply is %+v", s.state(worldStock))
		}
		bob.act(table.OpMove, worldStock, at(stockX+100, stockY)) // in flight meanwhile
		ada.act(table.OpSplit, worldStock, amount(1), at(4000, -4000))
		wantVerdict(t, s.receive(ada), table.Recorded)
		wantVerdict(t, s.receive(bob), table.Recorded)
		s.settle()
		ada.want(t, 0, table.OpSplit, worldStock, amount(1), at(4000, -4000), hold())
		if is := s.state(ada.made[2]); is.Holder != 1 || is.In != 0 {
			t.Errorf("the one that she holds is %+v", is)
		}
	})
	// Clauses: T49.5
	t.Run("T49.5 a container that is released over supplies was weighed for them",
		func(t *testing.T) {
			_, ada, _, _ := sitAtWorld(t)
			for _, zone := range []id.Piece{worldPile, worldRow, worldMat} { // they weigh more
				ada.want(t, 0, table.OpDelete, zone)
			}
			for range 20 {
				ada.makes(kindStock, 0, -4500)
			}
			ada.want(t, 0, table.OpGrab, worldBag)
			ada.want(t, 0, table.OpRelease, worldBag, at(0, -4500)) // see checkWeight
		})
	// Clauses: T89.1, T89.3
	t.Run("T89.3 what it does not give", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		mint, bare := ada.makes(kindMint, 4000, 4000), ada.makes(kindBare, 5000, 5000)
		ada.want(t, table.ReasonRange, table.OpSplit, worldStock, amount(2), at(0, 0))
		ada.want(t, table.ReasonOffTable, table.OpSplit, worldStock, amount(1), at(30_000, 0))
		ada.want(t, table.ReasonNotAllowed, table.OpSplit, bare, amount(1), at(0, 0))
		ada.want(t, 0, table.OpSplit, mint, amount(300), at(4000, -4000))
		if is := s.state(ada.made[len(ada.made)-1]); is.Kind != kindChip || is.Value != 300 {
			t.Errorf("the money is %+v", is)
		}
		ada.want(t, 0, table.OpLock, worldStock)
		ada.want(t, table.ReasonLocked, table.OpSplit, worldStock, amount(1), at(0, 0))
	})
	// Clauses: T89.4, T89.5
	t.Run("T89.4 what is released on it goes back", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		mint := ada.makes(kindMint, stockX+200, stockY)
		ada.want(t, 0, table.OpSplit, worldStock, amount(1), at(stockX, stockY))
		there := ada.made[len(ada.made)-1]
		if s.state(there).Gone {
			t.Error("what is taken goes back at once")
		}
		ada.drop(worldToken, stockX, stockY)
		last := s.log[len(s.log)-1]
		if last.Op != table.OpDelete || !last.Server || last.Seat != 1 || !last.After.Gone {
			t.Errorf("T89.4: the last entry is %+v", last)
		}
		bob.drop(worldCoin, stockX, stockY)
		bob.drop(worldChips, stockX-300, stockY)
		bob.want(t, 0, table.OpMove, there, at(stockX+1, stockY))
		for _, p := range []id.Piece{worldCoin, worldChips, there} {
			if s.state(p).Gone {
				t.Errorf("T89.5: piece %d is gone", p)
			}
		}
		bob.drop(worldChips, stockX+300, stockY)
		if !s.state(worldChips).Gone || s.state(mint).Gone {
			t.Error("T89.4: the money is still there")
		}
	})
	// Clauses: T89.5
	t.Run("T89.5 what stays on it", func(t *testing.T) {
		for name, prepare := range map[string]func(ada, bob *tab, token id.Piece){
			"the supply is held":   func(_, bob *tab, _ id.Piece) { bob.do(table.OpGrab, worldStock) },
			"the supply is locked": func(ada, _ *tab, _ id.Piece) { ada.do(table.OpLock, worldStock) },
			"the piece is pinned":  func(ada, _ *tab, token id.Piece) { ada.do(table.OpPin, token) },
		} {
			s, ada, bob, _ := sitAtWorld(t)
			ada.do(table.OpGrab, worldToken)
			prepare(ada, bob, worldToken)
			ada.do(table.OpRelease, worldToken, at(stockX, stockY))
			if is := s.state(worldToken); is.Gone || is.X != stockX {
				t.Errorf("%s: it is %+v", name, is)
			}
		}
	})
	// Clauses: T89.6
	t.Run("T89.6 an undo takes back what was taken, and what was given back", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpSplit, worldStock, amount(1), at(4000, -4000))
		made := ada.made[0]
		if !s.undo(1) || !s.state(made).Gone {
			t.Errorf("the taking is not undone: %+v", s.state(made))
		}
		was := s.state(worldToken)
		bob.drop(worldToken, stockX, stockY)
		n := len(s.log)
		if !s.undo(2) {
			t.Fatal("the giving back cannot be undone")
		}
		back := s.log[n]
		if !back.Made || back.After.Kind != kindToken || back.After.X != was.X || back.After.Y != was.Y {
			t.Errorf("it comes back as %+v", back)
		}
	})
	// Clauses: T89.3
	t.Run("T89.3 at a full table", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for s.table.Pieces() < table.MaxPieces {
			s.must(t, ada, ada.make(table.OpAdd, 0, kind(kindCoin), at(0, 0), z("0.95")), table.Recorded)
		}
		out := s.must(t, ada, ada.make(table.OpSplit, worldStock, amount(1), at(0, 0)), table.Rejected)
		if out.Reject.Reason != table.ReasonTableFull {
			t.Errorf("it is rejected with %d", out.Reject.Reason)
		}
	})
}

// makes adds a piece of a kind and returns its name.
func (c *tab) makes(of uint32, x, y int32) id.Piece {
	c.do(table.OpAdd, 0, kind(of), at(x, y))
	return c.made[len(c.made)-1]
}
