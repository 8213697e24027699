package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// sight is what a seat must see of a card.
type sight struct {
	kind uint32
	face int32
}

var (
	unseen  = sight{} // nothing
	hidden  = sight{kindBack, 0}
	front   = sight{kindAce, 0}
	theBack = sight{kindAce, 1} // on its front, seen by somebody who knows the card
)

// wantSights checks what the host, a player, another player and the spectators see of the ace.
func (s *server) wantSights(t *testing.T, host, player, third, spectator sight) {
	t.Helper()
	for i, want := range []sight{host, player, third, spectator} {
		seat, got := id.Seat(i+1), unseen
		for _, shown := range s.table.All(seat, id.Client{}) {
			if shown.Name == s.called(cardOne) {
				got = sight{shown.Kind, shown.Face}
			}
		}
		if got != want {
			t.Errorf("seat %d sees %v, want %v", seat, got, want)
		}
	}
}

func (c *tab) do(op table.Op, p id.Piece, with ...args) {
	c.act(op, p, with...)
	c.server.settle()
}

// TestHands shows what each seat sees of cards in hands (T22, T23).
func TestHands(t *testing.T) {
	inOne, inTwo, outside := at(0, handOneY), at(100, handTwoY), at(0, 0)
	t.Run("T23.14 the first two players have a hand each", func(t *testing.T) {
		s, _, _, _ := sit(t)
		if one, two := s.state(handOne).Owner, s.state(handTwo).Owner; one != 1 || two != 2 {
			t.Errorf("the hands are of seats %d and %d", one, two)
		}
	})
	// Clauses: T21.2, T22.1, T22.4, T23.1, T23.4, T23.8, T23.9, T23.10, T23.11
	t.Run("T22, T23 a card is drawn into a hand, turned there, and played", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		s.wantSights(t, hidden, hidden, hidden, hidden)
		ada.act(table.OpGrab, cardOne)
		ada.act(table.OpRelease, cardOne, inOne)
		s.settle()
		s.wantSights(t, front, unseen, unseen, unseen)
		if e := s.log[len(s.log)-1]; e.Op != table.OpReveal || !e.Server {
			t.Errorf("after the release comes %+v", e)
		}
		before := s.table.VersionAt(2, s.table.Gen())
		frames := len(bob.down)
		ada.act(table.OpFlip, cardOne, face(1))
		s.receive(ada)
		s.wantSights(t, theBack, unseen, unseen, unseen)
		if len(bob.down) != frames || s.table.VersionAt(2, s.table.Gen()) != before {
			t.Error("T21: bob gets a turn of a card in a hand")
		}
		s.settle()
		ada.do(table.OpFlip, cardOne, face(0))
		ada.do(table.OpMove, cardOne, outside)
		s.wantSights(t, front, front, front, front)
		bob.do(table.OpFlip, cardOne, face(1))
		s.wantSights(t, hidden, hidden, hidden, hidden)
	})
	t.Run("T23 a card that is given away", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, inOne)
		// From hand to hand: the others never see it.
		ada.do(table.OpMove, cardOne, inTwo)
		s.wantSights(t, unseen, front, unseen, unseen)
	})
	t.Run("T23.4 a card dealt into another's hand lies face up for its owner", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, inTwo)
		s.wantSights(t, unseen, front, unseen, unseen)
	})
	t.Run("T23.12, T23.13 a card in a hand that moves away lies face down", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, inOne)
		ada.do(table.OpMove, handOne, at(0, -3000))
		s.wantSights(t, hidden, hidden, hidden, hidden)
	})
	t.Run("T23.12 a hand that is moved over cards takes them in", func(t *testing.T) {
		s, _, bob, _ := sit(t)
		bob.do(table.OpFlip, cardOne, face(0))
		s.wantSights(t, front, front, front, front)
		bob.do(table.OpMove, handTwo, at(0, 500))
		s.wantSights(t, unseen, front, unseen, unseen)
	})
	t.Run("T23.12 a hand that is turned keeps what it covers", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(2900, handOneY))
		ada.do(table.OpMove, cardTwo, at(500, handOneY))
		s.wantSights(t, front, unseen, unseen, unseen)
		ada.do(table.OpRotate, handOne, turned(9000))
		s.wantSights(t, hidden, hidden, hidden, hidden)
		if owner := s.state(cardTwo).Owner; owner != 1 {
			t.Errorf("the card in the middle is of seat %d", owner)
		}
	})
	t.Run("T23.13 the cards of a deleted hand lie face down", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpMove, cardOne, inOne)
		ada.do(table.OpDelete, handOne)
		s.wantSights(t, hidden, hidden, hidden, hidden)
		bob.do(table.OpMove, cardOne, outside)
		bob.wantAt(t, cardOne, 0, 0)
	})
	t.Run("T23.6 a hand laid over another takes nothing out of it", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpMove, cardOne, inOne)
		bob.act(table.OpRaise, handTwo)
		bob.do(table.OpMove, handTwo, at(0, handOneY))
		s.wantSights(t, front, unseen, unseen, unseen)
	})
	t.Run("T23 a hand that gets an owner hides its contents", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindHand), at(0, 0))
		ada.do(table.OpFlip, cardOne, face(0))
		s.wantSights(t, front, front, front, front)
		seat, _ := s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
		s.publish(nil)
		s.settle()
		s.wantSights(t, unseen, unseen, unseen, unseen)
		if shown := s.join(seat).displayed(cardOne); s.state(cardOne).Owner != seat ||
			shown.Kind != kindAce || shown.Face != 0 {
			t.Errorf("the card is of seat %d, want %d, which sees %+v",
				s.state(cardOne).Owner, seat, shown)
		}
	})
	t.Run("T22 a new card in a hand is never shown to others", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindAce), inOne)
		ada.act(table.OpMove, cardOne, inOne)
		ada.act(table.OpCopy, cardOne, inTwo)
		s.settle()
		s.wantSights(t, front, unseen, unseen, unseen)
	})
	t.Run("T14.1, T15.5, T22.2 a reject shows no more than the view", func(t *testing.T) {
		s, ada, bob, cid := sit(t)
		bob.do(table.OpGrab, cardOne)
		ada.act(table.OpFlip, cardOne, face(0))
		if r := s.receive(ada).Reject; r.Reason != table.ReasonHeld ||
			(sight{r.Piece.Kind, r.Piece.Face}) != hidden {
			t.Errorf("the reject is %+v", r)
		}
		ada.drain()
		name := s.called(cardOne)
		bob.do(table.OpRelease, cardOne, inTwo)
		for _, c := range []*tab{ada, cid} {
			for _, named := range []id.Piece{name, s.called(cardOne)} {
				u := c.make(table.OpFlip, tokenOne, face(0))
				u.Piece = named
				r := s.must(t, c, u, table.Rejected).Reject
				if want := (table.Shown{
					Name: named, Version: r.Piece.Version, Gone: true,
				}); r.Reason != table.ReasonGone || r.Piece != want {
					t.Errorf("the reject is %+v", r)
				}
			}
		}
	})
}

