package object

import (
	"testing"

	"holt/server/id"
)

// withTraces is a world whose hosts leave traces and hear each other when they start.
func withTraces(t *testing.T, n int) *world {
	return scene(t, n, func(i int, c *Config) {
		c.Hear = hearing
		c.Linked = func() (hosts []id.HostID) {
			for j := range n {
				if j != i {
					hosts = append(hosts, hostID(j))
				}
			}
			return hosts
		}
	})
}

// putBack starts a host from an older disk, without a mark.
func (w *world) putBack(i int, disk *memory) {
	w.cutOff(i)
	w.load(i, disk)
	w.start(i)
	w.settle()
}

// lent returns a set that was given away after the disk of its creator was copied.
func (w *world) lent() (set id.OID, before *memory) {
	set = w.create(0, Set)
	w.create(0, Table, set)
	w.settle()
	before = copyOf(w.boxes[0].disk)
	w.moves(0, set, 1)
	w.does(0, set, "add", nil)
	return set, before
}

// saidBack counts the events that report that a folder went back.
func (w *world) saidBack() (n int) {
	for _, e := range w.take() {
		if _, ok := e.(WentBack); ok {
			n++
		}
	}
	return n
}

func TestO47Traces(t *testing.T) {
	// Clauses: O11.1, O47.3, O47.4, O47.8, O47.9, O47.11
	t.Run("O47 a host whose folder went back goes on as after a restore", func(t *testing.T) {
		w := withTraces(t, 3)
		set, before := w.lent()
		w.take()
		w.putBack(0, before)
		h := w.boxes[0].host
		if n := w.saidBack(); n != 1 || h.self.Life != 2 || h.self.Survey {
			t.Errorf("it is reported %d times, life %d, survey %t", n, h.self.Life, h.self.Survey)
		}
		if at, by := h.WentBack(); at == 0 || by != hostID(1) {
			t.Errorf("at %d by %s", at, by)
		}
		if w.at(set) != 1 || w.boxes[0].durable[set] != nil {
			t.Errorf("the set is at %d", w.at(set))
		}
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("it is called: %+v", a)
		}
	})
	t.Run("O47.16 it is noticed once: other traces add nothing", func(t *testing.T) {
		w := withTraces(t, 3)
		_, before := w.lent()
		w.does(1, w.root(1), "add", nil)
		w.putBack(0, before)
		w.take()
		for range 3 {
			w.start(0)
			w.settle()
			w.start(1) // what it does not remember any more is on its disk
			w.settle()
		}
		if n := w.saidBack(); n != 0 || w.boxes[0].host.self.Life != 2 {
			t.Errorf("it is reported %d times more, life %d", n, w.boxes[0].host.self.Life)
		}
	})
	t.Run("O47.1, O47.9 a folder that is put back twice is noticed twice", func(t *testing.T) {
		w := withTraces(t, 2)
		_, before := w.lent()
		w.putBack(0, before)
		w.putBack(0, before)
		if n := w.saidBack(); n != 2 {
			t.Errorf("it is reported %d times", n)
		}
	})
	t.Run("O47.1, O47.16 starts, crashes and a marked restore are no reason", func(t *testing.T) {
		w := withTraces(t, 2)
		_, before := w.lent()
		for range 5 {
			w.crash(0)
			w.settle()
		}
		w.now += 1000
		w.terms, w.owners = map[id.OID]Term{}, map[tenure]int{}
		w.restore(0, before)
		w.settle()
		if n := w.saidBack(); n != 0 {
			t.Errorf("it is reported %d times", n)
		}
	})
	t.Run("O47.2, O47.10, O47.15 a forged, changed or foreign trace is ignored", func(t *testing.T) {
		w := withTraces(t, 2)
		w.lent()
		h := w.boxes[0].host
		good := *w.boxes[1].host.memory(hostID(0))
		if !h.isPast(&good) {
			t.Fatal("its own trace is not of its past")
		}
		for name, change := range map[string]func(x *Trace){
			"process": func(x *Trace) { x.Process += 5 },
			"count":   func(x *Trace) { x.Count += 1000 },
			"start":   func(x *Trace) { x.Start[3]++ },
			"proof":   func(x *Trace) { x.Count, x.Proof[0] = x.Count+9, x.Proof[0]+1 },
			"another host's": func(x *Trace) {
				x.Process, x.Count = 1<<40, 1
				x.Proof = w.boxes[1].host.prove(x)
			},
		} {
			x := good
			if change(&x); !h.isPast(&x) {
				t.Errorf("%s: it is accepted", name)
			}
		}
		x := good
		x.Count += 1000
		if x.Proof = h.prove(&x); h.isPast(&x) {
			t.Error("the host's own statement is not accepted")
		}
	})
	// Clauses: O48.1, O48.3, O48.6
	t.Run("O48 nothing doubtful is served for 3 s, or until all have reported", func(t *testing.T) {
		w := withTraces(t, 2)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		w.settle()
		w.cut[0][1], w.cut[1][0] = true, true
		w.start(0)
		w.take()
		w.call(0, set, "add", nil)
		w.call(0, table, "add", nil)
		w.flush(0, 1<<30)
		w.flush(0, 1<<30)
		w.flush(0, 1<<30)
		if es := w.take(); len(es) != 1 || es[0].(Answered).OID != table {
			t.Errorf("it says %+v", es)
		}
		begun := w.now
		w.settleFor(hearing + 2000)
		if a, ok := of[Answered](w.take()); !ok || a.OID != set || a.Refusal != 0 ||
			a.Failure != nil {
			t.Errorf("after %d ms: %+v", w.now-begun, a)
		}
	})
	// Clauses: O47.8, O48.7, O48.8, O48.9
	t.Run("O47, O48 a host that has not reported waits with its requests", func(t *testing.T) {
		w := withTraces(t, 2)
		set, _ := w.lent()
		w.cut[1][0] = true // its answers are lost
		w.start(0)
		w.settleFor(hearing + 100)
		h := w.boxes[0].host
		w.ask(1, 0, &Find{set})
		if p := h.peer(hostID(1)); p.recalled || len(p.deferred) != 1 {
			t.Errorf("recalled %t, %d wait", p.recalled, len(p.deferred))
		}
		for range 2 * maxDeferred {
			w.ask(1, 0, &Find{set})
		}
		if n := len(h.peer(hostID(1)).deferred); n != maxDeferred {
			t.Errorf("%d wait", n)
		}
		w.cut[1][0] = false
		w.up(0, 1)
		w.settle()
		if p := h.peer(hostID(1)); !p.recalled || len(p.deferred) != 0 {
			t.Errorf("recalled %t, %d wait still", p.recalled, len(p.deferred))
		}
	})
	t.Run("O47.7 a host knows its last 1,024 starts", func(t *testing.T) {
		w := withTraces(t, 1)
		for range maxStarts + 10 {
			w.start(0)
			w.flush(0, 1<<30)
		}
		if n := len(w.boxes[0].disk.values[Starts]); n != maxStarts {
			t.Errorf("it knows %d", n)
		}
		h := w.boxes[0].host
		x := Trace{Process: h.traces.oldest - 1, Count: 1}
		if x.Proof = h.prove(&x); !h.isPast(&x) {
			t.Error("an earlier one is a reason")
		}
	})
}
