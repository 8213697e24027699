package table_test

import (
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestT3AnyCut plays a history and rebuilds the table from a snapshot after each of its entries,
// and the entries after that.
// Clauses: T3.1, T19.1
func TestT3AnyCut(t *testing.T) {
	s := newServer(t, 3)
	for _, seat := range []id.Seat{1, 2, 3} {
		s.join(seat)
	}
	type cut struct {
		image table.Image
		at    int
	}
	var cuts []cut
	for s.step = 0; len(cuts) < 200 && s.step < 30_000; s.step++ {
		s.random(nil)
		if n := len(s.log); len(cuts) == 0 || cuts[len(cuts)-1].at != n {
			cuts = append(cuts, cut{s.table.Image(), n})
		}
	}
	s.settle()
	for _, c := range cuts {
		s.image, s.cut = c.image, c.at
		back, err := table.Open(s.config, &s.image)
		if err != nil {
			t.Fatal(err)
		}
		for i := c.at; i < len(s.log); i++ {
			if err := back.Replay(&s.log[i]); err != nil {
				t.Fatalf("cut at %d: %v", c.at, err)
			}
		}
		if diff := table.Differ(s.table, back); diff != "" {
			t.Fatalf("cut at %d of %d (-live +back):\n%s", c.at, len(s.log), diff)
		}
	}
	if len(cuts) < 200 {
		t.Errorf("only %d cuts", len(cuts))
	}
}

// TestRestart shows that a restart changes no outcome, and that a foreign history is refused (T19).
func TestRestart(t *testing.T) {
	t.Run("T19.2 updates under way are judged as without the restart", func(t *testing.T) {
		for _, restart := range []bool{false, true} {
			s, ada, bob, cid := sit(t)
			bob.act(table.OpMove, tokenOne, at(1, 1))
			s.receive(bob)
			s.keep()
			bob.act(table.OpMove, tokenTwo, at(2, 2))
			s.receive(bob)
			late, own, others := ada.make(table.OpMove, tokenOne, at(9, 9)),
				bob.make(table.OpMove, tokenTwo, at(3, 3)),
				cid.make(table.OpMove, tokenThree, at(4, 4))
			if restart {
				s.restart()
			}
			s.must(t, ada, late, table.Discarded)
			s.must(t, bob, own, table.Recorded)
			s.must(t, cid, others, table.Recorded)
		}
	})
	t.Run("T19.1 the last to release is remembered", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpGrab, tokenOne)
		ada.act(table.OpRelease, tokenOne)
		s.settle()
		grab := ada.make(table.OpGrab, tokenOne, loose())
		bob.act(table.OpMove, tokenOne, at(1, 1))
		s.receive(bob)
		s.restart()
		s.must(t, ada, grab, table.Recorded)
	})
	t.Run("T19 an entry of another history is refused", testForeignHistory)
	t.Run("T20.1 a deletion is a server update", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpMove, tokenOne, at(1, 1))
		ada.act(table.OpDelete, tokenOne)
		s.receive(ada)
		s.receive(ada)
		if e := s.log[len(s.log)-1]; !e.Server || !e.After.Gone || e.Client != ada.id {
			t.Errorf("the deletion is %+v", e)
		}
		bob.act(table.OpMove, tokenOne, at(2, 2))
		if out := s.receive(bob); out.Verdict != table.Rejected ||
			out.Reject.Reason != table.ReasonGone || !out.Reject.Piece.Gone {
			t.Errorf("a pending update: %+v", out)
		}
		s.settle()
		if ada.pieces[tokenOne] != nil || bob.pieces[tokenOne] != nil || len(ada.conflicts) != 0 ||
			len(bob.conflicts) != 1 {
			t.Errorf("the piece is there, or conflicts are %v and %v", ada.conflicts, bob.conflicts)
		}
		s.restart()
		if n := s.table.Pieces(); n != pieceCount-1 {
			t.Errorf("after a restart there are %d pieces", n)
		}
	})
}

