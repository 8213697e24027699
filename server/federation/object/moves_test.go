package object

import (
	"slices"
	"testing"

	"holt/server/id"
)

// TestOwners shows what hosts learn of owners.
func TestOwners(t *testing.T) {
	t.Run("O5.4 an owner gives no table or person to a host that asks for it", func(t *testing.T) {
		w := scene(t, 2, nil)
		for _, class := range []Class{Table, Person} {
			oid := w.create(0, class)
			w.gives(0, oid, 1, w.create(1, Table))
			if why := refusal(w.ask(1, 0, &Take{oid})); why != Fixed || w.at(oid) != 0 {
				t.Errorf("class %v: it is answered %v, and is at %d", class, why, w.at(oid))
			}
		}
	})
	t.Run("O6.5 without object or forwarding address a creator answers unknown", func(t *testing.T) {
		w, set := apart(t)
		never := made(0, 5)
		for _, b := range []Body{&Find{never}, &Retain{OID: never, For: hostID(2)}, &Ping{never}} {
			if why := refusal(w.ask(2, 0, b)); why != Unknown {
				t.Errorf("%T is answered %v", b, why)
			}
		}
		if why := refusal(w.ask(2, 0, &Find{set})); why != 0 {
			t.Errorf("about one that it forwards: %v", why)
		}
	})
	t.Run("O6.6 an owner is known for years, whether the object is held or not", func(t *testing.T) {
		w, set := apart(t)
		other := w.create(0, Set)
		w.create(0, Table, other)
		w.settle()
		w.moves(0, other, 1)
		find := func() {
			w.tickets++
			s, err := w.boxes[2].host.Find(w.moment(2), w.tickets, other)
			w.input(2, s, err)
			w.settle()
		}
		held := func() { w.does(2, set, "look", nil) }
		for name, ask := range map[string]func(){"held": held, "not held": find} {
			if n := w.requests(ask); n != 2 {
				t.Errorf("%s, at first: %d requests", name, n)
			}
			w.now += 20 * 365 * 24 * 60 * minute
			if n := w.requests(ask); n != 1 {
				t.Errorf("%s, after 20 years: %d requests", name, n)
			}
		}
	})
	t.Run("O6.9 the giver of a first reference is taken for the owner", func(t *testing.T) {
		w := scene(t, 4, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		table := w.create(2, Table)
		w.settle()
		w.moves(0, set, 1)
		w.part(2, 0, true) // its creator cannot be asked
		w.gives(1, set, 2, table)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it cannot be called: %+v", a)
		}
		n := w.boxes[2].host.helds.get(set).Number
		w.ask(3, 2, &Give{[]Passed{{set, n + 1}}})
		if owner := w.boxes[2].host.known(set).Owner; owner != hostID(1) {
			t.Errorf("when it knows the owner, another giver is taken for it: %v", owner)
		}
	})
	t.Run("O7.7 a search that went in a circle restarts, and succeeds in 10 s", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "look", nil)
		w.boxes[2].host.helds.get(set).Where = whereabouts{}
		w.boxes[0].host.forwards.get(set).Owner = hostID(2) // 2 does not have it
		w.take()
		begun := w.now
		w.call(2, set, "add", nil)
		for ended := false; !ended && w.now < begun+5000; {
			w.nudge()
			_, ended = of[Answered](w.events)
		}
		if a, ended := of[Answered](w.take()); ended {
			t.Fatalf("after %d ms it has ended: %+v", w.now-begun, a)
		}
		w.boxes[0].host.forwards.get(set).Owner = hostID(1)
		w.settle()
		if a, ok := of[Answered](w.take()); !ok || a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it ends with %+v", a)
		}
	})
}

