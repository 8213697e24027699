package object

import (
	"slices"
	"testing"

	"holt/server/id"
)

// The tests of this file have the numbers of the protocol, not the constants of the code: a
// constant that is changed by mistake fails here.

const day id.Millis = 24 * 60 * minute

func TestRequestBounds(t *testing.T) {
	t.Run("O36.1 the 65th request at once is answered with busy", func(t *testing.T) {
		w, set := apart(t)
		pending := w.boxes[1].host.peer(hostID(2)).pending
		for n := range uint64(63) {
			pending[asked{1, n}] = true
		}
		if why := refusal(w.ask(2, 1, &Find{set})); why != 0 {
			t.Errorf("the 64th is answered %d", why)
		}
		pending[asked{1, 63}] = true
		if why := refusal(w.ask(2, 1, &Find{set})); why != Busy {
			t.Errorf("the 65th is answered %d", why)
		}
	})
	t.Run("O36.8 between two rounds a host can have 16,384 references recorded", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		for n := 0; n < 16_384; {
			g := &Give{}
			for len(g.Passed) < MaxPassed && n < 16_384 {
				g.Passed = append(g.Passed, Passed{made(0, n), 1})
				n++
			}
			if why := refusal(w.ask(0, 1, g)); why != 0 {
				t.Fatalf("up to %d: %d", n, why)
			}
		}
		if why := refusal(w.ask(0, 1, &Give{[]Passed{{made(0, 1<<28), 1}}})); why != Busy {
			t.Errorf("one more is answered %d", why)
		}
	})
	t.Run("O36.9 an object has 64 holders that are not linked", func(t *testing.T) {
		w := scene(t, 2, nil)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		w.gives(0, set, 1, w.root(1))
		for n := range 66 {
			phantom := id.HostID{0: 0xf0, 6: byte(n), 7: 0x80}
			want := Refusal(0)
			if n >= 64 {
				want = Full
			}
			if why := refusal(w.ask(1, 0, &Retain{OID: set, For: phantom})); why != want {
				t.Fatalf("holder %d is answered %d", n+1, why)
			}
		}
	})
	t.Run("O36.10 terms and counts above 2⁵² are not read", func(t *testing.T) {
		const most = 1 << 52
		for above := range uint64(2) {
			for name, e := range map[string]Envelope{
				"term":  {OID: made(0, 1), Term: Term(most + above), Class: Set},
				"count": {OID: made(0, 1), Term: 2, Class: Set, counter: most + above},
			} {
				if _, err := ReadEnvelope(e.Append(nil)); (err == nil) != (above == 0) {
					t.Errorf("%s 2⁵²+%d of an envelope: %v", name, above, err)
				}
			}
			for name, b := range map[string]Body{
				"term of a deed": &Swap{Deed{OID: made(0, 1), From: hostID(1), To: hostID(1),
					Term: Term(most + above), Signature: []byte{1}}},
				"term of an answer": &Surveyed{Items: []Surveyee{
					{OID: made(0, 1), Term: Term(most + above)}}},
				"count of an answer": &Surveyed{Items: []Surveyee{
					{OID: made(0, 1), Held: most + above}}},
			} {
				m := Message{Process: 1, Number: 1, Body: b}
				if _, err := ReadMessage(m.Append(nil)); (err == nil) != (above == 0) {
					t.Errorf("%s 2⁵²+%d: %v", name, above, err)
				}
			}
		}
	})
	t.Run("O36.11 what is owed is given up after 90 days", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		w.ask(0, 1, &Give{[]Passed{{made(7, 1), 1}}}) // nobody knows its creator
		w.collectTimes(4)
		debts := w.boxes[1].disk.values[Debts]
		w.now += 90*day - minute
		if w.collect(1); len(debts) != 1 {
			t.Fatalf("before that %d are owed", len(debts))
		}
		w.now += 2 * minute
		if w.collect(1); len(debts) != 0 {
			t.Errorf("after that %d are owed", len(debts))
		}
	})
}