// TestViews shows that the versions of a view reveal nothing hidden, and stay exact when views are
// compacted (T21).
func TestViews(t *testing.T) {
	// Clauses: T21.1, T21.2
	t.Run("T21 versions are dense in each view and rise with its updates", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		for i := range 200 {
			ada.act(table.OpMove, cardOne, at(0, handOneY))
			ada.act(table.OpFlip, cardOne, face(int32(i%2))) // hidden from all but her
			// This changes something only the first time.
			ada.act(table.OpPin, tokenOne)
			s.settle()
		}
		for seat := id.Seat(0); seat <= 4; seat++ {
			last := id.Version(0)
			for i := range s.log {
				e := &s.log[i]
				_, after, shown := s.table.Shows(e, seat)
				mark := s.table.VersionAt(seat, e.Gen)
				switch {
				case (shown || e.Who != nil) && mark != last+1<<16:
					t.Fatalf("seat %d: the entry of generation %d has the version %d after %d",
						seat, e.Gen, mark, last)
				case shown && after.Version != mark:
					t.Fatalf("seat %d: generation %d has the versions %d and %d",
						seat, e.Gen, after.Version, mark)
				case !shown && e.Who == nil && mark != last:
					t.Fatalf("seat %d: hidden generation %d moves the version from %d to %d",
						seat, e.Gen, last, mark)
				}
				last = mark
			}
		}
		if hers, theirs := s.table.VersionAt(1, s.table.Gen()),
			s.table.VersionAt(2, s.table.Gen()); hers <= theirs {
			t.Errorf("she got %d, others %d", hers, theirs)
		}
	})
	t.Run("T21 a full state does not reveal hidden entries", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpMove, cardOne, at(0, handOneY))
		before := s.table.All(2, bob.id)
		ada.do(table.OpFlip, cardOne, face(1))
		bob.do(table.OpMove, tokenOne, at(1, 1))
		ada.do(table.OpFlip, cardOne, face(0))
		after := s.table.All(2, bob.id)
		for i := range before {
			if before[i].Name != tokenOne && before[i] != after[i] {
				t.Errorf("of piece %d bob was shown\n%+v, is\n%+v",
					before[i].Name, before[i], after[i])
			}
		}
	})
	t.Run("T21 spectators share a view, players have their own", func(t *testing.T) {
		s, _, _, _ := sit(t)
		for range 2 {
			seat, _ := s.table.Sit(table.SeatInfo{Nick: "Eve", Role: table.RoleSpectator}, s.now)
			if s.table.ViewOf(seat) != s.table.ViewOf(4) {
				t.Errorf("spectators %d and 4 have different views", seat)
			}
		}
		seen := map[id.Seat]bool{s.table.ViewOf(4): true}
		for _, seat := range []id.Seat{1, 2, 3} {
			if v := s.table.ViewOf(seat); seen[v] {
				t.Errorf("the view %d of seat %d is shared", v, seat)
			} else {
				seen[v] = true
			}
		}
	})
	t.Run("T21 versions stay exact when views are compacted", testCompaction)
	t.Run("T21 versions of unpublished entries stay exact when views are compacted",
		testCompactionUntold)
}

