package table_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// saved is a save point of a test, and how the table looked then.
type saved struct {
	image   table.Image
	picture picture
	owned   possession
	held    bool // somebody held something
}

// seen returns the picture of the table as if nobody held anything.
func (s *server) seen() picture {
	p := s.look()
	for _, list := range [][]table.State{p.drawn, p.boxes} {
		for i := range list {
			list[i].Holder = 0
		}
	}
	return p
}

// savePoint returns a save point, unless a guest set lies on the table.
func (s *server) savePoint() (saved, bool) {
	im, ok := s.table.Position()
	p := s.look()
	held := slices.ContainsFunc(append(p.drawn, p.boxes...), func(is table.State) bool {
		return is.Holder != 0
	})
	return saved{im, s.seen(), s.possession(), held}, ok
}

// rewind brings the table back, as a room does. It reports false if that is not possible.
func (s *server) rewind(to *saved, by id.Seat) bool {
	r := table.Rewinding{To: &to.image, By: by, Mark: table.Rewound{Save: 1, Kind: table.SaveNamed}}
	makes, ok := s.table.Rewindable(&to.image)
	if !ok {
		return false
	}
	for range makes {
		r.OIDs = append(r.OIDs, s.mint())
	}
	shuffles := s.table.Rewind(&r, s.now)
	for i := range shuffles {
		s.table.Reshuffle(&shuffles[i], by,
			table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd, Round: 1})
	}
	s.remakes = true
	s.publish(nil)
	s.remakes = false
	return true
}

// TestT71RewindRestores shows over random games that a rewind brings pieces, places, faces, hands
// and the contents of containers back, that nothing is lost or doubled, that every view has what it
// may have then, and that a replay of the log gives the same. Hands of those who do not play any
// more do not come back to them.
// Clauses: T71.1, T71.2, T71.12, T71.13
func TestT71RewindRestores(t *testing.T) {
	if *seedFlag != 0 {
		rewindAll(t, *seedFlag)
		return
	}
	first, rewound, without := firstSeed("steps"), 0, 0
	for i := range uint64(max(budget(t)/10_000, 3)) {
		all, some := rewindAll(t, first+i)
		rewound, without = rewound+all, without+some
	}
	few := rewound-without < 10 || without == 0 && !testing.Short()
	if few && *stepsFlag == 0 { // games of random seeds may have none
		t.Errorf("the tables went back %d times, %d times without somebody: this shows little",
			rewound, without)
	}
}

// TestT71OrderOfOneLevel shows that pieces of one level lie after a rewind in the order of the save
// point, whichever of them got the level last.
// Clauses: T71.14
func TestT71OrderOfOneLevel(t *testing.T) {
	s, ada, _, _ := sit(t)
	upper, lower := tokenOne, tokenTwo
	ada.do(table.OpSetZ, lower, z("0.9"))
	ada.do(table.OpSetZ, upper, z("0.9"))
	then, ok := s.savePoint()
	ada.do(table.OpSetZ, lower, z("0.95"))
	ada.do(table.OpSetZ, upper, z("0.96"))
	if !ok || !s.rewind(&then, 1) {
		t.Fatal("the table did not go back")
	}
	s.inOrder()
	if diff := then.picture.differs(s.seen(), true); diff != "" {
		t.Errorf("after the rewind (-saved +now) %s", diff)
	}
}

// TestT71HandThatWasBroughtBack shows that a hand which was deleted after the save point, and
// brought back by an undo, stays that hand.
// Clauses: T71.15
func TestT71HandThatWasBroughtBack(t *testing.T) {
	s, ada, _, _ := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	then, ok := s.savePoint()
	ada.do(table.OpMove, cardOne, at(0, 0))
	ada.do(table.OpDelete, handOne)
	if !ok || !s.undo(1) || !s.rewind(&then, 1) {
		t.Fatal("the table did not go back")
	}
	s.settle()
	if diff := then.picture.differs(s.seen(), true); diff != "" {
		t.Errorf("after the rewind (-saved +now) %s", diff)
	}
}

// TestT71HeldOutOfAGivenUpHand shows that a card which was held while its hand was given up lies on
// the table after a rewind, front down.
// Clauses: T71.16
func TestT71HeldOutOfAGivenUpHand(t *testing.T) {
	s, ada, _, _ := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	ada.do(table.OpGrab, cardOne)
	ada.do(table.OpLeave, handOne)
	then, ok := s.savePoint()
	ada.do(table.OpRelease, cardOne, at(0, 0))
	if !ok || !then.held || !s.rewind(&then, 1) {
		t.Fatal("the table did not go back")
	}
	s.settle()
	if is := s.state(cardOne); is.In != 0 || is.Owner != 0 || is.Face != 1 {
		t.Errorf("the card is %+v", is)
	}
}

