package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// sitAtWorld returns a server with the pieces of world, and a tab each of the host and of two
// players, all at rest.
func sitAtWorld(t testing.TB) (s *server, ada, bob, cid *tab) {
	t.Helper()
	s = newWorld(t, 1)
	return s, s.join(1), s.join(2), s.join(3)
}

// want makes a tab do something. It checks whether the server records it, or for which reason not,
// and that all tabs show the same afterwards.
func (c *tab) want(t *testing.T, reason table.Reason, op table.Op, p id.Piece, with ...args) {
	t.Helper()
	c.act(op, p, with...)
	out := c.server.receive(c)
	c.server.settle()
	switch recorded := out.Verdict == table.Recorded; {
	case out.Verdict == table.Discarded:
		t.Errorf("%s by %s is discarded", op, c)
	case recorded != (reason == 0), out.Reject.Reason != reason:
		t.Errorf("%s by %s: verdict %d for %d, want %d",
			op, c, out.Verdict, out.Reject.Reason, reason)
	}
}

// lying returns the names of what lies in a hand or a container, the uppermost first.
func (s *server) lying(in id.Piece) []id.Piece {
	all := drawn(s.states(in))
	slices.Reverse(all)
	return all
}

// kindsOf returns the kinds of pieces.
func (s *server) kindsOf(all []id.Piece) []uint32 {
	kinds := make([]uint32, len(all))
	for i, p := range all {
		kinds[i] = s.state(p).Kind
	}
	return kinds
}

// TestContainers shows what containers take, and what people do with them (T29 to T31).
func TestContainers(t *testing.T) {
	// Clauses: T20.2, T21.7, T29.1, T29.4, T29.6, T30.28
	t.Run("T29 a piece released over a deck goes on top of it and is hidden", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpFlip, worldCard, face(0))
		ada.do(table.OpGrab, worldCard)
		name := s.called(worldCard)
		ada.do(table.OpRelease, worldCard, at(worldDeckX+100, 50), turned(4500))
		is := s.state(worldCard)
		if is.In != worldDeck || is.Face != 1 || is.Holder != 0 || is.Home != worldDeck ||
			s.lying(worldDeck)[0] != s.called(worldCard) {
			t.Errorf("it is %+v", is)
		}
		for _, c := range []*tab{ada, bob} {
			if c.known(name) != nil || len(c.conflicts) != 0 {
				t.Errorf("%s still shows it, or has conflicts %v", c, c.conflicts)
			}
			if n := c.holds[counting{worldDeck, kindBack + 1}]; n != inDeck+1 {
				t.Errorf("%s counts %d in the deck", c, n)
			}
		}
	})
	// Clauses: T29.1, T29.3, T30.25
	t.Run("T29, T30 the highest container that takes the piece gets it", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldBag, at(worldDeckX, 0))
		ada.do(table.OpRaise, worldDeck)
		for p, in := range map[id.Piece]id.Piece{
			worldCard: worldDeck, worldToken: worldBag, worldDieOne: worldBag, worldChips: worldBag,
		} {
			ada.do(table.OpGrab, p)
			ada.do(table.OpRelease, p, at(worldDeckX, 0))
			if got := s.state(p).In; got != in {
				t.Errorf("piece %d lies in %d, want %d", p, got, in)
			}
		}
		ada.want(t, table.ReasonNotAllowed, table.OpStow, worldBox, into(worldBag))
		ada.want(t, table.ReasonNotAllowed, table.OpStow, worldCounter, into(worldDeck))
		ada.want(t, table.ReasonNotAllowed, table.OpStow, worldCounter, into(worldMarker))
	})
	t.Run("T29.1 a piece in a hand does not go into a container under it", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldDeck, at(0, handOneY))
		ada.do(table.OpGrab, worldCard)
		ada.do(table.OpRelease, worldCard, at(0, handOneY))
		if in := s.state(worldCard).In; in != worldHandOne {
			t.Errorf("it lies in %d", in)
		}
	})
	t.Run("T14.13, T29.7 a container that is not empty cannot be deleted", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		ada.want(t, table.ReasonNotEmpty, table.OpDelete, worldBox)
		bob.do(table.OpGrab, worldBox)
		ada.want(t, table.ReasonHeld, table.OpDelete, worldBox)
		bob.do(table.OpRelease, worldBox)
		ada.want(t, 0, table.OpDraw, worldBox, amount(inBox), at(0, 3000))
		ada.want(t, 0, table.OpDelete, worldBox)
	})
	t.Run("T30 draw", testDraw)
	t.Run("T30 deal", testDeal)
	t.Run("T30 stow", testStow)
	t.Run("T30.27 recall", testRecall)
	t.Run("T30.30 finding 1: a player's recall leaves the hands of others", testRecallByPlayer)
	t.Run("T30.33 players recall from all hands where a host allows it", testRecallAllowed)
	t.Run("T31 shuffle and cut", testMix)
	t.Run("T31 peek and show", testLook)
	t.Run("T14, T30.15 rejects do not reveal how many pieces a bag has", testUncounted)
	// Clauses: T30.18
	t.Run("T29 ten thousand pieces in a bag", func(t *testing.T) {
		testFull(t, kindBag, kindToken)
	})
	t.Run("T29, T31 ten thousand cards in a deck", func(t *testing.T) {
		testFull(t, kindDeck, kindAce)
	})
}