// testCompactionUntold compacts the views while a long commit is not published yet. It shows that
// the versions of its entries stay the same, even of those that nothing refers to any more.
func testCompactionUntold(t *testing.T) {
	s, ada, bob, _ := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	told := s.table.Gen()
	from := len(s.log)
	for s.step = range 6_000 {
		ada.act(table.OpFlip, cardOne, face(int32((s.step+1)%2)))
		bob.act(table.OpMove, tokenOne, at(int32(s.step%100), 0))
		s.receive(ada)
		s.receive(bob)
	}
	marks := func() (all []id.Version) {
		for i := range s.log[from:] {
			all = append(all, s.table.VersionAt(2, s.log[from+i].Gen))
		}
		return all
	}
	before := marks()
	s.table.Compact(told)
	if after := marks(); !slices.Equal(before, after) {
		t.Error("unpublished entries have other versions")
	}
	s.table.Compact(s.table.Gen())
	if slices.Equal(before, marks()) {
		t.Error("nothing was compacted: the test proves nothing")
	}
}

// testCompaction plays until the views have many gaps, and often takes images, which compact them.
// It shows that no view changes.
func testCompaction(t *testing.T) {
	s, ada, bob, _ := sit(t)
	ada.do(table.OpMove, cardOne, at(0, handOneY))
	bob.do(table.OpMove, cardTwo, at(0, handTwoY))
	ada.do(table.OpFlip, cardOne, face(1)) // bob does not see this
	unaware := s.table.VersionAt(2, s.table.Gen())
	bob.do(table.OpMove, cardTwo, at(0, 0))
	aware := s.table.VersionAt(2, s.table.Gen())
	ada.do(table.OpFlip, cardOne, face(0))
	played := s.table.All(2, bob.id)
	name := played[slices.IndexFunc(played, func(p table.Shown) bool {
		return p.Kind == kindKing
	})].Name
	bob.do(table.OpMove, cardTwo, at(10, 0))
	ada.do(table.OpMove, name, at(20, 0))
	bob.do(table.OpRaise, name)
	for s.step = range 10_000 {
		ada.act(table.OpFlip, cardOne, face(int32((s.step+1)%2)))
		bob.act(table.OpMove, tokenOne, at(int32(s.step%100), 0))
		s.receive(ada)
		s.receive(bob)
		for _, c := range s.tabs {
			c.drain()
		}
		if s.step%500 == 0 {
			before := s.table.All(2, bob.id)
			s.keep()
			if _, ok := s.table.CurrentNameForLabel(name, 2, unaware); ok {
				t.Fatal("C15 bob labels a card without knowing that he has played it")
			}
			if _, ok := s.table.CurrentNameForLabel(name, 2, aware); !ok {
				t.Fatal("C15 bob cannot label a card although he knows that he has played it")
			}
			for i, after := range s.table.All(2, bob.id) {
				if before[i] != after {
					t.Fatalf("an image changes\n%+v to\n%+v", before[i], after)
				}
			}
		}
	}
	s.settle()
	s.keep()
	for _, v := range s.image.Views {
		if len(v.Runs) > 6000 {
			t.Errorf("the view of seat %d has %d runs", v.Seat, len(v.Runs))
		}
	}
}

