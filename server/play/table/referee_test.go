package table_test

import (
	"reflect"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// watching is the seat of the spectator of newServer.
const watching id.Seat = 4

// propose proposes to make the spectator a referee, for the host, and returns the number.
func (s *server) propose() uint32 {
	s.t.Helper()
	if !s.table.Propose(watching, 1, s.now) {
		s.t.Fatal("T74.1 a host does not propose a spectator")
	}
	to, _ := s.table.Proposed()
	s.publish(nil)
	return to.Referee.Proposal
}

// agree lets seats agree to a proposal.
func (s *server) agree(number uint32, seats ...id.Seat) {
	s.t.Helper()
	for _, seat := range seats {
		if !s.table.Agree(seat, number, s.now) {
			s.t.Fatalf("T74.2 seat %d does not agree", seat)
		}
	}
	s.publish(nil)
}

// role returns the role of a seat.
func (s *server) role(seat id.Seat) table.Role {
	who, _ := s.table.Seat(seat)
	return who.Role
}

// Clauses: T74.1, T74.2, T74.3, T74.4, T74.6
func TestT74Agreement(t *testing.T) {
	t.Run("T74.2 who agreed to an earlier proposal is asked again", func(t *testing.T) {
		s := newWorld(t, 1)
		s.agree(s.propose(), 2)
		s.table.EndProposal(3, s.now)
		s.agree(s.propose(), 3)
		if s.role(watching) != table.RoleSpectator {
			t.Error("T74.2 who agreed to an earlier proposal was not asked")
		}
	})
	t.Run("T74.2 all who play have to agree", func(t *testing.T) {
		s := newWorld(t, 1)
		n := s.propose()
		if s.table.Propose(watching, 1, s.now) {
			t.Error("T74.1 a second proposal is open")
		}
		if s.table.Agree(watching, n, s.now) || s.table.Agree(2, n+1, s.now) {
			t.Error("T74.2 who watches agrees, or somebody to another proposal")
		}
		s.agree(n, 2, 2)
		if s.role(watching) != table.RoleSpectator {
			t.Error("T74.2 one who plays was not asked")
		}
		s.restart()
		s.agree(n, 3)
		who, _ := s.table.Seat(watching)
		if who.Role != table.RoleReferee || who.Referee.Proposal != 0 {
			t.Errorf("T74.2 after all have agreed the seat is %+v", who)
		}
		if e := s.log[len(s.log)-1]; e.Who == nil || e.Who.Role != table.RoleReferee || e.Seat != 1 {
			t.Errorf("T74.4 recorded: %+v", e)
		}
		if s.table.SitDown(watching, 1, s.now) {
			t.Error("T74.11 a referee plays")
		}
	})
	for name, ends := range map[string]func(s *server){
		"a refusal":         func(s *server) { s.table.EndProposal(3, s.now) },
		"a new player":      func(s *server) { s.table.Sit(table.SeatInfo{Nick: "x", Role: 2}, s.now) },
		"it leaves":         func(s *server) { s.table.Unseat(watching, table.Ending{By: 1}, s.now) },
		"it begins to play": func(s *server) { s.table.SitDown(watching, 1, s.now) },
	} {
		t.Run("T74.3 "+name+" ends it", func(t *testing.T) {
			s := newWorld(t, 1)
			n := s.propose()
			s.agree(n, 2)
			ends(s)
			s.publish(nil)
			if _, open := s.table.Proposed(); open || s.table.Agree(3, n, s.now) {
				t.Error("T74.3 it is still open")
			}
			if s.role(watching) == table.RoleReferee {
				t.Error("T74.3 there is a referee")
			}
		})
	}
	for name, goes := range map[string]func(s *server) bool{
		"ends":    func(s *server) bool { return s.table.Unseat(3, table.Ending{By: 3}, s.now) },
		"gets up": func(s *server) bool { return s.table.StandUp(3, table.Ending{By: 3}, s.now) },
	} {
		t.Run("T74.6 the seat that has not agreed "+name, func(t *testing.T) {
			s := newWorld(t, 1)
			s.agree(s.propose(), 2)
			if !goes(s) {
				t.Fatal("it does not go")
			}
			if s.role(watching) != table.RoleReferee {
				t.Error("T74.6 the server waits for it")
			}
		})
	}
	t.Run("T74.3 somebody who watched begins to play", func(t *testing.T) {
		s := newWorld(t, 1)
		s.table.StandUp(3, table.Ending{By: 3}, s.now)
		s.propose()
		if !s.table.SitDown(3, 3, s.now) {
			t.Fatal("seat 3 does not sit down")
		}
		if _, open := s.table.Proposed(); open {
			t.Error("T74.3 it is still open")
		}
	})
	t.Run("T74.1 nobody with a hand", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(1))
		s.table.StandUp(2, table.Ending{By: 2, Hands: table.HandsStay}, s.now)
		if s.table.Propose(2, 1, s.now) || s.table.Propose(3, 1, s.now) {
			t.Error("T74.1 a seat with a hand, or one that plays, is proposed")
		}
	})
	t.Run("T74.4 a later proposal has another number", func(t *testing.T) {
		s := newWorld(t, 1)
		first := s.propose()
		s.agree(first, 2)
		s.table.EndProposal(3, s.now)
		if second := s.propose(); second == first {
			t.Error("consent to the first proposal counts for the second")
		}
	})
}

