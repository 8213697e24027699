package table_test

import (
	"fmt"
	"slices"
	"testing"

	"holt/server/id"
	"holt/server/play/table"
)

// guests are sets that lie on a table, as their owner knows them.
type guests struct {
	kinds    map[uint32]uint32 // the kinds of the parts of the deck
	shuffles uint64
	values   map[id.OID]int32 // of the counter
	done     map[string]table.Answer
	asked    []asked // updates that wait for answers, in order
	away     bool
}

// asked is an update that waits for an answer.
type asked struct {
	tab *tab
	up  upbound
	ask *table.Ask
}

// The sets of a table with guests: a deck, a die, a counter and a note.
var (
	guestDeck, guestDie, guestCounter, guestNote = setID(1), setID(2), setID(3), setID(4)
	allGuests                                    = []id.OID{
		guestDeck, guestDie, guestCounter, guestNote,
	}
)

func setID(n byte) id.OID { return id.OID{0: 0x5e, 15: n} }

// setNumber is the number of a set in views while no set has gone.
func setNumber(set id.OID) uint32 { return uint32(set[15]) }

// newGuests returns a server with the pieces of world; some of them are guests.
func newGuests(t testing.TB, seed uint64) *server { return serve(t, seed, worldWithGuests()) }

// worldWithGuests returns the pieces of world; some of them are guests.
func worldWithGuests() []table.Place {
	places := world()
	guest := func(p id.Piece, set id.OID, part uint32) {
		places[p-1].State.Set, places[p-1].State.Part = set, part
	}
	guest(worldDeck, guestDeck, 0)
	guest(worldDieOne, guestDie, 0)
	guest(worldCounter, guestCounter, 0)
	guest(worldNote, guestNote, 0)
	part := uint32(0)
	for i := range places {
		if places[i].In == int(worldDeck) {
			part++
			guest(id.Piece(i+1), guestDeck, part)
			places[i].State.Kind = kindUnknown
		}
	}
	return places
}

// invite registers the sets of the pieces that are guests.
func (s *server) invite(places []table.Place) {
	if !slices.ContainsFunc(places, func(p table.Place) bool { return !p.State.Set.IsZero() }) {
		return
	}
	s.guests = guests{
		kinds: map[uint32]uint32{}, values: map[id.OID]int32{guestCounter: 40},
		done: map[string]table.Answer{},
	}
	for i := range uint32(inDeck) {
		s.guests.kinds[i+1] = kindAce + i/3
	}
	for i, set := range allGuests {
		e := table.Entry{
			Gen: id.Generation(i + 1), At: s.now, Op: table.OpGuest, Server: true,
			Set: &table.SetInfo{Set: set, Number: setNumber(set), Seat: 1},
		}
		if err := s.table.Replay(&e); err != nil {
			s.t.Fatal(err)
		}
	}
}

// hides reports whether all entries only conceal pieces, as before a shuffle.
func hides(entries []table.Entry) bool {
	return !slices.ContainsFunc(entries, func(e table.Entry) bool {
		return e.Op != table.OpReveal || kinds[e.After.Kind].Secret && !kinds[e.After.Kind].Unknown
	})
}

// checkGuest checks that the table knows the kind of a guest's card only if somebody may see it, or
// could see it before and it was not shuffled since; and that the kind is what its owner says
// (T38).
func (s *server) checkGuest(e *table.Entry) {
	s.t.Helper()
	a, b := &e.After, &e.Before
	if a.Set != guestDeck || a.Part == 0 || a.Gone {
		return
	}
	front := a.In == 0 && a.Face == 0 || a.In != 0 && a.Owner != 0
	switch knows, knew := !kinds[a.Kind].Unknown, !e.Made && !kinds[b.Kind].Unknown; {
	case !e.Made && a.Set != b.Set:
		s.fatalf("T37: a piece comes into another set: %+v", e)
	case knows && !knew && (e.Op != table.OpReveal || !front):
		s.fatalf("T38: the table knows what nobody may see: %+v", e)
	case knows && !knew && s.guests.kinds[a.Part] != a.Kind:
		s.fatalf("T38: part %d is %d, and the table takes it for %d",
			a.Part, s.guests.kinds[a.Part], a.Kind)
	}
}

