package object

import (
	"testing"

	"holt/server/id"
)

func TestReferences(t *testing.T) {
	// Clauses: O21.3, O21.4
	t.Run("O21 a reference passed on and then dropped is not lost, in any order", func(t *testing.T) {
		w := scene(t, 3, nil)
		set := w.create(0, Set)
		tables := []id.OID{w.create(0, Table, set), w.create(1, Table), w.create(2, Table)}
		w.settle()
		w.gives(0, set, 1, tables[1])
		w.does(0, tables[0], "cut", []byte{0})
		// 1 gives it to 2 and drops its own reference. The message to 2 is late.
		w.give(1, set, 2)
		for w.boxes[0].durable[set].holder(hostID(2)) == nil {
			w.nudge()
		}
		w.does(1, tables[1], "cut", []byte{0})
		for range 4 {
			w.collect(1)
			w.collect(0)
		}
		if w.at(set) != 0 {
			t.Fatal("it is deleted")
		}
		w.does(2, tables[2], "lay", nil, set)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it cannot be called: %+v", a)
		}
	})
	t.Run("O22.1, O22.4 a late release does not take a newer reference", func(t *testing.T) {
		w, set := apart(t)
		old := w.boxes[2].host.helds.get(set).Number
		w.give(0, set, 2)
		w.settle()
		if now := w.boxes[2].host.helds.get(set).Number; now <= old {
			t.Fatalf("number %d after %d", now, old)
		}
		w.ask(2, 1, &Release{set, old})
		if w.boxes[1].durable[set].holder(hostID(2)) == nil {
			t.Error("it took a later grant")
		}
	})
	// Clauses: O21.6, O21.8, O22.7, O22.8
	t.Run("O21, O22 a late grant of a released reference is ignored", func(t *testing.T) {
		w, set := apart(t)
		table := w.pick(2, func(_ id.OID, h *head) bool { return h.root() })
		late := Passed{set, w.boxes[2].host.helds.get(set).Number}
		w.does(2, table, "cut", []byte{0})
		for range 3 {
			w.collect(2)
		}
		if w.boxes[2].host.helds.get(set) != nil || w.boxes[1].durable[set].holder(hostID(2)) != nil {
			t.Fatal("it is still held")
		}
		if _, ok := w.ask(0, 2, &Give{[]Passed{late}}).(*Unregistered); !ok {
			t.Error("a late reference is taken")
		}
		w.gives(0, set, 2, table)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("given again: %+v", a)
		}
	})
	// Clauses: O8.19, O21.8, O22.8, O22.10
	t.Run("O8 late grants do not reach an owner that deleted the object", func(t *testing.T) {
		w := scene(t, 2, nil)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		w.settle()
		// 1 is registered, and the reference is on its way.
		s, err := w.boxes[0].host.input(w.moment(0), func() {
			(&Retain{OID: set, For: hostID(1)}).carryOut(w.boxes[0].host, hostID(0), func(Body) {})
		})
		w.input(0, s, err)
		late := Passed{set, w.boxes[0].host.heads.get(set).Counter}
		w.moves(0, set, 1)
		w.does(0, table, "cut", []byte{0})
		for range 4 {
			w.collectAll()
		}
		if w.at(set) != -1 {
			t.Fatalf("it is at %d", w.at(set))
		}
		if _, ok := w.ask(0, 1, &Give{[]Passed{late}}).(*Unregistered); !ok {
			t.Error("a reference to a deleted object is accepted")
		}
	})
	t.Run("O23.3, O23.6 a false holder is found, an unreachable one stays", func(t *testing.T) {
		w, set := apart(t)
		w.give(0, set, 2)
		hd := w.boxes[1].host.heads.get(set)
		w.ask(0, 1, &Retain{OID: set, For: hostID(7)}) // nobody ever hears of that host
		phantom := w.create(1, Set)
		w.create(1, Table, phantom)
		w.settle()
		if _, ok := w.boxes[1].host.heads.get(phantom).register(hostID(2), 1, 0); !ok {
			t.Fatal("no room")
		}
		w.boxes[1].host.heads.put(phantom, w.boxes[1].host.heads.get(phantom))
		for range 12 {
			w.collectAll()
		}
		if w.boxes[1].durable[phantom].holder(hostID(2)) != nil {
			t.Error("2 still counts as a holder")
		}
		if hd.holder(hostID(7)) == nil || w.boxes[1].durable[set].holder(hostID(2)) == nil {
			t.Error("a true or unreachable holder was removed")
		}
	})
	t.Run("O14, O22 an answer with a reference given up meanwhile has lapsed", func(t *testing.T) {
		w, set := apart(t)
		h := w.boxes[2].host
		w.take()
		_, err := h.input(w.moment(2), func() {
			n := h.helds.get(set).Number
			h.release(set, h.helds.get(set))
			h.answered(99, set, &Answer{Passed: []Passed{{set, n}}}, nil)
			if a, ok := of[Answered](h.step.Events); !ok || a.Refusal != Lapsed ||
				len(a.Passed) != 0 {
				t.Errorf("it ends with %+v", a)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	// Clauses: O21.2, O21.3, O21.4
	t.Run("O21 a reference in an answer is registered before the answer", func(t *testing.T) {
		w := scene(t, 3, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		tables := []id.OID{{}, w.create(1, Table), w.create(2, Table)}
		w.settle()
		w.gives(0, set, 1, tables[1])
		w.gives(1, tables[1], 2, tables[2])
		a := w.does(2, tables[1], "show", []byte{0})
		if len(a.Passed) != 1 || a.Passed[0] != set ||
			w.boxes[0].durable[set].holder(hostID(2)) == nil {
			t.Fatalf("the answer is %+v", a)
		}
		w.does(2, tables[2], "lay", nil, set)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it cannot be called: %+v", a)
		}
	})
	// Clauses: O14.8, O14.9, O14.11, O14.12, O15.3, O15.5
	t.Run("O14 and O15 repeated calls run once, in order; forgotten ones never", func(t *testing.T) {
		w, set := apart(t)
		held := w.boxes[2].host.helds.get(set).Number
		c := func(n, read uint64) *Call {
			return &Call{OID: set, Number: n, Read: read, Held: held, Method: "add",
				Args: []byte{byte(n), 0, 0, 0, 0, 0, 0, 0}}
		}
		for n := uint64(100); n < 103; n++ {
			for range 3 {
				if a, ok := w.ask(2, 1, c(n, n-1)).(*Answer); !ok || a.Refused {
					t.Fatalf("call %d is answered %+v", n, a)
				}
			}
		}
		if why := refusal(w.ask(2, 1, c(100, 99))); why != Forgotten {
			t.Errorf("an old one is answered %v", why)
		}
		w.askAs(1, 2, 1, c(200, 199)) // of an earlier process: not carried out
		if b := w.boxes[1].host.bodies.get(set); len(b.Content) != 24 {
			t.Errorf("%d were carried out", len(b.Content)/8)
		}
		if why := refusal(w.ask(2, 1, &Call{OID: set, Number: 300, After: 299,
			Held: held, Method: "add"})); why != Busy {
			t.Errorf("one without its predecessor is answered %v", why)
		}
	})
}
