package object

import (
	"testing"

	"holt/server/id"
)

func (w *world) collectTimes(n int) {
	for range n {
		w.collectAll()
	}
}

func TestCollect(t *testing.T) {
	// Clauses: O24.3, O24.8, O24.9, O24.11, O24.13, O24.14
	t.Run("O24 an object that no root reaches is deleted without a trace", func(t *testing.T) {
		w, set := apart(t)
		for i, b := range w.boxes {
			for oid, h := range b.durable {
				if h.root() {
					s, err := b.host.Delete(w.moment(i), oid)
					w.input(i, s, err)
				}
			}
		}
		w.settle()
		w.collectTimes(6)
		if left := w.leftovers(); left != "" || w.exists(set) {
			t.Error(left)
		}
		for i, b := range w.boxes {
			for s := Heads; s <= Debts; s++ {
				if n := len(b.disk.values[s]); n > 0 && s != Disowned {
					t.Errorf("%d has %d in space %d", i, n, s)
				}
			}
		}
		w.now += disownedFor + 1
		w.collectTimes(1)
		if n := len(w.boxes[2].disk.values[Disowned]); n > 0 {
			t.Errorf("after a month %d are still disowned", n)
		}
	})
	// Clauses: O18.5, O24.10, O24.11
	t.Run("O18, O24 an unreachable creator is informed when it is back", func(t *testing.T) {
		w, set := apart(t)
		for _, i := range []int{0, 2} {
			s, err := w.boxes[i].host.Delete(w.moment(i),
				w.pick(i, func(_ id.OID, h *head) bool { return h.root() }))
			w.input(i, s, err)
			w.settle()
		}
		for range 3 {
			w.collect(0)
			w.collect(2)
		}
		w.off(0, true)
		w.collect(1)
		if w.exists(set) || w.boxes[0].disk.values[Forwards][set] == nil ||
			w.boxes[1].disk.values[Debts][set] == nil {
			t.Fatal("it is not deleted, or the creator knows already")
		}
		w.off(0, false)
		if w.boxes[0].disk.values[Forwards][set] != nil ||
			w.boxes[1].disk.values[Debts][set] != nil {
			t.Error("the creator was not informed")
		}
	})
	// Clauses: O12.1, O24.5, O24.6, O25.1, O25.3, O25.4
	t.Run("O25 an object needed elsewhere only goes to its caller", func(t *testing.T) {
		w := scene(t, 3, nil)
		shared, inner := w.create(0, Set), w.create(0, Set)
		bag := w.create(0, Bag, inner, shared)
		table := w.create(0, Table, bag)
		w.create(0, Table, shared)
		there := w.create(1, Table)
		w.settle()
		w.gives(0, bag, 1, there)
		w.does(0, table, "cut", []byte{0})
		w.collectTimes(2)
		if w.at(bag) != 0 {
			t.Fatal("the collection moved it by itself")
		}
		w.does(1, bag, "look", nil)
		if w.at(bag) != 1 || w.at(inner) != 1 || w.at(shared) != 0 {
			t.Errorf("bag at %d, its contents at %d, the needed object at %d", w.at(bag),
				w.at(inner), w.at(shared))
		}
		w.collectTimes(3)
		if left := w.leftovers(); left != "" {
			t.Error(left)
		}
	})
	t.Run("O25.2, O26, O27.5 a ping moves only suspects", func(t *testing.T) {
		w := scene(t, 2, nil)
		set := w.create(0, Set)
		table, there := w.create(0, Table, set), w.create(1, Table)
		w.settle()
		w.gives(0, set, 1, there)
		w.does(0, table, "cut", []byte{0})
		w.collectTimes(2)
		w.ask(1, 0, &Ping{set})
		if _, nimby := w.boxes[0].host.nimby[set]; !nimby || w.at(set) != 0 {
			t.Fatalf("the needed object at distance 1 is at %d", w.at(set))
		}
		w.boxes[0].host.nimby[set] = defaultSuspect * 2
		w.ask(1, 0, &Ping{set})
		if w.at(set) != 1 {
			t.Error("a suspect stays")
		}
	})
	// Clauses: O28.1, O28.4, O28.5, O28.7, O28.11
	t.Run("O28 an object needed only by hosts that left goes into quarantine", func(t *testing.T) {
		gone := false
		w := scene(t, 3, func(_ int, c *Config) {
			c.Link = func(h id.HostID) Link {
				return Link{Open: !gone || h != hostID(2), Gone: gone && h == hostID(2), Keep: true,
					Objects: 9, Bytes: 1 << 20}
			}
		})
		set := w.create(0, Set)
		table, there := w.create(0, Table, set), w.create(2, Table)
		foreign := w.create(2, Set)
		w.settle()
		w.moves(2, foreign, 0)
		w.gives(0, set, 2, there)
		w.does(0, table, "cut", []byte{0})
		w.take()
		w.collect(0)
		w.collect(0)
		if _, ok := of[Orphaned](w.take()); ok || w.at(set) != 0 {
			t.Fatal("a host that is linked needs it")
		}
		gone = true
		w.collect(0)
		orphans := map[id.OID][]byte{}
		for _, e := range w.take() {
			if o, ok := e.(Orphaned); ok {
				orphans[o.OID] = o.Envelope
			}
		}
		if len(orphans) != 2 || w.at(set) != 0 || w.at(foreign) != 0 {
			t.Fatalf("%d orphans; at %d and %d", len(orphans), w.at(set), w.at(foreign))
		}
		w.boxes[2].durable = map[id.OID]*head{} // it left
		w.boxes[2].disk = newMemory()
		for oid, b := range orphans {
			if e, err := ReadEnvelope(b); err != nil || e.OID != oid {
				t.Errorf("the quarantine has %+v, %v", e, err)
			}
			if a := w.does(0, oid, "look", nil); a.Refusal == 0 {
				t.Error("an orphan is given away")
			}
			s, err := w.boxes[0].host.Quarantined(w.moment(0), oid)
			w.input(0, s, err)
		}
		w.settle()
		if w.exists(set) || w.exists(foreign) {
			t.Error("they are not deleted")
		}
	})
	// Clauses: O23.3, O24.5, O29.1, O29.2
	t.Run("O23, O24, O29 a silent holder delays only the collection for a year", func(t *testing.T) {
		w, set := apart(t)
		for oid, h := range w.boxes[0].durable {
			if h.root() {
				s, err := w.boxes[0].host.Delete(w.moment(0), oid)
				w.input(0, s, err)
			}
		}
		w.off(2, true)
		for range 365 {
			w.now += 24 * 60 * minute
			w.collect(0)
			w.collect(1)
		}
		if w.at(set) == -1 {
			t.Fatal("it is deleted")
		}
		w.off(2, false)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it cannot be called: %+v", a)
		}
	})
}
