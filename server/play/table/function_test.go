package table_test

import (
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestDice shows how dice roll, cool down, and are concealed in hands (T32).
func TestDice(t *testing.T) {
	// Clauses: T14.13, T24.6, T32.1, T32.3
	t.Run("T14, T24, T32 a roll picks a random face and starts the cool-down", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		up := map[int32]int{}
		for range 300 {
			s.now += cooldown
			bob.want(t, 0, table.OpRoll, worldDieOne)
			up[s.state(worldDieOne).Face]++
		}
		if len(up) != 6 {
			t.Errorf("up came %v", up)
		}
		for _, c := range []*tab{ada, bob} {
			s.at(s.state(worldDieOne).Rolled + cooldown - 1)
			c.want(t, table.ReasonCooling, table.OpRoll, worldDieOne)
		}
		ada.want(t, 0, table.OpRoll, worldDieTwo)
		s.at(s.state(worldDieOne).Rolled + cooldown)
		ada.want(t, 0, table.OpRoll, worldDieOne)
	})
	t.Run("T32 updates of a die by others", func(t *testing.T) {
		_, ada, bob, _ := sitAtWorld(t)
		bob.do(table.OpPin, worldDieOne)
		ada.want(t, 0, table.OpRoll, worldDieOne)
		bob.do(table.OpGrab, worldDieTwo)
		ada.want(t, table.ReasonHeld, table.OpRoll, worldDieTwo)
		bob.want(t, 0, table.OpRoll, worldDieTwo)
		ada.do(table.OpLock, worldDieTwo)
		bob.want(t, table.ReasonLocked, table.OpRoll, worldDieTwo)
		bob.want(t, table.ReasonNotAllowed, table.OpRoll, worldToken)
	})
	t.Run("T21.2, T23.10, T32.5, T32.6 a die in a hand shows its face only there", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldDieOne, at(0, handOneY))
		before := s.table.VersionAt(2, s.table.Gen())
		ada.want(t, 0, table.OpRoll, worldDieOne)
		ada.want(t, 0, table.OpFlip, worldDieOne, face(5))
		if bob.known(worldDieOne) != nil || s.table.VersionAt(2, s.table.Gen()) != before {
			t.Error("T21: bob gets a roll in her hand")
		}
		bob.want(t, table.ReasonGone, table.OpRoll, s.called(worldDieOne))
		ada.do(table.OpMove, worldDieOne, at(0, 0))
		if shown := bob.displayed(worldDieOne); shown.Face != 5 {
			t.Errorf("bob sees %+v", shown)
		}
	})
}

// TestCounters shows that counts of several people add up, within bounds (T33).
func TestCounters(t *testing.T) {
	t.Run("T28.2, T33.1 two concurrent additions both count", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.act(table.OpMove, worldCounter, at(100, -1000)) // in flight meanwhile
		ada.act(table.OpCount, worldCounter, amount(7))
		bob.act(table.OpCount, worldCounter, amount(-2))
		ada.act(table.OpMove, worldCounter, at(200, -1000))
		for _, c := range []*tab{ada, ada, bob} {
			wantVerdict(t, s.receive(c), table.Recorded)
		}
		wantVerdict(t, s.receive(ada), table.Discarded) // she did not know bob's update
		s.settle()
		if is := s.state(worldCounter); is.Value != 45 || is.X != 100 || len(bob.conflicts) != 0 {
			t.Errorf("it is %+v; bob's conflicts %v", is, bob.conflicts)
		}
	})
	t.Run("T28.5 one's own count makes nothing stale", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.act(table.OpMove, worldCounter, at(100, -1000))
		ada.act(table.OpCount, worldCounter, amount(7))
		ada.act(table.OpMove, worldCounter, at(200, -1000))
		for len(ada.up) > 0 {
			wantVerdict(t, s.receive(ada), table.Recorded)
		}
		s.settle()
		if shown := ada.displayed(worldCounter); shown.Value != 47 || shown.X != 200 ||
			len(ada.conflicts) != 0 {
			t.Errorf("she displays %+v; conflicts %v", shown, ada.conflicts)
		}
	})
	t.Run("T14.13, T24.2, T33.1, T33.2 bounds", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, table.ReasonRange, table.OpCount, worldCounter, amount(61))
		ada.want(t, 0, table.OpCount, worldCounter, amount(60))
		ada.want(t, table.ReasonRange, table.OpCount, worldCounter, amount(table.MaxValue))
		ada.want(t, 0, table.OpCount, worldCounter, amount(-120))
		ada.want(t, table.ReasonRange, table.OpCount, worldCounter, amount(-1))
		ada.want(t, table.ReasonRange, table.OpCount, worldCounter, amount(-table.MaxValue))
		ada.want(t, table.ReasonNotAllowed, table.OpCount, worldToken, amount(1))
		if v := s.state(worldCounter).Value; v != -20 {
			t.Errorf("it is %d", v)
		}
		for _, n := range []int32{table.MaxValue + 1, -table.MaxValue - 1} {
			_, bogus := s.apply(ada, ada.make(table.OpCount, worldCounter, amount(n)))
			wantBogus(t, bogus, table.CodeImpossible)
		}
	})
}

