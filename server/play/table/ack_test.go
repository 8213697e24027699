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
	t.Run("T10.4, T10.18 a sequence that others have overtaken", testOvertaken)
	t.Run("T10.21 after a restart", testOvertakenBeforeRestart)
	t.Run("T10.21 after a reject that nobody could read", testJudgedBeforeReturn)
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
		// This one is judged: the process has judged updates of the client, and never this one.
		s.must(t, ada, after, table.Recorded)
		s.must(t, ada, after, table.Repeated)
	})
	t.Run("T10.20, T17 a forgotten Loose grab is answered even if it is stale", func(t *testing.T) {
		grab := stale
		grab.Op, grab.Has = table.OpGrab, table.HasPiece|table.HasTag|table.HasLoose
		if out := s.must(t, ada, grab, table.Rejected); out.Reject.Reason != table.ReasonForgotten {
			t.Errorf("reason %d", out.Reject.Reason)
		}
	})
}

// testOvertaken sends updates of one client out of turn.
func testOvertaken(t *testing.T) {
	s, ada, _, _ := sit(t)
	s.must(t, ada, ada.make(table.OpMove, tokenThree, at(0, 0)), table.Recorded)
	late := ada.make(table.OpMove, tokenOne, at(1, 1))
	refused := ada.make(table.OpRelease, tokenOne, at(5, 5))
	other := ada.make(table.OpMove, tokenTwo, at(2, 2))
	s.must(t, ada, other, table.Recorded)
	s.must(t, ada, refused, table.Rejected)
	s.must(t, ada, late, table.Discarded) // behind the floor of the reject (T14.5)
	overtaken := ada.make(table.OpAdd, 0, kind(kindToken), at(3, 3))
	s.must(t, ada, ada.make(table.OpMove, tokenThree, at(4, 4)), table.Recorded)
	s.must(t, ada, overtaken, table.Recorded)
	gen := s.table.Gen()
	for range 2 {
		s.must(t, ada, overtaken, table.Repeated)
		s.must(t, ada, other, table.Repeated)
		s.must(t, ada, late, table.Discarded)
	}
	changed := overtaken
	changed.X++
	_, bogus := s.apply(ada, changed)
	wantBogus(t, bogus, table.CodeReusedSeq)

	// The lowest that is accepted, and the one below it.
	low := ada.make(table.OpMove, tokenTwo, at(6, 6))
	lowest := ada.make(table.OpMove, tokenOne, at(7, 7))
	ada.seq = lowest.Seq + table.OutcomesKept - 2
	s.must(t, ada, ada.make(table.OpMove, tokenThree, at(8, 8)), table.Recorded)
	_, bogus = s.apply(ada, low)
	wantBogus(t, bogus, table.CodeDecreasingSeq)
	lowest.Tag = s.table.VersionAt(ada.seat, s.table.Gen())
	s.must(t, ada, lowest, table.Recorded)
	if s.table.Gen() != gen+2 {
		t.Errorf("%d entries, want 2", s.table.Gen()-gen)
	}
	fill(t, s, ada)
}

// fill sends as many sequences as the table takes, the highest first in each block. The table keeps
// a bounded number of outcomes, and every one of the last 512.
func fill(t *testing.T, s *server, ada *tab) {
	t.Helper()
	first := ada.seq + 1
	for range 5 {
		ada.seq += table.OutcomesKept
		top := ada.seq
		for seq := top; seq > top-table.OutcomesKept; seq-- {
			ada.seq = seq - 1
			s.must(t, ada, ada.make(table.OpMove, tokenThree, at(int32(seq), 0)), table.Recorded)
		}
		ada.seq = top
	}
	s.keep()
	if kept := len(s.image.Clients[0].Recorded); kept < table.OutcomesKept ||
		kept > 2*table.OutcomesKept {
		t.Errorf("%d outcomes are kept, want about %d", kept, table.OutcomesKept)
	}
	gen := s.table.Gen()
	last := ada.seq
	for seq := last - table.OutcomesKept + 1; seq <= last; seq++ {
		again := ada.make(table.OpMove, tokenThree, at(int32(seq), 0))
		again.Seq = seq
		if _, bogus := s.apply(ada, again); bogus != nil && bogus.Code != table.CodeReusedSeq {
			t.Fatalf("sequence %d: %v", seq, bogus)
		}
	}
	old := ada.make(table.OpMove, tokenThree, at(0, 0))
	old.Seq = first
	s.must(t, ada, old, table.Rejected)
	if s.table.Gen() != gen {
		t.Errorf("%d updates were recorded twice", s.table.Gen()-gen)
	}
}

// testOvertakenBeforeRestart restarts while an update is on its way that others have overtaken.
func testOvertakenBeforeRestart(t *testing.T) {
	for _, row := range []struct {
		name    string
		waits   func(low, high table.Update) id.ClientSeq
		verdict table.Verdict
	}{
		{
			"its client says that it waits for it", func(low, _ table.Update) id.ClientSeq {
				return low.Seq
			}, table.Recorded,
		},
		{
			"T10.6 its client waits for a later one", func(_, high table.Update) id.ClientSeq {
				return high.Seq
			}, table.Rejected,
		},
		{
			"T10.6 its client waits for nothing", func(table.Update, table.Update) id.ClientSeq {
				return 0
			}, table.Rejected,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, ada, _, _ := sit(t)
			s.must(t, ada, ada.make(table.OpMove, tokenThree, at(0, 0)), table.Recorded)
			low := ada.make(table.OpMove, tokenOne, at(1, 1))
			high := ada.make(table.OpMove, tokenTwo, at(2, 2))
			next := ada.make(table.OpMove, tokenThree, at(3, 3))
			last := ada.make(table.OpMove, tokenTwo, at(4, 4))
			s.must(t, ada, high, table.Recorded)
			s.restart()
			s.table.Return(ada.id, ada.seat, row.waits(low, high))
			s.must(t, ada, high, table.Repeated)
			if row.verdict == table.Recorded { // others overtake it again
				s.must(t, ada, last, table.Recorded)
				s.must(t, ada, next, table.Recorded)
			}
			s.must(t, ada, low, row.verdict)
			if row.verdict == table.Recorded {
				s.must(t, ada, low, table.Repeated)
				s.must(t, ada, next, table.Repeated)
			}
		})
	}
}

// testJudgedBeforeReturn judges an update again between a restart and the stream of its client,
// which cannot read the reject.
func testJudgedBeforeReturn(t *testing.T) {
	s, ada, _, _ := sit(t)
	low := ada.make(table.OpMove, tokenOne, at(1, 1))
	s.must(t, ada, ada.make(table.OpMove, tokenTwo, at(2, 2)), table.Recorded)
	s.restart()
	s.must(t, ada, low, table.Rejected)
	s.table.Return(ada.id, ada.seat, low.Seq)
	if out := s.must(
		t, ada, low, table.Rejected,
	); out.Reject.Reason != table.ReasonForgotten {
		t.Errorf("reason %d, want forgotten", out.Reject.Reason)
	}
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
