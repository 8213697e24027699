package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// sit returns a server and a tab each of the host and of two players, all at rest.
func sit(t testing.TB) (s *server, ada, bob, cid *tab) {
	s = newServer(t, 1)
	return s, s.join(1), s.join(2), s.join(3)
}

// position returns where a tab shows a piece.
func (c *tab) position(p id.Piece) [2]int32 {
	shown := c.displayed(p)
	return [2]int32{shown.X, shown.Y}
}

func (c *tab) wantAt(t *testing.T, p id.Piece, x, y int32) {
	t.Helper()
	if got := c.position(p); got != [2]int32{x, y} {
		t.Errorf("%s shows piece %d at %v, want %d, %d", c, p, got, x, y)
	}
}

func wantVerdict(t *testing.T, out table.Outcome, want table.Verdict) {
	t.Helper()
	if out.Verdict != want {
		t.Errorf("verdict %d (reason %d), want %d", out.Verdict, out.Reject.Reason, want)
	}
}

// TestHistory shows how updates of one piece are recorded, discarded or in conflict (T1 to T18).
func TestHistory(t *testing.T) {
	t.Run("T1.1, T21.5 a conflict on one piece discards nothing of another", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpMove, tokenOne, at(1, 1))
		s.receive(bob)
		ada.act(table.OpMove, tokenOne, at(2, 2))
		ada.act(table.OpMove, tokenTwo, at(3, 3))
		wantVerdict(t, s.receive(ada), table.Discarded)
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
		bob.wantAt(t, tokenOne, 1, 1)
		bob.wantAt(t, tokenTwo, 3, 3)
		if !slices.Equal(ada.conflicts, []id.Piece{tokenOne}) {
			t.Errorf("conflicts on %v, want on piece %d only", ada.conflicts, tokenOne)
		}
	})
	t.Run("T2.1 each entry has a higher generation than all before", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		before := s.table.Gen()
		ada.act(table.OpMove, tokenOne, at(0, 0))
		ada.act(table.OpMove, tokenTwo, at(0, 0))
		s.settle()
		last := s.log[len(s.log)-2:]
		if last[0].Gen <= before || last[1].Gen <= last[0].Gen || s.table.Gen() != last[1].Gen {
			t.Errorf("generations %d, %d after %d; the table says %d",
				last[0].Gen, last[1].Gen, before, s.table.Gen())
		}
	})
	t.Run("T4.1 the server may make updates of its own", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		// Dan gets no hand: both are taken.
		s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
		s.publish(nil)
		before := len(s.log)
		ada.act(table.OpMove, handOne, at(0, 0)) // the cards there become hers
		s.settle()
		var reveals int
		for _, e := range s.log[before:] {
			if e.Op == table.OpReveal && e.Server && e.Client == (id.Client{}) {
				reveals++
			}
		}
		if reveals != 5 || len(ada.conflicts) != 0 {
			t.Errorf("%d server updates and conflicts on %v, want 5 and none",
				reveals, ada.conflicts)
		}
	})
	t.Run("T5.1, T5.2, T5.3 a client need not wait for its own updates", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		tag := ada.pieces[tokenOne].mark
		ada.act(table.OpGrab, tokenOne)
		ada.act(table.OpMove, tokenOne, at(10, 10))
		bob.act(table.OpMove, tokenTwo, at(5, 5))
		ada.act(table.OpRelease, tokenOne, at(20, 20))
		for _, up := range ada.up {
			if up.u.Tag != tag {
				t.Errorf("update %d has the tag %d, want %d", up.u.Seq, up.u.Tag, tag)
			}
		}
		for len(ada.up) > 0 {
			wantVerdict(t, s.receive(ada), table.Recorded)
			if len(bob.up) > 0 {
				wantVerdict(t, s.receive(bob), table.Recorded)
			}
		}
		s.settle()
		bob.wantAt(t, tokenOne, 20, 20)
	})
	t.Run("T6.1, T6.2, T6.3 a stale update is discarded", func(t *testing.T) {
		s, ada, bob, cid := sit(t)
		bob.act(table.OpMove, tokenOne, at(1, 1))
		s.receive(bob)
		frames := len(cid.down)
		ada.act(table.OpMove, tokenOne, at(2, 2))
		gen := s.table.Gen()
		wantVerdict(t, s.receive(ada), table.Discarded)
		if s.table.Gen() != gen || len(cid.down) != frames {
			t.Error("a discarded update had an effect")
		}
		s.settle()
		ada.wantAt(t, tokenOne, 1, 1)
		if len(ada.acked) != 0 || len(ada.rejects) != 0 {
			t.Errorf("a discarded update was answered: acks %v, rejects %v", ada.acked, ada.rejects)
		}
	})
	t.Run("T5.1, T6 hidden updates make none of the view's updates stale", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpPin, tokenOne)
		s.settle()
		ada.act(table.OpPin, tokenOne) // changes nothing
		ada.act(table.OpMove, tokenTwo, at(1, 1))
		s.settle()
		bob.act(table.OpUnpin, tokenOne)
		wantVerdict(t, s.receive(bob), table.Recorded)
		s.settle()
	})
	t.Run("T7.3 the tag is the version of the piece, not of the table", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		bob.act(table.OpMove, tokenOne, at(1, 1))
		bob.act(table.OpMove, tokenTwo, at(2, 2))
		s.receive(bob)
		s.receive(bob)
		ada.down[0], ada.down[1] = ada.down[1], ada.down[0] // pieces may be delivered independently
		ada.read()
		// She has seen the later update, of the other piece. It does not count for this one.
		ada.act(table.OpMove, tokenOne, at(3, 3))
		wantVerdict(t, s.receive(ada), table.Discarded)
		s.settle()
		ada.act(table.OpMove, tokenOne, at(4, 4))
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
	})
	t.Run("T9.1, T9.2 an own update shows at once, and a server update over it", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(2, 2))
		ada.wantAt(t, tokenOne, 2, 2)
		bob.act(table.OpMove, tokenOne, at(1, 1))
		s.receive(bob)
		ada.drain()
		ada.wantAt(t, tokenOne, 1, 1)
		s.settle()
	})
	t.Run("T11 pending updates", testNotes)
	t.Run("T18.1, T18.2 two tabs of one player are two clients", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		other := s.join(1)
		ada.act(table.OpGrab, tokenOne)
		s.settle()
		other.act(table.OpMove, tokenOne, at(7, 7)) // the seat holds it
		wantVerdict(t, s.receive(other), table.Recorded)
		ada.act(table.OpMove, tokenOne, at(8, 8))
		wantVerdict(t, s.receive(ada), table.Discarded)
		s.settle()
		ada.wantAt(t, tokenOne, 7, 7)
		if !slices.Equal(ada.conflicts, []id.Piece{tokenOne}) {
			t.Errorf("conflicts on %v, want on piece %d", ada.conflicts, tokenOne)
		}
	})
}

