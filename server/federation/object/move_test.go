package object

import (
	"crypto/ed25519"
	"testing"

	"holt/server/id"
)

func TestMove(t *testing.T) {
	// Clauses: O2.6, O8.1, O8.4, O8.8, O8.12, O8.14, O8.18, O8.20, O8.22, O21.1, O21.2
	t.Run("O2 and O8 a move keeps the content, the holders and the references", func(t *testing.T) {
		w := scene(t, 3, nil)
		inner := w.create(0, Set)
		set := w.create(0, Bag, inner)
		w.create(0, Table, set)
		table := w.create(2, Table)
		w.settle()
		w.gives(0, set, 2, table)
		w.does(0, set, "add", nil)
		if a := w.moves(0, set, 1); a.Refusal != 0 || w.at(set) != 1 || w.at(inner) != 0 {
			t.Fatalf("%+v: %d, %d", a, w.at(set), w.at(inner))
		}
		h := w.boxes[1].durable[set]
		if h.Term != 2 || len(h.Refs) != 1 || h.holder(hostID(2)) == nil ||
			h.holder(hostID(0)) == nil || h.holder(hostID(1)) != nil {
			t.Errorf("it is %+v", h)
		}
		if w.boxes[0].durable[inner].holder(hostID(1)) == nil {
			t.Error("the new owner does not hold its references")
		}
		if b := w.boxes[1].host.bodies.get(set); len(b.Content) != 8 {
			t.Errorf("the content is %d bytes", len(b.Content))
		}
		if w.boxes[0].durable[set] != nil {
			t.Error("the old owner still has it")
		}
	})
	t.Run("O8.2 nothing moves when an object that it refers to is unreachable", func(t *testing.T) {
		w, set := apart(t)
		bag := w.create(2, Bag, set)
		w.settle()
		w.off(1, true)
		w.cut[2][1], w.cut[1][2] = true, true
		if a := w.moves(2, bag, 0); a.Failure == nil || a.Failure.OID != set || w.at(bag) != 2 {
			t.Errorf("%+v at %d", a, w.at(bag))
		}
	})
	// Clauses: O8.5, O8.15, O8.17, O9.1, O9.2, O9.3
	t.Run("O9 a deed taken back cannot be swapped for", func(t *testing.T) {
		w, set := apart(t)
		w.cut[1][2] = true // the offer does not arrive
		w.take()
		w.move(1, set, hostID(2))
		w.nudge()
		h := parseHead(w.boxes[1].disk.values[Heads][set])
		d := Deed{OID: set, From: hostID(1), To: hostID(2), Term: h.Term + 1, Signature: h.Deed}
		if h.State != leaving {
			t.Fatalf("it is in state %d", h.State)
		}
		w.settle()
		if a, _ := of[Answered](w.take()); a.Refusal != Unwanted || w.at(set) != 1 ||
			w.boxes[1].durable[set].Term != 3 {
			t.Fatalf("it was not taken back: %+v", a)
		}
		if s, ok := w.ask(2, 0, &Swap{d}).(*Swapped); !ok || s.Moved ||
			s.Where != (whereabouts{Owner: hostID(1), Term: 3}) {
			t.Errorf("a late swap is answered %+v", s)
		}
	})
	t.Run("O8.11, O9.1, O9.2, O9.5 a refused object is taken back by a swap", func(t *testing.T) {
		w := scene(t, 2, func(i int, c *Config) {
			if i == 1 {
				c.Wants = func(id.HostID, *Envelope) bool { return false }
			}
		})
		set := w.create(0, Set)
		w.settle()
		if a := w.moves(0, set, 1); a.Refusal != Unwanted || w.at(set) != 0 ||
			w.boxes[0].durable[set].Term != 2 {
			t.Errorf("%+v in term %d", a, w.boxes[0].durable[set].Term)
		}
	})
	// Clauses: O12.2, O12.3, O34.4, O36.6
	t.Run("O12 a receiver may refuse by rights or quota, except its own objects", func(t *testing.T) {
		link := Link{Open: true}
		w := scene(t, 2, func(_ int, c *Config) { c.Link = func(id.HostID) Link { return link } })
		set := w.create(0, Set)
		w.settle()
		if a := w.moves(0, set, 1); w.at(set) != 0 {
			t.Errorf("it moved without the right to: %+v", a)
		}
		link.Keep, link.Objects = true, 1
		if a := w.moves(0, set, 1); w.at(set) != 0 {
			t.Errorf("it moved without room: %+v", a)
		}
		link.Bytes = 1 << 20
		if a := w.moves(0, set, 1); w.at(set) != 1 {
			t.Errorf("it did not move: %+v", a)
		}
		link = Link{Open: true}
		if a := w.moves(1, set, 0); w.at(set) != 0 {
			t.Errorf("it did not get home: %+v", a)
		}
	})
	t.Run("O12.1 the creator takes its objects home; others ask the game", func(t *testing.T) {
		w, set := apart(t)
		w.tickets++
		s, err := w.boxes[2].host.Bring(w.moment(2), w.tickets, set)
		w.input(2, s, err)
		w.take()
		w.settle()
		if p, ok := of[Proposed](w.take()); !ok || p.To != hostID(2) {
			t.Errorf("it is not proposed: %+v", p)
		}
		s, err = w.boxes[0].host.Bring(w.moment(0), w.tickets, set)
		w.input(0, s, err)
		w.settle()
		if w.at(set) == 1 {
			t.Error("it does not come home")
		}
	})
	// Clauses: O13.1, O13.2, O13.3
	t.Run("O13 eight calls in a row propose a move, at most once a minute", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		proposed := func() (ok bool) {
			w.take()
			w.call(2, set, "look", nil)
			w.settle()
			_, ok = of[Proposed](w.events)
			return ok
		}
		w.boxes[1].host.moved = map[id.OID]id.Millis{}
		for n := 2; n < 8; n++ {
			if proposed() {
				t.Fatalf("after %d calls", n)
			}
		}
		w.does(1, set, "look", nil)
		for n := 1; n < 8; n++ {
			if proposed() {
				t.Fatalf("%d calls after one of another host", n)
			}
		}
		w.boxes[1].host.moved[set] = w.boxes[1].host.elapsed
		if proposed() {
			t.Error("at once after a move")
		}
		w.now += lazyRest
		if !proposed() {
			t.Error("not after a minute")
		}
	})
	// Clauses: O14.7, O14.8, O14.9
	t.Run("O10, O14 a call that an earlier owner carried out is not repeated", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "add", nil)
		c := &Call{OID: set, Number: 1 << 40, Held: w.boxes[2].host.helds.get(set).Number,
			Method: "add", Args: make([]byte, 8)}
		c.Args[0] = 77
		first, ok := w.ask(2, 1, c).(*Answer)
		if !ok || first.Refused {
			t.Fatal("it is not carried out")
		}
		w.moves(1, set, 0)
		if again, ok := w.ask(2, 0, c).(*Answer); !ok || again.Refused {
			t.Errorf("the new owner answers %+v", again)
		}
		if b := w.boxes[0].host.bodies.get(set); len(b.Content) != 16 {
			t.Errorf("there were %d calls", len(b.Content)/8)
		}
	})
}