// TestShuffle shows what a shuffle of cards changes, whom it informs, and when it is rejected
// (T26).
func TestShuffle(t *testing.T) {
	cards := []id.Piece{cardOne, cardTwo, cardThree, cardFour}
	t.Run("T26.3, T26.4 the kinds are shuffled, and all else stays", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		for i, p := range cards {
			bob.act(table.OpMove, p, at(int32(1000*i), 0))
			bob.act(table.OpRotate, p, turned(int32(i)*9000))
		}
		bob.do(table.OpFlip, cardTwo, face(0))
		dealt := map[[4]uint32]bool{}
		for range 200 {
			var before, after [4]table.State
			for i, p := range cards {
				before[i] = s.state(p)
			}
			ada.act(table.OpShuffle, 0, pieces(cards...))
			s.settle()
			var kinds [4]uint32
			count := map[uint32]int{}
			for i, p := range cards {
				after[i] = s.state(p)
				kinds[i] = after[i].Kind
				count[before[i].Kind]++
				count[after[i].Kind]--
				want := before[i]
				want.Kind, want.Face, want.Since = after[i].Kind, 1, table.HiddenEver
				if after[i] != want {
					t.Fatalf("piece %d was %+v, is %+v", p, before[i], after[i])
				}
			}
			for k, n := range count {
				if n != 0 {
					t.Fatalf("there are %d cards of kind %d fewer", n, k)
				}
			}
			dealt[kinds] = true
		}
		if len(dealt) != 24 {
			t.Errorf("200 shuffles of 4 cards gave %d of 24 orders", len(dealt))
		}
	})
	t.Run("T21.3, T26.6 a shuffle of face-down cards shows nobody anything", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		before := s.table.All(2, bob.id)
		seq := ada.act(table.OpShuffle, 0, pieces(cards...))
		s.receive(ada)
		if len(bob.down) != 0 {
			t.Errorf("bob gets %+v", bob.down)
		}
		for i, after := range s.table.All(2, bob.id) {
			if before[i] != after {
				t.Errorf("bob was shown\n%+v, is\n%+v", before[i], after)
			}
		}
		s.settle()
		if len(ada.acked) != 1 || ada.acked[0] != seq {
			t.Errorf("acks %v, want %d", ada.acked, seq)
		}
	})
	t.Run("T26.6, T26.7 updates of cards that it turned down are stale", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.do(table.OpFlip, cardOne, face(0))
		before := len(s.log)
		ada.act(table.OpShuffle, 0, pieces(cards...))
		s.receive(ada)
		for i, e := range s.log[before:] {
			last := i == len(cards)-1
			if !e.Server || (e.Client == ada.id) != last {
				t.Errorf("entry %d of the shuffle is %+v", i, e)
			}
		}
		bob.act(table.OpMove, cardOne, at(1, 1))
		wantVerdict(t, s.receive(bob), table.Discarded)
		s.settle()
	})
	t.Run("T26 entries name the hand of each piece, and the last one its cause", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.do(table.OpMove, cardTwo, at(0, handOneY))
		before := len(s.log)
		seq := ada.act(table.OpShuffle, 0, pieces(cards...))
		s.settle()
		last := len(s.log) - 1
		if last+1-before != len(cards) {
			t.Errorf("%d entries for %d cards", last+1-before, len(cards))
		}
		for i, e := range s.log[before:] {
			owner, acked := map[id.Piece]id.Seat{s.called(cardTwo): 1}[e.Name],
				map[int]id.ClientSeq{last - before: seq}[i]
			if e.Op != table.OpShuffle || e.Seat != 1 || e.After.Owner != owner ||
				e.Before.Owner != owner || e.Seq != acked {
				t.Errorf("entry %d is %+v", i, e)
			}
		}
	})
	t.Run("T10.14, T26 a retry after a restart is recognised", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		u := ada.make(table.OpShuffle, 0, pieces(cards...))
		s.must(t, ada, u, table.Recorded)
		gen := s.table.Gen()
		s.restart()
		if out := s.must(t, ada, u, table.Repeated); out.Ack != (table.Ack{Seq: u.Seq}) ||
			s.table.Gen() != gen {
			t.Errorf("ack %+v", out.Ack)
		}
	})
	rows := []struct {
		name    string
		prepare func(ada, bob *tab)
		pieces  []id.Piece
		want    table.Reason
	}{
		{"T26.2 another mask", nil, []id.Piece{cardOne, joker}, table.ReasonNotAllowed},
		{"T26.2 not secret", nil, []id.Piece{cardOne, tokenOne}, table.ReasonNotAllowed},
		{"T26 not secret, first", nil, []id.Piece{tokenOne, cardOne}, table.ReasonNotAllowed},
		{"T26 held", func(_, bob *tab) { bob.do(table.OpGrab, cardTwo) }, cards, table.ReasonHeld},
		{
			"T26 pinned", func(_, bob *tab) { bob.do(table.OpPin, cardTwo) }, cards,
			table.ReasonPinned,
		},
		{
			"T26 locked", func(ada, _ *tab) { ada.do(table.OpLock, cardTwo) }, cards,
			table.ReasonLocked,
		},
		{
			"T26 in another's hand",
			func(_, bob *tab) { bob.do(table.OpMove, cardTwo, at(0, handTwoY)) }, cards,
			table.ReasonGone,
		},
		{
			"T26 gone",
			func(_, bob *tab) { bob.do(table.OpFlip, cardTwo, face(0)); bob.do(table.OpDelete, cardTwo) },
			cards, table.ReasonGone,
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			if row.prepare != nil {
				row.prepare(ada, bob)
			}
			gen := s.table.Gen()
			ada.act(table.OpShuffle, 0, pieces(row.pieces...))
			out := s.receive(ada)
			if out.Verdict != table.Rejected || out.Reject.Reason != row.want ||
				out.Reject.Piece.Name != 0 || s.table.Gen() != gen {
				t.Errorf("outcome %+v, want reason %d", out, row.want)
			}
			s.settle()
		})
	}
}