// host makes the owner answer, disappear, come back, or say what somebody may see.
func (s *server) host() {
	switch n := s.rnd.IntN(12); {
	case n < 6:
		s.answer()
	case n < 10:
		s.tell()
	default:
		s.guests.away = !s.guests.away
		away := table.AwayNone
		if s.guests.away {
			away = table.AwayOwner
		}
		s.table.SetAway(allGuests[s.rnd.IntN(len(allGuests))], away, s.now+20, s.now)
		s.publish(nil)
	}
}

// tell makes the owner say what somebody may see. The table asks one thing after the other (T39).
func (s *server) tell() {
	if len(s.guests.asked) > 0 {
		return
	}
	var parts []table.SetPart
	for _, p := range s.table.Wanted(guestDeck, false) {
		parts = append(parts, table.SetPart{Part: p, Kind: s.guests.kinds[p]})
	}
	s.now++
	if !s.table.Learn(guestDeck, s.guests.shuffles, parts, s.now) {
		s.fatalf("T38: an owner's statement is impossible: %+v", parts)
	}
	s.publish(nil)
}

// answerAll answers all that is asked, and reports whether there was anything.
func (s *server) answerAll() bool {
	busy := len(s.guests.asked) > 0
	for len(s.guests.asked) > 0 {
		s.answer()
	}
	return busy
}

// answer makes the owner answer the first question, if there is one.
func (s *server) answer() {
	if len(s.guests.asked) == 0 {
		return
	}
	next := s.guests.asked[0]
	s.guests.asked = s.guests.asked[1:]
	c, up := next.tab, next.up
	s.now++
	up.before = s.table.Gen()
	a := s.owner(c, &up.u, next.ask)
	out := s.table.Resume(c.by(), &up.u, next.ask, &a,
		table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd})
	s.variety.reasons[out.Reject.Reason]++
	refusal := &node{stands: len(s.history[up.oid]), mark: out.Reject.Piece.Version}
	floor := c.floors[up.oid]
	if out.Verdict == table.Rejected && out.Reject.Piece.Name != 0 {
		c.floors[up.oid] = refusal.mark
	}
	up.node = nil // later updates were not compared with it
	entries := s.publish(func(to *tab) []event {
		if to == c && out.Verdict == table.Rejected {
			return []event{{reject: &out.Reject, node: refusal}}
		}
		return nil
	})
	quiet := slices.DeleteFunc(slices.Clone(entries), func(e table.Entry) bool {
		return e.Set != nil
	})
	s.judged(c, up, out, quiet, floor)
	if out.Verdict == table.Deferred && out.Ask != nil {
		s.guests.asked = append(s.guests.asked, asked{c, up, out.Ask})
	}
}

// owner returns the owner's answer. The owner does the same thing only once.
func (s *server) owner(c *tab, u *table.Update, ask *table.Ask) table.Answer {
	g := &s.guests
	name := fmt.Sprint(c.id, u.Seq, ask.What)
	if a, ok := g.done[name]; ok && ask.What != table.AskReveal {
		return a
	}
	a := table.Answer{Shuffles: g.shuffles}
	switch {
	case g.away && s.rnd.IntN(2) == 0:
		return table.Answer{Refused: table.ReasonAway}
	case ask.What == table.AskReveal:
		for _, p := range ask.Parts {
			a.Kinds = append(a.Kinds, g.kinds[p])
		}
	case ask.What == table.AskShuffle:
		g.shuffles++
		a.Shuffles = g.shuffles
		s.rnd.Shuffle(len(ask.Parts), func(i, k int) {
			p, q := ask.Parts[i], ask.Parts[k]
			g.kinds[p], g.kinds[q] = g.kinds[q], g.kinds[p]
		})
	case ask.What == table.AskRoll:
		a.Face = s.rnd.Int32N(6)
	case ask.What == table.AskCount:
		v := g.values[ask.Set] + ask.N
		if v < -20 || v > 100 {
			return table.Answer{Refused: table.ReasonRange}
		}
		g.values[ask.Set], a.Value = v, v
	}
	g.done[name] = a
	return a
}