// frozenCopy returns the frozen copy of an object on the disk of a host.
func (w *world) frozenCopy(i int, oid id.OID) *frozen {
	w.t.Helper()
	f, v := &frozen{}, w.boxes[i].disk.values[Copies][oid]
	if v == nil {
		w.t.Fatal("there is no copy")
	}
	if err := decode(v, f); err != nil {
		w.t.Fatal(err)
	}
	return f
}

func TestFrozenCopyContents(t *testing.T) {
	t.Run("O40.2 a copy has the object as it was, and the time", func(t *testing.T) {
		w, _ := givers(t, 3)
		inner, set := w.create(0, Set), made(0, 1)
		kinds := []Kind{{1}, {2}}
		w.class[set] = Set
		s, err := w.boxes[0].host.Create(w.moment(0), set, Set, kinds, nil, []id.OID{inner})
		w.input(0, s, err)
		w.create(0, Table, set)
		there := w.create(2, Table)
		w.settle()
		w.gives(0, set, 2, there)
		w.does(0, set, "add", nil)
		hd, b := *w.boxes[0].durable[set], *w.boxes[0].host.bodies.get(set)
		begun := w.now
		w.moves(0, set, 1)
		f := w.frozenCopy(0, set)
		if f.Class != Set || f.Term != hd.Term || !slices.Equal(f.Kinds, kinds) ||
			len(f.Content) != 8 || !slices.Equal(f.Content, b.Content) ||
			!slices.Equal(f.Refs, []id.OID{inner}) || f.At < begun || f.At > w.now {
			t.Errorf("%+v, and it was %+v with %x", f, hd, b.Content)
		}
		copied, was := head{Holders: f.Holders}, hd.holder(hostID(2))
		if x := copied.holder(hostID(2)); was == nil || x == nil || x.Number != was.Number {
			t.Errorf("the holder is %+v, and was %+v", x, was)
		}
	})
	t.Run("O40.3 the copy is written in the batch that deletes the content", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.move(0, set, hostID(1))
		deleted := 0
		for range 1000 {
			for _, b := range w.boxes[0].batches {
				has := func(s Space, gone bool) bool {
					return slices.ContainsFunc(b.step.Writes, func(x Write) bool {
						return x.Space == s && x.OID == set && (x.Value == nil) == gone
					})
				}
				if has(Bodies, true) {
					if deleted++; !has(Copies, false) {
						t.Error("the batch that deletes the content has no copy")
					}
				}
			}
			w.nudge()
		}
		if deleted != 1 || w.at(set) != 1 {
			t.Errorf("it is deleted %d times, and is at %d", deleted, w.at(set))
		}
	})
	t.Run("O40.4 the copy is served to nobody", func(t *testing.T) {
		w, _ := givers(t, 3)
		set := w.create(0, Set)
		table := w.create(0, Table, set)
		there := w.create(2, Table)
		w.settle()
		w.gives(0, set, 2, there)
		w.does(0, set, "add", nil)
		number := w.boxes[2].host.helds.get(set).Number
		w.moves(0, set, 1)
		w.frozenCopy(0, set)
		w.off(1, true)
		if b, ok := w.ask(2, 0, &Find{set}).(*Elsewhere); !ok || b.Where.Owner != hostID(1) {
			t.Errorf("who looks for it is answered %+v", b)
		}
		call := &Call{OID: set, Number: 1 << 40, Held: number, Method: "look"}
		if b, ok := w.ask(2, 0, call).(*Elsewhere); !ok {
			t.Errorf("a holder that calls it is answered %+v", b)
		}
		if a := w.does(0, set, "look", nil); a.Failure == nil {
			t.Errorf("the host itself is answered %+v", a)
		}
		_ = table
	})
	t.Run("O40.5 what only a copy refers to is collected", func(t *testing.T) {
		w, _ := givers(t, 2)
		inner := w.create(0, Set)
		set := w.create(0, Set, inner)
		w.create(0, Table, set)
		there := w.create(1, Table)
		w.settle()
		w.gives(0, set, 1, there)
		w.moves(0, set, 1)
		w.does(1, set, "cut", []byte{0})
		w.collectTimes(8)
		if f := w.frozenCopy(0, set); !slices.Equal(f.Refs, []id.OID{inner}) {
			t.Fatalf("the copy refers to %v", f.Refs)
		}
		if w.exists(inner) {
			t.Error("it is still there")
		}
	})
	// leaves moves a new set away and reports whether a copy is kept.
	leaves := func(w *world) bool {
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.moves(0, set, 1)
		if w.at(set) != 1 {
			t.Fatalf("it is at %d", w.at(set))
		}
		_, ok := w.boxes[0].host.Copy(set)
		return ok
	}
	t.Run("O40.9 a host keeps 10,000 copies", func(t *testing.T) {
		w, _ := givers(t, 2)
		w.boxes[0].host.self.Copies = 9_999
		if !leaves(w) {
			t.Error("the last one is not kept")
		}
		if leaves(w) {
			t.Error("one more is kept")
		}
	})
	t.Run("O40.10 a host keeps 1 GiB of copies", func(t *testing.T) {
		w, _ := givers(t, 2)
		if !leaves(w) {
			t.Fatal("no copy is kept")
		}
		size := w.boxes[0].host.self.CopyBytes
		w.boxes[0].host.self.CopyBytes = 1<<30 - size
		if !leaves(w) {
			t.Error("a copy is not kept that fits")
		}
		w.boxes[0].host.self.CopyBytes = 1<<30 - size + 1
		if leaves(w) {
			t.Error("a copy is kept that does not fit")
		}
	})
}

