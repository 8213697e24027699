package object

import (
	"testing"

	"holt/server/id"
)

// under runs the world until the next message has a body of the type of like, and returns the
// message.
func (w *world) under(from int, like Body) packet {
	w.t.Helper()
	for range 100 {
		for i, b := range w.boxes {
			for len(b.batches) > 0 {
				w.flush(i, 1<<30)
			}
		}
		if len(w.net) > 0 && w.net[0].from == from {
			if m, err := ReadMessage(w.net[0].b); err == nil && m.Body.field() == like.field() {
				return w.net[0]
			}
		}
		w.nudge()
	}
	w.t.Fatalf("no %T comes from %d", like, from)
	return packet{}
}

// thawedInFlight returns a world in which a set was moving to host 1 when its creator gave host 1
// up, thawed its copy, and trusted host 1 again. The answer that the set has moved is late: it has
// not been sent yet.
func thawedInFlight(t *testing.T) (w *world, set id.OID, late packet) {
	w, gone := givers(t, 2)
	set = w.create(0, Set)
	w.create(0, Table, set)
	w.settle()
	w.move(0, set, hostID(1))
	late = w.under(0, &Swapped{})
	w.net = nil
	gone[hostID(1)], w.outcast[1] = true, true
	s, err := w.boxes[0].host.Thaw(w.moment(0), set)
	w.input(0, s, err)
	gone[hostID(1)] = false
	s, err = w.boxes[0].host.Up(w.moment(0), hostID(1))
	w.input(0, s, err)
	return w, set, late
}