// TestT8RandomHistoriesWithGuests is TestT8RandomHistories at tables with guests. Their owner
// answers late, says late what somebody may see, and disappears and comes back.
// Clauses: T8.1, T8.2, T8.3, T8.4, T8.5, T8.6, T38.2
func TestT8RandomHistoriesWithGuests(t *testing.T) {
	seeds := []uint64{*seedFlag}
	if *seedFlag == 0 {
		seeds = []uint64{7923272717295713888} // a seat ended while an owner was asked for it
		first := firstSeed("steps")
		t.Logf("seeds from %d", first)
		for i := range uint64(max(8, budget(t)/10/stepsOfOne)) {
			seeds = append(seeds, first+i)
		}
	}
	var all variety
	for _, seed := range seeds {
		s := newGuests(t, seed)
		s.run = fmt.Sprintf("go test -run T8RandomHistoriesWithGuests -seed %d", seed)
		all.add(s.play(stepsOfOne))
		s.restart()
		s.settle()
		s.checkOwned()
	}
	for _, op := range []table.Op{
		table.OpShuffle, table.OpRoll, table.OpCount, table.OpWrite, table.OpPeek, table.OpReveal,
	} {
		if len(seeds) > 1 && all.ops[op] == 0 {
			t.Errorf("%s was never recorded", op)
		}
	}
	if len(seeds) > 1 && all.reasons[table.ReasonAway] == 0 {
		t.Error("nothing was rejected with an unreachable owner")
	}
}

// checkOwned checks that the table has what the owner has, as far as the table knows it.
func (s *server) checkOwned() {
	s.t.Helper()
	parts := map[uint32]bool{}
	for _, is := range s.truth.states {
		switch {
		case is.Gone:
		case is.Set == guestDeck && is.Part > 0:
			if parts[is.Part] {
				s.fatalf("T37: part %d is there twice", is.Part)
			}
			parts[is.Part] = true
			if !kinds[is.Kind].Unknown && s.guests.kinds[is.Part] != is.Kind {
				s.fatalf("T38: part %d is %d, and the table takes it for %d",
					is.Part, s.guests.kinds[is.Part], is.Kind)
			}
		case is.Set == guestCounter && is.Value != s.guests.values[guestCounter]:
			s.fatalf("T39: the counter is at %d, and the table takes it for %d",
				s.guests.values[guestCounter], is.Value)
		}
	}
	if len(parts) != inDeck {
		s.fatalf("T37: there are %d parts of the deck", len(parts))
	}
}

// laid returns the names of n cards of the guest's deck that ada has drawn and laid on the table
// front down.
func (c *tab) laid(n int) (names []id.Piece) {
	for i := range n {
		c.act(table.OpDraw, worldDeck, at(-3000+int32(i)*700, -2000))
		c.server.receive(c)
		c.server.settle()
		names = append(names, c.made[len(c.made)-1])
	}
	return names
}

func sitWithGuests(t *testing.T) (s *server, ada, bob *tab) {
	t.Helper()
	s = newGuests(t, 1)
	return s, s.join(1), s.join(2)
}

