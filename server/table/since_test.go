package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/table"
)

// chances is a table at which rounds of randomness are opened: the host sits at it alone.
type chances struct {
	t     *testing.T
	table *table.Table
	by    table.By
	seq   id.ClientSeq
	round uint32
}

// sitAtChances returns a table in round 1 with a hand of the host's (1), a deck (2) with an ace, a king and a queen, and a bag
// (3) with four chips; and, on the table, a token (4) and an ace front up (5).
func sitAtChances(t *testing.T) *chances {
	t.Helper()
	var places []table.Place
	for i, p := range []struct {
		kind uint32
		x    int32
		in   int
	}{
		{kindHand, 0, 0}, {kindDeck, worldDeckX, 0}, {kindBag, worldBagX, 0}, {kindToken, -9000, 0}, {kindAce, -8000, 0},
		{kindAce, 0, 2}, {kindKing, 0, 2}, {kindQueen, 0, 2}, {kindChip, 0, 3}, {kindChip, 0, 3}, {kindChip, 0, 3}, {kindChip, 0, 3},
	} {
		places = append(places, table.Place{OID: oid(uint64(i + 1)), In: p.in, State: table.State{Kind: p.kind, X: p.x}})
	}
	tab := table.New(configured(1))
	tab.SetUp(places, 1)
	seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
	return &chances{t: t, table: tab, by: table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost}, round: 1}
}

// do applies an update and returns the piece that was brought.
func (c *chances) do(op table.Op, has table.Fields, u table.Update) (brought id.Piece, chance table.Chance) {
	c.t.Helper()
	c.seq++
	u.Op, u.Has, u.Seq = op, has, c.seq
	if has&table.HasTag != 0 {
		u.Tag = c.table.MarkAt(c.by.Seat, c.table.Gen())
	}
	if bogus := c.table.Check(c.by.Client, c.by.Seat, []table.Update{u}); bogus != nil {
		c.t.Fatal(bogus)
	}
	out := c.table.Apply(c.by, &u, table.Inputs{Now: 1, OID: oid(uint64(1000 + c.seq)), Rand: seeded(uint64(c.seq)), Round: c.round})
	wantVerdict(c.t, out, table.Recorded)
	for _, e := range c.table.Take() {
		if e.Seq == c.seq {
			brought = e.Brought
		}
	}
	return brought, out.Chance
}

// hidden checks since when something has been hidden, 0: nothing is.
func (c *chances) hidden(want uint32, what string) {
	c.t.Helper()
	if got, _ := c.table.OldestHidden(); got != want {
		c.t.Errorf("%s: hidden since round %d, want %d", what, got, want)
	}
}

const blindly = table.HasPiece

func TestHiddenSince(t *testing.T) {
	const deck, bag, token, ace, tagged = 2, 3, 4, 5, table.HasPiece | table.HasTag
	open := table.Update{Piece: bag, X: 9000, Y: 9000}
	t.Run("F12 what lies as the game put it hides nothing, what was drawn by lot into a hand hides the draw", func(t *testing.T) {
		c := sitAtChances(t)
		c.hidden(0, "in the beginning")
		if _, chance := c.do(table.OpDraw, blindly|table.HasXY, open); chance.What != table.ChanceDraw {
			t.Errorf("the lot decided %+v", chance)
		}
		c.hidden(0, "a chip that lies open")
		c.round = 2
		drawn, _ := c.do(table.OpDraw, blindly, table.Update{Piece: bag})
		c.hidden(2, "a chip in a hand")
		c.round = 3
		c.do(table.OpDraw, blindly, table.Update{Piece: bag})
		c.hidden(2, "another one")
		c.do(table.OpMove, tagged|table.HasXY, table.Update{Piece: drawn, X: 9000, Y: -9000})
		c.hidden(3, "when the first lies open")
	})
	t.Run("F12 a card from the top of a deck, and one that is turned down, are hidden from then on", func(t *testing.T) {
		c := sitAtChances(t)
		drawn, _ := c.do(table.OpDraw, blindly|table.HasXY, table.Update{Piece: deck, X: 9000, Y: 9000})
		c.hidden(1, "it lies front down")
		c.round = 2
		c.do(table.OpFlip, tagged|table.HasFace, table.Update{Piece: ace, Face: 1})
		c.hidden(1, "another one was turned down")
		c.do(table.OpFlip, tagged|table.HasFace, table.Update{Piece: drawn, Face: 0})
		c.hidden(2, "the first was turned up")
	})
	t.Run("F12 passing from one hidden place to another counts for nothing", func(t *testing.T) {
		c := sitAtChances(t)
		drawn, _ := c.do(table.OpDraw, blindly, table.Update{Piece: deck})
		c.round = 2
		c.do(table.OpStow, tagged|table.HasInto, table.Update{Piece: drawn, Into: bag})
		c.hidden(1, "it lies in the bag")
	})
	t.Run("F12 a bag in which there is what is at home there hides nothing", func(t *testing.T) {
		c := sitAtChances(t)
		c.do(table.OpDraw, blindly|table.HasN, table.Update{Piece: bag, N: 3})
		c.hidden(1, "three chips are in a hand")
		c.round = 2
		c.do(table.OpRecall, blindly, table.Update{Piece: bag})
		c.hidden(0, "they are back")
		c.do(table.OpDraw, blindly|table.HasXY, open)
		c.hidden(1, "one of four is not")
		c.do(table.OpRecall, blindly, table.Update{Piece: bag})
		c.hidden(0, "they are all back")
		drawn, _ := c.do(table.OpDraw, blindly, table.Update{Piece: deck})
		c.do(table.OpStow, tagged|table.HasInto, table.Update{Piece: drawn, Into: bag})
		c.hidden(1, "a card lies among them")
	})
	t.Run("F12 a deck is whole again with its pieces, but its order is hidden until it is shuffled", func(t *testing.T) {
		c := sitAtChances(t)
		c.do(table.OpDraw, blindly, table.Update{Piece: deck})
		c.round = 2
		c.do(table.OpRecall, blindly, table.Update{Piece: deck})
		c.hidden(1, "it lies on top")
		c.do(table.OpShuffle, blindly, table.Update{Piece: deck})
		c.hidden(2, "all were dealt anew")
	})
	t.Run("T30 a place in a bag counts for nothing, and no lot is drawn for it", func(t *testing.T) {
		for _, at := range []int32{0, -1, 1} {
			c := sitAtChances(t)
			if _, chance := c.do(table.OpStow, tagged|table.HasInto|table.HasAt, table.Update{Piece: token, Into: bag, At: at}); chance.What != 0 {
				t.Errorf("at %d the lot decided %+v", at, chance)
			}
			if _, chance := c.do(table.OpDraw, blindly|table.HasXY, open); len(chance.Inputs) != 5 {
				t.Errorf("at %d: %+v", at, chance)
			}
		}
	})
}