// testForeignHistory shows that entries which do not continue the history are refused.
func testForeignHistory(t *testing.T) {
	s, ada, _, _ := sit(t)
	ada.act(table.OpMove, tokenOne, at(1, 1))
	ada.act(table.OpAdd, 0, kind(kindToken), at(0, 0))
	s.settle()
	moved, added := s.log[len(s.log)-2], s.log[len(s.log)-1]
	entries := map[string]struct {
		entry table.Entry
		says  string
	}{
		"the same entry again": {moved, "generation"},
		"an unknown piece": {
			with(moved, func(e *table.Entry) { e.Piece[0]++ }), "no piece",
		},
		"another state before": {
			with(moved, func(e *table.Entry) { e.Before.X = 77 }), "not as the entry found it",
		},
		"an unknown kind": {
			with(added, func(e *table.Entry) { e.After.Kind = kindCount }), "unknown kind",
		},
		"a piece twice": {with(added, func(*table.Entry) {}), "made twice"},
		"a piece of another weight": {with(moved, func(e *table.Entry) {
			e.Before, e.After.Kind = s.state(moved.Name), kindBoard
		}), "weight"},
		"a seat out of order": {table.Entry{Who: &table.SeatInfo{Seat: 9}}, "out of turn"},
	}
	ada.act(table.OpMove, cardOne, at(0, handOneY))
	s.settle()
	s.keep()
	hidden := s.log[len(s.log)-2]
	hidden.Before, hidden.After, hidden.Name = hidden.After, hidden.Before, hidden.NewName
	// Out of the hand: no view loses sight of it.
	hidden.Op, hidden.Before = table.OpMove, s.state(cardOne)
	names := map[string]func(e *table.Entry){
		"a needless new identifier":            func(e *table.Entry) { e.NewName = table.MaxRandomName },
		"an identifier other than the piece's": func(e *table.Entry) { e.NewName, e.Name = 0, tokenOne },
	}
	for name, spoil := range names {
		entries[name] = struct {
			entry table.Entry
			says  string
		}{with(hidden, spoil), "name"}
	}
	lost := with(hidden, func(e *table.Entry) {
		e.NewName, e.After = 0, e.Before
		e.After.Owner, e.After.In = 2, handTwo
	})
	for name, newName := range map[string]id.Piece{
		"no new identifier": 0, "the identifier of another piece": tokenOne,
		"a new identifier that is not random": table.MaxRandomName + 1,
	} {
		entries[name] = struct {
			entry table.Entry
			says  string
		}{with(lost, func(e *table.Entry) { e.NewName = newName }), "name"}
	}
	for name, row := range entries {
		if name != "the same entry again" {
			row.entry.Gen = s.table.Gen() + 1
		}
		if err := s.table.Replay(&row.entry); err == nil ||
			!strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want %q", name, err, row.says)
		}
	}
	images := map[string]func(*table.Image){
		"an unknown kind":               func(im *table.Image) { im.Pieces[0].State.Kind = kindCount },
		"an identifier twice":           func(im *table.Image) { im.Pieces[1].Name = im.Pieces[0].Name },
		"a piece twice":                 func(im *table.Image) { im.Pieces[1].OID = im.Pieces[0].OID },
		"a piece without an identifier": func(im *table.Image) { im.Pieces[0].Name = 0 },
		"an identifier without origin":  func(im *table.Image) { im.Pieces[0].Name = im.LastName + 1 },
		"a seat out of order":           func(im *table.Image) { im.Seats[0].Seat = 2 },
		"a view without a seat":         func(im *table.Image) { im.Views[1].Seat = 99 },
	}
	for name, spoil := range images {
		im := s.table.Image()
		spoil(&im)
		if _, err := table.Open(s.config, &im); err == nil {
			t.Errorf("an image with %s opens", name)
		}
	}
}

func with(e table.Entry, change func(*table.Entry)) table.Entry {
	change(&e)
	return e
}