// TestMovesInTime shows when hosts do what a move needs.
func TestMovesInTime(t *testing.T) {
	t.Run("O8.3 calls are answered while the new owner is registered", func(t *testing.T) {
		w, set := apart(t)
		bag := w.create(2, Bag, set)
		w.gives(2, bag, 0, w.root(0))
		w.does(0, bag, "look", nil)
		w.cut[1][2], w.cut[2][1] = true, true // 1 owns what the bag refers to
		w.take()
		w.move(2, bag, hostID(0))
		w.ready()
		begun := w.now
		ticket := w.call(0, bag, "add", nil)
		w.ready()
		answered := slices.ContainsFunc(w.take(), func(e Event) bool {
			a, ok := e.(Answered)
			return ok && a.Ticket == ticket && a.Refusal == 0 && a.Failure == nil
		})
		if !answered || w.now != begun || w.boxes[2].host.movesUnderWay[bag] == nil {
			t.Errorf("the call is answered: %v; the move waits: %v", answered,
				w.boxes[2].host.movesUnderWay[bag] != nil)
		}
		w.cut[1][2], w.cut[2][1] = false, false
		w.settle()
		if b := w.boxes[0].host.bodies.get(bag); w.at(bag) != 0 || len(b.Content) != 8 {
			t.Errorf("it is at %d", w.at(bag))
		}
	})
	t.Run("O9.6 an offer that is not answered for 10 s is taken back", func(t *testing.T) {
		w, set := apart(t)
		w.cut[1][2] = true
		w.move(1, set, hostID(2))
		if _, took := until[*Swap](w, 1); took != 10_000 {
			t.Errorf("after %d ms", took)
		}
	})
	t.Run("O9.7 an accepted set that has not moved is taken back after 5 s", func(t *testing.T) {
		w, set := apart(t)
		w.cut[2][0] = true // the new owner cannot ask the creator
		w.move(1, set, hostID(2))
		until[*Done](w, 2)
		if _, took := until[*Swap](w, 1); took != 5000 {
			t.Errorf("after %d ms", took)
		}
	})
	t.Run("O9.10 the creator is asked again after 1 s, 2 s, 4 s, up to 5 minutes", func(t *testing.T) {
		w, set := apart(t)
		w.boxes[0].host.self.Survey = true // the creator does not know yet
		w.move(1, set, hostID(2))
		at := map[int][]id.Millis{}
		for begun := w.now; w.now < begun+30*minute; w.nudge() {
			for i := 1; i <= 2; i++ {
				for range pending[*Swap](w, i) {
					at[i] = append(at[i], w.now)
				}
			}
		}
		for i := 1; i <= 2; i++ {
			var waits []id.Millis
			for n := 1; n < len(at[i]); n++ {
				waits = append(waits, (at[i][n]-at[i][n-1])/1000)
			}
			want := []id.Millis{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300}
			if len(waits) < len(want) || !slices.Equal(waits[:len(want)], want) {
				t.Errorf("host %d waits %d s", i, waits)
			}
		}
		w.boxes[0].host.self.Survey = false
		w.settle()
		if at := w.at(set); at == -1 {
			t.Error("it is nowhere")
		}
	})
}

// TestProposals shows how an owner counts the calls after which it proposes a move.
func TestProposals(t *testing.T) {
	// proposes makes host 2 call an object once, without letting time pass, and returns whether its
	// owner proposes a move. The game declines.
	proposes := func(w *world, set id.OID) bool {
		w.declines = true
		w.take()
		w.call(2, set, "look", nil)
		w.ready()
		_, ok := of[Proposed](w.take())
		return ok
	}
	// rested is apart, a minute later.
	rested := func(t *testing.T) (w *world, set id.OID) {
		w, set = apart(t)
		w.does(2, set, "look", nil)
		w.does(1, set, "look", nil) // the count begins again
		w.now += minute
		return w, set
	}
	t.Run("O13.4, O13.5 the game may decline, and the count begins again", func(t *testing.T) {
		w, set := rested(t)
		for n := 1; n <= 24; n++ {
			if proposes(w, set) != (n%8 == 0) {
				t.Errorf("call %d: a move is proposed: %v", n, n%8 != 0)
			}
		}
		w.settle()
		if a := w.does(2, set, "add", nil); w.at(set) != 1 || a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it is at %d: %+v", w.at(set), a)
		}
	})
	t.Run("O13.6 no move is proposed within one minute after the object arrived", func(t *testing.T) {
		for after, ok := range map[id.Millis]bool{59_999: false, 60_000: true} {
			w, set := apart(t)
			h := w.boxes[1].host
			w.declines = true
			for range 9 {
				w.call(2, set, "look", nil)
				w.ready()
			}
			if _, early := of[Proposed](w.take()); early {
				t.Error("it is proposed at once")
			}
			w.now += h.moved[set] + after - h.elapsed
			if proposes(w, set) != ok {
				t.Errorf("after %d ms a move is proposed: %v", after, !ok)
			}
		}
	})
	t.Run("O13.7 pings do not count", func(t *testing.T) {
		w, set := rested(t)
		for n := 1; n <= 8; n++ {
			for range 8 {
				w.ask(2, 1, &Ping{set})
			}
			if _, ok := of[Proposed](w.take()); ok {
				t.Fatal("a ping makes the owner propose a move")
			}
			if proposes(w, set) != (n == 8) {
				t.Errorf("call %d: a move is proposed: %v", n, n != 8)
			}
		}
	})
	t.Run("O13.8 a restart ends the counts", func(t *testing.T) {
		w, set := rested(t)
		for range 7 {
			if proposes(w, set) {
				t.Fatal("it is proposed too early")
			}
		}
		w.settle()
		w.start(1)
		w.settle()
		for n := 1; n <= 8; n++ {
			if proposes(w, set) != (n == 8) {
				t.Errorf("call %d after the restart: a move is proposed: %v", n, n != 8)
			}
		}
	})
}