func testDraw(t *testing.T) {
	rows := []struct {
		name   string
		with   []args
		want   []int // which pieces, by their places in the deck
		reason table.Reason
		check  func(s *server, is *table.State) bool
	}{
		{
			// Clauses: T24.6, T28.8, T30.1, T30.7, T30.13
			"T30 into the first hand", nil, []int{0}, 0,
			func(_ *server, is *table.State) bool { return is.In == worldHandOne && is.Face == 0 },
		},
		{
			"T30.1, T30.7, T30.13 several", []args{amount(3)}, []int{0, 1, 2}, 0,
			func(_ *server, is *table.State) bool { return is.In == worldHandOne },
		},
		{
			"T30.5, T30.10 to a place, face down", []args{at(0, 3000)}, []int{0}, 0,
			func(_ *server, is *table.State) bool {
				return is.In == 0 && is.Y == 3000 && is.Face == 1
			},
		},
		{
			"T30.10 to a place, face up", []args{at(0, 3000), face(0)}, []int{0}, 0,
			func(_ *server, is *table.State) bool { return is.Face == 0 },
		},
		{
			"T30.5, T30.10 into a hand by its place", []args{at(0, handTwoY), face(1)}, []int{0}, 0,
			func(_ *server, is *table.State) bool { return is.Owner == 2 && is.Face == 0 },
		},
		{
			"T30.11 held", []args{hold()}, []int{0}, 0,
			func(_ *server, is *table.State) bool { return is.Holder == 1 && is.In == 0 },
		},
		{"T30.2 the bottom one", []args{from(-1)}, []int{inDeck - 1}, 0, nil},
		{"T30.2 the third", []args{from(3)}, []int{2}, 0, nil},
		{"T30.4 of a kind", []args{kind(kindAce)}, []int{9}, 0, nil},
		{"T30.4 two of a kind", []args{kind(kindKing), amount(2)}, []int{6, 7}, 0, nil},
		{
			"T30.6 with a level", []args{at(0, 3000), z("0.999")}, []int{0}, 0,
			func(_ *server, is *table.State) bool { return is.Z == "0.999" },
		},
		{"T14.13, T30.14 more than there are", []args{amount(inDeck + 1)}, nil, table.ReasonEmpty, nil},
		{"T30.14 an unknown place", []args{from(inDeck + 1)}, nil, table.ReasonEmpty, nil},
		{"T30.14 four of three", []args{kind(kindKing), amount(4)}, nil, table.ReasonEmpty, nil},
		{"T30.14 none of a kind", []args{kind(kindJoker)}, nil, table.ReasonEmpty, nil},
		{"T30.12 two are not held", []args{amount(2), hold()}, nil, table.ReasonNotAllowed, nil},
		{"T30 off the table", []args{at(30_000, 0)}, nil, table.ReasonOffTable, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			before := s.lying(worldDeck)
			ada.want(t, row.reason, table.OpDraw, worldDeck, row.with...)
			for _, i := range row.want {
				if is := s.state(before[i]); is.In == worldDeck ||
					row.check != nil && !row.check(s, &is) {
					t.Errorf("the piece at %d is %+v", i, is)
				}
			}
			if left := len(s.lying(worldDeck)); left != inDeck-len(row.want) {
				t.Errorf("%d are left", left)
			}
			if row.reason != 0 {
				return
			}
			if want := (notice{
				by: 1, op: table.OpDraw, piece: worldDeck, count: int32(len(row.want)),
			}); len(bob.notices) != 1 || bob.notices[0] != want || len(ada.notices) != 1 {
				t.Errorf("T28: bob gets %+v, ada %+v, want %+v", bob.notices, ada.notices, want)
			}
			last := s.called(before[row.want[len(row.want)-1]])
			if ada.known(last) == nil {
				last = 0
			}
			if e := s.log[len(s.log)-1]; e.Brought != last || len(ada.made) != 1 && last != 0 {
				t.Errorf("T10: the ack names %d, want %d", e.Brought, last)
			}
		})
	}
	t.Run("T30.17 only viewers may use at and kind", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		bob.want(t, table.ReasonNotAllowed, table.OpDraw, worldBox, from(2))
		bob.want(t, table.ReasonNotAllowed, table.OpDraw, worldBox, kind(kindJoker))
		bob.want(t, 0, table.OpDraw, worldBox, from(-1))
		ada.want(t, 0, table.OpDraw, worldBox, from(2))
	})
	t.Run("T14, T30.16, T30.17 draws from a bag are random, also for hosts", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		for range 2 {
			for _, place := range []int32{1, -1, 2, -inBag, inBag + 1, table.MaxPieces} {
				ada.want(t, table.ReasonNotAllowed, table.OpDraw, worldBag, from(place))
				bob.want(t, table.ReasonNotAllowed, table.OpDraw, worldBag, from(place),
					at(0, 3000))
			}
			// Nobody may look into the bag.
			ada.want(t, table.ReasonNotAllowed, table.OpDraw, worldBag, kind(kindChip))
			for range s.lying(worldBag) {
				ada.want(t, 0, table.OpDraw, worldBag, at(0, 3000))
			}
		}
	})
	t.Run("T28.2 two concurrent draws both get a card", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		before := s.lying(worldDeck)
		ada.act(table.OpDraw, worldDeck)
		bob.act(table.OpDraw, worldDeck)
		wantVerdict(t, s.receive(bob), table.Recorded)
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
		if one, two := s.state(before[0]).Owner, s.state(before[1]).Owner; one != 2 || two != 1 ||
			len(ada.conflicts)+len(bob.conflicts) != 0 {
			t.Errorf("they are of %d and %d; conflicts %v and %v",
				one, two, ada.conflicts, bob.conflicts)
		}
	})
	t.Run("T30.8 a player without a hand draws to beside the container", func(t *testing.T) {
		s, _, _, cid := sitAtWorld(t)
		cid.do(table.OpLeave, worldHandThree)
		top := s.lying(worldDeck)[0]
		cid.want(t, 0, table.OpDraw, worldDeck)
		if is := s.state(top); is.In != 0 || is.X == worldDeckX || is.Y != 0 ||
			covers(s.state(worldDeck), is) {
			t.Errorf("it is %+v", is)
		}
	})
	t.Run("T15, T24.2, T30 a face below 0, or a place 0", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for _, with := range [][]args{
			{face(-1)}, {from(0)}, {amount(0)}, {amount(table.MaxDraw + 1)},
			{from(table.MaxPieces + 1)}, {kind(kindCount)},
		} {
			_, bogus := s.apply(ada, ada.make(table.OpDraw, worldDeck, with...))
			wantBogus(t, bogus, table.CodeImpossible)
		}
	})
}

