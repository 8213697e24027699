package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// where is how a piece lies.
type where struct{ x, y, angle, face int32 }

func (s *server) where(p id.Piece) where {
	at := s.state(p)
	return where{at.X, at.Y, at.Angle, at.Face}
}

func (s *server) wantWhere(t *testing.T, what string, p id.Piece, want where) {
	t.Helper()
	if got := s.where(p); got != want {
		t.Errorf("%s: it lies at %+v, want %+v", what, got, want)
	}
}

// drop puts a piece down at a place by a drag.
func (c *tab) drop(p id.Piece, x, y int32) {
	c.do(table.OpGrab, p)
	c.do(table.OpRelease, p, at(x, y))
}

// setZone changes the zones of a kind for one test.
func setZone(t *testing.T, kind uint32, change func(z *table.ZoneKind)) {
	was := kinds[kind].Zone
	change(&kinds[kind].Zone)
	t.Cleanup(func() { kinds[kind].Zone = was })
}

// TestZoneLays shows how a zone lays what is put down in it.
func TestZoneLays(t *testing.T) {
	// Clauses: T86.1, T86.3, T86.4, T86.6
	t.Run("T86.3 in a pile", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.drop(worldCard, zoneX+600, pileY-700)
		s.wantWhere(t, "at the corner", worldCard, where{zoneX, pileY, 0, 1})
		ada.drop(worldCardTwo, zoneX+601, pileY)
		s.wantWhere(t, "beside it", worldCardTwo, where{zoneX + 601, pileY, 0, 1})
		bob.do(table.OpFlip, worldCardTwo, face(0))
		bob.do(table.OpRotate, worldCardTwo, turned(4500))
		bob.drop(worldCardTwo, zoneX, pileY+100)
		s.wantWhere(t, "turned", worldCardTwo, where{zoneX, pileY, 0, 1})
	})
	t.Run("T86.1 in a zone that is turned", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpRotate, worldRow, turned(9000))
		ada.drop(worldCoin, zoneX+600, rowY)
		s.wantWhere(t, "beside it", worldCoin, where{zoneX + 600, rowY, 0, 1})
		ada.drop(worldCoin, zoneX, rowY+1200)
		s.wantWhere(t, "at its end", worldCoin, where{zoneX, rowY + 1050, 9000, 0})
		ada.do(table.OpRotate, worldRow, turned(4500))
		ada.drop(worldToken, zoneX-900, rowY-900)
		s.wantWhere(t, "aslant", worldToken, where{zoneX - 742, rowY - 742, 4500, 0})
		ada.drop(worldNote, zoneX+900, rowY-900)
		s.wantWhere(t, "at a corner of its box", worldNote, where{zoneX + 900, rowY - 900, 0, 0})
	})
	t.Run("T86.3 in a row, at the nearest free place", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		for i, x := range []int32{-1050, -350, 350, 1050} {
			ada.drop(worldCard+id.Piece(i), zoneX-1400, rowY+300)
			s.wantWhere(t, "a card", worldCard+id.Piece(i), where{zoneX + x, rowY, 0, 0})
		}
		bob.drop(worldCardTwo, 0, 0)
		bob.drop(worldCardFour, zoneX-200, rowY)
		s.wantWhere(t, "in the gap", worldCardFour, where{zoneX - 350, rowY, 0, 0})
	})
	t.Run("T86.3 in a column", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		setZone(t, kindMat, func(z *table.ZoneKind) {
			*z = table.ZoneKind{Lay: table.LayColumn, Gap: 500}
		})
		for i, y := range []int32{500, 0, -500} {
			ada.drop(worldCard+id.Piece(i), zoneX+300, matY+900)
			s.wantWhere(t, "a card", worldCard+id.Piece(i), where{zoneX, matY + y, 0, 1})
		}
	})
	t.Run("T86.3 in a grid", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for i, at := range []where{{600, 450, 0, 1}, {0, 450, 0, 1}, {600, -450, 0, 1}} {
			ada.drop(worldCard+id.Piece(i), zoneX+500, matY+400)
			s.wantWhere(t, "a card", worldCard+id.Piece(i), where{zoneX + at.x, matY + at.y, 0, 1})
		}
	})
	t.Run("T86.3 free", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		setZone(t, kindMat, func(z *table.ZoneKind) {
			*z = table.ZoneKind{Lay: table.LayFree, Turns: table.TurnUp}
		})
		ada.do(table.OpRotate, worldCard, turned(1234))
		ada.drop(worldCard, zoneX+7, matY+400)
		s.wantWhere(t, "a card", worldCard, where{zoneX + 7, matY + 400, 1234, 0})
	})
	// Clauses: T86.2
	t.Run("T86.2 by which operations", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		there := where{zoneX - 1050, rowY, 0, 0}
		in := at(zoneX-1100, rowY+50)
		bob.do(table.OpMove, worldCoin, in)
		s.wantWhere(t, "move", worldCoin, there)
		bob.do(table.OpMove, worldCoin, at(zoneX-1060, rowY+40))
		s.wantWhere(t, "move within it", worldCoin, where{zoneX - 1060, rowY + 40, 0, 0})
		bob.do(table.OpDelete, worldCoin)
		bob.do(table.OpPivot, worldToken, in, turned(4500))
		s.wantWhere(t, "pivot", worldToken, there)
		bob.do(table.OpDelete, worldToken)
		made := func(what string, op table.Op, p id.Piece, with ...args) {
			t.Helper()
			from := len(s.log)
			ada.do(op, p, with...)
			for _, e := range s.log[from:] {
				if e.After.In != 0 || !e.Made && op != table.OpDraw || e.Notice {
					continue
				}
				s.wantWhere(t, what, e.Name, there)
				ada.do(table.OpDelete, e.Name)
			}
			if len(s.log) == from {
				t.Errorf("%s: nothing was done", what)
			}
		}
		made("add", table.OpAdd, 0, kind(kindCoin), face(1), in)
		made("copy", table.OpCopy, worldChips, in)
		made("split", table.OpSplit, worldChips, amount(5), in)
		made("draw", table.OpDraw, worldDeck, in)
	})
	// Clauses: T86.5
	t.Run("T86.5 on top", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpRaise, worldToken)
		ada.do(table.OpMove, worldCard, at(zoneX, pileY), z("0.51"))
		if s.state(worldCard).Z <= s.state(worldToken).Z {
			t.Errorf("it has the level %q", s.state(worldCard).Z)
		}
	})
	// Clauses: T86.6
	t.Run("T86.6 which side is up", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.drop(worldCoin, zoneX, rowY)
		ada.do(table.OpFlip, worldCoin, face(1))
		ada.drop(worldCoin, zoneX+700, rowY)
		if got := s.state(worldCoin).Face; got != 1 {
			t.Errorf("what lies there is turned over to %d", got)
		}
		ada.do(table.OpFlip, worldToken, face(2))
		ada.drop(worldToken, zoneX, rowY)
		if got := s.state(worldToken).Face; got != 2 {
			t.Errorf("what has three faces is turned over to %d", got)
		}
	})
	// Clauses: T86.7, T63.1
	t.Run("T86.7 nobody sees the side that is down", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.drop(worldCard, 0, handOneY)
		card := s.names[oid(uint64(worldCard))]
		if s.state(card).Face != 0 || s.state(card).Owner != 1 {
			t.Fatalf("in the hand it is %+v", s.state(card))
		}
		ada.do(table.OpGrab, card)
		from := len(s.log)
		ada.do(table.OpRelease, card, at(zoneX+9, pileY))
		for i := range s.log[from:] {
			if _, after, shown := s.table.Shows(&s.log[from+i], bob.seat); shown && after.Kind != kindBack {
				t.Errorf("bob is shown %+v", after)
			}
		}
		if n := len(s.log) - from; n != 2 || s.log[from+1].Op != table.OpSettle {
			t.Errorf("it is %d entries, the last one %s", n, s.log[len(s.log)-1].Op)
		}
		card = s.names[oid(uint64(worldCard))]
		s.wantWhere(t, "the card", card, where{zoneX, pileY, 0, 1})
		if !s.undo(1) {
			t.Fatal("it is not undone")
		}
		s.settle()
		if card = s.names[oid(uint64(worldCard))]; s.state(card).Owner != 1 {
			t.Errorf("after an undo it is %+v", s.state(card))
		}
	})
}