// abandoned is a world in which 0 has a frozen copy of a set whose owner was given up. The set was
// in the terms 1, 2 and 3.
func abandoned(t *testing.T) (w *world, set, table id.OID) {
	t.Helper()
	w, gone := givers(t, 4)
	set = w.create(0, Set)
	table = w.create(0, Table, set)
	w.create(3, Table)
	w.settle()
	w.moves(0, set, 1)
	w.moves(1, set, 2)
	gone[hostID(2)], w.outcast[2] = true, true
	return w, set, table
}

// happens runs the world until there is an event of a type, and returns when that was.
func happens[E Event](w *world) (at id.Millis, e E) {
	w.t.Helper()
	for range 1000 {
		at = w.now // nudge makes events known, and then advances the clock
		w.nudge()
		if e, ok := of[E](w.events); ok {
			return at, e
		}
	}
	w.t.Fatalf("there is no %T", e)
	return at, e
}

func TestNewTerms(t *testing.T) {
	t.Run("O41.8 the new term is 65,536 above each that is known", func(t *testing.T) {
		w, set, _ := abandoned(t)
		w.boxes[0].skew = -w.now // a clock that was never set
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		if h := w.boxes[0].durable[set]; h == nil || h.Term < 3+65_536 {
			t.Errorf("it is %+v", h)
		}
	})
	t.Run("O41.9 the new term is 65,536 times the seconds since 1970", func(t *testing.T) {
		w, set, _ := abandoned(t)
		least := Term(65_536 * (w.now / 1000))
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		if h := w.boxes[0].durable[set]; h == nil || h.Term < least {
			t.Errorf("it is %+v, not in a term from %d on", h, least)
		}
	})
	t.Run("O41.17 for 30 rounds the owner is unsure of the holders", func(t *testing.T) {
		w, set, table := abandoned(t)
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		w.does(0, table, "cut", []byte{0})
		for n := range 30 {
			if w.collect(0); w.boxes[0].durable[set] == nil {
				t.Fatalf("it is collected in round %d", n+1)
			}
		}
		for range 2 {
			w.collect(0)
		}
		if w.boxes[0].durable[set] != nil {
			t.Error("it is never collected")
		}
	})
	t.Run("O41.21 who gets it more than 30 days later is sure", func(t *testing.T) {
		for _, c := range []struct {
			after id.Millis
			want  bool
		}{{30*day - minute, true}, {30*day + minute, false}} {
			w, set, _ := abandoned(t)
			if err := w.thaws(0, set); err != nil {
				t.Fatal(err)
			}
			w.now += c.after
			w.moves(0, set, 3)
			h := w.boxes[3].host
			if hd := h.heads.get(set); hd == nil || hd.State != here || h.unsure(hd) != c.want {
				t.Errorf("after %d days: %+v", c.after/day, hd)
			}
		}
	})
	t.Run("O42.6 a restored host keeps its older copy of what is elsewhere", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.does(0, set, "add", nil)
		backup := copyOf(w.boxes[0].disk)
		w.does(0, set, "add", nil)
		w.moves(0, set, 1)
		w.rebuild(0, backup)
		w.settle()
		if f := w.frozenCopy(0, set); len(f.Content) != 8 || w.at(set) != 1 {
			t.Errorf("the copy has %d bytes, and the set is at %d", len(f.Content), w.at(set))
		}
	})
	t.Run("O43.1 after 10 s a restored host says whom it awaits, and since when", func(t *testing.T) {
		w, _ := givers(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		backup := copyOf(w.boxes[0].disk)
		w.off(1, true)
		w.take()
		begun := w.now
		w.rebuild(0, backup)
		at, x := happens[Waiting](w)
		if at-begun != 10_000 || x.Since != begun || !slices.Equal(x.Hosts, []id.HostID{hostID(1)}) {
			t.Errorf("after %d ms: %+v, restored at %d", at-begun, x, begun)
		}
	})
	t.Run("O46.1 a term or a count of another host is continued from 2⁵¹", func(t *testing.T) {
		w, gone := givers(t, 3)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.create(1, Table)
		w.settle()
		w.moves(0, set, 1)
		d := Deed{OID: set, From: hostID(1), To: hostID(1), Term: 1 << 52}
		d.Signature = sum(hostID(1), d.Statement())
		w.ask(1, 0, &Swap{d})
		if f := w.boxes[0].host.forwards.get(set); f == nil || f.Term != 1<<51+1<<16 {
			t.Errorf("the term is continued as %+v", f)
		}
		w.ask(1, 0, &Give{[]Passed{{set, maxNumber}}})
		gone[hostID(1)], w.outcast[1] = true, true
		if err := w.thaws(0, set); err != nil {
			t.Fatal(err)
		}
		if h := w.boxes[0].durable[set]; h == nil || h.Counter != 1<<51+1<<20 {
			t.Errorf("the count is continued as %+v", h)
		}
	})
}

