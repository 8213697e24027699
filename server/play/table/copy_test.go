package table_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// copied copies a table into a new one, without a shuffle.
func copied(t *testing.T, tab *table.Table, now id.Millis) (*table.Table, *table.Copy) {
	t.Helper()
	c, way := tab.Copy(now)
	if way != table.NothingInTheWay {
		t.Fatalf("blocked by %d", way)
	}
	for i := range c.Places {
		c.Places[i].OID = oid(uint64(1000 + i))
	}
	to := table.New(configured(2))
	to.SetUp(c.Places, now)
	return to, c
}

// TestT57Copies shows what a copy of a table keeps (T57).
func TestT57Copies(t *testing.T) {
	t.Run("T57.2, T57.5 a copy keeps all but holders, owners and running clocks", func(t *testing.T) {
		places := []table.Place{
			{State: table.State{Kind: kindDeck, X: 3000}},
			{State: table.State{Kind: kindHand, X: -3000}},
			{State: table.State{Kind: kindToken, X: 1, Y: 2, Angle: 900, Face: 2, Pinned: true}},
			{State: table.State{Kind: kindToken, X: 1, Y: 2}},
			{State: table.State{Kind: kindChessClock, X: -5000}},
			{State: table.State{Kind: kindCounter, X: 5000}},
			{State: table.State{Kind: kindNote, X: 7000}},
			{State: table.State{Kind: kindMarker, X: 8000}},
			{State: table.State{Kind: kindDie, X: 9000, Face: 3}},
			{In: 1, State: table.State{Kind: kindAce}}, {In: 1, State: table.State{Kind: kindKing}},
			{In: 1, State: table.State{Kind: kindQueen}},
		}
		for i := range places {
			places[i].OID = oid(uint64(i + 1))
		}
		tab := table.New(configured(1))
		tab.SetUp(places, 1)
		seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
		c := &chances{
			t: t, table: tab, by: table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost},
			round: 1,
		}
		c.do(table.OpStart, table.HasPiece|table.HasTag, table.Update{Piece: 5})
		c.do(table.OpCount, table.HasPiece|table.HasN, table.Update{Piece: 6, N: 7})
		c.do(table.OpWrite, table.HasPiece|table.HasTag|table.HasText,
			table.Update{Piece: 7, Text: "mine"})
		c.do(table.OpAssign, table.HasPiece|table.HasTag|table.HasSeat,
			table.Update{Piece: 8, Seat: seat})
		c.do(table.OpRaise, table.HasPiece|table.HasTag, table.Update{Piece: 3})
		c.do(table.OpGrab, table.HasPiece|table.HasTag, table.Update{Piece: 4})
		// Front up.
		c.do(table.OpDraw, table.HasPiece|table.HasXY|table.HasFace,
			table.Update{Piece: 1, X: 4000, Y: 0})
		to, was := copied(t, tab, 60_001)
		now := whole(t, to)
		if len(now) != len(places) {
			t.Fatalf("the copy has %d pieces", len(now))
		}
		for i, name := range was.Names {
			if name == 0 {
				continue
			}
			a, b := look(t, tab, name), now[i]
			if a.Kind == kindChessClock {
				if b.Clock.Running != 0 || b.Clock.Left[0] != 300_000-60_000 {
					t.Errorf("the clock is %+v", b.Clock)
				}
				a.Clock, b.Clock = table.Clock{}, table.Clock{}
			}
			if a.Kind == kindMarker && (a.Owner == 0 || b.Owner != 0) ||
				a.Kind == kindHand && (a.Owner == 0 || b.Owner != 0) {
				t.Errorf("kind %d is of seat %d, was of %d", a.Kind, b.Owner, a.Owner)
			}
			if a.Home != 0 && (b.Home == 0 || !b.Native) {
				t.Errorf("piece %d has no home", i)
			}
			if b.Holder != 0 || b.Pinned != a.Pinned || a.Kind != b.Kind || a.X != b.X ||
				a.Y != b.Y ||
				a.Angle != b.Angle || a.Face != b.Face || a.Value != b.Value || a.Text != b.Text {
				t.Errorf("piece %d is\n%+v, was\n%+v", i, b, a)
			}
		}
		if again, way := to.Copy(60_001); way != table.NothingInTheWay ||
			len(again.Places) != len(places) {
			t.Errorf("the copy itself cannot be copied: %d", way)
		}
	})
}

// look returns the state of a piece.
func look(t *testing.T, tab *table.Table, name id.Piece) table.State {
	t.Helper()
	s, ok := tab.Look(name)
	if !ok {
		t.Fatalf("no piece %d", name)
	}
	return s
}

// whole returns the states of all pieces of a copy, in the order of their identifiers.
func whole(t *testing.T, tab *table.Table) (all []table.State) {
	t.Helper()
	image := tab.Image()
	slices.SortFunc(image.Pieces, func(a, b table.PieceImage) int {
		return slices.Compare(a.OID[:], b.OID[:])
	})
	for i := range image.Pieces {
		all = append(all, image.Pieces[i].State)
	}
	return all
}

