package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// chances is a table with rounds of randomness, and the host alone at it.
type chances struct {
	t     *testing.T
	table *table.Table
	by    table.By
	seq   id.ClientSeq
	round uint32
}

// The pieces of sitAtChances, by name.
const (
	ownHand id.Piece = iota + 1
	oneDeck
	twoDeck
	oneBag
	emptyDeck
	aToken
	aJoker // front up
	aDie
)

// sitAtChances returns a table in round 1 with a hand of the host's, a deck with an ace, a king and
// a queen, a deck with the kinds in others, a bag with four chips, an empty deck, and on the table
// a token, a joker front up and a die.
func sitAtChances(t *testing.T, others ...uint32) *chances {
	t.Helper()
	type put struct {
		kind uint32
		x    int32
		in   int
	}
	all := []put{
		{kindHand, 0, 0}, {kindDeck, worldDeckX, 0}, {kindDeck, -worldDeckX, 0},
		{kindBag, worldBagX, 0}, {kindDeck, 9500, 0},
		{kindToken, -9000, 0}, {kindJoker, -8000, 0}, {kindDie, -7000, 0},
		{kindAce, 0, 2}, {kindKing, 0, 2}, {kindQueen, 0, 2},
		{kindChip, 0, 4}, {kindChip, 0, 4}, {kindChip, 0, 4}, {kindChip, 0, 4},
	}
	for _, kind := range others {
		all = append(all, put{kind, 0, 3})
	}
	var places []table.Place
	for i, p := range all {
		places = append(places, table.Place{
			OID: oid(uint64(i + 1)), In: p.in, State: table.State{Kind: p.kind, X: p.x},
		})
	}
	tab := table.New(configured(1))
	tab.SetUp(places, 1)
	seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
	return &chances{
		t: t, table: tab, by: table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost},
		round: 1,
	}
}

// do applies an update and returns the piece that it has made or drawn, and the random outcome.
func (c *chances) do(
	op table.Op, has table.Fields, u table.Update,
) (brought id.Piece, chance table.Chance) {
	c.t.Helper()
	c.seq++
	u.Op, u.Has, u.Seq = op, has, c.seq
	if has&table.HasTag != 0 {
		u.Tag = c.table.VersionAt(c.by.Seat, c.table.Gen())
	}
	if bogus := c.table.Check(c.by.Client, c.by.Seat, []table.Update{u}); bogus != nil {
		c.t.Fatal(bogus)
	}
	out := c.table.Apply(c.by, &u, table.Inputs{
		Now: 1, OID: oid(uint64(1000 + c.seq)), Rand: seeded(uint64(c.seq)), Unproved: seeded(1),
		Round: c.round,
	})
	wantVerdict(c.t, out, table.Recorded)
	for _, e := range c.table.Take() {
		if e.Seq == c.seq {
			brought = e.Brought
		}
	}
	return brought, out.Chance
}

// hidden checks which is the oldest round that could say something about what is hidden; 0: none
// could.
func (c *chances) hidden(want uint32, what string) {
	c.t.Helper()
	if got, _ := c.table.OldestHidden(); got != want {
		c.t.Errorf("%s: hidden since round %d, want %d", what, got, want)
	}
	im := c.table.Image()
	again, err := table.Open(configured(1), &im)
	if err != nil {
		c.t.Fatal(err)
	}
	if got, _ := again.OldestHidden(); got != want {
		c.t.Errorf("%s: hidden since round %d in a snapshot, want %d", what, got, want)
	}
}

const blindly, tagged = table.HasPiece, table.HasPiece | table.HasTag

// take draws the uppermost piece of a container into the hand.
func (c *chances) take(container id.Piece) id.Piece {
	c.t.Helper()
	p, _ := c.do(table.OpDraw, blindly, table.Update{Piece: container})
	return p
}

// open lays a piece out of the hand on the table, front up.
func (c *chances) open(p id.Piece) {
	c.t.Helper()
	c.do(table.OpMove, tagged|table.HasXY, table.Update{Piece: p, X: 9000, Y: -9000})
}

// stow puts a piece into a container.
func (c *chances) stow(p, into id.Piece) {
	c.t.Helper()
	c.do(table.OpStow, tagged|table.HasInto, table.Update{Piece: p, Into: into})
}