// TestRequestsInTime shows when requests are sent again and given up.
func TestRequestsInTime(t *testing.T) {
	t.Run("O14.3 a request is repeated after 4 s and every 8 s until given up", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.off(1, true)
		begun, given := w.now, id.Millis(0)
		var at []id.Millis
		w.lets(0, func(h *Host) {
			h.ask(hostID(1), &Find{made(1, 1)}, 40_000, func(Body) { given = w.now - begun })
		})
		for ; given == 0; w.nudge() {
			for range pending[*Find](w, 0) {
				at = append(at, (w.now-begun)/1000)
			}
		}
		if !slices.Equal(at, []id.Millis{0, 1, 3, 7, 15, 23, 31, 39}) || given != 40_000 {
			t.Errorf("it is sent after %d s, and given up after %d ms", at, given)
		}
		w.settle()
		if len(pending[*Find](w, 0)) > 0 {
			t.Error("it is sent after that")
		}
	})
	t.Run("O14.3 a request that is answered is not repeated", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "look", nil)
		sent := w.sent
		w.call(2, set, "look", nil)
		w.settle()
		w.now += minute
		w.settle()
		if n := w.sent - sent; n != 2 {
			t.Errorf("%d messages", n)
		}
	})
	t.Run("O18.4 when a host is back, unanswered requests are sent at once", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "look", nil)
		w.part(2, 1, true)
		w.call(2, set, "look", nil)
		first := pending[*Call](w, 2)[0]
		w.ready()
		w.now += 400 // the first repetition is due after 1 s
		w.part(2, 1, false)
		if again := pending[*Call](w, 2); len(again) != 1 || again[0].Number != first.Number {
			t.Errorf("it sends %+v", again)
		}
		w.take()
		w.ready()
		if a, ok := of[Answered](w.take()); !ok || a.Failure != nil {
			t.Errorf("it is answered %+v", a)
		}
	})
	t.Run("O19.2 only a host that has owed an answer for 5 s is waited for 1 s", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		w.off(1, true)
		begun, given := w.now, map[id.Millis]id.Millis{}
		for _, after := range []id.Millis{0, 4999, 5000} {
			for next := true; next; {
				wake, ok := w.boxes[0].host.Wake()
				if next = ok && w.now+wake < begun+after; next {
					w.nudge()
				}
			}
			w.now = begun + after
			w.lets(0, func(h *Host) {
				h.ask(hostID(1), &Find{made(1, 1)}, 10_000, func(Body) {
					given[after] = w.now - begun - after
				})
			})
		}
		w.settle()
		if given[0] != 10_000 || given[4999] != 10_000 || given[5000] != 1000 {
			t.Errorf("requests are given up after %v ms", given)
		}
	})
}