// TestCurrency shows how heaps are split and merged, and what others see of it (T34).
func TestCurrency(t *testing.T) {
	t.Run("T34.1 a split takes a part off into a new heap", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpSplit, worldChips, amount(30), at(0, 3000), z("0.999"))
		part := s.state(ada.made[0])
		if s.state(worldChips).Value != 70 || part.Value != 30 || part.Y != 3000 ||
			part.Z != "0.999" || bob.displayed(ada.made[0]).Value != 30 {
			t.Errorf("%d are left, the part is %+v", s.state(worldChips).Value, part)
		}
		ada.want(t, 0, table.OpSplit, worldChips, amount(1), at(0, 3000), hold())
		if is := s.state(ada.made[1]); is.Holder != 1 || is.In != 0 {
			t.Errorf("the part that she holds is %+v", is)
		}
	})
	// Clauses: T14.9, T28.3, T28.5, T34.2
	t.Run("T14 two concurrent takes both succeed, and one's own is not stale", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.act(table.OpSplit, worldChips, amount(60), at(0, 3000))
		ada.act(table.OpMove, worldChips, at(1000, 1600))
		bob.act(table.OpSplit, worldChips, amount(60), at(0, -3000))
		bob.act(table.OpSplit, worldChips, amount(39), at(0, -3000))
		wantVerdict(t, s.receive(ada), table.Recorded)
		wantVerdict(t, s.receive(ada), table.Recorded)
		if out := s.receive(bob); out.Reject.Reason != table.ReasonRange ||
			out.Reject.Piece.Name != 0 {
			t.Errorf("T14: bob's reject is %+v", out.Reject)
		}
		wantVerdict(t, s.receive(bob), table.Recorded)
		s.settle()
		if v := s.state(worldChips).Value; v != 1 || len(ada.conflicts) != 0 {
			t.Errorf("%d are left; conflicts %v", v, ada.conflicts)
		}
	})
	t.Run("T34.2 rejects of takes", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		ada.want(t, table.ReasonRange, table.OpSplit, worldChips, amount(100), at(0, 0))
		ada.want(t, table.ReasonNotAllowed, table.OpSplit, worldToken, amount(1), at(0, 0))
		ada.want(t, table.ReasonOffTable, table.OpSplit, worldChips, amount(1), at(30_000, 0))
		_, bogus := s.apply(ada, ada.make(table.OpSplit, worldChips, amount(0), at(0, 0)))
		wantBogus(t, bogus, table.CodeImpossible)
	})
	t.Run("T21, T23.5, T34 a split in a hand is seen by nobody else, held or not", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpMove, worldChips, at(0, handOneY))
		before := len(bob.pieces)
		ada.want(t, 0, table.OpSplit, worldChips, amount(30), at(1000, handOneY))
		ada.want(t, 0, table.OpSplit, worldChips, amount(20), at(0, 0), hold())
		if s.settle(); len(bob.pieces) != before || len(ada.made) != 2 {
			t.Errorf("bob sees %d pieces more; made %v", len(bob.pieces)-before, ada.made)
		}
		for _, p := range ada.made {
			if is := s.state(p); is.In != worldHandOne || is.Owner != 1 || bob.known(p) != nil {
				t.Errorf("a part is %+v", is)
			}
		}
		ada.do(table.OpRelease, ada.made[1], at(0, 3000))
		if shown := bob.displayed(ada.made[1]); shown.Value != 20 {
			t.Errorf("bob sees %+v", shown)
		}
	})
	t.Run("T34 merge", testMerge)
}