// shuffle and recall do that with a container.
func (c *chances) shuffle(container id.Piece) {
	c.t.Helper()
	c.do(table.OpShuffle, blindly, table.Update{Piece: container})
}

func (c *chances) recall(container id.Piece) {
	c.t.Helper()
	c.do(table.OpRecall, blindly, table.Update{Piece: container})
}

// TestF12Hidden shows since which round something at a table is hidden, so that later rounds are
// not revealed (F12).
func TestF12Hidden(t *testing.T) {
	open := table.Update{Piece: oneBag, X: 9000, Y: 9000}
	// Clauses: F12.1, F12.2, F12.3, F12.6
	t.Run("F12 pieces as set up, and face-up pieces, hide nothing", func(t *testing.T) {
		c := sitAtChances(t)
		c.hidden(0, "at the start")
		if _, chance := c.do(
			table.OpDraw, blindly|table.HasXY, open,
		); chance.What != table.ChanceDraw {
			t.Errorf("the draw was %+v", chance)
		}
		c.hidden(0, "a chip is visible, and everybody knows the rest of the bag")
		c.do(table.OpFlip, tagged|table.HasFace, table.Update{Piece: aJoker, Face: 1})
		c.hidden(0, "a card was turned face down there that everybody had seen")
	})
	// Clauses: F12.2, F12.4
	t.Run("F12 every round may reveal pieces in a hand, whenever they came", func(t *testing.T) {
		c := sitAtChances(t)
		c.round = 7
		chip := c.take(oneBag)
		c.hidden(1, "a chip in a hand")
		card := c.take(oneDeck)
		c.open(chip)
		c.hidden(1, "a card in a hand")
		c.open(card)
		c.hidden(0, "both are face up")
	})
	t.Run("F12.6 every round may reveal a card drawn face down", func(t *testing.T) {
		c := sitAtChances(t)
		c.round = 7
		card, _ := c.do(table.OpDraw, blindly|table.HasXY,
			table.Update{Piece: oneDeck, X: 9000, Y: 9000})
		c.hidden(1, "it lies face down")
		c.do(table.OpFlip, tagged|table.HasFace, table.Update{Piece: card, Face: 0})
		c.hidden(0, "it was turned face up")
	})
	t.Run("F12 a die in a hand is hidden, and a roll there changes nothing", func(t *testing.T) {
		c := sitAtChances(t)
		c.round = 7
		c.do(table.OpMove, tagged|table.HasXY, table.Update{Piece: aDie, X: 0, Y: 0})
		c.hidden(1, "a die in a hand")
		c.round = 8
		c.do(table.OpRoll, blindly, table.Update{Piece: aDie})
		c.hidden(1, "it was rolled again")
	})
	t.Run("F12.28 a hand without a published count may always hold something", func(t *testing.T) {
		c := sitAtChances(t)
		screen, _ := c.do(table.OpAdd, table.HasKind|table.HasXY,
			table.Update{Kind: kindScreen, X: 5000, Y: 5000})
		c.do(table.OpClaim, blindly, table.Update{Piece: screen})
		c.hidden(1, "somebody has a screen")
		c.do(table.OpLeave, blindly, table.Update{Piece: screen})
		c.hidden(0, "nobody has it")
	})
	// Clauses: F12.10, F12.12
	t.Run("F12 a shuffle of a complete deck makes its order a later round's", func(t *testing.T) {
		c := sitAtChances(t)
		c.take(oneDeck)
		c.round = 2
		c.recall(oneDeck)
		c.hidden(1, "it is on top")
		c.shuffle(oneDeck)
		c.hidden(2, "all were shuffled")
		c.round = 3
		c.do(table.OpCut, blindly, table.Update{Piece: oneDeck})
		c.hidden(2, "a cut only rotates the order")
	})
	t.Run("F12.10, F12.17 a shuffle with cards hidden elsewhere changes nothing", func(t *testing.T) {
		c := sitAtChances(t)
		card := c.take(oneDeck)
		c.round = 2
		c.shuffle(oneDeck)
		c.open(card)
		c.hidden(1, "not everybody knew what was missing from that shuffle")
		c.shuffle(oneDeck)
		c.hidden(2, "now it is face up")
	})
	t.Run("F12.19 a face-up card may belong to either of two decks with one back", func(t *testing.T) {
		c := sitAtChances(t, kindKing, kindJack)
		one, two := c.take(oneDeck), c.take(twoDeck)
		c.open(one)
		c.open(two)
		c.round = 2
		c.shuffle(oneDeck)
		c.shuffle(twoDeck)
		c.hidden(1, "nobody saw which card is from which")
		c.stow(one, oneDeck)
		c.stow(two, twoDeck)
		c.shuffle(oneDeck)
		c.shuffle(twoDeck)
		c.hidden(1, "nobody saw which of them went into which")
		c.recall(oneDeck)
		c.recall(twoDeck)
		c.shuffle(oneDeck)
		c.shuffle(twoDeck)
		c.hidden(2, "everybody saw what is home")
	})
	t.Run("F12.18 a deck with foreign cards among its own is not complete", func(t *testing.T) {
		c := sitAtChances(t, kindKing, kindJack)
		other := c.take(twoDeck)
		c.round = 2
		c.stow(other, oneDeck)
		c.shuffle(oneDeck)
		c.shuffle(twoDeck)
		c.hidden(1, "a card of another deck is among them")
	})
	// Clauses: F12.4, F12.13, F12.14
	t.Run("F12 an arrival touches a container until a shuffle, even if it leaves", func(t *testing.T) {
		c := sitAtChances(t, kindKing, kindJack)
		c.stow(c.take(oneDeck), twoDeck)
		c.round = 2
		c.recall(oneDeck)
		c.shuffle(oneDeck)
		c.hidden(1, "nobody saw what left the second deck")
		c.recall(twoDeck)
		c.shuffle(twoDeck)
		c.hidden(2, "both were shuffled")
		c.stow(c.take(oneDeck), twoDeck)
		c.recall(oneDeck)
		c.round = 3
		c.shuffle(oneDeck)
		c.hidden(1, "it came into a deck that was shuffled before")
	})
	t.Run("F12.24 a container without pieces set up in it is never complete", func(t *testing.T) {
		c := sitAtChances(t)
		for range 3 {
			c.stow(c.take(oneDeck), emptyDeck)
		}
		c.round = 2
		c.shuffle(emptyDeck)
		c.hidden(1, "all cards lie in a pile")
		c.recall(oneDeck)
		c.shuffle(oneDeck)
		c.hidden(2, "they lie in their deck")
	})
	t.Run("F12.5, F12.25 cards made later have no home in their first container", func(t *testing.T) {
		c := sitAtChances(t)
		var names []id.Piece
		for i := range int32(2) {
			p, _ := c.do(table.OpAdd, table.HasKind|table.HasXY|table.HasFace,
				table.Update{Kind: kindAce, X: -5000 + 1000*i, Y: 5000, Face: 1})
			names = append(names, p)
		}
		drawn, _ := c.do(table.OpDraw, blindly|table.HasXY,
			table.Update{Piece: oneDeck, X: 9000, Y: 9000})
		names = append(names, drawn)
		c.do(table.OpShuffle, table.HasPieces, table.Update{Pieces: names})
		c.hidden(1, "they lie face down")
		for _, p := range names {
			c.stow(p, emptyDeck)
		}
		c.round = 2
		c.shuffle(emptyDeck)
		c.hidden(1, "they were shuffled")
		c.recall(oneDeck)
		c.shuffle(oneDeck)
		c.hidden(1, "the deck is complete, but others with the same back are hidden")
	})
	t.Run("F12.27, T26.5 a shuffle on the table leaves every card its home", func(t *testing.T) {
		c := sitAtChances(t, kindJack, kindJack, kindJack)
		var names []id.Piece
		for _, deck := range []id.Piece{oneDeck, twoDeck} {
			for i := range int32(3) {
				p, _ := c.do(table.OpDraw, blindly|table.HasXY,
					table.Update{Piece: deck, X: 9000 - 1000*i, Y: 9000})
				names = append(names, p)
			}
		}
		c.do(table.OpShuffle, table.HasPieces, table.Update{Pieces: names})
		c.recall(twoDeck)
		_, chance := c.do(table.OpShuffle, blindly, table.Update{Piece: twoDeck})
		if len(chance.Outputs) != 3 || chance.Outputs[0] != kindJack ||
			chance.Outputs[1] != kindJack || chance.Outputs[2] != kindJack {
			t.Errorf("the deck of jacks is %v", chance.Outputs)
		}
	})
	t.Run("F12.25 a copy has no home", func(t *testing.T) {
		c := sitAtChances(t)
		card := c.take(oneDeck)
		c.do(table.OpCopy, tagged|table.HasXY, table.Update{Piece: card, X: 0, Y: 0})
		c.recall(oneDeck)
		c.round = 2
		c.shuffle(oneDeck)
		c.hidden(1, "a copy lies among them")
	})
	t.Run("F12.23 a piece deleted unseen is missing for good", func(t *testing.T) {
		for _, unseen := range []bool{false, true} {
			c := sitAtChances(t)
			card := c.take(oneDeck)
			if !unseen {
				c.open(card)
			}
			c.do(table.OpDelete, tagged, table.Update{Piece: card})
			c.round = 2
			c.shuffle(oneDeck)
			want := uint32(2)
			if unseen {
				want = 1
			}
			c.hidden(want, "two cards are left")
		}
	})
	// Clauses: F12.15, F12.16, F12.18, F12.21
	t.Run("F12 a bag with all that was set up in it hides nothing", func(t *testing.T) {
		c := sitAtChances(t)
		c.do(table.OpDraw, blindly|table.HasN, table.Update{Piece: oneBag, N: 3})
		c.hidden(1, "three chips are in a hand")
		c.recall(oneBag)
		c.hidden(0, "they are back")
		chip, _ := c.do(table.OpDraw, blindly|table.HasXY, open)
		c.hidden(0, "one of them is visible")
		c.stow(chip, oneBag)
		c.hidden(1, "a piece entered the bag")
		c.recall(oneBag)
		c.hidden(0, "all chips are in it")
		c.stow(c.take(oneDeck), oneBag)
		c.recall(oneBag)
		c.hidden(1, "a card is among them")
	})
	// Clauses: F12.16, F12.23
	t.Run("F12 a piece drawn at random and deleted unseen is missing for good", func(t *testing.T) {
		c := sitAtChances(t)
		chip := c.take(oneBag)
		c.do(table.OpDelete, tagged, table.Update{Piece: chip})
		c.hidden(1, "nobody knows which chips are left")
	})
	t.Run("F12.16 a bag that got a foreign piece has unknown contents", func(t *testing.T) {
		c := sitAtChances(t)
		chip, _ := c.do(table.OpAdd, table.HasKind|table.HasXY,
			table.Update{Kind: kindChip, X: -5000, Y: 5000})
		c.stow(chip, oneBag)
		c.do(table.OpDraw, blindly|table.HasXY, open)
		c.recall(oneBag)
		c.hidden(1, "a chip was added to the bag")
	})
	t.Run("F12.34, T40.13 a set is made in an order that no round reveals", func(t *testing.T) {
		same := 0
		for seed := range uint64(64) {
			c := sitAtChances(t)
			_, chance := c.do(table.OpShuffle, blindly, table.Update{Piece: oneDeck})
			u := table.Update{Op: table.OpTake, Has: table.HasPiece, Piece: oneDeck, Seq: c.seq + 1}
			set := oid(5000)
			out := c.table.Apply(c.by, &u,
				table.Inputs{Now: 1, OID: set, Rand: seeded(1), Unproved: seeded(seed), Round: 1})
			wantVerdict(t, out, table.Recorded)
			info, _ := c.table.Set(set)
			equal := len(info.Parts) == 4
			for i, kind := range chance.Outputs {
				equal = equal && info.Parts[1+i].Kind == kind
			}
			if equal {
				same++
			}
		}
		if same > 32 { // one of six is expected
			t.Errorf("%d of 64 sets lie as their deck lay", same)
		}
	})
}

// TestPlaceInABag shows that a place in a bag means nothing, and draws no random number (T30).
func TestPlaceInABag(t *testing.T) {
	t.Run("T30.24 a place in a bag is ignored, and nothing is drawn for it", func(t *testing.T) {
		for _, at := range []int32{0, -1, 1} {
			c := sitAtChances(t)
			if _, chance := c.do(table.OpStow, tagged|table.HasInto|table.HasAt, table.Update{
				Piece: aToken, Into: oneBag, At: at,
			}); chance.What != 0 {
				t.Errorf("at %d the draw was %+v", at, chance)
			}
			open := table.Update{Piece: oneBag, X: 9000, Y: 9000}
			if _, chance := c.do(table.OpDraw, blindly|table.HasXY, open); len(chance.Inputs) != 5 {
				t.Errorf("at %d: %+v", at, chance)
			}
		}
	})
}
