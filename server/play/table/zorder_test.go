package table_test

import (
	"cmp"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// order returns the pieces from the bottom to the top, as a tab draws them (T13).
func (c *tab) order() []id.Piece {
	all := make([]id.Piece, 0, len(c.pieces))
	for p := range c.pieces {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b id.Piece) int {
		p, q := c.displayed(a), c.displayed(b)
		return cmp.Or(cmp.Compare(p.Z, q.Z), cmp.Compare(p.ZVersion, q.ZVersion), cmp.Compare(a, b))
	})
	return all
}

// checkWeights checks that every heavy piece lies below every light one (T25).
func (c *tab) checkWeights(t *testing.T) {
	t.Helper()
	light := id.Piece(0)
	for _, p := range c.order() {
		switch heavy := kinds[c.displayed(p).Kind].Heavy; {
		case heavy && light != 0:
			t.Errorf("%s draws the heavy piece %d over the light one %d", c, p, light)
		case !heavy:
			light = p
		}
	}
}

// TestZOrder shows in which order pieces are drawn, and how raising and lowering change it (T13,
// T25).
func TestZOrder(t *testing.T) {
	t.Run("T13.6 of equal levels the later is on top", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpSetZ, tokenTwo, z("0.95"))
		s.settle()
		ada.act(table.OpSetZ, tokenOne, z("0.95"))
		bob.act(table.OpSetZ, tokenThree, z("0.95"))
		s.receive(ada)
		s.receive(bob)
		s.settle()
		want := []id.Piece{tokenTwo, tokenOne, tokenThree}
		for _, c := range []*tab{ada, bob} {
			if got := c.order(); !slices.Equal(got[len(got)-3:], want) {
				t.Errorf("%s has %v on top, want %v", c, got[len(got)-3:], want)
			}
		}
		if len(ada.conflicts)+len(bob.conflicts) != 0 {
			t.Error("a Z generation in an ack is a conflict")
		}
	})
	t.Run("T13 raise and lower without a level", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for _, p := range []id.Piece{tokenOne, cardTwo, tokenTwo} {
			ada.act(table.OpRaise, p)
			s.settle()
			if got := ada.order(); got[len(got)-1] != p {
				t.Errorf("after raising %d the order is %v", p, got)
			}
			ada.act(table.OpLower, p)
			s.settle()
			if got := ada.order(); got[3] != p { // above the board and the two hands
				t.Errorf("after lowering %d the order is %v", p, got)
			}
		}
		for _, p := range []id.Piece{board, handTwo, handOne} {
			ada.act(table.OpRaise, p)
			s.settle()
			if got := ada.order(); got[2] != p {
				t.Errorf("after raising %d the order is %v", p, got)
			}
			ada.act(table.OpLower, p)
			s.settle()
			if got := ada.order(); got[0] != p {
				t.Errorf("after lowering %d the order is %v", p, got)
			}
		}
		ada.checkWeights(t)
	})
	t.Run("T13 levels chosen by the server grow long, too", testLongByLowering)
	t.Run("T25 weights", testWeights)
}

// testLongByLowering shows that levels stay short when two pieces are lowered in turn thousands of
// times, at levels that the server chooses.
func testLongByLowering(t *testing.T) {
	s, ada, _, _ := sit(t)
	longest, respread := 0, false
	for s.step = range 4000 {
		ada.act(table.OpLower, tokenOne+id.Piece(s.step%2))
		if s.step%3 == 0 {
			ada.act(table.OpRaise, board+id.Piece(s.step%2))
		}
		for len(ada.up) > 0 {
			if out := s.receive(ada); out.Verdict != table.Recorded &&
				out.Verdict != table.Discarded {
				t.Fatalf("step %d: outcome %+v", s.step, out)
			}
		}
		ada.drain()
		e := s.log[len(s.log)-1]
		respread = respread || e.Op == table.OpRespread
		longest = max(longest, len(e.After.Z))
	}
	s.settle()
	if !respread || longest > zlevel.RespreadDigits+10 {
		t.Errorf("respread: %v; the longest level has %d digits", respread, longest-2)
	}
	ada.checkWeights(t)
}

func testWeights(t *testing.T) {
	rows := []struct {
		name   string
		piece  id.Piece
		op     table.Op
		level  zlevel.Level
		settle bool
	}{
		{"T25.1, T25.2 a heavy piece above light ones", board, table.OpSetZ, "0.95", true},
		{"T25 a heavy piece below light ones", board, table.OpSetZ, "0.0001", false},
		{"T25.1, T25.2 a light piece below heavy ones", tokenOne, table.OpSetZ, "0.0001", true},
		{"T25 a light piece above heavy ones", tokenOne, table.OpSetZ, "0.95", false},
		{"T25 a heavy piece raised", handOne, table.OpRaise, "0.95", true},
		{"T25 a light piece lowered", tokenOne, table.OpLower, "0.0001", true},
		{"T25 a heavy piece grabbed", board, table.OpGrab, "0.95", true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			before := len(s.log)
			ada.act(row.op, row.piece, z(row.level))
			s.settle()
			entries := s.log[before:]
			if entries[0].Op != row.op || entries[0].After.Z != row.level || entries[0].Server {
				t.Errorf("recorded as %+v", entries[0])
			}
			if settled := len(entries) == 2 && entries[1].Op == table.OpSettle &&
				entries[1].Server; settled != row.settle || len(entries) > 2 {
				t.Errorf("%d entries: %+v", len(entries), entries)
			}
			ada.checkWeights(t)
			bob.checkWeights(t)
			if len(ada.conflicts) != 0 {
				t.Error("it is a conflict")
			}
		})
	}
	t.Run("T25.2 a settled piece gets the nearest level that keeps the order", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpSetZ, board, z("0.95"))
		ada.act(table.OpSetZ, tokenOne, z("0.0001"))
		s.settle()
		order := ada.order()
		if order[2] != board || order[3] != tokenOne {
			t.Errorf("the order is %v, want the board above the heavy and the token below the light", order)
		}
	})
	t.Run("T25.2 a level at which both weights meet", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		lowest := ada.displayed(ada.order()[3]).Z
		ada.act(table.OpSetZ, board, z(lowest))
		s.settle()
		ada.checkWeights(t)
		ada.act(table.OpSetZ, tokenOne, z(ada.displayed(board).Z))
		s.settle()
		ada.checkWeights(t)
	})
	t.Run("T25 new pieces lie where their weight says", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for _, k := range []uint32{kindBoard, kindToken, kindHand} {
			ada.act(table.OpAdd, 0, kind(k), at(0, 0))
			ada.act(table.OpAdd, 0, kind(k), at(0, 0), z("0.99"))
			ada.act(table.OpAdd, 0, kind(k), at(0, 0), z("0.001"))
			s.settle()
			ada.checkWeights(t)
		}
	})
}