func TestO41Doubt(t *testing.T) {
	// Clauses: O41.10, O41.11, O41.12
	t.Run("O41 a host given up before two restores learns what it still serves", func(t *testing.T) {
		w, gone := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.moves(0, set, 1)
		gone[hostID(1)], w.outcast[1] = true, true
		w.rebuild(0, backup)
		w.settle()
		w.does(0, set, "add", nil)
		backup = copyOf(w.boxes[0].disk)
		gone[hostID(1)] = false
		w.take()
		w.rebuild(0, backup)
		for range 40 {
			w.nudge()
		}
		if o, ok := of[Orphaned](w.events); !ok || o.OID != set {
			t.Errorf("two hosts serve it: %+v", w.events)
		}
	})
	t.Run("O41.13 a late answer does not make a given-up host serve a set", func(t *testing.T) {
		w, set, late := thawedInFlight(t)
		w.under(1, &Surveyed{})
		if h := w.boxes[1].durable[set]; h == nil || h.State != arriving {
			t.Fatalf("it is %+v at 1", h)
		}
		w.net = append([]packet{late}, w.net...)
		w.nudge()
		w.nudge()
		if w.at(set) != 0 || w.boxes[1].durable[set].State != here {
			t.Fatal("the late answer is not accepted")
		}
		for range 40 {
			w.nudge()
		}
		s, err := w.boxes[1].host.Quarantined(w.moment(1), set)
		w.input(1, s, err)
		w.settle()
		if w.at(set) != 0 || w.boxes[1].durable[set] != nil {
			t.Errorf("two hosts serve it: %+v", w.boxes[1].durable[set])
		}
	})
	// Clauses: O41.16
	t.Run("O41 a host deletes a set that was moving to it when it was given up", func(t *testing.T) {
		w, set, late := thawedInFlight(t)
		w.under(0, &Settle{})
		w.nudge()
		w.net = append(w.net, late)
		w.settle()
		if w.at(set) != 0 || w.boxes[1].durable[set] != nil {
			t.Errorf("two hosts serve it: %+v", w.boxes[1].durable[set])
		}
	})
	t.Run("O15.3 a new reference does not overtake a waiting call", func(t *testing.T) {
		w, _ := givers(t, 2)
		table, there := w.create(0, Table), w.create(1, Table)
		w.settle()
		w.gives(0, table, 1, there)
		w.rebuild(1, copyOf(w.boxes[1].disk))
		w.settle()
		w.lax, w.cut[1][0] = false, true
		first := w.call(1, table, "add", nil)
		w.give(0, table, 1)
		for range 20 {
			if w.boxes[1].host.lapsed(table) {
				w.nudge()
			}
		}
		if w.boxes[1].host.lapsed(table) || len(w.boxes[1].host.regaining[table]) != 1 {
			t.Fatal("no new reference has come while the call waits")
		}
		second := w.call(1, table, "add", nil)
		w.cut[1][0] = false
		w.up(0, 1)
		w.settle()
		tags := w.boxes[0].host.bodies.get(table).Content
		if len(tags) != 16 || Ticket(tags[0]) != first || Ticket(tags[8]) != second {
			t.Errorf("%v", tags)
		}
	})
	t.Run("O41.3 a copy is offered when its owner names a host that left", func(t *testing.T) {
		w, gone := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		w.moves(0, set, 1)
		w.gives(1, set, 1, there)
		backup := copyOf(w.boxes[0].disk)
		w.moves(1, set, 2)
		gone[hostID(2)], w.outcast[2] = true, true
		w.rebuild(0, backup)
		w.settle()
		if a := w.does(0, set, "add", nil); a.Failure == nil {
			t.Fatalf("%+v", a)
		}
		if err := w.thaws(0, set); err != nil || w.boxes[0].durable[set] == nil {
			t.Errorf("it is not served: %v", err)
		}
	})
	// Clauses: O41.19, O41.20
	t.Run("O41 the next owner believes a holder that a restored one forgot", func(t *testing.T) {
		w, _ := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		there := w.create(2, Table)
		w.settle()
		w.moves(0, set, 1)
		w.gives(0, set, 2, there)
		backup := copyOf(w.boxes[1].disk)
		w.does(2, there, "cut", []byte{0})
		w.gives(0, set, 2, there)
		w.rebuild(1, backup)
		w.settle()
		b := w.boxes[1]
		w.does(1, w.create(1, Table), "look", nil)
		// from a time before the backup: it does not know the host any more
		w.ask(2, 1, &Release{set, 1})
		b.host.heads.get(set).strike(hostID(2), maxNumber)
		w.moves(1, set, 0)
		if a := w.does(2, set, "add", nil); a.Failure != nil || a.Refusal != 0 || w.at(set) != 0 {
			t.Errorf("%+v; it is at %d", a, w.at(set))
		}
	})
	t.Run("O42.3 a host registered again after a restore calls by its number", func(t *testing.T) {
		w, _ := givers(t, 3)
		table := w.create(0, Table)
		there := w.create(1, Table)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.gives(0, table, 1, there)
		held := w.boxes[1].host.helds.get(table).Number
		w.off(1, true)
		w.rebuild(0, backup)
		hd := w.boxes[0].host.heads.get(table)
		hd.Counter, hd.Unsure = hd.Counter+10, w.boxes[0].host.self.Round+1
		if n, ok := hd.register(hostID(1), 1, 0); !ok || n <= held {
			t.Fatalf("number %d after %d", n, held)
		}
		w.boxes[0].host.heads.put(table, hd)
		w.off(1, false)
		w.settle()
		w.now += 6 * minute
		if a := w.does(1, table, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("%+v", a)
		}
	})
	t.Run("O14, O41.22 calls from before a release are not carried out again", func(t *testing.T) {
		w, _ := givers(t, 2)
		table := w.create(0, Table)
		there := w.create(1, Table)
		w.settle()
		w.gives(0, table, 1, there)
		n := w.boxes[1].host.helds.get(table).Number
		w.rebuild(0, copyOf(w.boxes[0].disk))
		w.settle()
		process := w.boxes[1].host.self.Process
		call := &Call{OID: table, Number: 1000, Read: 999, Held: n, Method: "add",
			Args: make([]byte, 8)}
		w.askAs(process, 1, 0, call)
		w.ask(1, 0, &Release{table, n})
		w.askAs(process, 1, 0, call)
		if got := w.calls(0, table); got != 1 {
			t.Errorf("it was carried out %d times", got)
		}
	})
	t.Run("O28 a message from a creator that left creates no reference", func(t *testing.T) {
		w, gone := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		s, err := w.boxes[0].host.Move(w.moment(0), 1, set, hostID(1))
		w.input(0, s, err)
		w.flush(0, 1<<30)
		for len(w.net) > 0 {
			w.deliver(0)
		}
		w.flush(1, 1<<30)
		if h := w.boxes[1].durable[set]; h == nil || h.State != arriving {
			t.Fatalf("%+v", h)
		}
		gone[hostID(0)] = true
		w.take()
		w.crash(1)
		w.settleFor(20_000)
		s, err = w.boxes[1].host.Quarantined(w.moment(1), set)
		w.input(1, s, err)
		if w.boxes[1].host.has(set) {
			t.Error("it has a reference that was never registered")
		}
	})
}