// TestReferencesOnTheirWay shows how references are passed on and given up.
func TestReferencesOnTheirWay(t *testing.T) {
	t.Run("O21.7 the presumed owner gets a reference without a number", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "look", nil) // so that it knows the owner
		bag := w.create(2, Bag, set)
		w.settle()
		w.move(2, bag, hostID(1))
		o := pending[*Offer](w, 2) // at once: nothing is registered first
		if len(o) != 1 || len(o[0].Passed) != 1 || o[0].Passed[0] != (Passed{OID: set}) {
			t.Errorf("it offers %+v", o)
		}
		w.settle()
		if w.at(bag) != 1 || !slices.Contains(w.boxes[1].durable[bag].Refs, set) {
			t.Errorf("it is at %d", w.at(bag))
		}
	})
	t.Run("O21.10 an offer with an unacceptable reference is taken back", func(t *testing.T) {
		w := scene(t, 3, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.gives(0, set, 2, w.create(2, Table))
		bag := w.create(2, Bag, set)
		w.settle()
		// It takes 1 for the owner of what the bag refers to, and 1 has never heard of that.
		w.boxes[2].host.helds.get(set).Where = whereabouts{Owner: hostID(1), Term: 1}
		begun := w.now
		w.take()
		w.move(2, bag, hostID(1))
		if _, took := until[*Unregistered](w, 1); took != 0 {
			t.Fatalf("after %d ms", took)
		}
		w.ready()
		a, ok := of[Answered](w.take())
		hd := w.boxes[2].durable[bag]
		if !ok || a.Refusal != Unwanted || w.now != begun || w.at(bag) != 2 || hd.Term != 2 {
			t.Errorf("it ends with %+v after %d ms, at %d in term %d", a, w.now-begun, w.at(bag),
				hd.Term)
		}
		if w.moves(2, bag, 1); w.at(bag) != 1 {
			t.Errorf("the next move leaves it at %d", w.at(bag))
		}
	})
	t.Run("O21.11 the program learns that a reference that it gives has lapsed", func(t *testing.T) {
		w := scene(t, 3, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.ask(2, 1, &Check{set, maxNumber}) // 1 accepts no number up to this one
		w.take()
		w.give(0, set, 1)
		w.settle()
		if a, ok := of[Answered](w.take()); !ok || a.Refusal != Lapsed || a.Failure != nil {
			t.Errorf("it ends with %+v", a)
		}
	})
	t.Run("O22.2 the next owner continues the count of registrations", func(t *testing.T) {
		w, set := apart(t)
		for range 20 {
			w.ask(0, 1, &Retain{OID: set, For: hostID(2), DistancePlus1: 1})
		}
		last, ok := w.ask(0, 1, &Retain{OID: set, For: hostID(2), DistancePlus1: 1}).(*Retained)
		if !ok || last.Number < 21 {
			t.Fatalf("it is answered %+v", last)
		}
		w.moves(1, set, 0)
		r, ok := w.ask(2, 0, &Retain{OID: set, For: hostID(2), DistancePlus1: 1}).(*Retained)
		if !ok || r.Number != last.Number+2 { // the old owner has become a holder
			t.Errorf("after number %d the next owner gives %+v", last.Number, r)
		}
	})
	t.Run("O22.3 a release names the highest number that its sender knows", func(t *testing.T) {
		w, set := apart(t)
		w.give(0, set, 2)
		w.settle()
		highest := w.boxes[1].durable[set].holder(hostID(2)).Number
		w.ask(0, 2, &Give{[]Passed{{set, highest - 1}}}) // an older one that is late
		w.does(2, w.root(2), "cut", []byte{0})
		var named []uint64
		w.log = func(format string, args ...any) {
			for _, x := range args {
				if r, ok := x.(*Release); ok && r.OID == set {
					named = append(named, r.Number)
					return
				}
			}
		}
		for range 3 {
			w.collect(2)
		}
		if !slices.Equal(named, []uint64{highest}) {
			t.Errorf("it names %d, and the highest is %d", named, highest)
		}
	})
}

// TestGathering shows what the collection moves.
func TestGathering(t *testing.T) {
	t.Run("O24.15 what is left of a deleted table goes with its last holder", func(t *testing.T) {
		w := scene(t, 2, nil)
		table, there := w.create(0, Table), w.create(1, Table)
		w.gives(0, table, 1, there)
		s, err := w.boxes[0].host.Delete(w.moment(0), table)
		w.input(0, s, err)
		w.settle()
		w.collectTimes(4)
		if w.boxes[0].durable[table] == nil {
			t.Fatal("it is gone, and has a holder")
		}
		w.does(1, there, "cut", []byte{0})
		w.collectTimes(4)
		if w.boxes[0].durable[table] != nil || w.boxes[0].disk.values[Bodies][table] != nil {
			t.Error("it stays without a holder")
		}
	})
	t.Run("O25.6 a nimby object that has just arrived is evicted at once", func(t *testing.T) {
		w, set := apart(t)
		w.collect(1)
		if _, nimby := w.boxes[1].host.nimby[set]; !nimby {
			t.Fatal("it is not nimby")
		}
		w.does(2, set, "look", nil)
		if h := w.boxes[2].host; w.at(set) != 2 || h.elapsed >= 60_000 {
			t.Errorf("it is at %d after %d ms", w.at(set), h.elapsed)
		}
	})
	t.Run("O25.7 what never moves is not evicted, and the receiver may refuse", func(t *testing.T) {
		refuses := true
		w := scene(t, 2, func(i int, c *Config) {
			c.Wants = func(id.HostID, *Envelope) bool { return i != 1 || !refuses }
		})
		person, set := w.create(0, Person), w.create(0, Set)
		table, there := w.create(0, Table, set), w.create(1, Table)
		w.settle()
		w.gives(0, person, 1, there)
		w.gives(0, set, 1, there)
		for _, oid := range []id.OID{person, table} {
			s, err := w.boxes[0].host.Delete(w.moment(0), oid)
			w.input(0, s, err)
		}
		w.settle()
		for range 3 {
			w.collect(0)
		}
		for _, oid := range []id.OID{person, set} {
			if _, nimby := w.boxes[0].host.nimby[oid]; !nimby {
				t.Fatalf("%s is not nimby", oid)
			}
			for range 2 {
				if a := w.does(1, oid, "look", nil); a.Failure != nil || a.Refusal != 0 {
					t.Errorf("it cannot be called: %+v", a)
				}
				if w.at(oid) != 0 {
					t.Errorf("class %v is evicted", w.class[oid])
				}
			}
		}
		refuses = false
		w.collect(0)
		if w.does(1, set, "look", nil); w.at(set) != 1 {
			t.Error("what the receiver wants is not evicted")
		}
	})
	t.Run("O26.3, O26.4 what a ping evicts is suspect; a coin is thrown at once", func(t *testing.T) {
		w := scene(t, 3, nil)
		const trials = 16
		pings := map[id.OID]bool{}
		w.log = func(format string, args ...any) {
			for _, x := range args {
				if p, ok := x.(*Ping); ok && args[0] == 1 && args[1] == 2 {
					pings[p.OID] = true
				}
			}
		}
		gone := 0
		for n := range trials {
			far := w.create(2, Set) // to which the suspect object refers
			w.create(2, Table, far)
			root := w.create(0, Table)
			w.gives(2, far, 0, root)
			part := w.create(0, Set, far)
			w.does(0, root, "lay", nil, part)
			other := w.create(1, Table)
			bag := w.create(1, Bag)
			w.does(1, other, "lay", nil, bag)
			w.gives(0, part, 1, bag)
			for i, oid := range map[int]id.OID{0: root, 1: other} {
				s, err := w.boxes[i].host.Delete(w.moment(i), oid)
				w.input(i, s, err)
			}
			w.settle()
			w.boxes[0].host.nimby[part] = 9
			w.ask(1, 0, &Ping{part})
			if w.at(part) != 1 {
				t.Fatalf("trial %d: it is at %d", n, w.at(part))
			}
			// A host that it has pinged may evict it again, because it is suspect here.
			w.now += 3000
			w.ask(0, 1, &Ping{part})
			if w.at(part) == 0 {
				gone++
			}
		}
		if gone != trials {
			t.Errorf("%d of %d are suspect where they have come", gone, trials)
		}
		if n := len(pings); n == 0 || n == trials {
			t.Errorf("%d of %d coins are heads", n, trials)
		}
	})
	t.Run("O26.5 within 2 s of its ping a host does not evict to a lower host", func(t *testing.T) {
		for _, x := range []struct {
			after id.Millis
			to    int
			moves bool
		}{{0, 0, false}, {1999, 0, false}, {2000, 0, true}, {0, 2, true}, {1999, 2, true}} {
			w := scene(t, 3, nil)
			part, far := w.create(1, Set), w.create(2, Set)
			root := w.create(1, Table, part)
			w.create(2, Table, far)
			w.gives(1, part, 0, w.create(0, Table))
			w.gives(1, part, 2, w.root(2))
			w.gives(2, far, 1, root)
			w.boxes[1].host.nimby[part] = 9
			w.lets(1, func(h *Host) { h.ping(far) })
			w.ready()
			w.now += x.after
			w.ask(x.to, 1, &Ping{part})
			if got := w.at(part); (got == x.to) != x.moves {
				t.Errorf("host 1 has pinged %d ms ago, and host %d pings: it is at %d", x.after,
					x.to, got)
			}
		}
	})
	t.Run("O27.6 a nimby object is suspect at distance 5, and not at 4", func(t *testing.T) {
		for distance := range uint8(8) {
			w := scene(t, 2, func(_ int, c *Config) { c.Suspect = 0 })
			set := w.create(0, Set)
			table := w.create(0, Table, set)
			w.gives(0, set, 1, w.create(1, Table))
			w.does(0, table, "cut", []byte{0})
			// The object is one step farther from a root than its holder says.
			number := w.boxes[1].host.helds.get(set).Number
			w.ask(1, 0, &Renew{[]Renewal{{set, number, distance + 1}}})
			for range 3 {
				w.take()
				w.collect(0)
			}
			r, _ := of[Rounded](w.take())
			w.ask(1, 0, &Ping{set})
			want := distance+1 > 4
			if r.Nimby != 1 || (r.Suspects == 1) != want || (w.at(set) == 1) != want {
				t.Errorf("at distance %d: %d nimby, %d suspect, at %d", distance+1, r.Nimby,
					r.Suspects, w.at(set))
			}
		}
	})
}
