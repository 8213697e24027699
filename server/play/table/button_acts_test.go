package table_test

import (
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// dealerDoes lets a press of the dealer do these steps.
func dealerDoes(t *testing.T, steps ...table.Step) {
	t.Helper()
	was, mine := kinds, slices.Clone(kinds)
	mine[kindDealer].Button.Steps = steps
	kinds, config.Kinds = mine, mine
	t.Cleanup(func() { kinds, config.Kinds = was, was })
}

// pressing sits three people down at the world, where a press of the dealer does these steps.
func pressing(t *testing.T, steps ...table.Step) (s *server, ada, bob *tab) {
	t.Helper()
	dealerDoes(t, steps...)
	s, ada, bob, _ = sitAtWorld(t)
	return s, ada, bob
}

// TestButtonActs shows what the verbs do that act as a player does.
func TestButtonActs(t *testing.T) {
	roll := table.Step{Do: table.DoRoll, Kind: kindDie}
	deal := func(n int32) table.Step { return table.Step{Do: table.DoDeal, Kind: kindDeck, N: n} }
	move := func(n int32, to uint32, face int32) table.Step {
		return table.Step{Do: table.DoMove, Kind: kindDeck, N: n, To: to, Face: face}
	}
	// Clauses: T85.4
	t.Run("T85.4 a face is turned up", func(t *testing.T) {
		s, _, bob := pressing(t, table.Step{Do: table.DoFace, Kind: kindToken, N: 2})
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := s.state(worldToken).Face; got != 2 {
			t.Errorf("face %d is up", got)
		}
	})
	// Clauses: T84.1, T84.11, T85.5
	t.Run("T85.5 dice are rolled, each by a draw of its own", func(t *testing.T) {
		s, _, bob := pressing(t, roll)
		bob.act(table.OpRun, worldDealer)
		out := s.receive(bob)
		s.settle()
		if out.Verdict != table.Recorded || len(s.drawn) != 2 {
			t.Fatalf("verdict %d, draws %+v", out.Verdict, s.drawn)
		}
		for i, die := range []id.Piece{worldDieOne, worldDieTwo} {
			d, is := s.drawn[i], s.state(die)
			if d.What != table.ChanceRoll || int32(d.Outputs[0]) != is.Face || is.Rolled != s.now {
				t.Errorf("draw %+v for %+v", d, is)
			}
		}
	})
	// Clauses: T84.1, T84.11, T85.5, T85.6, T85.7
	t.Run("T85 cards are gathered, shuffled, dealt and laid out", func(t *testing.T) {
		s, ada, _ := pressing(t,
			table.Step{Do: table.DoRecall, Kind: kindDeck}, table.Step{Do: table.DoShuffle, Kind: kindDeck},
			deal(2), move(3, kindToken, 0))
		ada.want(t, 0, table.OpDelete, worldHandThree) // it hides how many lie in it: no undo
		ada.want(t, 0, table.OpDeal, worldDeck, amount(3))
		before := s.look()
		ada.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.lying(worldDeck)); n != inDeck-7 {
			t.Errorf("%d cards lie in the deck", n)
		}
		for _, hand := range []id.Piece{worldHandOne, worldHandTwo} {
			if n := len(s.lying(hand)); n != 2 {
				t.Errorf("%d cards lie in hand %d", n, hand)
			}
		}
		token, open := s.state(worldToken), 0
		for _, is := range s.truth.states {
			if is.X == token.X && is.Y == token.Y && kinds[is.Kind].Secret && is.In == 0 {
				if open++; is.Face != 0 {
					t.Errorf("a card lies face down: %+v", is)
				}
			}
		}
		if open != 3 {
			t.Errorf("%d cards lie on the token", open)
		}
		if len(s.drawn) != 1 || s.drawn[0].What != table.ChanceShuffle {
			t.Errorf("draws %+v", s.drawn)
		}
		if u, no := s.table.Undoable(1); no != nil || u.Op != table.OpRun {
			t.Fatalf("the undo is %+v, %+v", u, no)
		}
		s.undo(1)
		s.settle()
		if diff := before.differs(s.look(), false); diff != "" {
			t.Errorf("after its undo (-before +now) %s", diff)
		}
	})
	// Clauses: T85.6
	t.Run("T85.6 each gets as many as there are for all", func(t *testing.T) {
		s, _, bob := pressing(t, deal(7))
		bob.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.lying(worldHandOne)); n != inDeck/3 {
			t.Errorf("each has got %d of %d", n, inDeck)
		}
	})
	// Clauses: T85.7
	t.Run("T85.7 all are moved if there are fewer, and into what takes them", func(t *testing.T) {
		s, _, bob := pressing(t, move(100, kindBag, -1))
		bob.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.lying(worldBag)); n != inBag+inDeck {
			t.Errorf("%d pieces lie in the bag", n)
		}
	})
	// Clauses: T85.5
	t.Run("T85.5 the turn is passed, and a clock is set back", func(t *testing.T) {
		s, ada, bob := pressing(t, table.Step{Do: table.DoPass, Kind: kindMarker},
			table.Step{Do: table.DoReset, Kind: kindChessClock})
		ada.do(table.OpAssign, worldMarker, whom(2))
		ada.do(table.OpStart, worldClock, side(1))
		s.at(s.now + 5000)
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := s.state(worldMarker).Owner; got != 3 {
			t.Errorf("it is the turn of seat %d", got)
		}
		if got := s.state(worldClock).Clock; got.Running != 0 || got.Left[0] != 300_000 {
			t.Errorf("the clock is %+v", got)
		}
	})
	// Clauses: T87.1
	t.Run("T87.1 the turn goes back, past who does not play", func(t *testing.T) {
		s, ada, bob := pressing(t, table.Step{Do: table.DoPassBack, Kind: kindMarker})
		ada.do(table.OpAssign, worldMarker, whom(1))
		for _, want := range []id.Seat{3, 2, 1, 3} {
			ada.want(t, 0, table.OpRun, worldDealer)
			if got := s.state(worldMarker).Owner; got != want {
				t.Errorf("it is the turn of seat %d, want %d", got, want)
			}
			s.at(s.now + cooldown)
		}
		ada.do(table.OpAssign, worldMarker, whom(0))
		bob.want(t, 0, table.OpRun, worldDealer)
		if got := s.state(worldMarker).Owner; got != 3 {
			t.Errorf("from nobody it goes to seat %d", got)
		}
	})
	// Clauses: T87.2
	t.Run("T87.2 clocks are started, and the move is over", func(t *testing.T) {
		s, _, bob := pressing(t, table.Step{Do: table.DoStart, Kind: kindChessClock})
		for i, want := range []uint8{1, 2, 1} {
			bob.want(t, 0, table.OpRun, worldDealer)
			got := s.state(worldClock).Clock
			if got.Running != want || i == 1 && got.Left[0] != 300_000-int32(cooldown)+got.Increment {
				t.Errorf("press %d: the clock is %+v", i, got)
			}
			s.at(s.now + cooldown)
		}
		dealerDoes(t, table.Step{Do: table.DoStart, Kind: kindChessClock, N: 2})
		s, ada, bob, _ := sitAtWorld(t)
		ada.do(table.OpStart, worldClock, side(1))
		for range 2 { // the second press finds that the side runs already
			bob.want(t, 0, table.OpRun, worldDealer)
			if got := s.state(worldClock).Clock; got.Running != 2 {
				t.Errorf("the clock is %+v", got)
			}
			s.at(s.now + cooldown)
		}
	})
	// Clauses: T84.4, T84.5, T84.9
	t.Run("T84 what acts leave as it is", func(t *testing.T) {
		s, ada, bob := pressing(t, roll)
		ada.do(table.OpGrab, worldDieOne)
		ada.do(table.OpLock, worldDieTwo)
		bob.want(t, table.ReasonEmpty, table.OpRun, worldDealer)
		ada.do(table.OpUnlock, worldDieTwo)
		bob.want(t, 0, table.OpRun, worldDealer)
		if s.state(worldDieOne).Rolled != 0 || s.state(worldDieTwo).Rolled == 0 {
			t.Error("it rolled the wrong die")
		}
	})
	// Clauses: T84.5
	t.Run("T84.5 acts on too many pieces", func(t *testing.T) {
		s, ada, bob := pressing(t, roll)
		for range table.MaxActs - 2 {
			ada.act(table.OpAdd, 0, kind(kindDie), at(8000, 8000))
			s.deliver()
		}
		bob.want(t, 0, table.OpRun, worldDealer)
		ada.act(table.OpAdd, 0, kind(kindDie), at(8000, 8000))
		s.deliver()
		s.at(s.now + cooldown)
		gen := s.table.Gen()
		bob.want(t, table.ReasonRange, table.OpRun, worldDealer)
		if s.table.Gen() != gen {
			t.Error("something has changed")
		}
	})
	// Clauses: T84.9
	t.Run("T84.9 what comes out of a bag by the press is not rolled", func(t *testing.T) {
		s, ada, bob := pressing(t,
			table.Step{Do: table.DoMove, Kind: kindBag, N: 100, To: kindCoin, Face: -1}, roll)
		ada.do(table.OpDelete, worldDieOne)
		bob.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.drawn); n != 2 { // out of the bag, and the die that lay open
			t.Errorf("%d draws: %+v", n, s.drawn)
		}
	})
	// Clauses: T84.12
	t.Run("T84.12 what the press hides and brings back is not rolled", func(t *testing.T) {
		s, ada, bob := pressing(t, table.Step{Do: table.DoRecall, Kind: kindBag},
			table.Step{Do: table.DoMove, Kind: kindBag, N: 100, To: kindCoin, Face: -1}, roll)
		ada.do(table.OpDelete, worldDieOne)
		ada.do(table.OpDelete, worldDieTwo)
		ada.do(table.OpDraw, worldBag, amount(inBag), at(0, 5000))
		drawn := len(s.drawn)
		bob.want(t, 0, table.OpRun, worldDealer)
		if n := len(s.drawn) - drawn; n != 1 { // out of the bag
			t.Errorf("%d draws: %+v", n, s.drawn)
		}
	})
}

// TestT84GuestSets shows that a press asks no owner of a guest set for anything.
// Clauses: T84.10
func TestT84GuestSets(t *testing.T) {
	dealerDoes(t, table.Step{Do: table.DoShuffle, Kind: kindDeck},
		table.Step{Do: table.DoRoll, Kind: kindDie})
	s, _, bob := sitWithGuests(t)
	before := s.inDeckNow()
	bob.act(table.OpRun, worldDealer)
	wantVerdict(t, s.receive(bob), table.Recorded)
	s.settle()
	if s.guests.shuffles != 0 || s.inDeckNow() != before {
		t.Errorf("%d shuffles, and the deck is %s, was %s", s.guests.shuffles, s.inDeckNow(), before)
	}
	if s.state(worldDieOne).Rolled != 0 {
		t.Error("it rolled a die of the set")
	}
}
