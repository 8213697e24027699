package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// comeAndGo seats somebody late. Sometimes a host ends another seat first.
func (s *server) comeAndGo() {
	s.t.Helper()
	if len(s.table.Seats()) >= 10 {
		return
	}
	if s.rnd.IntN(2) == 0 {
		seat := id.Seat(2 + s.rnd.IntN(2))
		s.table.Unseat(seat, table.Ending{By: 1, Hands: table.HandsTo(s.rnd.IntN(3)), To: 1}, s.now)
		s.tabs = slices.DeleteFunc(s.tabs, func(c *tab) bool { return c.seat == seat })
		s.checkEnded(seat)
	}
	seat, _ := s.table.Sit(table.SeatInfo{Nick: "late", Role: table.RolePlayer}, s.now)
	s.table.LetEdit(id.Seat(1+s.rnd.IntN(3)), s.rnd.IntN(3) > 0, 1, s.now)
	s.publish(nil)
	s.join(seat)
}

// checkEnded checks that a seat that has ended holds nothing and is in no team (T51). What others
// hold follows when they put it down (T23).
func (s *server) checkEnded(seat id.Seat) {
	s.t.Helper()
	if who, _ := s.table.Seat(seat); who.Left == 0 {
		return
	}
	s.publish(nil)
	for oid, p := range s.truth.states {
		if !p.Gone && (p.Holder == seat || p.Holder == 0 && p.Team.Has(seat) ||
			kinds[p.Kind].Seat == table.SeatTurn && p.Owner == seat) {
			s.fatalf("T51: seat %d has ended and is still used by piece %d: %+v",
				seat, s.names[oid], p)
		}
	}
}

// seated returns a server with the pieces of world and tabs of the seats 1 to 3.
func seated(t *testing.T) (s *server, ada, bob, cid *tab) {
	s = newWorld(t, 7)
	return s, s.join(1), s.join(2), s.join(3)
}

// end ends a seat for a host, and checks that it has ended.
func (s *server) end(seat id.Seat, hands table.HandsTo, to id.Seat) []table.Entry {
	s.t.Helper()
	if !s.table.Unseat(seat, table.Ending{By: 1, Hands: hands, To: to}, s.now) {
		s.t.Fatalf("seat %d does not end", seat)
	}
	entries := s.publish(nil)
	s.settle()
	s.checkEnded(seat)
	s.checkHands()
	s.checkViewers()
	return entries
}

// TestHandsOfAnEndedSeat shows what becomes of the hands, pieces, teams and turns of a seat that
// ends (T51).
func TestHandsOfAnEndedSeat(t *testing.T) {
	t.Run("T51.10 back: cards go home, and pieces without a home lie face down", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(3))
		bob.do(table.OpMove, worldCard, at(0, handTwoY))
		if n := len(s.states(worldHandTwo)); n != 4 {
			t.Fatalf("%d cards lie in the hand", n)
		}
		s.end(2, table.HandsBack, 0)
		if n := len(s.states(worldDeck)); n != inDeck {
			t.Errorf("%d cards lie in the deck, want %d", n, inDeck)
		}
		if h := s.state(worldHandTwo); h.Owner != 0 || len(s.states(worldHandTwo)) != 0 {
			t.Errorf("the hand is %+v, and %d cards lie in it", h, len(s.states(worldHandTwo)))
		}
		if c := s.truth.states[oid(uint64(worldCard))]; c.In != 0 || c.Face != 1 || c.Owner != 0 {
			t.Errorf("the card without a home is %+v", c)
		}
	})
	// Clauses: T30.20, T51.10
	t.Run("T30, T51 stay: nobody sees into the hand until a host gives it away", func(t *testing.T) {
		s, ada, bob, cid := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(3))
		entries := s.end(2, table.HandsStay, 0)
		if len(entries) != 1 || entries[0].Who == nil || entries[0].Who.Left != 1 {
			t.Errorf("recorded: %+v", entries)
		}
		for _, seat := range []id.Seat{0, 1, 3} {
			for _, p := range s.table.All(seat, id.Client{}) {
				if p.Owner == 2 && kinds[p.Kind].Secret {
					t.Errorf("the view of seat %d sees %+v", seat, p)
				}
			}
		}
		cid.act(table.OpClaim, worldHandTwo)
		wantVerdict(t, s.receive(cid), table.Rejected)
		cid.do(table.OpDraw, worldDeck, amount(1))
		ada.do(table.OpDeal, worldDeck, amount(1))
		if n := len(s.states(worldHandTwo)); n != 3 {
			t.Errorf("%d cards lie in the hand: a deal skips ended seats", n)
		}
		ada.do(table.OpGive, worldHandTwo, whom(3))
		if h := s.state(worldHandTwo); h.Owner != 3 {
			t.Errorf("the hand is of seat %d", h.Owner)
		}
	})
	t.Run("T51.10 stay: an empty hand is free for the next player", func(t *testing.T) {
		s, _, _, _ := seated(t)
		s.end(2, table.HandsStay, 0)
		seat, _ := s.table.Sit(table.SeatInfo{Nick: "Dan", Role: table.RolePlayer}, s.now)
		s.publish(nil)
		if h := s.state(worldHandTwo); h.Owner != seat {
			t.Errorf("the hand is of seat %d, want %d", h.Owner, seat)
		}
	})
	t.Run("T51.10 given: the hand belongs to somebody else, who sees the cards", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpDraw, worldDeck, amount(3))
		s.end(2, table.HandsGiven, 3)
		if h := s.state(worldHandTwo); h.Owner != 3 {
			t.Errorf("the hand is of seat %d", h.Owner)
		}
		seen := 0
		for _, p := range s.table.All(3, id.Client{}) {
			if kinds[p.Kind].Secret && p.Owner == 3 {
				seen++
			}
		}
		if seen != 3 {
			t.Errorf("seat 3 sees %d cards", seen)
		}
	})
	t.Run("T51.6, T51.8 the seat's holds are released, and its turn passes on", func(t *testing.T) {
		s, _, bob, _ := seated(t)
		bob.do(table.OpGrab, worldToken)
		bob.do(table.OpAssign, worldMarker, whom(2))
		s.end(2, table.HandsBack, 0)
		if p := s.state(worldToken); p.Holder != 0 {
			t.Errorf("the token is held by seat %d", p.Holder)
		}
		if p := s.state(worldMarker); p.Owner != 3 {
			t.Errorf("it is the turn of seat %d", p.Owner)
		}
	})
	t.Run("T51.7, T51.9 the seat is in no team, and cannot be given anything", func(t *testing.T) {
		s, ada, _, _ := seated(t)
		ada.do(table.OpShare, worldHandOne, whom(2))
		s.end(2, table.HandsBack, 0)
		if h := s.state(worldHandOne); h.Team != "" {
			t.Errorf("the team is %q", h.Team)
		}
		for op, p := range map[table.Op]id.Piece{
			table.OpGive: worldHandOne, table.OpShare: worldHandOne,
		} {
			ada.act(op, p, whom(2))
			if out := s.receive(ada); out.Reject.Reason != table.ReasonNotAllowed {
				t.Errorf("%s: %+v", op, out)
			}
		}
	})
	t.Run("T51 an invalid end of a seat changes nothing", func(t *testing.T) {
		s, _, _, _ := seated(t)
		for _, row := range []struct {
			seat id.Seat
			e    table.Ending
		}{
			{99, table.Ending{By: 1}},
			{2, table.Ending{By: 1, Hands: table.HandsGiven, To: 2}},
			{2, table.Ending{By: 1, Hands: table.HandsGiven, To: 4}},
		} {
			if s.table.Unseat(row.seat, row.e, s.now) || len(s.table.Take()) > 0 {
				t.Errorf("%+v is recorded", row)
			}
		}
		s.end(2, table.HandsBack, 0)
		if s.table.Unseat(2, table.Ending{By: 1}, s.now) || s.table.VoidToken(2, s.now) {
			t.Error("a seat ends twice")
		}
	})
}

