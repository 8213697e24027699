package table_test

import (
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// apply judges an update of a tab's client without the tab, as if a hostile or faulty client had
// sent it.
func (s *server) apply(c *tab, u table.Update) (table.Outcome, *table.Invalid) {
	if bogus := s.table.Check(c.id, c.seat, []table.Update{u}); bogus != nil {
		return table.Outcome{}, bogus
	}
	s.now++
	out := s.table.Apply(c.by(), &u,
		table.Inputs{Now: s.now, OID: s.mint(), Rand: s.rnd, Unproved: s.rnd})
	s.publish(nil)
	return out, nil
}

// must is apply for a valid update. It checks the verdict.
func (s *server) must(t *testing.T, c *tab, u table.Update, want table.Verdict) table.Outcome {
	t.Helper()
	out, bogus := s.apply(c, u)
	if bogus != nil {
		t.Fatalf("%+v: %v", u, bogus)
	}
	wantVerdict(t, out, want)
	return out
}

// renew gives a tab a new full state, after updates that went past it.
func (c *tab) renew() {
	c.cut(true)
	c.drain()
}

func wantBogus(t *testing.T, bogus *table.Invalid, code string) {
	t.Helper()
	if bogus == nil || bogus.Code != code {
		t.Errorf("invalid %v, want %s", bogus, code)
	}
}

// TestAcks shows what an ack says, and that a repeated sequence gets its outcome again (T10).
func TestAcks(t *testing.T) {
	t.Run("T10.8, T10.9, T13.5 an ack has what the server filled in", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		seq := ada.act(table.OpRaise, tokenOne)
		s.settle() // compares what she has with what the server has
		shown, mark := ada.displayed(tokenOne), ada.pieces[tokenOne].mark
		if len(ada.acked) != 1 || ada.acked[0] != seq || shown.ZVersion != mark {
			t.Errorf("acks %v, piece %+v with the version %d", ada.acked, shown, mark)
		}
	})
	// Clauses: T10.9, T10.11, T22.2, T22.3, T22.4
	t.Run("T10 the ack of a revealing flip has the kind", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpFlip, cardOne, face(0))
		s.settle()
		if shown := ada.displayed(cardOne); shown.Kind != kindAce || shown.Face != 0 {
			t.Errorf("she sees %+v", shown)
		}
		ada.act(table.OpFlip, cardOne, face(1))
		s.settle()
		if shown := ada.displayed(cardOne); shown.Kind != kindBack || shown.Face != 0 {
			t.Errorf("she sees %+v", shown)
		}
	})
	t.Run("T10.8, T24.9 the ack of an addition has the new identifier", func(t *testing.T) {
		s, ada, _, _ := sit(t)
		ada.act(table.OpAdd, 0, kind(kindToken), at(1, 2), face(2))
		ada.act(table.OpCopy, tokenOne, at(3, 4))
		s.settle()
		if len(ada.made) != 2 || ada.made[0] == ada.made[1] {
			t.Fatalf("made %v", ada.made)
		}
		ada.wantAt(t, ada.made[0], 1, 2)
		ada.wantAt(t, ada.made[1], 3, 4)
	})
	for name, again := range map[string]func(*server){
		"at once":              func(*server) {},
		"after a restart":      func(s *server) { s.restart() },
		"from a snapshot only": func(s *server) { s.keep(); s.restart() },
	} {
		// Clauses: T10.3, T10.14, T10.16, T10.17, T10.18
		t.Run("T10 a repeated sequence gets its outcome again, "+name, func(t *testing.T) {
			testRepeated(t, again)
		})
	}
	t.Run("T10.4, T10.19, T10.20, T14.13 forgotten", testForgotten)
	t.Run("T10.15, T10.16, T10.20 the last 512 outcomes are kept", testOutcomesKept)
	t.Run("T10.15 the last 16 clients of a seat are remembered", testClientsKept)
}

func testRepeated(t *testing.T, again func(*server)) {
	s, ada, _, _ := sit(t)
	recorded := ada.make(table.OpMove, tokenOne, at(1, 1))
	made := ada.make(table.OpAdd, 0, kind(kindToken), at(0, 0))
	removed := ada.make(table.OpDelete, tokenTwo)
	s.must(t, ada, recorded, table.Recorded)
	s.must(t, ada, made, table.Recorded)
	s.must(t, ada, removed, table.Recorded)
	name := s.log[len(s.log)-2].Name
	gen := s.table.Gen()
	mark := s.table.VersionAt(1, gen-2)
	again(s)

	for range 2 {
		if out := s.must(
			t, ada, recorded, table.Repeated,
		); out.Ack != (table.Ack{Seq: recorded.Seq, Piece: tokenOne, Version: mark}) {
			t.Errorf("the ack again: %+v", out.Ack)
		}
		if out := s.must(t, ada, made, table.Repeated); out.Ack.Seq != made.Seq ||
			out.Ack.Made != name || out.Ack.Piece != name {
			t.Errorf("the ack of the addition again: %+v", out.Ack)
		}
		if out := s.must(
			t, ada, removed, table.Repeated,
		); out.Ack != (table.Ack{Seq: removed.Seq}) {
			t.Errorf("the ack of the deletion again: %+v", out.Ack)
		}
	}
	if s.table.Gen() != gen {
		t.Error("a repeated update was applied twice")
	}
	acks := s.table.Acks(ada.id, made.Seq, s.table.Gen())
	if len(acks) != 2 || acks[0].Seq != made.Seq || acks[1].Seq != removed.Seq {
		t.Errorf("acks from %d on: %+v", made.Seq, acks)
	}

	other := recorded
	other.X++
	_, bogus := s.apply(ada, other)
	wantBogus(t, bogus, table.CodeReusedSeq)
	other = recorded
	other.Tag -= markRejects + 1
	_, bogus = s.apply(ada, other)
	wantBogus(t, bogus, table.CodeReusedSeq)
}

