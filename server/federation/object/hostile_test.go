package object

import (
	"bytes"
	"encoding/binary"
	"testing"

	"holt/server/id"
)

// offer makes a host offer an object that its machine would not offer, with a deed of its own.
func (w *world) offer(from, to int, e *Envelope, passed ...Passed) Body {
	d := Deed{OID: e.OID, From: hostID(from), To: hostID(to), Term: e.Term}
	d.Signature = sum(hostID(from), d.Statement())
	return w.ask(from, to, &Offer{Deed: d, Envelope: e.Append(nil), Passed: passed})
}

// made returns an identifier of an object that a host could have made.
func made(i, n int) (oid id.OID) {
	g := hostID(i)
	copy(oid[:], g[:])
	binary.BigEndian.PutUint64(oid[8:], 1<<32+uint64(n))
	return oid
}

// root returns the table of a host.
func (w *world) root(i int) id.OID {
	return w.pick(i, func(_ id.OID, h *head) bool { return h.root() })
}

func TestHostileNumbers(t *testing.T) {
	t.Run("O3, O10 a term or count near the end of its range is harmless", func(t *testing.T) {
		for _, lie := range []struct {
			term    Term
			counter uint64
		}{{maxAccepted, 0}, {2, maxAccepted}} {
			w := scene(t, 3, nil)
			w.create(1, Table)
			set := w.create(0, Set)
			w.create(0, Table, set)
			w.settle()
			h := w.boxes[0].host.heads.get(set) // its creator has counted to this on purpose
			h.Term, h.Counter = lie.term-1, lie.counter
			if w.moves(0, set, 1); lie.counter > 0 {
				// With one more it would be out of range, and is not even offered.
				if w.at(set) != 0 {
					t.Fatalf("it is at %d", w.at(set))
				}
				continue
			}
			if w.at(set) != 1 || w.boxes[1].durable[set].Term != maxAccepted {
				t.Fatalf("it is at %d", w.at(set))
			}
			if a := w.moves(1, set, 2); a.Refusal != Large || w.at(set) != 1 {
				t.Errorf("it moves on: %+v at %d", a, w.at(set))
			}
			w.give(1, set, 2)
			w.settle()
			w.start(1) // reads all of it again
			w.settle()
			if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
				t.Errorf("it cannot be called: %+v", a)
			}
		}
		for _, e := range []Envelope{{Term: maxAccepted + 1, Class: Set}, {Term: 2, Class: Set,
			counter: maxAccepted + 1}, {Term: 1<<63 + 1, Class: Set}, {Term: 1<<64 - 1, Class: Set}} {
			e.OID = made(0, 1)
			if _, err := ReadEnvelope(e.Append(nil)); err == nil {
				t.Errorf("%+v is read", e)
			}
		}
	})
	t.Run("O3 a count at the end of its range is increased and read back", func(t *testing.T) {
		w := scene(t, 3, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		h := w.boxes[1].host.heads.get(set)
		h.Counter = maxAccepted
		w.boxes[1].host.heads.put(set, h)
		w.create(2, Table)
		w.gives(0, set, 2, w.root(2))
		w.start(1)
		w.settle()
		if h := w.boxes[1].durable[set]; h.Counter <= maxAccepted || h.holder(hostID(2)) == nil {
			t.Fatalf("it is %+v", h)
		}
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("O17, O22 a clock that was never set does not stop the machine", func(t *testing.T) {
		w, set := apart(t)
		w.boxes[2].skew = -2 * w.now
		w.off(1, true)
		w.off(0, true)
		if a := w.does(2, set, "add", nil); a.Failure == nil {
			t.Fatalf("%+v", a)
		}
		w.does(2, w.root(2), "cut", []byte{0})
		w.collect(2)
		w.collect(2)
		w.collect(2)
		if w.boxes[2].disk.values[Disowned][set] == nil {
			t.Fatal("it is not given up")
		}
		w.start(2)
		w.settle()
	})
	// Clauses: O22.5, O22.6, O22.11
	t.Run("O22 an unused number blocks a reference only until the next round", func(t *testing.T) {
		for _, check := range []bool{false, true} {
			w := scene(t, 3, nil)
			set := w.create(0, Set)
			w.create(0, Table, set)
			there := w.create(1, Table)
			w.create(2, Table)
			w.settle()
			if check {
				w.ask(2, 1, &Check{set, maxNumber})
			} else {
				w.ask(2, 1, &Give{[]Passed{{set, maxNumber}}})
				w.collect(1)
				w.collect(1)
				w.collect(1)
			}
			if w.boxes[1].disk.values[Disowned][set] == nil ||
				w.boxes[1].host.helds.get(set) != nil {
				t.Fatal("the forged number is not accepted at first")
			}
			w.give(0, set, 1) // it is not accepted
			w.settle()
			w.collect(1)
			w.gives(0, set, 1, there)
			if a := w.does(1, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
				t.Errorf("check %v: %+v", check, a)
			}
		}
	})
	// Clauses: O7.1, O7.5
	t.Run("O7 a forged high term does not hide an object from its callers", func(t *testing.T) {
		w := scene(t, 4, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		w.gives(0, set, 1, there)
		w.moves(0, set, 3)
		// It looks as if 2 had it once.
		w.boxes[1].host.helds.get(set).Where = whereabouts{Owner: hostID(2), Term: 2}
		lie := &Elsewhere{whereabouts{Owner: hostID(2), Term: maxNumber}}
		h := w.boxes[1].host
		s, err := h.input(w.moment(1), func() { h.learn(set, lie.Where) })
		w.input(1, s, err)
		if a := w.does(1, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("%+v", a)
		}
		if at := h.known(set); at.Owner != hostID(3) {
			t.Errorf("it is believed to be at %+v", at)
		}
	})
}

func TestHostileFloods(t *testing.T) {
	count := func(w *world, i int, spaces ...Space) (n int) {
		for _, s := range spaces {
			n += len(w.boxes[i].disk.values[s])
		}
		return n
	}
	t.Run("O36 a host cannot make another store references without bound", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		n, busy := 0, false
		flood := func(body func(n int) Body) {
			busy = false
			for range 2 * maxRemembered / MaxPassed {
				if refusal(w.ask(0, 1, body(n))) == Busy {
					busy = true
				}
				n += MaxPassed
			}
			if got := count(w, 1, Helds, Disowned); !busy || got > 2*maxRemembered {
				t.Errorf("%d are recorded", got)
			}
		}
		flood(func(n int) Body {
			g := &Give{}
			for k := range MaxPassed {
				g.Passed = append(g.Passed, Passed{made(0, n+k), 1})
			}
			return g
		})
		if refusal(w.ask(0, 1, &Check{made(0, 1<<30), 1})) != Busy {
			t.Error("a check is recorded")
		}
		e := &Envelope{OID: made(0, 1<<30), Term: 2, Class: Set, Refs: []id.OID{made(0, 1<<29)}}
		if refusal(w.offer(0, 1, e, Passed{made(0, 1<<28), 1})) != Busy &&
			w.boxes[1].disk.values[Helds][made(0, 1<<28)] != nil {
			t.Error("a needless reference of an offer is recorded")
		}
		w.take()
		w.collectTimes(4)
		if got := count(w, 1, Helds); got != 0 {
			t.Errorf("after some rounds %d are held", got)
		}
		if refusal(w.ask(0, 1, &Give{[]Passed{{made(0, 1<<28), 1}}})) != 0 {
			t.Error("after a round nothing is taken")
		}
	})
	t.Run("O24 a debt is owed for 90 days", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		w.ask(0, 1, &Give{[]Passed{{made(7, 1), 1}}}) // nobody knows its creator
		w.collectTimes(4)
		if count(w, 1, Debts) != 1 {
			t.Fatal("nothing is owed")
		}
		w.now += owedFor
		w.collect(1)
		if count(w, 1, Debts) != 1 {
			t.Fatal("after 90 days nothing is owed")
		}
		w.now++
		w.collect(1)
		if count(w, 1, Debts) != 0 {
			t.Error("it is owed forever")
		}
	})
	t.Run("O22 old disowned references are forgotten, in slices", func(t *testing.T) {
		w := scene(t, 1, nil)
		h := w.boxes[0].host
		s, err := h.input(w.moment(0), func() {
			for n := range 3 * readSlice {
				h.disown(made(7, n), 1)
			}
		})
		w.input(0, s, err)
		w.settle()
		w.now += disownedFor + 1
		most := 0
		for first := true; first || h.Collecting(); first = false {
			before := count(w, 0, Disowned)
			s, err := h.Collect(w.moment(0))
			w.input(0, s, err)
			w.settle()
			most = max(most, before-count(w, 0, Disowned))
		}
		if left := count(w, 0, Disowned); left != 0 || most > readSlice {
			t.Errorf("%d are left; %d in one step", left, most)
		}
	})
	t.Run("O14 unread answers make an object busy for their caller only", func(t *testing.T) {
		w := scene(t, 5, func(_ int, c *Config) { c.Lazy = 1 << 30 })
		set := w.create(0, Set)
		w.create(0, Table, set)
		for i := 1; i < 5; i++ {
			w.create(i, Table)
			w.settle()
			w.gives(0, set, i, w.root(i))
		}
		call := func(from int, n uint64) Body {
			return w.ask(from, 0, &Call{OID: set, Number: 1<<40 + n,
				Held: w.boxes[from].host.helds.get(set).Number, Method: "big"})
		}
		n := uint64(1)
		for refusal(call(1, n)) != Busy {
			if n++; n > callWindow {
				t.Fatal("one caller keeps without bound")
			}
		}
		for n := range uint64(2 * callWindow) {
			for from := 2; from < 4; from++ {
				if why := refusal(call(from, 1+n)); why != 0 && why != Busy {
					t.Fatalf("call %d of %d: %v", n, from, why)
				}
			}
		}
		if a := w.does(4, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("a call of somebody else: %+v", a)
		}
		b := w.boxes[0].host.bodies.get(set)
		if b.keptBytes() > maxKept {
			t.Errorf("%d bytes are kept", b.keptBytes())
		}
		w.moves(0, set, 1)
		if w.at(set) != 1 {
			t.Errorf("with the answers it does not move: %d", w.at(set))
		}
	})
	t.Run("O3.7, O14 unneeded, duplicate or unbounded kept answers are refused", func(t *testing.T) {
		kept := []kept{{1, Answer{Answer: make([]byte, MaxArgument)}}}
		holders := []holder{{Host: hostID(0), Number: 1, Since: 1},
			{Host: hostID(1), Number: 2, Since: 2}}
		large := calls{Host: hostID(0), Process: 1, Last: 9}
		for range 5 {
			large.Kept = append(large.Kept, kept...)
		}
		for name, x := range map[string]struct {
			calls []calls
			ok    bool
		}{
			"for holders": {
				[]calls{
					{Host: hostID(0), Process: 1, Last: 1, Kept: kept},
					{Host: hostID(1), Process: 1, Last: 1, Kept: kept},
				},
				true,
			},
			"for nobody": {[]calls{{Host: hostID(2), Process: 1, Last: 1, Kept: kept}}, false},
			"twice": {
				[]calls{{Host: hostID(0), Process: 1, Last: 1}, {Host: hostID(0), Process: 1, Last: 2}}, false,
			},
			"without a bound":  {[]calls{large}, false},
			"for nobody, none": {[]calls{{Host: hostID(3), Process: 1, Last: 1}}, false},
		} {
			e := &Envelope{OID: made(0, 1), Term: 2, Class: Set, counter: 2, holders: holders,
				body: body{Calls: x.calls}}
			if _, err := ReadEnvelope(e.Append(nil)); (err == nil) != x.ok {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("O3, O21 unlinked hosts take 64 of the holders' places", func(t *testing.T) {
		w := scene(t, 4, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.create(2, Table)
		w.settle()
		w.gives(0, set, 1, w.root(1))
		phantom := func(n int) id.HostID {
			return id.HostID{0: 0xf0, 5: byte(n >> 8), 6: byte(n), 7: 0x80}
		}
		for n := range 2 * maxUnlinked {
			if why := refusal(w.ask(1, 0, &Retain{
				OID: set, For: phantom(n),
			})); (why == Full) != (n >= maxUnlinked) {
				t.Fatalf("the unknown holder %d is answered %v", n, why)
			}
		}
		if why := refusal(w.ask(1, 0, &Retain{OID: set, For: phantom(3)})); why != 0 {
			t.Errorf("an existing one: %v", why)
		}
		w.gives(1, set, 2, w.root(2))
		h := w.boxes[0].host.heads.get(set)
		for n := len(h.Holders); n < MaxHolders; n++ {
			if _, ok := h.register(id.HostID{0: 0xf1, 5: byte(n >> 8), 6: byte(n), 7: 3}, 1, 1); !ok {
				t.Fatalf("there is no room for %d", n+1)
			}
		}
		w.boxes[0].host.heads.put(set, h)
		w.take()
		w.give(0, set, 3)
		w.settle()
		if a, ok := of[Answered](w.take()); !ok || a.Refusal != Full {
			t.Errorf("the next one is answered %+v", a)
		}
		if a := w.moves(0, set, 1); a.Refusal != Full || w.at(set) != 0 {
			t.Errorf("it moves: %+v", a) // by giving it away 0 would become a holder
		}
		if a := w.does(2, set, "add", nil); a.Refusal != 0 || a.Failure != nil {
			t.Errorf("a holder: %+v", a)
		}
	})
	t.Run("O36.5 traffic counts for its maker, not for its sender", func(t *testing.T) {
		room := map[id.HostID]int{hostID(0): 1, hostID(1): 1 << 20}
		w := scene(t, 3, func(i int, c *Config) {
			c.Link = func(h id.HostID) Link {
				l := Link{Open: true, Keep: true, Objects: 1 << 20, Bytes: 1 << 30}
				if i == 2 {
					l.Objects = room[h]
				}
				return l
			}
		})
		var sets []id.OID
		for range 2 {
			sets = append(sets, w.create(0, Set))
		}
		w.create(0, Table, sets...)
		w.settle()
		for _, set := range sets {
			w.moves(0, set, 1)
		}
		w.moves(1, sets[0], 2)
		room[hostID(0)] = 0
		if a := w.moves(1, sets[1], 2); w.at(sets[0]) != 2 || w.at(sets[1]) != 1 {
			t.Errorf("%+v: at %d and %d", a, w.at(sets[0]), w.at(sets[1]))
		}
	})
	t.Run("O8.21 a claim to have an object needs its creator", func(t *testing.T) {
		w, set := apart(t)
		w.cut[1][2] = true // the offer does not arrive
		w.take()
		w.move(1, set, hostID(2))
		w.nudge()
		if parseHead(w.boxes[1].disk.values[Heads][set]).State != leaving {
			t.Fatal("it does not leave")
		}
		m := Message{Process: stranger, Number: 77, Body: &Settle{set, 3}}
		s, err := w.boxes[1].host.Receive(w.moment(1), hostID(2), m)
		w.input(1, s, err)
		w.settle()
		if w.at(set) != 1 {
			t.Errorf("it is at %d", w.at(set))
		}
	})
	t.Run("O24, O28 a round reports unlinked holders and creators", func(t *testing.T) {
		w, set := apart(t)
		w.ask(0, 1, &Retain{OID: set, For: hostID(7)})
		w.take()
		w.collect(1)
		r, ok := of[Rounded](w.take())
		if want := hostID(7); !ok || len(r.Strangers) != 1 ||
			!bytes.Equal(r.Strangers[0][:], want[:]) {
			t.Errorf("%+v", r)
		}
	})
}
