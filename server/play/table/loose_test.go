package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// TestLoose shows when a stale Loose grab is honoured (T17).
func TestLoose(t *testing.T) {
	t.Run("T17.2 an up-to-date Loose grab is an ordinary update", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpGrab, tokenOne, loose())
		wantVerdict(t, s.receive(ada), table.Recorded)
		if e := s.log[len(s.log)-1]; e.Server {
			t.Errorf("recorded as a server update: %+v", e)
		}
		s.settle()
		if shown := bob.displayed(tokenOne); shown.Holder != 1 {
			t.Errorf("held by %d", shown.Holder)
		}
	})
	// Clauses: T17.3, T17.4, T17.5, T17.8, T17.11
	t.Run("T17 a stale Loose grab succeeds for the last to release", func(t *testing.T) {
		s, ada, bob, _ := sit(t)
		ada.act(table.OpGrab, tokenOne)
		ada.act(table.OpRelease, tokenOne, at(1, 1))
		s.settle()
		bob.act(table.OpRotate, tokenOne, turned(9000))
		s.receive(bob)
		seq := ada.act(table.OpGrab, tokenOne, loose())
		wantVerdict(t, s.receive(ada), table.Recorded)
		e := s.log[len(s.log)-1]
		if !e.Server || e.Client != ada.id || e.Seq != seq || e.After.Holder != 1 {
			t.Errorf("recorded as %+v", e)
		}
		ada.read() // bob's update: no conflict, and the grab is displayed on top of it
		if shown := ada.displayed(tokenOne); shown.Angle != 9000 || shown.Holder != 1 ||
			len(ada.conflicts) != 0 {
			t.Errorf("she displays %+v; conflicts %v", shown, ada.conflicts)
		}
		if ada.pieces[tokenOne].loose == nil {
			t.Error("a server update has cleared the pending Loose grab")
		}
		if frame := ada.down[0]; len(frame) != 2 || frame[0].update == nil || frame[1].ack == nil ||
			frame[1].ack.Seq != seq {
			t.Errorf("the answer is not an update with its ack after it: %+v", frame)
		}
		s.settle()
		mark := ada.pieces[tokenOne].mark
		ada.act(table.OpMove, tokenOne, at(2, 2)) // its tag is the new version
		if ada.up[0].u.Tag != mark || mark != s.table.VersionAt(1, e.Gen) {
			t.Errorf("tag %d, version %d", ada.up[0].u.Tag, mark)
		}
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
	})
	t.Run("T17 refused", testLooseRefused)
	t.Run("T17.3 a card is drawn, released, grabbed again at once and played", testRegrab)
}

func testLooseRefused(t *testing.T) {
	release := func(_ *server, ada, _ *tab) {
		ada.act(table.OpGrab, tokenOne)
		ada.act(table.OpRelease, tokenOne)
		ada.server.settle()
	}
	rows := []struct {
		name  string
		first func(s *server, ada, bob *tab)
		then  func(s *server, bob *tab) // unseen by ada
		want  table.Reason
	}{
		{
			name: "T14.13, T17.6 released by nobody", want: table.ReasonStaleLoose,
			then: func(_ *server, bob *tab) { bob.act(table.OpMove, tokenOne, at(1, 1)) },
		},
		{
			name: "T17.6 released by another since", want: table.ReasonStaleLoose, first: release,
			then: func(_ *server, bob *tab) {
				bob.act(table.OpGrab, tokenOne)
				bob.act(table.OpRelease, tokenOne)
			},
		},
		{
			name: "T17.6 released by another tab of the seat", want: table.ReasonStaleLoose,
			first: func(s *server, _, _ *tab) { release(s, s.join(1), nil) },
			then:  func(_ *server, bob *tab) { bob.act(table.OpMove, tokenOne, at(1, 1)) },
		},
		{
			name: "T17.7 held by another", want: table.ReasonHeld, first: release,
			then: func(_ *server, bob *tab) { bob.act(table.OpGrab, tokenOne) },
		},
		{
			name: "T17.7 pinned", want: table.ReasonPinned, first: release,
			then: func(_ *server, bob *tab) { bob.act(table.OpPin, tokenOne) },
		},
		{
			name: "T17.7 gone", want: table.ReasonGone, first: release,
			then: func(_ *server, bob *tab) { bob.act(table.OpDelete, tokenOne) },
		},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s, ada, bob, _ := sit(t)
			if row.first != nil {
				row.first(s, ada, bob)
			}
			row.then(s, bob)
			for len(bob.up) > 0 {
				s.receive(bob)
			}
			seq := ada.act(table.OpGrab, tokenOne, loose())
			out := s.receive(ada)
			if out.Verdict != table.Rejected || out.Reject.Reason != row.want ||
				out.Reject.Seq != seq {
				t.Errorf("outcome %+v, want reason %d", out, row.want)
			}
			s.settle()
			if k := ada.pieces[tokenOne]; k != nil && k.loose != nil || len(ada.rejects) != 1 {
				t.Errorf("the pending Loose grab is left, or there are %d rejects", len(ada.rejects))
			}
		})
	}
}

// testRegrab plays what Loose is for, a hundred times: a client sees only the back of a card, drops
// it in the hand and grabs it again, while the server reveals it.
func testRegrab(t *testing.T) {
	s, ada, bob, _ := sit(t)
	for i := range 100 {
		card := cardOne + id.Piece(i%4)
		ada.act(table.OpGrab, card)
		ada.act(table.OpRelease, card, at(0, handOneY))
		ada.act(table.OpGrab, card, loose()) // nothing of this has an answer yet
		for len(ada.up) > 0 {
			wantVerdict(t, s.receive(ada), table.Recorded)
		}
		ada.drain()
		shown := ada.displayed(card)
		if shown.Holder != 1 || shown.Kind == kindBack || ada.known(card).loose != nil {
			t.Fatalf("round %d: she displays %+v", i, shown)
		}
		bob.drain()
		if bob.known(card) != nil {
			t.Fatalf("round %d: bob sees a card in her hand", i)
		}
		ada.act(table.OpRelease, card, at(int32(i), 0))
		wantVerdict(t, s.receive(ada), table.Recorded)
		s.settle()
		if public := bob.displayed(card); public.Kind != shown.Kind || public.X != int32(i) {
			t.Fatalf("round %d: bob sees %+v played", i, public)
		}
		bob.act(table.OpFlip, card, face(1))
		s.settle()
	}
	if len(ada.conflicts) != 0 || len(ada.rejects) != 0 || slices.Contains(bob.conflicts, cardOne) {
		t.Errorf("conflicts %v, rejects %v, bob's conflicts %v",
			ada.conflicts, ada.rejects, bob.conflicts)
	}
}