// referee makes the spectator a referee.
func (s *server) referee() {
	s.t.Helper()
	s.agree(s.propose(), 2, 3)
	if s.role(watching) != table.RoleReferee {
		s.t.Fatal("T74.2 there is no referee")
	}
}

// Clauses: T74.7, T74.8
func TestT74Sight(t *testing.T) {
	s, ada, bob, _ := seated(t)
	bob.do(table.OpDraw, worldDeck, amount(2))
	bob.do(table.OpMove, worldCard, at(0, handTwoY))
	given := s.table.VersionAt(watching, s.table.Gen())
	s.referee()
	if _, known := s.table.GenAt(watching, given); known {
		t.Error("T74.8 a stream from before can be resumed")
	}
	see := func() (hand, concealed, masks int) {
		for _, p := range s.table.All(watching, id.Client{}) {
			switch {
			case p.Kind == kindBack || p.Kind == kindBlueBack:
				masks++
			case kinds[p.Kind].Secret && p.Owner != 0:
				hand++
			case kinds[p.Kind].Secret && p.Face == 1:
				concealed++
			}
		}
		return hand, concealed, masks
	}
	if hand, concealed, masks := see(); hand != 3 || concealed != 3 || masks != 0 {
		t.Errorf("T74.7 %d cards in hands, %d fronts, %d masks", hand, concealed, masks)
	}
	if n, in := len(s.table.All(watching, id.Client{})), len(s.table.All(0, id.Client{})); n != in+3 {
		t.Errorf("T74.7 %d pieces, others see %d: what lies in containers is shown", n, in)
	}
	cid := s.join(watching)
	version := s.table.VersionAt(0, s.table.Gen())
	bob.do(table.OpFlip, worldCard, face(1))
	if got := s.table.VersionAt(0, s.table.Gen()); got != version {
		t.Errorf("T74.7 spectators get what a referee sees: version %d, want %d", got, version)
	}
	before, public := s.table.VersionAt(watching, s.table.Gen()), s.table.VersionAt(0, s.table.Gen())
	for range 8 { // until the order is another one
		ada.do(table.OpShuffle, 0, pieces(worldCardTwo, worldCardThree, worldCardFour))
	}
	if s.table.VersionAt(watching, s.table.Gen()) == before ||
		s.table.VersionAt(0, s.table.Gen()) != public {
		t.Error("T74.7 a shuffle of concealed cards is counted for others, or not for the referee")
	}
	ada.do(table.OpDraw, worldDeck, amount(1))
	if hand, _, _ := see(); hand != 4 || len(cid.pieces) != len(s.table.All(watching, id.Client{})) {
		t.Errorf("T74.7 after a draw %d cards in hands, and %d pieces are sent", hand, len(cid.pieces))
	}
}