func testDeal(t *testing.T) {
	// Clauses: T30.19, T30.29
	t.Run("T30 a deal goes in turn after the dealer's seat, side by side", func(t *testing.T) {
		for dealer := range 3 {
			s, ada, bob, cid := sitAtWorld(t)
			before := s.lying(worldDeck)
			c := []*tab{ada, bob, cid}[dealer]
			c.want(t, 0, table.OpDeal, worldDeck, amount(2))
			for i, p := range before[:6] {
				owner := id.Seat((dealer+1+i)%3 + 1)
				if is := s.state(p); is.Owner != owner || is.Face != 0 {
					t.Errorf("seat %d deals: card %d is %+v, want of seat %d",
						dealer+1, i, is, owner)
				}
			}
		}
	})
	// Clauses: T23.3, T30.29
	t.Run("T23 a deal into a turned hand at the edge lies side by side as well", func(t *testing.T) {
		for _, angle := range []int32{0, 9000, 18_000, 27_000} {
			s, ada, _, _ := sitAtWorld(t)
			ada.do(table.OpRotate, worldHandOne, turned(angle))
			ada.do(table.OpMove, worldHandOne, at(-9000, -9000))
			ada.want(t, 0, table.OpDraw, worldDeck, amount(4))
			places := map[[2]int32]bool{}
			for _, p := range s.lying(worldHandOne) {
				is := s.state(p)
				places[[2]int32{is.X, is.Y}] = true
				if is.Angle != angle || max(-is.X, -is.Y) > config.Width/2 {
					t.Errorf("at %d a card is %+v", angle, is)
				}
			}
			if len(places) != 4 {
				t.Errorf("at %d, 4 cards lie at %v", angle, places)
			}
		}
	})
	t.Run("T30.31, T30.32 a deal to some hands", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		before := s.lying(worldDeck)
		bob.do(table.OpLeave, worldHandOne+1)
		ada.want(t, 0, table.OpDeal, worldDeck, amount(2),
			pieces(worldHandOne, worldHandOne+1, worldHandOne+2, worldToken))
		for i, p := range before[:4] {
			if is := s.state(p); is.Owner != id.Seat(3-i%2*2) || is.Face != 0 {
				t.Errorf("card %d is %+v, want it in the hand of seat %d", i, is, 3-i%2*2)
			}
		}
		if got := s.lying(worldDeck); len(got) != len(before)-4 {
			t.Errorf("%d cards are left of %d", len(got), len(before))
		}
		ada.want(t, 0, table.OpDeal, worldDeck, pieces(worldHandOne+2))
		if is := s.state(before[4]); is.Owner != 3 {
			t.Errorf("the only card is %+v", is)
		}
	})
	t.Run("T30.22, T30.32 a deal to nobody who plays", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		bob.do(table.OpLeave, worldHandOne+1)
		ada.want(t, table.ReasonNotAllowed, table.OpDeal, worldDeck, pieces(worldHandOne+1))
		ada.want(t, table.ReasonNotAllowed, table.OpDeal, worldDeck, pieces(worldToken))
	})
	t.Run("T30.21, T30.22, T31.12 refusals", func(t *testing.T) {
		_, ada, bob, cid := sitAtWorld(t)
		ada.want(t, table.ReasonEmpty, table.OpDeal, worldDeck, amount(5))
		ada.want(t, table.ReasonNotAllowed, table.OpDeal, worldBag) // a token would lie open
		ada.want(t, table.ReasonNotAllowed, table.OpDeal, worldToken)
		for i, c := range []*tab{ada, bob, cid} {
			c.do(table.OpLeave, worldHandOne+id.Piece(i))
		}
		ada.want(t, table.ReasonNotAllowed, table.OpDeal, worldDeck)
	})
}