func testMerge(t *testing.T) {
	over := func(c *tab, p, q id.Piece) {
		is := c.server.state(q)
		c.do(table.OpGrab, p)
		c.do(table.OpRelease, p, at(is.X+50, is.Y))
	}
	t.Run("T34.3, T34.4 a heap released on one of its kind merges by two updates", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		over(ada, worldChips, worldChipsTwo)
		entries := s.log[len(s.log)-2:]
		if !s.state(worldChips).Gone || s.state(worldChipsTwo).Value != 200 ||
			bob.known(worldChips) != nil || len(ada.conflicts) != 0 {
			t.Errorf("they are %+v and %+v; conflicts %v",
				s.state(worldChips), s.state(worldChipsTwo), ada.conflicts)
		}
		if entries[0].Op != table.OpMerge || !entries[0].Server ||
			entries[0].Name != worldChipsTwo ||
			entries[1].Op != table.OpMerge || !entries[1].Server {
			t.Errorf("the entries are %+v", entries)
		}
	})
	rows := map[string]func(s *server, ada, bob *tab){
		"T34.6 not into a held one": func(_ *server, _, bob *tab) {
			bob.do(table.OpGrab, worldChipsTwo)
		},
		"T34.6 not into a pinned one": func(_ *server, _, bob *tab) {
			bob.do(table.OpPin, worldChipsTwo)
		},
		"T34.6 not into a locked one": func(_ *server, ada, _ *tab) {
			ada.do(table.OpLock, worldChipsTwo)
		},
	}
	for name, prepare := range rows {
		t.Run(name, func(t *testing.T) {
			s, ada, bob, _ := sitAtWorld(t)
			is := s.state(worldChipsTwo)
			prepare(s, ada, bob)
			ada.do(table.OpGrab, worldChips)
			ada.do(table.OpRelease, worldChips, at(is.X, is.Y))
			if one, two := s.state(worldChips), s.state(worldChipsTwo); one.Gone ||
				two.Value != 100 {
				t.Errorf("they are %+v and %+v", one, two)
			}
		})
	}
	// Clauses: T34.3, T34.5
	t.Run("T34 a move does not merge; a release merges whatever lies higher", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		is := s.state(worldChipsTwo)
		ada.do(table.OpMove, worldChips, at(is.X, is.Y))
		if one := s.state(worldChips); one.Gone {
			t.Errorf("it is %+v", one)
		}
		ada.do(table.OpGrab, worldChipsThree)
		ada.do(table.OpRelease, worldChipsThree, at(is.X, is.Y), z("0.0002"))
		if two, three := s.state(worldChipsTwo), s.state(worldChipsThree); !three.Gone ||
			two.Value != 200 {
			t.Errorf("they are %+v and %+v", two, three)
		}
	})
	t.Run("T34.11 an excess over the maximum stays beside it", func(t *testing.T) {
		places := world()
		s := serve(t, 1, places)
		ada := s.join(1)
		// Every addition is 100, and merging doubles the value quickly.
		for s.state(worldChips).Value < table.MaxValue {
			ada.do(table.OpCopy, worldChips, at(0, 3000))
			made := ada.made[len(ada.made)-1]
			sum := s.state(worldChips).Value + s.state(made).Value
			over(ada, made, worldChips)
			if merged := s.state(made).Gone; merged != (sum <= table.MaxValue) {
				t.Fatalf("a sum of %d is merged: %v", sum, merged)
			} else if !merged {
				return
			}
		}
		t.Error("it is the maximum")
	})
}

