package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// markRejects is how many rejects of one client for one piece have versions of their own, between
// two entries.
const markRejects = 1<<16 - 1

// TestT14MarksOfRejects gives one client more rejects than there are versions for them, at a table
// where nothing else happens. It shows that the client displays what the server has at every
// moment.
// Clauses: T14.5, T14.10, T14.11, T14.12
func TestT14MarksOfRejects(t *testing.T) {
	s, ada, bob, cid := sit(t)
	ada.do(table.OpGrab, tokenOne)
	// A second tab of bob's seat shares his view.
	other := s.join(2)
	entries := len(s.log)
	marks := map[*tab]id.Version{}
	for _, c := range []*tab{ada, cid} {
		marks[c] = s.table.VersionAt(c.seat, s.table.Gen())
	}
	refuse := func(n int) {
		t.Helper()
		for range n {
			s.step++
			last := bob.pieces[tokenOne].mark
			bob.act(table.OpMove, tokenOne, at(int32(s.step%1000), 7))
			bob.act(table.OpRaise, tokenOne) // sent after it, to be discarded
			wantVerdict(t, s.receive(bob), table.Rejected)
			if first := bob.down[0][0]; first.reject == nil || first.reject.Piece.Version <= last {
				t.Fatalf("step %d: the version of %+v is not above %d", s.step, first.reject, last)
			}
			bob.drain()
			wantVerdict(t, s.receive(bob), table.Discarded)
			if xy := bob.position(tokenOne); xy != [2]int32{-1000, 0} || len(bob.conflicts) != 0 {
				t.Fatalf("step %d: he displays the token at %v; conflicts %v",
					s.step, xy, bob.conflicts)
			}
			bob.rejects = bob.rejects[:0]
		}
	}
	refuse(markRejects - 1)
	if len(s.log) != entries {
		t.Fatalf("%d rejects have left %d entries", s.step, len(s.log)-entries)
	}
	refuse(1)
	wantRenewed(t, s, entries, 2)
	refuse(markRejects + 3) // the 65,536th, and all of the next round
	if n := len(s.log) - entries; n != 2 {
		t.Errorf("%d rejects have left %d entries, want 2", s.step, n)
	}
	for _, c := range []*tab{ada, cid} {
		if now := s.table.VersionAt(c.seat, s.table.Gen()); now != marks[c] || len(c.down) != 0 {
			t.Errorf("%s gets %+v; its view's version is %d, was %d", c, c.down, now, marks[c])
		}
	}
	if len(other.down) != 2 || other.down[0][0].update == nil {
		t.Errorf("the other tab of the seat gets %+v", other.down)
	}
	s.settle()

	ada.do(table.OpRelease, tokenOne, at(5, 5))
	bob.do(table.OpMove, tokenOne, at(6, 6))
	cid.wantAt(t, tokenOne, 6, 6)
	for _, c := range s.tabs {
		if len(c.conflicts) != 0 {
			t.Errorf("%s has conflicts on %v", c, c.conflicts)
		}
	}
}

// wantRenewed checks that one entry was recorded since, and only for the view of one seat.
func wantRenewed(t *testing.T, s *server, since int, view id.Seat) {
	t.Helper()
	if len(s.log) != since+1 {
		t.Fatalf("%d entries, want one", len(s.log)-since)
	}
	e := &s.log[since]
	if e.Op != table.OpRenew || !e.Server || e.Before != e.After || e.Client != (id.Client{}) {
		t.Errorf("the entry is %+v", e)
	}
	for seat := range id.Seat(5) {
		_, after, shown := s.table.Shows(e, seat)
		if shown != (seat == view) {
			t.Errorf("displayed to seat %d: %v", seat, shown)
		}
		if shown && (after.Version != s.table.VersionAt(seat, e.Gen) || after.Version&markRejects != 0) {
			t.Errorf("seat %d sees %+v", seat, after)
		}
	}
}

// TestT14MarksOfRejectsAgain uses up most versions for rejects before a restart and after it, for a
// piece that all see and for one whose front nobody sees.
// Clauses: T14.11
func TestT14MarksOfRejectsAgain(t *testing.T) {
	restarts := map[string]func(*server){
		"at once":          func(*server) {},
		"after a restart":  (*server).restart,
		"after a snapshot": func(s *server) { s.keep(); s.restart() },
	}
	for name, p := range map[string]id.Piece{"held": tokenOne, "held and face down": cardOne} {
		for when, restart := range restarts {
			t.Run("T14, T19 "+name+", "+when, func(t *testing.T) { testRenewed(t, p, restart) })
		}
	}
	t.Run("T6, T14.4 updates from before versions were renewed are stale", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpGrab, tokenOne)
		bob.tire()
		for range 5 {
			bob.act(table.OpMove, tokenOne, at(7, 7))
			bob.act(table.OpRotate, tokenOne, turned(9000))
			wantVerdict(t, s.receive(bob), table.Rejected)
			wantVerdict(t, s.receive(bob), table.Discarded)
			bob.drain()
		}
		if last := s.log[len(s.log)-1]; last.Op != table.OpRenew {
			t.Errorf("the last entry is %+v", last)
		}
		s.settle()
	})
	t.Run("T15.11 the last version for rejects is not a tag", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpGrab, tokenOne)
		u := bob.make(table.OpMove, tokenOne, at(7, 7))
		u.Tag = s.table.VersionAt(2, s.table.Gen()) | markRejects
		_, bogus := s.apply(bob, u)
		wantBogus(t, bogus, table.CodeFutureTag)
		u.Tag--
		s.table.Refused(bob.id, bob.seat, tokenOne, u.Tag)
		if out := s.must(t, bob, u, table.Rejected); out.Reject.Piece.Version != u.Tag+1 {
			t.Errorf("the version is %d after the tag %d", out.Reject.Piece.Version, u.Tag)
		}
	})
}