// calm plays steps without broken streams and restarts, so that the same seed gives the same.
func (s *server) calm(steps int) {
	s.t.Helper()
	for _, seat := range []id.Seat{1, 2, 3} {
		s.join(seat)
	}
	watcher := s.join(watching)
	for range steps {
		switch c := s.tabs[s.rnd.IntN(len(s.tabs))]; s.rnd.IntN(3) {
		case 0:
			if c != watcher && len(c.up) < 8 {
				c.randomAct()
			}
		case 1:
			if len(c.up) > 0 {
				s.receive(c)
			}
		default:
			c.drain()
		}
	}
	s.settle()
}

// TestT74Others shows that what others are sent does not depend on whether there is a referee: two
// random histories differ only in that. The referee's view is checked, too.
// Clauses: T74.7, T74.13
func TestT74Others(t *testing.T) {
	for seed := range uint64(4) {
		var at [2]*server
		for i := range at {
			s := newWorld(t, 100+seed)
			at[i] = s
			s.agree(s.propose(), 2)
			if i == 0 {
				s.agree(1, 3) // two entries: it agrees, and there is a referee
			} else {
				s.table.EndProposal(3, s.now)
				s.table.Appear(watching, "another", 1, s.now)
				s.publish(nil)
			}
			s.calm(2500)
		}
		with, without := at[0], at[1]
		if len(with.log) != len(without.log) {
			t.Fatalf("T74.13 seed %d: %d entries, want %d", seed, len(with.log), len(without.log))
		}
		for i := range with.log {
			a, b := &with.log[i], &without.log[i]
			if a.Who == nil && b.Who == nil && !reflect.DeepEqual(a, b) {
				t.Fatalf("T74.13 seed %d: entry %d is\n%+v, without a referee\n%+v", seed, i, a, b)
			}
			for seat := range watching {
				if with.table.VersionAt(seat, a.Gen) != without.table.VersionAt(seat, b.Gen) {
					t.Fatalf("T74.13 seed %d: the version of entry %d for seat %d", seed, i, seat)
				}
			}
		}
		for _, p := range with.table.All(watching, id.Client{}) {
			truth := with.truth.states[with.bearers[p.Name]]
			if p.Kind != truth.Kind && truth.Kind != kindUnknown || p.Face != truth.Face {
				t.Errorf("T74.7 seed %d: the referee sees %+v of %+v", seed, p, truth)
			}
		}
		hands := 0
		for oid, p := range with.truth.states {
			if !p.Gone && p.Owner != 0 && p.In != 0 {
				hands++
				if _, sees := with.table.Find(with.names[oid], watching); !sees {
					t.Errorf("T74.7 seed %d: the referee does not see piece %d in a hand", seed, oid)
				}
			}
		}
		if hands == 0 {
			t.Errorf("seed %d shows nothing of hands", seed)
		}
	}
}

// Clauses: T74.9
func TestT74Log(t *testing.T) {
	s, _, bob, _ := seated(t)
	bob.do(table.OpMove, worldCard, at(0, handTwoY))
	bob.do(table.OpMove, worldCard, at(0, 0))
	before := len(s.log)
	s.referee()
	bob.do(table.OpMove, worldCard, at(0, handTwoY))
	r, saw := s.table.Reader(watching), 0
	for i := range s.log {
		sent := r.Read(&s.log[i])
		shown := sent.Piece && sent.After.Kind == kindAce && sent.After.Owner == 2
		if shown && i < before {
			t.Errorf("T74.9 entry %d from before shows a card in a hand: %+v", i, sent)
		}
		if shown {
			saw++
		}
	}
	if saw == 0 {
		t.Error("T74.9 the log of the referee has no card in a hand")
	}
}

// TestT74Histories plays tables with a referee at random, with streams that break and restarts.
// Clauses: T74.5, T74.7, T74.8
func TestT74Histories(t *testing.T) {
	for seed := range uint64(2) {
		s := newWorld(t, 300+seed)
		s.referee()
		s.play(2000)
	}
}