func testStow(t *testing.T) {
	rows := map[string]struct {
		with []args
		at   int
	}{
		"T29.2, T30.23 on top": {nil, 0}, "T30 on top, by its number": {[]args{from(1)}, 0},
		"T30 below all": {[]args{from(-1)}, inDeck},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			s, ada, _, _ := sitAtWorld(t)
			ada.want(t, 0, table.OpStow, worldCard, append(row.with, into(worldDeck))...)
			if all := s.lying(worldDeck); all[row.at] != s.called(worldCard) {
				t.Errorf("it lies at %d, want %d", slices.Index(all, s.called(worldCard)), row.at)
			}
		})
	}
	t.Run("T30 refusals", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		bob.do(table.OpGrab, worldCard)
		ada.want(t, table.ReasonHeld, table.OpStow, worldCard, into(worldDeck))
		cid.do(table.OpPin, worldCardTwo)
		ada.want(t, table.ReasonPinned, table.OpStow, worldCardTwo, into(worldDeck))
		ada.want(t, table.ReasonNotAllowed, table.OpStow, worldCardThree, into(worldBox))
		ada.want(t, table.ReasonGone, table.OpStow, worldCardThree, into(table.MaxRandomName-1))
		ada.do(table.OpLock, worldCardThree)
		ada.want(t, table.ReasonLocked, table.OpStow, worldCardThree, into(worldDeck))
		_, bogus := s.apply(ada, ada.make(table.OpStow, worldCardFour, into(worldDeck), from(2)))
		wantBogus(t, bogus, table.CodeImpossible)
	})
}