func TestO9NoRoomInTheQuarantine(t *testing.T) {
	// Clauses: O41.15
	t.Run("O9, O41 a superseded copy in a move waits for room in the quarantine", func(t *testing.T) {
		w, gone := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		w.moves(0, set, 1)
		w.part(0, 1, true)
		w.part(1, 2, true)
		w.move(1, set, hostID(2))
		w.flush(1, 1<<30)
		if h := w.boxes[1].durable[set]; h.State != leaving {
			t.Fatalf("it does not leave: %+v", h)
		}
		gone[hostID(1)], w.outcast[1] = true, true
		s, err := w.boxes[0].host.Thaw(w.moment(0), set)
		w.input(0, s, err)
		w.flush(0, 1<<30)
		gone[hostID(1)] = false
		full := true
		w.shelves = func(i int, oid id.OID) {
			keep := w.boxes[i].host.Quarantined
			if full {
				keep = w.boxes[i].host.Spared
			}
			s, err := keep(w.moment(i), oid)
			w.input(i, s, err)
		}
		w.part(0, 1, false)
		w.part(1, 2, false)
		for range 200 {
			w.nudge()
		}
		full = false
		for range 200 {
			w.nudge()
		}
		if h := w.boxes[1].durable[set]; h != nil || w.at(set) != 0 {
			t.Errorf("the old copy is %+v; the set is at %d", h, w.at(set))
		}
	})
}

func TestO28Orphans(t *testing.T) {
	// chain is a world in which only a host that has left refers to a bag. Only the bag refers to a
	// set and to an object elsewhere.
	chain := func(t *testing.T) (w *world, bag, inner, far id.OID) {
		t.Helper()
		w, gone := givers(t, 3)
		far = w.create(1, Set)
		w.create(1, Table, far)
		inner = w.create(0, Set)
		bag = w.create(0, Bag, inner)
		table, there := w.create(0, Table, bag), w.create(2, Table)
		w.settle()
		w.gives(1, far, 0, bag)
		w.gives(0, bag, 2, there)
		w.does(0, table, "cut", []byte{0})
		w.collect(0)
		w.collect(0)
		gone[hostID(2)] = true
		w.take()
		w.collect(0)
		return w, bag, inner, far
	}
	t.Run("O28.6 objects referred to only by an orphan are quarantined with it", func(t *testing.T) {
		w, bag, inner, _ := chain(t)
		orphans := map[id.OID]bool{}
		for _, e := range w.take() {
			if o, ok := e.(Orphaned); ok {
				orphans[o.OID] = true
			}
		}
		if len(orphans) != 2 || !orphans[bag] || !orphans[inner] {
			t.Fatalf("%v", orphans)
		}
		for oid := range orphans {
			s, err := w.boxes[0].host.Quarantined(w.moment(0), oid)
			w.input(0, s, err)
		}
		w.settle()
		if w.boxes[0].durable[bag] != nil || w.boxes[0].durable[inner] != nil {
			t.Error("they are not deleted")
		}
	})
	// Clauses: O28.9, O28.10
	t.Run("O28 an orphan that cannot be stored is served again with its objects", func(t *testing.T) {
		w, bag, inner, far := chain(t)
		s, err := w.boxes[0].host.Quarantined(w.moment(0), inner)
		w.input(0, s, err)
		w.settle()
		s, err = w.boxes[0].host.Spared(w.moment(0), bag)
		w.input(0, s, err)
		for _, oid := range []id.OID{bag, inner, far} {
			if a := w.does(0, oid, "look", nil); a.Failure != nil || a.Refusal != 0 {
				t.Errorf("%s: %+v", oid, a)
			}
		}
	})
}

func TestO11OwnerAheadOfItsCreator(t *testing.T) {
	t.Run("O9 an owner with a newer term than its creator finishes its move", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		hd := w.boxes[1].host.heads.get(set)
		hd.Term += 2
		w.boxes[1].host.heads.put(set, hd)
		h := w.boxes[1].host
		s, err := w.boxes[0].host.Receive(w.moment(0), hostID(1), Message{Process: h.self.Process,
			Number: 1 << 40, Body: &Swap{h.deed(set, hd.Term+1, hostID(1))}})
		w.input(0, s, err)
		w.flush(0, 1<<30)
		if f := w.boxes[0].host.forwards.get(set); f.Owner != hostID(1) ||
			!outdated(hd.Term, f.Term) {
			t.Errorf("its creator knows %+v", f)
		}
	})
	t.Run("O11 a host that holds nothing by its survey is not recorded", func(t *testing.T) {
		w, _ := givers(t, 2)
		table := w.create(0, Table)
		w.settle()
		h := w.boxes[0].host
		s, err := h.input(w.moment(0),
			func() { h.learnOf(hostID(1), surveyHelds, Surveyee{OID: table, Term: 1}, nil) })
		w.input(0, s, err)
		w.crash(0)
		if e := w.boxes[0].host.heads.peek(table).holder(hostID(1)); e != nil {
			t.Errorf("%+v", e)
		}
	})
}