func TestTraceBounds(t *testing.T) {
	t.Run("O47.5 a trace is stored with the next batch", func(t *testing.T) {
		w := withTraces(t, 2)
		set, _ := w.lent()
		h := w.boxes[0].host
		known := h.memory(hostID(1))
		if known == nil {
			t.Fatal("no trace of the other host is known")
		}
		x := *known
		x.Count += 7
		a, err := h.Receive(w.moment(0), hostID(1), Message{
			Process: stranger, Number: 999, Body: &Find{set}, Trace: &x,
		})
		w.input(0, a, err)
		b, err := h.Create(w.moment(0), made(0, 1), Set, nil, nil, nil)
		w.input(0, b, err)
		writes := a.Writes
		if len(writes) == 0 { // that was no batch
			writes = b.Writes
		}
		i := slices.IndexFunc(writes, func(x Write) bool {
			return x.Space == Traces && x.OID == traceKey(hostID(1))
		})
		var stored Trace
		if i < 0 || decode(writes[i].Value, &stored) != nil || stored.Count != x.Count {
			t.Errorf("stored is %+v, not %+v", stored, x)
		}
	})
	t.Run("O47.6 the counts of the last 1,024 starts are known", func(t *testing.T) {
		w := withTraces(t, 1)
		for range 1030 {
			w.start(0)
			w.flush(0, 1<<30)
		}
		h := w.boxes[0].host
		for back, ignored := range map[uint64]bool{1: false, 1023: false, 1024: true} {
			x := Trace{Process: h.traces.process - back, Count: 1 << 30}
			x.Proof = h.prove(&x)
			if h.isPast(&x) != ignored {
				t.Errorf("a count of the start %d before this one that cannot be: ignored %t",
					back, !ignored)
			}
		}
	})
	t.Run("O48.4 until the others were heard nothing is swapped", func(t *testing.T) {
		w := withTraces(t, 4)
		set, _ := w.lent()
		w.cut[0][3], w.cut[3][0] = true, true
		w.start(0)
		h := w.boxes[0].host
		w.move(1, set, hostID(2))
		waited := 0
		for ; h.Hearing() && waited < 1000; waited++ {
			if f := h.forwards.get(set); f == nil || f.Owner != hostID(1) {
				t.Fatalf("it is swapped: %+v", f)
			}
			w.nudge()
		}
		if waited < 10 || h.Hearing() {
			t.Fatalf("it waits for %d steps", waited)
		}
		w.settle()
		if f := h.forwards.get(set); f == nil || f.Owner != hostID(2) {
			t.Errorf("it is never swapped: %+v", f)
		}
	})
	t.Run("O48.10 256 requests of a host wait until it says what it remembers", func(t *testing.T) {
		w := withTraces(t, 2)
		set, _ := w.lent()
		w.cut[1][0] = true // its answers are lost
		w.start(0)
		w.settleFor(hearing + 100)
		for range 300 {
			w.ask(1, 0, &Find{set})
		}
		if n := len(w.boxes[0].host.peer(hostID(1)).deferred); n != 256 {
			t.Errorf("%d wait", n)
		}
	})
}