// TestTexts shows how notes are written, labels assigned and the turn passed (T35).
func TestTexts(t *testing.T) {
	t.Run("T35.1, T35.2 write", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		ada.want(t, 0, table.OpWrite, worldNote, text("one\ntwo: ö"))
		if shown := bob.displayed(worldNote); shown.Text != "one\ntwo: ö" {
			t.Errorf("bob sees %+v", shown)
		}
		ada.act(table.OpWrite, worldNote, text("hers"))
		bob.act(table.OpWrite, worldNote, text("his"))
		wantVerdict(t, s.receive(bob), table.Recorded)
		wantVerdict(t, s.receive(ada), table.Discarded)
		s.settle()
		if is := s.state(worldNote); is.Text != "his" || len(ada.conflicts) != 1 {
			t.Errorf("it is %+v; conflicts %v", is, ada.conflicts)
		}
		ada.want(t, 0, table.OpWrite, worldNote, text(strings.Repeat("x", table.MaxText)))
		ada.want(t, 0, table.OpWrite, worldNote, text(""))
		ada.want(t, table.ReasonNotAllowed, table.OpWrite, worldToken, text("x"))
		for _, bad := range []string{
			strings.Repeat("x", table.MaxText+1), "tab\t", "return\r", "\x00", "\x1b", "\x85",
			"\xff", "\u2028"[:2],
		} {
			_, bogus := s.apply(ada, ada.make(table.OpWrite, worldNote, text(bad)))
			wantBogus(t, bogus, table.CodeImpossible)
		}
	})
	t.Run("T35.3 assign", func(t *testing.T) {
		s, ada, bob, _ := sitAtWorld(t)
		bob.want(t, 0, table.OpAssign, worldLabel, whom(3))
		ada.want(t, 0, table.OpAssign, worldMarker, whom(4))
		if s.state(worldLabel).Owner != 3 || s.state(worldMarker).Owner != 4 ||
			ada.displayed(worldLabel).Owner != 3 {
			t.Errorf("they are %+v and %+v", s.state(worldLabel), s.state(worldMarker))
		}
		ada.want(t, 0, table.OpAssign, worldLabel, whom(0))
		ada.want(t, table.ReasonNotAllowed, table.OpAssign, worldToken, whom(1))
		_, bogus := s.apply(ada, ada.make(table.OpAssign, worldLabel, whom(5)))
		wantBogus(t, bogus, table.CodeImpossible)
	})
	t.Run("T35.5 a pass gives the turn to the next player", func(t *testing.T) {
		s, ada, _, _ := sitAtWorld(t)
		for _, want := range []id.Seat{1, 2, 3, 1, 2} { // the fourth is a spectator
			ada.want(t, 0, table.OpPass, worldMarker)
			if owner := s.state(worldMarker).Owner; owner != want {
				t.Errorf("it is the turn of %d, want %d", owner, want)
			}
		}
		ada.want(t, table.ReasonNotAllowed, table.OpPass, worldLabel)
	})
	t.Run("T82.1, T82.2 a turn is passed on by who has it, and by hosts", func(t *testing.T) {
		s, ada, bob, cid := sitAtWorld(t)
		bob.want(t, 0, table.OpPass, worldMarker) // it was nobody's
		for _, want := range []id.Seat{1, 2, 3, 1} {
			if owner := s.state(worldMarker).Owner; owner != want {
				t.Fatalf("it is the turn of %d, want %d", owner, want)
			}
			for seat, p := range map[id.Seat]*tab{2: bob, 3: cid} {
				if seat != want {
					p.want(t, table.ReasonNotAllowed, table.OpPass, worldMarker)
				}
			}
			switch want {
			case 1: // the host
				ada.want(t, 0, table.OpPass, worldMarker)
			case 2:
				bob.want(t, 0, table.OpPass, worldMarker)
			case 3:
				ada.want(t, 0, table.OpPass, worldMarker) // for cid
			}
		}
		ada.want(t, 0, table.OpAssign, worldMarker, whom(4)) // a spectator
		bob.want(t, 0, table.OpPass, worldMarker)
	})
}