// TestGuestsAtATable shows what a table does with pieces of a guest set, and with the answers of
// their owner (T37 to T39).
func TestGuestsAtATable(t *testing.T) {
	t.Run("T26, T38 a shuffle of face-down guest cards changes nothing visible", func(t *testing.T) {
		s, ada, bob := sitWithGuests(t)
		cards := ada.laid(4)
		gen := s.table.Gen()
		ada.act(table.OpShuffle, 0, pieces(cards...))
		s.receive(ada)
		s.settle()
		shuffled := 0
		for i := range s.log {
			e := &s.log[i]
			if e.Gen <= gen || e.Set != nil {
				continue
			}
			shuffled++
			if _, _, shown := s.table.Shows(e, bob.seat); shown {
				t.Errorf("bob is shown %+v", e)
			}
		}
		if shuffled != len(cards) || s.guests.shuffles != 1 {
			t.Errorf("%d entries, %d shuffles", shuffled, s.guests.shuffles)
		}
	})
	t.Run("T26, T37.7 guest cards are not shuffled with the table's own", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		cards := append(ada.laid(2), worldCard)
		ada.act(table.OpShuffle, 0, pieces(cards...))
		if out := s.receive(ada); out.Reject.Reason != table.ReasonNotAllowed {
			t.Errorf("it is rejected with %d", out.Reject.Reason)
		}
	})
	t.Run("T37.6 copies of guest pieces belong to the table, if known", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		card := ada.laid(1)[0]
		ada.want(t, table.ReasonHidden, table.OpCopy, card, at(0, 0))
		ada.act(table.OpFlip, card, face(0))
		s.receive(ada)
		s.settle()
		ada.want(t, table.ReasonHidden, table.OpCopy, card, at(0, 0))
		s.tell()
		s.settle()
		ada.want(t, 0, table.OpCopy, card, at(0, 0))
		if is := s.state(ada.made[len(ada.made)-1]); !is.Set.IsZero() || is.Home != 0 ||
			is.Kind != s.state(card).Kind {
			t.Errorf("the copy is %+v", is)
		}
	})
	t.Run("T38 nobody adds an unknown kind", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		ada.act(table.OpAdd, 0, kind(kindUnknown), at(0, 0))
		if out := s.receive(ada); out.Reject.Reason != table.ReasonNotAllowed {
			t.Errorf("it is rejected with %d", out.Reject.Reason)
		}
	})
	t.Run("T38 an impossible answer of an owner is not recorded", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		card := ada.laid(1)[0]
		ada.act(table.OpFlip, card, face(0))
		s.receive(ada)
		s.settle()
		part := s.state(card).Part
		for _, kind := range []uint32{kindJoker, kindToken, kindUnknown, 9999} {
			if s.table.Learn(guestDeck, 0, []table.SetPart{{Part: part, Kind: kind}}, s.now) ||
				len(s.table.Take()) > 0 {
				t.Errorf("it may be %d", kind)
			}
		}
	})
	t.Run("T38.5 an owner's answer from before the last shuffle is ignored", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		ada.act(table.OpPeek, worldDeck)
		s.receive(ada)
		look := s.guests.asked[0]
		s.guests.asked = nil
		ada.act(table.OpShuffle, worldDeck)
		s.receive(ada)
		s.answerAll()
		ada.drain()
		ada.act(table.OpDraw, worldDeck, at(0, 0), face(0))
		s.receive(ada)
		s.answerAll()
		ada.drain()
		part := s.state(ada.made[len(ada.made)-1]).Part
		if !s.table.Learn(guestDeck, 0, []table.SetPart{{Part: part, Kind: kindAce}}, s.now) ||
			len(s.table.Take()) > 0 {
			t.Error("it counts for a card that lies face up")
		}
		out := s.table.Resume(ada.by(), &look.up.u, look.ask,
			&table.Answer{Kinds: []uint32{kindAce}},
			table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd})
		if out.Verdict != table.Deferred || out.Ask == nil || len(s.table.Take()) > 0 {
			t.Errorf("it counts for the viewer: %+v", out)
		}
	})
	// Clauses: T39.1, T39.8, T39.9
	t.Run("T39 impossible answers and refusals of an owner reject the update", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		for _, c := range []struct {
			op   table.Op
			p    id.Piece
			a    table.Answer
			want table.Reason
			with args
		}{
			{table.OpRoll, worldDieOne, table.Answer{Face: 6}, table.ReasonAway, nil},
			{table.OpRoll, worldDieOne, table.Answer{Face: -1}, table.ReasonAway, nil},
			{table.OpCount, worldCounter, table.Answer{Value: 101}, table.ReasonAway, amount(1)},
			{
				table.OpCount, worldCounter, table.Answer{Refused: table.ReasonRange},
				table.ReasonRange, amount(1),
			},
			{
				table.OpPeek, worldDeck, table.Answer{Kinds: []uint32{kindToken}}, table.ReasonAway,
				nil,
			},
			{table.OpPeek, worldDeck, table.Answer{}, table.ReasonAway, nil},
		} {
			var with []args
			if c.with != nil {
				with = append(with, c.with)
			}
			u := ada.make(c.op, c.p, with...)
			out := s.table.Apply(ada.by(), &u, table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd})
			if out.Verdict != table.Deferred || len(s.table.Take()) > 0 {
				t.Fatalf("%s is not deferred: %+v", c.op, out)
			}
			out = s.table.Resume(ada.by(), &u, out.Ask, &c.a,
				table.Inputs{Now: s.now, Rand: s.rnd, Unproved: s.rnd})
			if out.Verdict != table.Rejected || out.Reject.Reason != c.want ||
				len(s.table.Take()) > 0 {
				t.Errorf("%s answered with %+v: %+v", c.op, c.a, out)
			}
		}
	})
	t.Run("T39.12 a set that is unreachable is asked again after a time", func(t *testing.T) {
		s, ada, _ := sitWithGuests(t)
		s.table.SetAway(guestDie, table.AwayOwner, s.now+1000, s.now)
		s.publish(nil)
		ada.want(t, table.ReasonAway, table.OpRoll, worldDieOne)
		s.now += 2000
		ada.act(table.OpRoll, worldDieOne)
		if out := s.receive(ada); out.Verdict != table.Deferred {
			t.Errorf("the verdict is %d", out.Verdict)
		}
		s.settle()
	})
}