func testRecall(t *testing.T) {
	s, ada, bob, cid := sitAtWorld(t)
	home := s.lying(worldDeck)
	ada.want(t, 0, table.OpDeal, worldDeck, amount(2))             // six in hands
	bob.want(t, 0, table.OpDraw, worldDeck, at(0, 3000), face(0))  // one open
	bob.want(t, 0, table.OpDraw, worldDeck, at(100, 3000), hold()) // one held by bob
	cid.want(t, 0, table.OpDraw, worldDeck, at(200, 3000))         // one pinned
	cid.do(table.OpPin, s.called(home[8]))
	cid.want(t, 0, table.OpStow, s.lying(worldHandThree)[0], into(worldBag)) // one in the bag
	// This one's home is the bag.
	cid.want(t, 0, table.OpStow, worldCard, into(worldBag))
	if left := len(s.lying(worldDeck)); left != 3 {
		t.Fatalf("%d are left", left)
	}
	ada.want(t, 0, table.OpRecall, worldDeck)
	if n := len(s.lying(worldDeck)); n != inDeck-2 {
		t.Errorf("%d of %d came back", n-3, inDeck-3)
	}
	if one, two := s.state(home[7]), s.state(home[8]); one.Holder != 2 || one.In != 0 ||
		two.In != 0 || !two.Pinned {
		t.Errorf("what is held is %+v, what is pinned %+v", one, two)
	}
	if in := s.state(worldCard).In; in != worldBag {
		t.Errorf("what is at home in the bag lies in %d", in)
	}
	bob.want(t, 0, table.OpRecall, worldDeck) // he holds it himself
	if is := s.state(home[7]); is.In != worldDeck {
		t.Errorf("what the sender holds is %+v", is)
	}
}

// testRecallByPlayer deals two cards to each of three hands. A player who is no host recalls.
func testRecallByPlayer(t *testing.T) {
	s, ada, bob, _ := sitAtWorld(t)
	ada.want(t, 0, table.OpDeal, worldDeck, amount(2))
	bob.want(t, 0, table.OpDraw, worldDeck, at(0, 3000), face(0))
	left := len(s.lying(worldDeck))
	bob.want(t, 0, table.OpRecall, worldDeck)
	if n := len(s.lying(worldDeck)); n != left+3 {
		t.Errorf("%d came back, want 3: one of the table and two of his hand", n-left)
	}
	if n := len(s.lying(worldHandThree)); n != 2 {
		t.Errorf("%d are left in the hand of another player", n)
	}
	ada.want(t, 0, table.OpRecall, worldDeck)
	if n := len(s.lying(worldDeck)); n != left+7 {
		t.Errorf("%d came back by the host, want all 7", n-left)
	}
}

func testRecallAllowed(t *testing.T) {
	s, ada, bob, _ := sitAtWorld(t)
	ada.want(t, 0, table.OpDeal, worldDeck, amount(2))
	left := len(s.lying(worldDeck))
	s.table.SetRecall(true)
	bob.want(t, 0, table.OpRecall, worldDeck)
	if n := len(s.lying(worldDeck)); n != left+6 {
		t.Errorf("%d came back, want all 6 of three hands", n-left)
	}
	s.table.SetRecall(false)
	ada.want(t, 0, table.OpDeal, worldDeck, amount(2))
	bob.want(t, 0, table.OpRecall, worldDeck)
	if n := len(s.lying(worldHandThree)); n != 2 {
		t.Errorf("%d are left in the hand of another player, want 2 again", n)
	}
}