func testNotes(t *testing.T) {
	// Clauses: T11.2, T11.3, T11.5
	t.Run("T11 the ack of an earlier update leaves the pending update", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(1, 1))
		second := ada.act(table.OpMove, tokenOne, at(2, 2))
		s.receive(ada)
		ada.drain()
		if notes := ada.pieces[tokenOne].notes; len(notes) != 1 || notes[0].u.Seq != second {
			t.Fatalf("pending %+v, want that of %d", notes, second)
		}
		bob.drain()
		bob.act(table.OpMove, tokenOne, at(3, 3))
		s.receive(bob)
		ada.drain()
		if len(ada.conflicts) != 1 || len(ada.pieces[tokenOne].notes) != 0 {
			t.Errorf("conflicts %v, pending %v: want one and none",
				ada.conflicts, ada.pieces[tokenOne].notes)
		}
		s.settle()
	})
	t.Run("T11 a server update without a pending update is not a conflict", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(1, 1))
		s.settle()
		bob.act(table.OpMove, tokenOne, at(2, 2))
		s.settle()
		if len(ada.conflicts) != 0 {
			t.Errorf("conflicts on %v", ada.conflicts)
		}
	})
}

// TestT12NoFalseConflicts shows that two players who edit in turn never see a conflict, at any
// latency: first each moves a piece of their own without waiting, then one piece goes back and
// forth.
// Clauses: T12.1
func TestT12NoFalseConflicts(t *testing.T) {
	edits := 100_000
	if raceEnabled {
		edits = 10_000
	}
	s, ada, bob, _ := sit(t)
	// 0 to 300 ms, in steps of 30: so much happens before the link delivers something.
	link := func(c *tab) {
		if len(c.up) > 0 && s.rnd.IntN(10) == 0 || len(c.up) > 50 {
			s.receive(c)
		}
		if len(c.down) > 0 && s.rnd.IntN(10) == 0 || len(c.down) > 50 {
			c.read()
		}
	}
	for s.step = range edits / 2 {
		ada.act(table.OpMove, tokenOne, at(int32(s.step%1000), 0))
		bob.act(table.OpMove, tokenTwo, at(0, int32(s.step%1000)))
		link(ada)
		link(bob)
	}
	s.settle()
	for s.step = range edits / 2 {
		c := []*tab{ada, bob}[s.step%2]
		c.act(table.OpMove, tokenThree, at(int32(s.step%1000), 0))
		s.deliver()
	}
	s.settle()
	if len(ada.conflicts)+len(bob.conflicts) != 0 {
		t.Errorf("false conflicts: %v and %v", ada.conflicts, bob.conflicts)
	}
	if n := len(s.log); n < edits/2*3 {
		t.Errorf("%d entries of %d edits", n, edits/2*3)
	}
}