func testForgotten(t *testing.T) {
	s, ada, bob, _ := sit(t)
	s.must(t, bob, bob.make(table.OpGrab, tokenOne), table.Recorded)
	bob.drain()
	ada.drain()
	refused := ada.make(table.OpMove, tokenOne, at(1, 1))
	if out := s.must(t, ada, refused, table.Rejected); out.Reject.Reason != table.ReasonHeld {
		t.Errorf("reason %d", out.Reject.Reason)
	}
	if out := s.must(t, ada, refused, table.Rejected); out.Reject.Reason != table.ReasonHeld {
		t.Errorf("reason %d the second time", out.Reject.Reason)
	}
	skipped := ada.make(table.OpMove, tokenTwo, at(9, 9)) // lost on its way
	later := ada.make(table.OpMove, tokenTwo, at(2, 2))
	s.must(t, ada, later, table.Recorded)
	_, bogus := s.apply(ada, skipped)
	wantBogus(t, bogus, table.CodeDecreasingSeq)

	s.restart()
	if out := s.must(t, ada, refused, table.Rejected); out.Reject.Reason != table.ReasonForgotten {
		t.Errorf("after a restart: reason %d", out.Reject.Reason)
	}
	stale := refused
	stale.Seq, stale.Tag = skipped.Seq, markRejects+1
	s.must(t, ada, stale, table.Discarded)

	t.Run("T10.6 an earlier sequence counts as a retry from before a restart", func(t *testing.T) {
		low, high := ada.make(table.OpMove, tokenThree, at(3, 3)),
			ada.make(table.OpMove, tokenTwo, at(4, 4))
		after := ada.make(table.OpMove, tokenTwo, at(5, 5))
		s.must(t, ada, high, table.Recorded)
		if out := s.must(t, ada, low, table.Rejected); out.Reject.Reason != table.ReasonForgotten {
			t.Errorf("reason %d", out.Reject.Reason)
		}
		high = ada.make(table.OpMove, tokenTwo, at(6, 6))
		s.must(t, ada, high, table.Recorded)
		// This one is invalid: the process has judged updates of the client.
		_, bogus := s.apply(ada, after)
		wantBogus(t, bogus, table.CodeDecreasingSeq)
	})
	t.Run("T10.20, T17 a forgotten Loose grab is answered even if it is stale", func(t *testing.T) {
		grab := stale
		grab.Op, grab.Has = table.OpGrab, table.HasPiece|table.HasTag|table.HasLoose
		if out := s.must(t, ada, grab, table.Rejected); out.Reject.Reason != table.ReasonForgotten {
			t.Errorf("reason %d", out.Reject.Reason)
		}
	})
}

func testOutcomesKept(t *testing.T) {
	s, ada, _, _ := sit(t)
	updates := make([]table.Update, 3*table.OutcomesKept)
	for i := range updates {
		updates[i] = ada.make(table.OpMove, tokenOne, at(int32(i), 0))
		s.must(t, ada, updates[i], table.Recorded)
	}
	for _, u := range updates[len(updates)-table.OutcomesKept:] {
		s.must(t, ada, u, table.Repeated)
	}
	gen := s.table.Gen()
	if out := s.must(
		t, ada, updates[0], table.Rejected,
	); out.Reject.Reason != table.ReasonForgotten {
		t.Errorf("the first of %d: reason %d, want forgotten", len(updates), out.Reject.Reason)
	}
	s.keep()
	if kept := len(s.image.Clients[0].Recorded); kept < table.OutcomesKept ||
		kept > 2*table.OutcomesKept {
		t.Errorf("%d outcomes are kept, want about %d", kept, table.OutcomesKept)
	}
	s.restart()
	s.must(t, ada, updates[len(updates)-table.OutcomesKept], table.Repeated)
	s.must(t, ada, updates[0], table.Rejected)
	if s.table.Gen() != gen {
		t.Error("a repeated update was applied twice")
	}
}

func testClientsKept(t *testing.T) {
	s, ada, _, _ := sit(t)
	first := ada.make(table.OpMove, tokenOne, at(1, 1))
	s.must(t, ada, first, table.Recorded)
	last := s.join(1)
	for range table.ClientsPerSeat - 2 {
		c := s.join(1)
		s.must(t, c, c.make(table.OpMove, tokenTwo, at(0, 0)), table.Recorded)
	}
	last.renew()
	s.must(t, last, last.make(table.OpMove, tokenTwo, at(0, 0)), table.Recorded)
	s.must(t, ada, first, table.Repeated) // ada is the 16th client, and was used last
	for range table.ClientsPerSeat {
		c := s.join(1)
		s.must(t, c, c.make(table.OpMove, tokenTwo, at(0, 0)), table.Recorded)
	}
	if seat := s.table.SeatOf(ada.id); seat != 0 {
		t.Errorf("after %d others of her seat she is known as one of seat %d",
			table.ClientsPerSeat, seat)
	}
	if seat := s.table.SeatOf(id.Client{9}); seat != 0 {
		t.Errorf("an unknown client is of seat %d", seat)
	}
}