// TestT57WhatIsInTheWay shows in which states a table cannot be copied, because a copy would show
// something hidden (T57).
func TestT57WhatIsInTheWay(t *testing.T) {
	const deck, other, bag, token = oneDeck, twoDeck, oneBag, aToken
	for _, row := range []struct {
		what string
		do   func(c *chances)
		want table.InTheWay
	}{
		{"a table as it was set up", func(*chances) {}, table.NothingInTheWay},
		{
			"a deck that was shuffled",
			func(c *chances) { c.do(table.OpShuffle, table.HasPiece, table.Update{Piece: deck}) },
			table.NothingInTheWay,
		},
		{
			"a deck that was cut",
			func(c *chances) { c.do(table.OpCut, table.HasPiece, table.Update{Piece: deck}) },
			table.NothingInTheWay,
		},
		{
			"a card in a hand",
			func(c *chances) { c.do(table.OpDraw, table.HasPiece, table.Update{Piece: deck}) },
			table.CardInTheWay,
		},
		{"a card that came home from a hand", func(c *chances) {
			c.do(table.OpDraw, table.HasPiece, table.Update{Piece: deck})
			c.do(table.OpRecall, table.HasPiece, table.Update{Piece: deck})
		}, table.NothingInTheWay},
		{"a card face down", func(c *chances) {
			c.do(table.OpDraw, table.HasPiece|table.HasXY,
				table.Update{Piece: deck, X: -5000, Y: -5000})
		}, table.CardInTheWay},
		{"a card face up, and others with the same back", func(c *chances) {
			c.do(table.OpDraw, table.HasPiece|table.HasXY|table.HasFace,
				table.Update{Piece: deck, X: -5000, Y: -5000})
		}, table.ContainerInTheWay},
		{"a card face up, of a deck of its own", func(c *chances) {
			c.do(table.OpDraw, table.HasPiece|table.HasXY|table.HasFace,
				table.Update{Piece: deck, X: -5000, Y: -5000})
		}, table.NothingInTheWay},
		{"a card that all saw, and that lies face down", func(c *chances) {
			card, _ := c.do(table.OpDraw, table.HasPiece|table.HasXY|table.HasFace,
				table.Update{Piece: deck, X: -5000, Y: -5000})
			c.do(table.OpFlip, table.HasPiece|table.HasTag|table.HasFace,
				table.Update{Piece: card, Face: 1})
		}, table.CardInTheWay},
		{"a card put back, with one like it elsewhere", func(c *chances) {
			card, _ := c.do(table.OpDraw, table.HasPiece|table.HasXY|table.HasFace,
				table.Update{Piece: other, X: -5000, Y: -5000})
			c.do(table.OpStow, table.HasPiece|table.HasTag|table.HasInto,
				table.Update{Piece: card, Into: deck})
		}, table.ContainerInTheWay},
		{"a token in a bag that is not counted", func(c *chances) {
			c.do(table.OpStow, table.HasPiece|table.HasTag|table.HasInto,
				table.Update{Piece: token, Into: bag})
		}, table.ContainerInTheWay},
		{
			"a chip drawn into a hand",
			func(c *chances) { c.do(table.OpDraw, table.HasPiece, table.Update{Piece: bag}) },
			table.CardInTheWay,
		},
	} {
		t.Run("T57.11, T57.12 "+row.what, func(t *testing.T) {
			others := []uint32{kindJack, kindJack}
			if strings.HasSuffix(row.what, "of its own") {
				others = nil
			}
			c := sitAtChances(t, others...)
			row.do(c)
			if _, way := c.table.Copy(100); way != row.want {
				t.Errorf("blocked by %d, want %d", way, row.want)
			}
		})
	}
}

// TestT57CopyIsNoOracle shows that a copy does not depend on the order of a deck (T57).
// Clauses: T57.9
func TestT57CopyIsNoOracle(t *testing.T) {
	t.Run("T57 a copy does not depend on the hidden order of a deck", func(t *testing.T) {
		var first *table.Copy
		for seed := range uint64(50) {
			c := sitAtChances(t, kindJack, kindJoker)
			c.seq = id.ClientSeq(100 * seed) // random results depend on it
			c.do(table.OpShuffle, table.HasPiece, table.Update{Piece: 2})
			c.do(table.OpCut, table.HasPiece, table.Update{Piece: 3})
			now, way := c.table.Copy(100)
			if way != table.NothingInTheWay {
				t.Fatalf("blocked by %d", way)
			}
			if first == nil {
				first = now
			}
			if !reflect.DeepEqual(first, now) {
				t.Fatalf("with random numbers %d the copy is\n%s, with others\n%s",
					seed, fmt.Sprint(now), fmt.Sprint(first))
			}
		}
		if len(first.Stacks) != 2 || len(first.Stacks[0]) != 3 {
			t.Errorf("shuffled are %v", first.Stacks)
		}
	})
}

// TestT57ContainersOfCopies shows what lies in the containers of a copy.
func TestT57ContainersOfCopies(t *testing.T) {
	t.Run("T57.13 containers of a copy are filled and ordered as at a new table", func(t *testing.T) {
		c := sitAtChances(t, kindJack, kindQueen)
		c.do(table.OpShuffle, table.HasPiece, table.Update{Piece: oneDeck})
		c.do(table.OpCut, table.HasPiece|table.HasN, table.Update{Piece: twoDeck, N: 1})
		c.do(table.OpDraw, table.HasPiece|table.HasXY, table.Update{Piece: oneBag, X: 9000, Y: 9000})
		c.recall(oneBag)
		to, was := copied(t, c.table, 100)
		inside := map[id.Piece][]uint32{}
		for _, is := range whole(t, to) {
			if is.In != 0 {
				inside[is.In] = append(inside[is.In], is.Kind)
			}
		}
		for i, name := range was.Names {
			if name == 0 {
				continue
			}
			in := inside[id.Piece(i+1)]
			slices.Sort(in)
			want := map[id.Piece][]uint32{
				oneDeck: {kindAce, kindKing, kindQueen}, twoDeck: {kindQueen, kindJack},
				oneBag: {kindChip, kindChip, kindChip, kindChip},
			}[name]
			if !slices.Equal(in, want) {
				t.Errorf("in the copy of container %d lie %d, want %d", name, in, want)
			}
		}
		if len(inside) != 3 {
			t.Errorf("something lies in %d containers", len(inside))
		}
	})
}