// TestO8Deeds uses real signatures: only the owner can make a deed.
func TestO8Deeds(t *testing.T) {
	// Clauses: O8.7, O8.13, O8.14, O8.17, O35.3
	t.Run("O8 and O35 a deed without the owner's signature moves nothing", func(t *testing.T) {
		public, private := map[id.HostID]ed25519.PublicKey{}, map[id.HostID]ed25519.PrivateKey{}
		for i := range 3 {
			key := ed25519.NewKeyFromSeed(append(make([]byte, 31), byte(i)))
			private[hostID(i)], public[hostID(i)] = key, key.Public().(ed25519.PublicKey)
		}
		w := scene(t, 3, func(i int, c *Config) {
			c.Sign = func(m []byte) []byte { return ed25519.Sign(private[hostID(i)], m) }
			c.Verify = func(h id.HostID, m, s []byte) bool { return ed25519.Verify(public[h], m, s) }
		})
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		if w.moves(0, set, 1); w.at(set) != 1 {
			t.Fatal("it does not move with real signatures")
		}
		sign := func(by int, d Deed) Deed {
			d.Signature = ed25519.Sign(private[hostID(by)], d.Statement())
			return d
		}
		good := Deed{OID: set, From: hostID(1), To: hostID(2), Term: 3}
		for name, x := range map[string]struct {
			asks int
			deed Deed
		}{
			"signed by the receiver": {2, sign(2, good)},
			"signed for somebody else": {
				2, sign(1, Deed{OID: set, From: hostID(1), To: hostID(0), Term: 3}),
			},
			"of another object": {
				2, sign(1, Deed{OID: id.OID{0: 0x10, 7: 1, 15: 9}, From: hostID(1), To: hostID(2), Term: 3}),
			},
			"of the past":            {2, sign(1, Deed{OID: set, From: hostID(1), To: hostID(2), Term: 2})},
			"of a later term":        {2, sign(1, Deed{OID: set, From: hostID(1), To: hostID(2), Term: 4})},
			"by ex-owner":            {2, sign(0, Deed{OID: set, From: hostID(0), To: hostID(2), Term: 2})},
			"shown by somebody else": {0, sign(1, good)},
		} {
			if s, ok := w.ask(x.asks, 0, &Swap{x.deed}).(*Swapped); ok && s.Moved {
				t.Errorf("a deed %s moves it", name)
			}
		}
		if e, ok := w.ask(2, 0, &Find{set}).(*Elsewhere); !ok ||
			e.Where != (whereabouts{Owner: hostID(1), Term: 2}) {
			t.Errorf("it is at %+v", e)
		}
		if s, ok := w.ask(2, 0, &Swap{sign(1, good)}).(*Swapped); !ok || !s.Moved {
			t.Errorf("the good one does not: %+v", s)
		}
	})
}
