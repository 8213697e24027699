package table_test

import (
	"cmp"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// sitAtRacks is sit, but the hands are racks.
func sitAtRacks(t *testing.T) (s *server, ada, bob, cid *tab) {
	t.Helper()
	places := setUp()
	for i := range places {
		if p := &places[i].State; p.Kind == kindHand {
			p.Kind = kindRack
		}
	}
	s = serve(t, 1, places)
	return s, s.join(1), s.join(2), s.join(3)
}

// TestRacks shows who sees what lies on a rack, and who can do something with it (T96).
func TestRacks(t *testing.T) {
	onOne, onTwo, outside := at(100, handOneY), at(0, handTwoY), at(0, 0)
	// Clauses: T96.1, T96.2, T96.3
	t.Run("T96.1, T96.2 only its owner sees the front, and all see the back", func(t *testing.T) {
		s, ada, bob, _ := sitAtRacks(t)
		was := s.state(cardOne)
		ada.do(table.OpGrab, cardOne)
		ada.do(table.OpRelease, cardOne, onOne)
		s.wantSights(t, front, hidden, hidden, hidden)
		bob.wantAt(t, cardOne, 100, handOneY)
		if is := s.state(cardOne); s.called(cardOne) != cardOne || is.In != 0 || is.Owner != 1 ||
			is.Angle != was.Angle {
			t.Errorf("the card is now %d, %+v", s.called(cardOne), is)
		}
		version := s.table.VersionAt(2, s.table.Gen())
		ada.do(table.OpFlip, cardOne, face(1))
		s.wantSights(t, theBack, hidden, hidden, hidden)
		if s.table.VersionAt(2, s.table.Gen()) != version {
			t.Error("T21.2: bob gets a turn of a card on a rack")
		}
		ada.do(table.OpFlip, cardOne, face(0))
		ada.do(table.OpMove, cardOne, outside)
		s.wantSights(t, front, front, front, front)
	})
	// Clauses: T96.1
	t.Run("T96.1 the team of a rack sees the fronts, too", func(t *testing.T) {
		s, ada, _, _ := sitAtRacks(t)
		ada.do(table.OpMove, cardOne, onOne)
		ada.do(table.OpShare, handOne, whom(3))
		s.wantSights(t, front, hidden, front, hidden)
		ada.do(table.OpUnshare, handOne, whom(3))
		s.wantSights(t, front, hidden, hidden, hidden)
	})
	// Clauses: T96.2
	t.Run("T96.2 a front that everybody saw is hidden on the rack of another", func(t *testing.T) {
		s, ada, _, _ := sitAtRacks(t)
		ada.do(table.OpFlip, cardOne, face(0))
		ada.do(table.OpMove, cardOne, onTwo)
		s.wantSights(t, hidden, front, hidden, hidden)
		if shown := ada.displayed(cardOne); shown.Kind != kindBack || shown.Owner != 2 {
			t.Errorf("ada has %+v", shown)
		}
	})
	// Clauses: T96.3
	t.Run("T96.3 a card that was dealt lies front up on a free place", func(t *testing.T) {
		places := world()
		for i := range places {
			if p := &places[i].State; p.Kind == kindHand {
				p.Kind = kindRack
			}
		}
		s := serve(t, 1, places)
		ada, bob := s.join(1), s.join(2)
		ada.do(table.OpDeal, worldDeck, amount(2))
		var lying []table.State
		for _, p := range s.truth.states {
			if liesOnRack(&p) && p.Owner == bob.seat {
				lying = append(lying, p)
			}
		}
		if len(lying) != 2 || lying[0].X == lying[1].X || lying[0].Face != 0 || lying[1].Face != 0 {
			t.Errorf("on the rack of bob lie %+v", lying)
		}
	})
	// Clauses: T96.4
	t.Run("T96.4 what a rack leaves behind lies face down", func(t *testing.T) {
		leave := map[string]func(ada *tab){
			"moved":   func(ada *tab) { ada.do(table.OpMove, handOne, at(0, -3000)) },
			"left":    func(ada *tab) { ada.do(table.OpLeave, handOne) },
			"deleted": func(ada *tab) { ada.do(table.OpDelete, handOne) },
		}
		for how, do := range leave {
			s, ada, _, _ := sitAtRacks(t)
			ada.do(table.OpMove, cardOne, onOne)
			do(ada)
			s.wantSights(t, hidden, hidden, hidden, hidden)
			if is := s.state(cardOne); is.Owner != 0 || is.Face != 1 {
				t.Errorf("%s: the card is %+v", how, is)
			}
		}
		s, ada, bob, _ := sitAtRacks(t)
		bob.do(table.OpMove, cardOne, onTwo)
		bob.do(table.OpGive, handTwo, whom(3))
		s.wantSights(t, hidden, hidden, front, hidden)
		ada.do(table.OpMove, cardTwo, onOne)
		ada.do(table.OpGrab, cardTwo)
		ada.do(table.OpMove, handOne, at(0, -3000))
		s.table.Drop(cardTwo, 0, 5000, s.now)
		s.publish(nil)
		if is := s.state(cardTwo); is.Owner != 0 || is.Face != 1 {
			t.Errorf("dropped by the server, the card is %+v", is)
		}
	})
	// Clauses: T96.5
	t.Run("T96.5 nobody else can do anything there, not even a host", func(t *testing.T) {
		_, ada, bob, _ := sitAtRacks(t)
		bob.do(table.OpMove, cardOne, onTwo)
		bob.do(table.OpMove, cardTwo, at(900, handTwoY))
		for _, op := range []table.Op{table.OpGrab, table.OpWrest, table.OpRaise, table.OpPin,
			table.OpDelete, table.OpLock} {
			ada.want(t, table.ReasonNotAllowed, op, cardOne)
		}
		ada.want(t, table.ReasonNotAllowed, table.OpMove, cardOne, outside)
		ada.want(t, table.ReasonNotAllowed, table.OpFlip, cardOne, face(1))
		ada.want(t, table.ReasonNotAllowed, table.OpShow, cardOne, whom(3))
		ada.want(t, table.ReasonHidden, table.OpCopy, cardOne, outside)
		ada.want(t, table.ReasonNotAllowed, table.OpShuffle, 0, pieces(cardOne, cardTwo))
		bob.want(t, 0, table.OpShuffle, 0, pieces(cardOne, cardTwo))
		bob.want(t, 0, table.OpMove, cardOne, outside)
	})
	// Clauses: T96.6
	t.Run("T96.6 a rack comes before zones, and takes no other pieces", func(t *testing.T) {
		s, ada, _, _ := sitAtRacks(t)
		ada.act(table.OpAdd, 0, kind(kindChip), onOne)
		s.settle()
		for _, p := range s.table.All(0, id.Client{}) {
			if p.Kind == kindChip && p.Owner != 0 {
				t.Errorf("the chip is %+v", p)
			}
		}
		ada.act(table.OpAdd, 0, kind(kindPile), at(0, handOneY))
		s.settle()
		ada.drop(cardOne, 30, handOneY)
		if is := s.state(cardOne); is.X != 30 || is.Owner != 1 {
			t.Errorf("the card is %+v", is)
		}
	})
	// Clauses: T96.7
	t.Run("T96.7 an undo over the edge of a rack needs consent", func(t *testing.T) {
		s, ada, bob, _ := sitAtRacks(t)
		ada.do(table.OpMove, cardOne, onOne)
		u, no := s.table.Undoable(1)
		if no != nil || u.AtOnce {
			t.Fatalf("onto the rack: %+v, %+v", u, no)
		}
		ada.do(table.OpMove, cardOne, at(500, handOneY))
		if u, no = s.table.Undoable(1); no != nil || !u.AtOnce {
			t.Errorf("on the rack: %+v, %+v", u, no)
		}
		ada.do(table.OpMove, cardOne, outside)
		if u, no = s.table.Undoable(1); no != nil || u.AtOnce {
			t.Errorf("off the rack: %+v, %+v", u, no)
		}
		if !s.undo(1) {
			t.Error("it is not undone")
		}
		s.wantSights(t, front, hidden, hidden, hidden)
		ada.do(table.OpMove, cardOne, outside)
		ada.do(table.OpLeave, handOne)
		bob.do(table.OpClaim, handOne)
		if _, no = s.table.UndoableGesture(1, 0); no == nil {
			// The newest gesture is that of the hand, which is somebody else's.
			t.Error("it is undone though the rack is somebody else's")
		}
	})
	// Clauses: T96.8
	t.Run("T96.8 no seed is published while something lies on a rack", func(t *testing.T) {
		s, ada, _, _ := sitAtRacks(t)
		ada.do(table.OpFlip, cardOne, face(0))
		if _, is := s.table.OldestHidden(); is {
			t.Fatal("something is hidden before")
		}
		ada.do(table.OpMove, cardOne, onOne)
		if round, is := s.table.OldestHidden(); !is || round != table.HiddenEver {
			t.Errorf("hidden is %v, since %d", is, round)
		}
		if _, way := s.table.Copy(s.now); way != table.CardInTheWay {
			t.Errorf("T57: a copy has in its way %d", way)
		}
		ada.do(table.OpMove, cardOne, outside)
		if _, is := s.table.OldestHidden(); is {
			t.Error("something is hidden afterwards")
		}
	})
}

// TestRecallLeavesRacks shows that a recall of a player leaves what lies on the racks of others.
// Clauses: T96.5
func TestRecallLeavesRacks(t *testing.T) {
	places := world()
	for i := range places {
		if p := &places[i].State; p.Kind == kindHand {
			p.Kind = kindRack
		}
	}
	s := serve(t, 1, places)
	ada, bob := s.join(1), s.join(2)
	on := func(seat id.Seat) (n int) {
		for _, p := range s.truth.states {
			if liesOnRack(&p) && p.Owner == seat {
				n++
			}
		}
		return n
	}
	ada.do(table.OpDeal, worldDeck, amount(1))
	bob.do(table.OpRecall, worldDeck)
	if on(1) != 1 || on(2) != 0 {
		t.Errorf("after a recall by bob %d lie on the rack of ada, %d on his", on(1), on(2))
	}
	ada.do(table.OpRecall, worldDeck)
	if on(1) != 0 {
		t.Errorf("after a recall by a host %d lie on her rack", on(1))
	}
}

// TestCellsOfRacks shows where on a rack with cells lies what is drawn.
// Clauses: T96.12
func TestCellsOfRacks(t *testing.T) {
	places := world()
	for i := range places {
		if p := &places[i].State; p.Kind == kindHand {
			p.Kind = kindRack
		}
	}
	s := serve(t, 1, places)
	ada := s.join(1)
	onRack := func() (all []table.Shown) {
		for p := range s.table.Each(1, id.Client{}) {
			if p.Owner == 1 && p.Kind >= kindAce && p.Kind <= kindJack {
				all = append(all, *p)
			}
		}
		slices.SortFunc(all, func(a, b table.Shown) int { return cmp.Or(int(a.Y-b.Y), int(a.X-b.X)) })
		return all
	}
	spots := func() (all []where) {
		for _, p := range onRack() {
			all = append(all, where{x: p.X, y: p.Y - handOneY})
		}
		return all
	}
	wants := func(what string, want ...where) {
		t.Helper()
		if got := spots(); !slices.Equal(got, want) {
			t.Errorf("%s they lie at %v, want %v", what, got, want)
		}
	}
	one, two, three := where{x: -2000, y: -450}, where{x: -1300, y: -450}, where{x: -2000, y: 450}
	ada.do(table.OpDraw, worldDeck, amount(2))
	wants("after a draw of two", one, two)
	card := onRack()[0].Name
	ada.do(table.OpMove, card, at(one.x+300, handOneY+one.y))
	ada.do(table.OpDraw, worldDeck, amount(1))
	wants("with one that lies on a cell in part", where{x: one.x + 300, y: one.y}, two, three)
	ada.do(table.OpMove, card, at(0, 0))
	ada.do(table.OpDraw, worldDeck, amount(2))
	if got := spots(); len(got) != 4 || got[0] != one || got[2].y != 0 {
		t.Errorf("with three cells and four cards they lie at %v", got)
	}
}

// TestRackTwins shows over random games that nobody but the owner of a rack is sent anything that
// depends on what lies there: at two tables the same is done, and the fronts on the rack differ.
// Clauses: T96.2, T21.2, T21.3
func TestRackTwins(t *testing.T) {
	for seed := range uint64(20) {
		var both [2]*server
		var tabs [2][3]*tab
		for i := range both {
			places := setUp()
			for k := range places {
				switch p := &places[k].State; p.Kind {
				case kindHand:
					p.Kind = kindRack
				case kindAce, kindKing, kindQueen, kindJack: // they lie on the rack of bob
					p.X, p.Y = 700*int32(p.Kind-kindAce)-1000, handTwoY
					if i == 1 {
						p.Kind = kindAce + (p.Kind-kindAce+1)%4
					}
				}
			}
			both[i] = serve(t, seed, places)
			for n := range tabs[i] {
				tabs[i][n] = both[i].join(id.Seat(n + 1))
			}
		}
		rnd := seeded(seed)
		changed := 0
		for range 60 {
			who, what, which := rnd.IntN(3), rnd.IntN(8), cardOne+id.Piece(rnd.IntN(4))
			x, y := rnd.Int32N(4000)-2000, handTwoY+rnd.Int32N(1000)-500
			for i := range both {
				c := tabs[i][who]
				switch what {
				case 0:
					c.do(table.OpFlip, which, face(0))
				case 1:
					c.do(table.OpRotate, which, turned(9000))
				case 2:
					c.do(table.OpGrab, which)
				case 3:
					c.do(table.OpRelease, which, at(x, y))
				case 4:
					c.do(table.OpRaise, which)
				case 5:
					tabs[i][1].do(table.OpShare, handOne, whom(3))
				case 6:
					tabs[i][1].do(table.OpMove, handTwo, at(x/9, handTwoY))
				default:
					tabs[i][1].do(table.OpMove, which, at(x, y))
				}
			}
			changed = len(both[0].log)
			for _, seat := range []id.Seat{0, 1, 3} {
				one, two := both[0].table.All(seat, id.Client{}), both[1].table.All(seat, id.Client{})
				if len(one) != len(two) {
					t.Fatalf("seed %d: seat %d sees %d and %d pieces", seed, seat, len(one), len(two))
				}
				for k := range one {
					if one[k] != two[k] {
						t.Fatalf("seed %d: seat %d sees\n%+v at one table, at the other\n%+v",
							seed, seat, one[k], two[k])
					}
				}
				if a, b := both[0].table.VersionAt(seat, both[0].table.Gen()),
					both[1].table.VersionAt(seat, both[1].table.Gen()); a != b {
					t.Fatalf("seed %d: the versions of seat %d are %d and %d", seed, seat, a, b)
				}
			}
		}
		if changed < 30 {
			t.Errorf("seed %d: %d entries show little", seed, changed)
		}
	}
}

// TestRackChoice shows that a piece on a rack can be chosen in a round, by its owner alone.
// Clauses: T76.2, T76.5
func TestRackChoice(t *testing.T) {
	s, ada, _, _ := sitAtRacks(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	if names := []id.Piece{cardOne}; !s.table.InHands(1, names) || s.table.InHands(2, names) {
		t.Fatal("the wrong seat may choose the card")
	}
	if shown := s.table.ShowChosen(1, []id.Piece{cardOne}, s.now); len(shown) != 1 {
		t.Fatalf("shown are %v", shown)
	}
	s.publish(nil)
	s.settle()
	s.wantSights(t, front, front, front, front)
	if is := s.state(cardOne); is.Owner != 0 || is.Y == handOneY {
		t.Errorf("the card is %+v", is)
	}
}

// TestHandsThatAreGivenAway shows that a card stays as it lies when its hand is given to somebody,
// and when that is taken back.
// Clauses: T63.11
func TestHandsThatAreGivenAway(t *testing.T) {
	s := serve(t, 1, setUp())
	ada, _ := s.join(1), s.join(2)
	ada.do(table.OpMove, cardOne, at(100, handOneY))
	ada.do(table.OpFlip, s.called(cardOne), face(1))
	ada.do(table.OpGive, handOne, whom(2))
	if is := s.state(cardOne); is.Owner != 2 || is.Face != 1 {
		t.Errorf("in the hand of another seat the card is %+v", is)
	}
	if !s.undo(1) {
		t.Fatal("it is not taken back")
	}
	s.settle()
	if is := s.state(cardOne); is.Owner != 1 || is.Face != 1 {
		t.Errorf("after the undo the card is %+v", is)
	}
}

// TestSortBesideARack shows that a sort leaves alone what lies under a rack, which does not take
// it: a card that came to that place would be on the rack.
// Clauses: T96.6
func TestSortBesideARack(t *testing.T) {
	dealerDoes(t, table.Step{Do: table.DoSort, Kind: kindRow})
	s := newRackWorld(t, 1)
	ada, bob := s.join(1), s.join(2)
	ada.drop(worldCoin, zoneX-1050, rowY)
	for i, card := range []id.Piece{worldCardThree, worldCardTwo} {
		ada.drop(card, zoneX-350+700*int32(i), rowY)
	}
	ada.do(table.OpMove, worldHandOne, at(zoneX-1050-2700, rowY))
	coin := s.where(worldCoin)
	bob.want(t, 0, table.OpRun, worldDealer)
	if is := s.where(worldCoin); is != coin {
		t.Errorf("the coin lies at %v, and lay at %v", is, coin)
	}
	for _, card := range []id.Piece{worldCardTwo, worldCardThree} {
		if is := s.state(card); is.Owner != 0 || is.X < zoneX-400 {
			t.Errorf("a card is %+v", is)
		}
	}
	if s.where(worldCardTwo).x > s.where(worldCardThree).x {
		t.Error("the cards are not sorted")
	}
}

// TestDealToARackUnderAHand shows that what a rack does not take goes into the hand that lies at
// the place to which it is dealt.
// Clauses: T96.6
func TestDealToARackUnderAHand(t *testing.T) {
	s := newRackWorld(t, 1)
	ada := s.join(1)
	s.join(2)
	cid := s.join(3)
	cid.want(t, 0, table.OpMove, worldHandThree, at(-2500, handOneY))
	ada.want(t, 0, table.OpDraw, worldBag, amount(6), at(0, 0)) // all that there is
	chips := []id.Piece{worldChips, worldChips + 1, worldChips + 2}
	for _, p := range chips {
		ada.want(t, 0, table.OpStow, p, into(worldBag))
	}
	ada.want(t, 0, table.OpDeal, worldBag, amount(1)) // one to each of three
	taken := 0
	for _, is := range s.states(worldHandThree) {
		if is.Kind == kindChip {
			taken++
		}
	}
	if taken != 2 { // that of ada, and that of cid
		t.Errorf("in the hand over the rack lie %d chips, want 2", taken)
	}
}