// TestZoneLeaves shows what a zone leaves where it is put down.
func TestZoneLeaves(t *testing.T) {
	inRow := func(ada *tab, p id.Piece) { ada.drop(p, zoneX-1000, rowY+7) }
	inPile := func(ada *tab, p id.Piece) { ada.drop(p, zoneX+9, pileY+7) }
	row, pile := where{zoneX - 1000, rowY + 7, 0, 1}, where{zoneX + 9, pileY + 7, 0, 1}
	for _, c := range []struct {
		what string
		do   func(t *testing.T, s *server, ada, bob *tab)
		p    id.Piece
		want where
	}{
		// Clauses: T86.8
		{"T86.8 a held zone", func(_ *testing.T, _ *server, ada, bob *tab) {
			bob.do(table.OpGrab, worldRow)
			inRow(ada, worldCard)
		}, worldCard, row},
		{"T86.8 it does not take coins", func(_ *testing.T, _ *server, ada, _ *tab) {
			inPile(ada, worldCoin)
		}, worldCoin, pile},
		{"T86.8 it has its most", func(_ *testing.T, _ *server, ada, _ *tab) {
			for i := range id.Piece(4) {
				inPile(ada, worldCard+i)
			}
		}, worldCardFour, pile},
		{"T86.8 no place is free", func(_ *testing.T, _ *server, ada, _ *tab) {
			for _, p := range []id.Piece{worldCard, worldCardTwo, worldCardThree, worldCardFour, worldCoin} {
				inRow(ada, p)
			}
		}, worldCoin, row},
		{"T86.8 what somebody holds takes no place", func(_ *testing.T, _ *server, ada, bob *tab) {
			for _, p := range []id.Piece{worldCard, worldCardTwo, worldCardThree, worldCardFour} {
				inRow(ada, p)
			}
			bob.do(table.OpGrab, worldCard)
			inRow(ada, worldCoin)
		}, worldCoin, where{zoneX - 1050, rowY, 0, 0}},
		{"T86.8 a hand lies there", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpMove, worldHandOne, at(zoneX+2500, rowY-1000))
			inRow(ada, worldCoin)
			ada.drop(worldCard, zoneX-1000, rowY+7)
		}, worldCard, row},
		// Clauses: T86.9
		{"T86.9 the uppermost of two", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpRaise, worldPile)
			ada.do(table.OpMove, worldPile, at(zoneX-1000, rowY))
			inRow(ada, worldCard)
		}, worldCard, where{zoneX - 1000, rowY, 0, 1}},
		{"T86.9 the uppermost of two that takes it", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpRaise, worldPile)
			ada.do(table.OpMove, worldPile, at(zoneX-1000, rowY))
			inRow(ada, worldCoin)
		}, worldCoin, where{zoneX - 1050, rowY, 0, 0}},
		// Clauses: T86.10
		{"T86.10 what is pinned", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpGrab, worldCard)
			ada.do(table.OpPin, worldCard)
			ada.do(table.OpRelease, worldCard, at(zoneX-1000, rowY+7))
		}, worldCard, row},
		{"T86.10 what is locked", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpGrab, worldCard)
			ada.do(table.OpLock, worldCard)
			ada.do(table.OpRelease, worldCard, at(zoneX-1000, rowY+7))
		}, worldCard, row},
		{"T86.10 what is heavy", func(_ *testing.T, _ *server, ada, _ *tab) { inRow(ada, worldBox) },
			worldBox, where{zoneX - 1000, rowY + 7, 0, 0}},
		{"T86.10 what the server lays down", func(_ *testing.T, s *server, ada, _ *tab) {
			ada.do(table.OpGrab, worldCard)
			s.table.Drop(worldCard, zoneX-1000, rowY+7, s.now)
			s.publish(nil)
			s.settle()
		}, worldCard, row},
		// Clauses: T86.11
		{"T86.11 a secret piece counts as its mask", func(_ *testing.T, _ *server, ada, _ *tab) {
			ada.do(table.OpFlip, worldCard, face(0))
			inPile(ada, worldCard)
		}, worldCard, where{zoneX, pileY, 0, 1}},
		{"T86.11 not as itself", func(t *testing.T, _ *server, ada, _ *tab) {
			setZone(t, kindPile, func(z *table.ZoneKind) { z.Takes = []uint32{kindAce} })
			inPile(ada, worldCard)
		}, worldCard, pile},
		// Clauses: T86.12
		{"T86.12 none of the kinds is at this table", func(t *testing.T, _ *server, ada, _ *tab) {
			setZone(t, kindPile, func(z *table.ZoneKind) { z.Takes = nil })
			inPile(ada, worldCard)
		}, worldCard, pile},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			c.do(t, s, ada, bob)
			s.wantWhere(t, "at last", c.p, c.want)
		})
	}
	t.Run("T86.10 parts of a guest set", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		card := ada.laid(1)[0]
		was := s.where(card)
		ada.drop(card, zoneX-1000, rowY+7)
		was.x, was.y = zoneX-1000, rowY+7
		s.wantWhere(t, "a part", card, was)
		ada.drop(worldCard, zoneX-1000, rowY+7)
		s.wantWhere(t, "it takes a place", worldCard, where{zoneX - 350, rowY, 0, 0})
	})
}