func testMix(t *testing.T) {
	// Clauses: T31.13
	t.Run("T14, T31 a bag has no order: a cut or shuffle is rejected unpublished", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		before := len(s.log)
		ada.want(t, table.ReasonNotAllowed, table.OpShuffle, worldBag)
		ada.want(t, table.ReasonNotAllowed, table.OpCut, worldBag)
		bob.want(t, table.ReasonNotAllowed, table.OpCut, worldBag, amount(1))
		if len(s.log) != before || len(ada.notices)+len(bob.notices) != 0 {
			t.Errorf("%d entries, notices %+v, %+v", len(s.log)-before, ada.notices, bob.notices)
		}
	})
	t.Run("T31.2, T31.4, T31.12 a cut brings the top part below", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		before := s.lying(worldDeck)
		ada.want(t, 0, table.OpCut, worldDeck, amount(5))
		if after := s.lying(worldDeck); !slices.Equal(after,
			slices.Concat(before[5:], before[:5])) {
			t.Errorf("it was %v, is %v", before, after)
		}
		ada.want(t, table.ReasonEmpty, table.OpCut, worldDeck, amount(inDeck))
		ada.want(t, table.ReasonNotAllowed, table.OpCut, worldToken)
	})
	// Clauses: T31.1
	t.Run("T31 a shuffle keeps the contents, and publishes only that it happened", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		before := s.kindsOf(s.lying(worldDeck))
		all := s.table.All(2, bob.id)
		ada.want(t, 0, table.OpShuffle, worldDeck)
		after := s.kindsOf(s.lying(worldDeck))
		if slices.Equal(before, after) || !slices.Equal(
			slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(after)),
		) {
			t.Errorf("it was %v, is %v", before, after)
		}
		if !slices.Equal(all, s.table.All(2, bob.id)) || len(bob.notices) != 1 ||
			bob.notices[0].op != table.OpShuffle {
			t.Errorf("bob gets %+v", bob.notices)
		}
	})
}

func testLook(t *testing.T) {
	t.Run("T31.5 a peek shows the top only to its sender", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		want := fmt.Sprint(s.kindsOf(s.lying(worldDeck))[:3])
		bob.want(t, 0, table.OpPeek, worldDeck, amount(3))
		if len(bob.faces) != 1 || bob.faces[0].kinds != want || len(ada.faces)+len(cid.faces) != 0 {
			t.Errorf("bob sees %+v, want %s; others %+v, %+v",
				bob.faces, want, ada.faces, cid.faces)
		}
		if told := (notice{
			by: 2, op: table.OpPeek, piece: worldDeck, count: 3, to: 2,
		}); len(cid.notices) != 1 || cid.notices[0] != told {
			t.Errorf("T28: cid gets %+v", cid.notices)
		}
	})
	t.Run("T31.7, T31.9 peek needs the right", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		bob.want(t, table.ReasonNotAllowed, table.OpPeek, worldBox)
		ada.want(t, 0, table.OpPeek, worldBox)
		ada.want(t, table.ReasonNotAllowed, table.OpPeek, worldBag)  // nobody may
		ada.want(t, table.ReasonNotAllowed, table.OpPeek, worldCard) // nobody may
		ada.want(t, table.ReasonEmpty, table.OpPeek, worldDeck, amount(inDeck+1))
	})
	t.Run("T31.10, T31.11 show lets one seat see a piece once", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		ada.do(table.OpMove, worldCard, at(0, handOneY))
		ada.want(t, 0, table.OpShow, worldCard, whom(2))
		if len(bob.faces) != 1 || bob.faces[0] != (faces{
			by: 1, op: table.OpShow, kinds: fmt.Sprint([]uint32{kindAce}),
		}) || len(cid.faces)+len(ada.faces) != 0 {
			t.Errorf("bob sees %+v, others %+v, %+v", bob.faces, ada.faces, cid.faces)
		}
		if bob.known(s.called(worldCard)) != nil ||
			cid.notices[0] != (notice{by: 1, op: table.OpShow, count: 1, to: 2}) {
			t.Errorf("bob has it, or cid gets %+v", cid.notices)
		}
		// She does not see the card herself.
		ada.want(t, table.ReasonNotAllowed, table.OpShow, worldCardTwo, whom(2))
		ada.want(t, table.ReasonNotAllowed, table.OpShow, worldCard, whom(1))
		ada.want(t, table.ReasonNotAllowed, table.OpShow, worldCard, whom(4)) // a spectator
		bob.want(t, table.ReasonGone, table.OpShow, s.called(worldCard), whom(1))
		_, bogus := s.apply(ada, ada.make(table.OpShow, worldCard, whom(99)))
		wantBogus(t, bogus, table.CodeImpossible)
	})
}

