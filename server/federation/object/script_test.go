package object

import (
	"math/rand/v2"
	"testing"

	"holt/server/id"
)

// stranger is the process of requests that no machine has made.
const stranger = maxNumber

// scene is a world whose events are scripted.
func scene(t *testing.T, hosts int, config func(i int, c *Config)) *world {
	t.Helper()
	w := newWorld(t, rand.New(rand.NewPCG(1, 1)), hosts, func(c *Config) {
		if config != nil {
			config(indexOf(c.Self), c)
		}
	})
	w.keep = true
	w.given = func(int, id.OID) {}
	t.Cleanup(func() {
		if w.problem != "" {
			t.Error(w.problem)
		}
	})
	return w
}

// ask makes a host send a request that its machine would not send, and returns the answer, or nil
// if there was none.
func (w *world) ask(from, to int, b Body) Body {
	return w.askAs(stranger, from, to, b)
}

func (w *world) askAs(process uint64, from, to int, b Body) Body {
	w.tickets++
	n := uint64(w.tickets)
	m, err := ReadMessage((&Message{Process: process, Number: n, Body: b}).Append(nil))
	if err != nil {
		w.t.Fatalf("%+v: %v", b, err)
	}
	s, err := w.boxes[to].host.Receive(w.moment(to), w.boxes[from].id, m)
	w.input(to, s, err)
	w.settle()
	return w.heard[n]
}

// refusal returns why a request was refused, or 0 if it was not.
func refusal(b Body) Refusal {
	if r, ok := b.(*Refused); ok {
		return r.Why
	}
	return 0
}

// take returns the events since the last call.
func (w *world) take() []Event {
	es := w.events
	w.events = nil
	return es
}

// of returns the first event of a type.
func of[E Event](es []Event) (e E, ok bool) {
	for _, x := range es {
		if e, ok = x.(E); ok {
			return e, true
		}
	}
	return e, false
}

// does calls a method, waits until the world is at rest, and returns the answer.
func (w *world) does(i int, oid id.OID, method string, args []byte, passed ...id.OID) Answered {
	w.t.Helper()
	w.take()
	t := w.call(i, oid, method, args, passed...)
	w.settle()
	for _, e := range w.take() {
		if a, ok := e.(Answered); ok && a.Ticket == t {
			return a
		}
	}
	w.t.Fatalf("no answer to %s", method)
	return Answered{}
}

// moves makes a host move an object, and waits until the world is at rest.
func (w *world) moves(i int, oid id.OID, to int) Answered {
	w.t.Helper()
	w.take()
	w.move(i, oid, w.boxes[to].id)
	w.settle()
	a, ok := of[Answered](w.events)
	if !ok {
		w.t.Fatal("the move does not end")
	}
	return a
}

// gives passes a reference on, and makes the receiver's table refer to the object.
func (w *world) gives(i int, oid id.OID, to int, into id.OID) {
	w.t.Helper()
	w.give(i, oid, to)
	w.settle()
	if a := w.does(to, into, "lay", nil, oid); a.Refusal != 0 || a.Failure != nil {
		w.t.Fatalf("%s is not put into %s: %+v", oid, into, a)
	}
}

// at returns which host serves an object, or -1 for none.
func (w *world) at(oid id.OID) int {
	for i, b := range w.boxes {
		if h := b.durable[oid]; h != nil && h.State == here {
			return i
		}
	}
	return -1
}

// off cuts a host off from all others, or connects it again.
func (w *world) off(i int, off bool) {
	for j := range w.boxes {
		w.part(i, j, off)
	}
	w.settle()
}

// nudge makes everything durable, delivers all messages, and advances to the next event.
func (w *world) nudge() {
	for i, b := range w.boxes {
		for len(b.batches) > 0 {
			w.flush(i, 1<<30)
		}
	}
	if len(w.net) > 0 {
		w.deliver(0)
		return
	}
	next := id.Millis(1 << 40)
	for _, b := range w.boxes {
		if after, ok := b.host.Wake(); ok {
			next = min(next, after)
		}
	}
	if next == 1<<40 {
		return
	}
	w.now += next
	for i, b := range w.boxes {
		s, err := b.host.Tick(w.moment(i))
		w.input(i, s, err)
	}
}

// settleFor runs the world for some time, even if it never comes to rest.
func (w *world) settleFor(d id.Millis) {
	for end := w.now + d; w.now < end; {
		w.nudge()
	}
}