func TestHearing(t *testing.T) {
	t.Run("O48.2 a host that starts waits no longer for others than it may", func(t *testing.T) {
		w := withTraces(t, 2)
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.settle()
		w.cut[0][1], w.cut[1][0] = true, true
		w.start(0)
		begun, h := w.now, w.boxes[0].host
		for n := 0; h.Hearing() && n < 1000; n++ {
			w.nudge()
		}
		if took := w.now - begun; took != hearing || h.Hearing() {
			t.Errorf("after %d ms it waits: %t", took, h.Hearing())
		}
		if a := w.does(0, set, "add", nil); a.Failure != nil || a.Refusal != 0 {
			t.Errorf("then it is called: %+v", a)
		}
	})
	t.Run("O48.5 until the others were heard nothing is collected", func(t *testing.T) {
		w := withTraces(t, 2)
		unneeded := w.create(0, Set)
		w.create(1, Table)
		w.settle()
		w.cut[0][1], w.cut[1][0] = true, true
		w.start(0)
		h := w.boxes[0].host
		round := h.self.Round
		for range 50 {
			s, err := h.Collect(w.moment(0))
			w.input(0, s, err)
			w.flush(0, 1<<30)
		}
		if !h.Hearing() || h.self.Round != round || w.at(unneeded) != 0 {
			t.Errorf("it hears: %t, rounds %d, the set is at %d", h.Hearing(), h.self.Round-round,
				w.at(unneeded))
		}
		w.settleFor(hearing + 100)
		for range 4 {
			w.collect(0)
		}
		if w.at(unneeded) != -1 {
			t.Error("it is never collected")
		}
	})
}

func TestKindsStay(t *testing.T) {
	t.Run("O30.8 calls and moves do not change the versions of kinds", func(t *testing.T) {
		w, _ := givers(t, 3)
		set, kinds := made(0, 1), []Kind{{1}, {2}}
		w.class[set] = Set
		s, err := w.boxes[0].host.Create(w.moment(0), set, Set, kinds, nil, nil)
		w.input(0, s, err)
		w.create(0, Table, set)
		w.settle()
		for from, to := range []int{1, 2, 0} {
			w.does(from, set, "add", nil)
			w.moves(from, set, to)
			b := w.boxes[to].host.bodies.get(set)
			if b == nil || !slices.Equal(b.Kinds, kinds) {
				t.Errorf("at %d it is %+v", to, b)
			}
		}
	})
}