// TestNamesOfSeats shows that seats whose names look the same are numbered (T53).
func TestNamesOfSeats(t *testing.T) {
	sit := func(s *server, nick, home string) string {
		seat, ok := s.table.Sit(
			table.SeatInfo{Nick: nick, Home: home, Role: table.RolePlayer}, s.now,
		)
		if !ok {
			t.Fatal("no seat")
		}
		s.publish(nil)
		who, _ := s.table.Seat(seat)
		return who.Name()
	}
	t.Run("T53.1, T53.3, T53.4 names that look the same get numbers", func(t *testing.T) {
		s := newServer(t, 1)
		for _, row := range [][2]string{
			{"Zoë", "Zoë"}, {"zoë", "zoë (2)"}, {"Zoe\u0308", "Zoe\u0308 (3)"},
			{"Zo\u200dë", "Zo\u200dë (4)"}, {"ＺＯＥ\u0308", "ＺＯＥ\u0308 (5)"},
			{"Mr  X", "Mr  X"}, {"mr x", "mr x (2)"}, {"Mr X (2)", "Mr X (2) (2)"},
			{"Mr X", "Mr X (3)"}, {"Zoe", "Zoe"},
		} {
			if got := sit(s, row[0], ""); got != row[1] {
				t.Errorf("%q is displayed as %q, want %q", row[0], got, row[1])
			}
		}
		if got := sit(s, "Zoë", "Ada's"); got != "Zoë ⌂ Ada's" {
			t.Errorf("a visitor is displayed as %q", got)
		}
	})
	t.Run("T53.5 a number stays with another colour, after leaves and a restart", func(t *testing.T) {
		s := newServer(t, 1)
		for range 3 {
			sit(s, "Ben", "")
		}
		first := id.Seat(len(s.table.Seats()) - 2)
		s.table.Unseat(first, table.Ending{By: 1}, s.now)
		s.table.Appear(first+1, "Ben", 0x123456, s.now)
		s.publish(nil)
		s.restart()
		for i, want := range []string{"Ben", "Ben (2)", "Ben (3)"} {
			if who, _ := s.table.Seat(first + id.Seat(i)); who.Name() != want {
				t.Errorf("seat %d is displayed as %q, want %q", who.Seat, who.Name(), want)
			}
		}
		if got := sit(s, "Ben", ""); got != "Ben (4)" {
			t.Errorf("the next one is displayed as %q: the history still has the first", got)
		}
	})
	t.Run("T53 a new name frees the old one", func(t *testing.T) {
		s := newServer(t, 1)
		sit(s, "Ben", "")
		seat := id.Seat(len(s.table.Seats()))
		s.table.Appear(seat, "Bob", 0, s.now)
		s.table.Appear(seat, "Ben", 0, s.now)
		s.publish(nil)
		if who, _ := s.table.Seat(seat); who.Name() != "Ben" {
			t.Errorf("displayed as %q", who.Name())
		}
	})
}