// testRenewed makes bob use up the versions, restarts the server, and makes him use them up again.
func testRenewed(t *testing.T, p id.Piece, restart func(*server)) {
	s, ada, bob, cid := sit(t)
	ada.do(table.OpGrab, tokenOne)
	ada.do(table.OpGrab, cardOne)
	refuse := func() {
		entries := len(s.log)
		bob.tire()
		for range 10 {
			tag := bob.known(p).mark
			bob.act(table.OpMove, p, at(7, 7))
			out := s.receive(bob)
			wantVerdict(t, out, table.Rejected)
			if out.Reject.Piece.Version <= tag {
				t.Fatalf("the version %d is not above %d", out.Reject.Piece.Version, tag)
			}
			s.settle()
		}
		wantRenewed(t, s, entries, 2)
	}
	now := func() [2]id.Version {
		return [2]id.Version{s.table.VersionAt(1, s.table.Gen()), s.table.VersionAt(2, s.table.Gen())}
	}
	refuse()
	seen := now()
	restart(s)
	s.settle()
	if again := now(); again != seen {
		t.Errorf("the versions are %v, were %v", again, seen)
	}
	refuse()
	ada.do(table.OpMove, p, at(1, 1))
	bob.do(table.OpMove, tokenTwo, at(2, 2))
	cid.wantAt(t, p, 1, 1)
	if len(ada.conflicts)+len(cid.conflicts) != 0 {
		t.Errorf("conflicts on %v and %v", ada.conflicts, cid.conflicts)
	}
}

// TestT15MarksNeverGiven sends versions that the client never received: below the first one,
// between two entries, and those of rejects of somebody else, of another piece, or of a piece
// renamed since.
// Clauses: T15.9, T15.10, T15.11, T15.14
func TestT15MarksNeverGiven(t *testing.T) {
	const first = markRejects + 1
	s, ada, bob, cid := sit(t)
	ada.do(table.OpGrab, tokenOne)
	ada.do(table.OpGrab, tokenTwo)
	check := func(c *tab, p id.Piece, tag id.Version) *table.Invalid {
		u := c.make(table.OpPin, p)
		u.Tag = tag
		return s.table.Check(c.id, c.seat, []table.Update{u})
	}
	refused := func(name string, c *tab, p id.Piece, tags ...id.Version) {
		t.Helper()
		for _, tag := range tags {
			if bogus := check(c, p, tag); bogus == nil || bogus.Code != table.CodeFutureTag {
				t.Errorf("%s: the tag %d for piece %d: %v", name, tag, p, bogus)
			}
		}
	}
	taken := func(name string, c *tab, p id.Piece, tags ...id.Version) {
		t.Helper()
		for _, tag := range tags {
			if bogus := check(c, p, tag); bogus != nil {
				t.Errorf("%s: the tag %d for piece %d: %v", name, tag, p, bogus)
			}
		}
	}
	mark, now := bob.known(tokenThree).mark, s.table.VersionAt(bob.seat, s.table.Gen())
	refused("an untouched piece", bob, tokenThree, 0, 1, first-1, mark+1, mark+1000, first+1, now+1,
		now+first)
	taken("versions of entries", bob, tokenThree, first, mark, now)

	bob.act(table.OpMove, tokenOne, at(7, 7))
	reject := s.receive(bob).Reject.Piece.Version
	bob.drain()
	taken("its own reject", bob, tokenOne, reject, now)
	refused("above its reject", bob, tokenOne, reject+1)
	refused("the reject of another piece", bob, tokenTwo, reject)
	refused("the reject of somebody else", cid, tokenOne, reject)
	taken("an identifier without a meaning", bob, table.MaxRandomName, reject)
	refused("an identifier without a meaning", bob, table.MaxRandomName, reject+1)

	t.Run("T15.12, T19 after a restart nobody knows which rejects there were", func(t *testing.T) {
		s.restart()
		taken("before the restart", bob, tokenOne, reject, reject+1)
		bob.drain()
		ada.do(table.OpRelease, tokenTwo)
		after := s.table.VersionAt(bob.seat, s.table.Gen())
		refused("since the restart", bob, tokenOne, after+1)
		refused("a client that was not here before it", s.join(2), tokenOne, reject)
		refused("the first one", bob, tokenOne, 0, 1)
	})
	t.Run("T15.14, T21 a tag does not reveal an earlier identifier", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.do(table.OpGrab, cardOne)
		bob.act(table.OpMove, cardOne, at(7, 7))
		reject := s.receive(bob).Reject.Piece.Version
		ada.do(table.OpRelease, cardOne, at(0, handOneY)) // out of his sight
		ada.do(table.OpGrab, cardOne)
		ada.do(table.OpRelease, cardOne, at(0, 0))
		s.settle()
		for _, p := range []id.Piece{s.called(cardOne), cardTwo} {
			for _, tag := range []id.Version{reject, reject + 1} {
				u := bob.make(table.OpPin, p)
				u.Tag = tag
				bogus := s.table.Check(bob.id, bob.seat, []table.Update{u})
				if stale := p != cardTwo && tag == reject; (bogus == nil) != stale {
					t.Errorf("the tag %d for piece %d: %v", tag, p, bogus)
				}
			}
		}
	})
}