// TestT71ShuffledWithOthers shows that the pieces at home in a deck are counted after a rewind when
// cards of two decks were shuffled on the table since the save point and lie in one of the decks.
// Clauses: T71.1
func TestT71ShuffledWithOthers(t *testing.T) {
	c := sitAtChances(t, kindJack, kindQueen)
	saved, ok := c.table.Position()
	for range 8 { // the cards may lie as before after a shuffle, but hardly each time
		two := []id.Piece{c.take(oneDeck), c.take(twoDeck)}
		for _, card := range two {
			c.open(card)
		}
		c.do(table.OpShuffle, table.HasPieces, table.Update{Pieces: two})
		for _, card := range two {
			c.stow(card, oneDeck)
		}
		r := table.Rewinding{To: &saved, By: 1, Mark: table.Rewound{Save: 1, Kind: table.SaveNamed}}
		if makes, fits := c.table.Rewindable(&saved); !ok || !fits || makes != 0 {
			t.Fatalf("%d pieces are gone, a save point %v, it fits %v", makes, ok, fits)
		}
		c.table.Rewind(&r, 1)
		if why := table.Amiss(c.table); why != "" {
			t.Fatalf("after a rewind %s", why)
		}
	}
}

// rewindAll returns how often a table went back, and how often of that the save point had a hand of
// somebody who does not play any more.
func rewindAll(t *testing.T, seed uint64) (rewound, without int) {
	t.Helper()
	s := newRackWorld(t, seed)
	s.run = fmt.Sprintf("go test -run T71RewindRestores -seed %d", seed)
	for _, seat := range []id.Seat{1, 2, 3} {
		s.join(seat)
	}
	watcher := s.join(4)
	var all []saved
	for s.step = 1; s.step <= 400; s.step++ {
		s.random(watcher)
		switch s.rnd.IntN(25) {
		case 0:
			if p, ok := s.savePoint(); ok {
				all = append(all, p)
			}
		case 1:
			if len(all) == 0 {
				continue
			}
			s.settle()
			to := &all[s.rnd.IntN(len(all))]
			before, _ := s.table.Position()
			if !s.rewind(to, 1) {
				continue
			}
			rewound++
			is := s.handsFit(&before, &to.image)
			if !is {
				without++
			}
			if diff := to.picture.differs(s.seen(), true); is && !to.held && diff != "" {
				s.fatalf("T71: after the rewind (-saved +now) %s", diff)
			}
			s.inOrder()
			if got := s.possession(); !maps.Equal(got, to.owned) {
				s.fatalf("T71: there is %v, and there was %v", got, to.owned)
			}
			s.settle()
			s.restart()
			s.settle()
		}
	}
	return rewound, without
}

// handsFit checks that after a rewind no hand is that of a seat which does not play, unless it was
// before, and that no such seat is in a team. It reports whether all hands of the save point were
// those of seats that play.
func (s *server) handsFit(before, to *table.Image) bool {
	s.t.Helper()
	plays := func(seat id.Seat) bool {
		who, _ := s.table.Seat(seat)
		return who.Plays()
	}
	used := func(of *table.State) (all []id.Seat) {
		return slices.DeleteFunc(slices.Collect(of.Team.Seats()), plays)
	}
	owned := map[id.OID]id.Seat{}
	for i := range before.Pieces {
		owned[before.Pieces[i].OID] = before.Pieces[i].State.Owner
	}
	now, _ := s.table.Position()
	for i := range now.Pieces {
		p := &now.Pieces[i]
		of := &p.State
		if !kinds[of.Kind].Hand {
			continue
		}
		if of.Owner != 0 && !plays(of.Owner) && owned[p.OID] != of.Owner || len(used(of)) > 0 {
			s.fatalf("T71.12, T71.13: a seat that does not play has got a hand: %+v", of)
		}
	}
	return !slices.ContainsFunc(to.Pieces, func(p table.PieceImage) bool {
		of, k := &p.State, &kinds[p.State.Kind]
		return (k.Hand || k.Seat != table.SeatNone) && // labels of who has left stay as they are
			(of.Owner != 0 && !plays(of.Owner) || len(used(of)) > 0)
	})
}
