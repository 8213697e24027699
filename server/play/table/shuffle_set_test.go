package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// unused is randomness that nothing may draw from.
type unused struct{ t *testing.T }

func (u unused) IntN(int) int {
	u.t.Helper()
	u.t.Error("it draws from the round of randomness")
	return 0
}

// judge applies an update with given randomness, and returns the outcome. It sends nobody anything.
func (s *server) judge(c *tab, u table.Update, in table.Inputs) table.Outcome {
	s.t.Helper()
	if invalid := s.table.Check(c.id, c.seat, []table.Update{u}); invalid != nil {
		s.t.Fatal(invalid)
	}
	in.Now, in.OID = s.now, s.mint()
	out := s.table.Apply(c.by(), &u, in)
	if out.Verdict == table.Deferred {
		answer := table.Answer{Shuffles: s.guests.shuffles + 1}
		out = s.table.Resume(c.by(), &u, out.Ask, &answer, in)
	}
	if out.Verdict != table.Recorded {
		s.t.Fatalf("%s: %+v", u.Op, out)
	}
	return out
}

// partsOf returns the numbers of parts of a set, as only the table knows them.
func (s *server) partsOf(names []id.Piece) (parts []uint32) {
	for _, p := range names {
		is, _ := s.table.Look(p)
		parts = append(parts, is.Part)
	}
	return parts
}

// inDeckNow returns the numbers of the parts in the guest's deck by their places.
func (s *server) inDeckNow() string {
	im := s.table.Image()
	var parts []table.State
	for i := range im.Pieces {
		if is := im.Pieces[i].State; is.In == worldDeck && !is.Gone {
			parts = append(parts, is)
		}
	}
	slices.SortFunc(parts, func(a, b table.State) int {
		if a.Z < b.Z {
			return -1
		}
		return 1
	})
	var numbers []uint32
	for i := range parts {
		numbers = append(numbers, parts[i].Part)
	}
	return fmt.Sprint(numbers)
}

// TestShuffleOfASet shows what the table does with secret parts of a set before and after their
// owner has shuffled them (T38).
func TestShuffleOfASet(t *testing.T) {
	t.Run("T38.7, T38.8 while the owner is asked, cards are unknown, front down", func(t *testing.T) {
		s, ada, bob := sitWithGuests(t)
		cards := ada.laid(2)
		for _, p := range cards {
			ada.do(table.OpFlip, p, face(0))
		}
		s.tell()
		s.settle()
		if shown := bob.displayed(cards[0]); shown.Face != 0 || shown.Kind == kindUnknown {
			t.Fatalf("before the shuffle bob sees %+v", shown)
		}
		ada.act(table.OpShuffle, 0, pieces(cards...))
		wantVerdict(t, s.receive(ada), table.Deferred)
		for _, p := range cards {
			if is := s.state(p); is.Face != 1 || is.Kind != kindUnknown {
				t.Errorf("a card is %+v", is)
			}
		}
		bob.drain()
		if shown := bob.displayed(cards[0]); shown.Kind != kindBack {
			t.Errorf("bob sees %+v", shown)
		}
		s.settle()
	})
	for _, row := range []struct {
		name  string
		order func(seed uint64) string
	}{
		{"T38.9 the table brings cards that lie on it into a random order", func(seed uint64) string {
			s, ada, _ := sitWithGuests(t)
			cards := ada.laid(4)
			before := s.partsOf(cards)
			s.judge(ada, ada.make(table.OpShuffle, 0, pieces(cards...)),
				table.Inputs{Rand: unused{t}, Unproved: seeded(seed)})
			after := s.partsOf(cards)
			if slices.Sort(before); !slices.Equal(before, slices.Sorted(slices.Values(after))) {
				t.Errorf("the parts were %d, are %d", before, after)
			}
			return fmt.Sprint(after)
		}},
		{"T38.9 the table brings a deck into a random order", func(seed uint64) string {
			s, ada, _ := sitWithGuests(t)
			s.judge(ada, ada.make(table.OpShuffle, worldDeck),
				table.Inputs{Rand: unused{t}, Unproved: seeded(seed)})
			return s.inDeckNow()
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			seen := map[string]bool{}
			for seed := range uint64(8) {
				seen[row.order(seed)] = true
			}
			if len(seen) < 3 {
				t.Errorf("8 shuffles have made the orders %v", seen)
			}
		})
	}
	for _, row := range []struct {
		name string
		op   table.Op
		with []args
	}{
		{"T38.10 a shuffle does not say in which order the cards lie", table.OpShuffle, nil},
		{
			"T38.10 a draw of a kind does not say in which order the cards lie", table.OpDraw,
			[]args{kind(kindKing), at(0, 0)},
		},
		{
			"T38.10 a peek does not say in which order the cards lie", table.OpPeek,
			[]args{amount(inDeck)},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, ada, _ := sitWithGuests(t)
			ada.act(table.OpShuffle, worldDeck)
			s.receive(ada)
			s.settle()
			ada.act(row.op, worldDeck, row.with...)
			out := s.receive(ada)
			wantVerdict(t, out, table.Deferred)
			asked := slices.Clone(out.Ask.Parts)
			if len(asked) != inDeck || !slices.IsSorted(asked) {
				t.Errorf("the owner is asked for the parts %d", asked)
			}
			if lie := s.inDeckNow(); lie == fmt.Sprint(asked) {
				t.Errorf("the cards lie in the order %s", lie)
			}
			s.settle()
		})
	}
	t.Run("T38.10 what a peek shows is in the order of the cards all the same", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		ada.act(table.OpShuffle, worldDeck)
		s.receive(ada)
		s.settle()
		var want []uint32
		for _, p := range s.lying(worldDeck)[:5] {
			want = append(want, s.guests.kinds[s.state(p).Part])
		}
		ada.act(table.OpPeek, worldDeck, amount(5))
		s.receive(ada)
		s.settle()
		if len(ada.faces) != 1 || ada.faces[0].kinds != fmt.Sprint(want) {
			t.Errorf("ada sees %+v, want %v", ada.faces, want)
		}
	})
}

// TestNoRoundDecidesAboutSets shows that no random choice among secret parts of a set comes from a
// round of randomness, or counts as a draw of one.
// Clauses: F12.33, T38.11
func TestNoRoundDecidesAboutSets(t *testing.T) {
	bag := func(places []table.Place) { places[worldDeck-1].State.Kind = kindBag }
	for _, row := range []struct {
		name  string
		build func(places []table.Place)
		make  func(s *server, ada *tab) table.Update
	}{
		{"shuffle of a deck", nil, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpShuffle, worldDeck)
		}},
		{"shuffle of cards on the table", nil, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpShuffle, 0, pieces(ada.laid(3)...))
		}},
		{"cut", nil, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpCut, worldDeck)
		}},
		{"place in a deck", nil, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpStow, ada.laid(1)[0], into(worldDeck), from(0))
		}},
		{"draw from a bag", bag, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpDraw, worldDeck, amount(3), at(0, 0))
		}},
		{"deal from a bag", bag, func(_ *server, ada *tab) table.Update {
			return ada.make(table.OpDeal, worldDeck)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			places := worldWithGuests()
			if row.build != nil {
				row.build(places)
			}
			s := serve(t, 1, places)
			ada := s.join(1)
			out := s.judge(ada, row.make(s, ada),
				table.Inputs{Rand: unused{t}, Unproved: seeded(1), Round: 1})
			if out.Chance.What != 0 {
				t.Errorf("a draw of the round is %+v", out.Chance)
			}
		})
	}
}