// testUncounted draws more and more from a bag. It shows that the answer does not depend on how
// many pieces the bag holds, unless it is empty.
func testUncounted(t *testing.T) {
	for _, n := range []int32{1, inBag - 1, inBag, inBag + 1, 50} {
		s, _, bob, _ := sitAtWorld(t)
		bob.want(t, table.ReasonNotAllowed, table.OpCut, worldBag, amount(n))
		bob.want(t, 0, table.OpDraw, worldBag, amount(n), at(0, 3000))
		if left := len(s.states(worldBag)); left != max(0, inBag-int(n)) {
			t.Errorf("of %d, %d are left after %d", inBag, left, n)
		}
		for _, told := range bob.notices {
			if told.count != 0 {
				t.Errorf("T29: bob gets %+v", told)
			}
		}
	}
	_, ada, _, _ := sitAtWorld(t)
	ada.want(t, 0, table.OpDraw, worldBag, amount(100), at(0, 3000))
	ada.want(t, table.ReasonEmpty, table.OpDraw, worldBag, at(0, 3000))
	ada.want(t, table.ReasonNotAllowed, table.OpShuffle, worldBag)
}

// testFull fills a container with as many pieces as a table can have, and shows that operations on
// it work and record few entries.
func testFull(t *testing.T, container, kind uint32) {
	places := []table.Place{{State: table.State{Kind: container}, OID: oid(1)}}
	for i := 1; i < table.MaxPieces; i++ {
		places = append(places,
			table.Place{OID: oid(uint64(i + 1)), State: table.State{Kind: kind}, In: 1})
	}
	cfg := configured(1)
	tab := table.New(cfg)
	tab.SetUp(places, 1)
	seat, _ := tab.Sit(table.SeatInfo{Role: table.RoleHost}, 1)
	by := table.By{Client: clientID(1), Seat: seat, Role: table.RoleHost}
	seq := id.ClientSeq(0)
	do := func(u table.Update) table.Outcome {
		t.Helper()
		seq++
		u.Seq = seq
		if bogus := tab.Check(by.Client, seat, []table.Update{u}); bogus != nil {
			t.Fatal(bogus)
		}
		out := tab.Apply(by, &u, table.Inputs{
			Now: 1, OID: oid(uint64(20_000 + seq)), Rand: seeded(1), Unproved: seeded(2), Round: 1,
		})
		wantVerdict(t, out, table.Recorded)
		return out
	}
	tab.Take()
	if container == kindDeck {
		do(table.Update{Op: table.OpShuffle, Has: table.HasPiece, Piece: 1})
		if n := len(tab.Take()); n != 1 {
			t.Errorf("%d entries for a shuffle of %d", n, table.MaxPieces-1)
		}
	}
	for range 10 {
		do(table.Update{Op: table.OpDraw, Has: table.HasPiece | table.HasXY, Piece: 1, X: 5000})
		entries := tab.Take()
		drawn := entries[len(entries)-2].Name // the last entry is the notice
		do(table.Update{
			Op: table.OpStow, Has: table.HasPiece | table.HasTag | table.HasInto | table.HasAt,
			Piece: drawn, Tag: tab.VersionAt(seat, tab.Gen()), Into: 1,
		})
	}
	tab.Take() // the entries of the last stow
	do(table.Update{
		Op: table.OpDraw, Has: table.HasPiece | table.HasXY | table.HasN, Piece: 1, X: 5000,
		N: table.MaxDraw,
	})
	do(table.Update{Op: table.OpRecall, Has: table.HasPiece, Piece: 1})
	if n := len(tab.Take()); n != 2*table.MaxDraw+2 {
		t.Errorf("%d entries", n)
	}
	if all := tab.All(seat, id.Client{}); len(all) != 1 {
		t.Errorf("%d pieces lie open", len(all))
	}
}
