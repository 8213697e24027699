package object

import (
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"holt/server/id"
)

var million = flag.Int("million", 20_000, "how many objects TestO24LargeWorld has")

// deck returns the content of a set of 54 cards as a game might have it.
func deck() *Envelope {
	r := rand.New(rand.NewPCG(1, 1))
	e := &Envelope{OID: anyOID(r), Term: 2, Class: Set, counter: 3,
		holders: []holder{{hostID(1), 3, 1, 1, 1}}}
	e.body.Kinds = bytes32(2)
	for i := range 54 {
		e.body.Content = append(e.body.Content, byte(i), 0, 0, 0)
		e.body.Content = append(e.body.Content, "the name of a card"...)
	}
	return e
}

func BenchmarkEnvelope(b *testing.B) {
	e := deck()
	sealed := e.Append(nil)
	b.Run("append", func(b *testing.B) {
		b.SetBytes(int64(len(sealed)))
		b.ReportAllocs()
		for b.Loop() {
			sealed = e.Append(sealed[:0])
		}
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(sealed)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadEnvelope(sealed); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// steady is a behaviour that does the same at every call.
type steady struct{}

func (steady) Invoke(i Invocation) Result {
	return Result{Changed: true, Content: i.Content, Refs: i.Refs, Answer: i.Args}
}

// BenchmarkCall: host 1 calls a set of 54 cards of host 0. It runs both machines, and encodes and
// decodes the messages.
func BenchmarkCall(b *testing.B) {
	w := newWorld(b, rand.New(rand.NewPCG(1, 1)), 2,
		func(c *Config) { c.Class = func(Class) Behaviour { return steady{} } })
	set := w.create(0, Set)
	w.create(0, Table, set)
	w.boxes[0].host.bodies.get(set).Content = deck().body.Content
	w.give(0, set, 1)
	w.settle()
	calls := func(i int) {
		h, other := w.boxes[i].host, w.boxes[1-i].host
		m := Moment{Now: w.now}
		s, _ := h.Call(m, 1, set, "draw", []byte{1}, nil)
		for len(s.Sends) > 0 {
			msg, err := ReadMessage(s.Sends[0].Message.Append(nil))
			if err != nil {
				b.Fatal(err)
			}
			w.boxes[i].disk.apply(s.Writes)
			if s, err = other.Receive(m, h.cfg.Self, msg); err != nil {
				b.Fatal(err)
			}
			w.boxes[1-i].disk.apply(s.Writes)
			h, other, i = other, h, 1-i
		}
		w.boxes[i].disk.apply(s.Writes)
		if a, ok := of[Answered](s.Events); !ok || a.Failure != nil || a.Refusal != 0 {
			b.Fatalf("%+v", s.Events)
		}
		m.Now++
	}
	for name, i := range map[string]int{"local": 0, "remote": 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.now += 10
				calls(i)
			}
		})
	}
}

// BenchmarkMove moves a set of 54 cards back and forth, with everything that is sent and stored for
// that.
func BenchmarkMove(b *testing.B) {
	w := newWorld(b, rand.New(rand.NewPCG(1, 1)), 2, nil)
	set := w.create(0, Set)
	w.create(0, Table, set)
	w.boxes[0].host.bodies.get(set).Content = deck().body.Content
	w.lax = true
	w.settle()
	at := 0
	b.ReportAllocs()
	for b.Loop() {
		w.now += 100
		w.move(at, set, hostID(1-at))
		w.settle()
		at = 1 - at
	}
	if w.problem != "" || w.at(set) != at {
		b.Fatalf("at %d: %s", w.at(set), w.problem)
	}
}

// large is a store of many objects that it makes when they are read. Each refers to two others, and
// the first is a table.
type large struct {
	n    int
	away bool // only other hosts need them, and they are suspect
	head []byte
	b    head
}

func (l *large) oid(i int) (o id.OID) {
	g := hostID(0)
	copy(o[:], g[:])
	binary.BigEndian.PutUint64(o[8:], uint64(i+1))
	return o
}

func (l *large) value(i int) []byte {
	l.b = head{Class: Set, Term: 1, State: here, Life: 1, Refs: nil}
	if i == 0 && !l.away {
		l.b.Class = Table
	}
	if l.away {
		l.b.Counter, l.b.Holders = 1, []holder{
			{Host: hostID(1), Number: 1, Since: 1, DistancePlus1: farthest},
		}
	}
	for _, j := range []int{2*i + 1, 2*i + 2} { // a tree; one in ten of its leaves is missing
		if j < l.n && j%10 != 9 {
			l.b.Refs = append(l.b.Refs, l.oid(j))
		}
	}
	l.head = encode(l.head[:0], &l.b)
	return l.head
}

func (l *large) Get(s Space, oid id.OID) ([]byte, error) {
	i := int(binary.BigEndian.Uint64(oid[8:])) - 1
	switch {
	case s == Heads && i >= 0 && i < l.n && oid == l.oid(i):
		return append([]byte(nil), l.value(i)...), nil
	case s == Bodies && i >= 0 && i < l.n:
		return encode([]byte{}, &body{Content: []byte{1}}), nil
	}
	return nil, nil
}

func (l *large) Scan(s Space, behind id.OID, each func(id.OID, []byte) bool) error {
	if s != Heads {
		return nil
	}
	for i := int(binary.BigEndian.Uint64(behind[8:])); i < l.n; i++ {
		if !each(l.oid(i), l.value(i)) {
			break
		}
	}
	return nil
}

// TestO24LargeWorld runs a round over many objects with a small cache.
func TestO24LargeWorld(t *testing.T) {
	t.Run("O24.12 a round over a large world needs little memory and short steps", func(t *testing.T) {
		l := &large{n: *million}
		h, _, err := Open(Config{
			Self: hostID(0), Store: l, Cache: 1024, Link: func(id.HostID) Link { return Link{} },
			Class: func(Class) Behaviour { return toy{} },
		}, Moment{Now: 1})
		if err != nil {
			t.Fatal(err)
		}
		heap := func() int64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		before, begun := heap(), time.Now()
		var most, slowest int64
		steps, deleted, judged := 0, 0, int64(0)
		var sum Rounded
		for {
			at := time.Now()
			judge := h.round != nil && h.round.phase == judging
			s, err := h.Collect(Moment{Now: 2})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(at).Microseconds(); judge {
				judged = took
				most = heap() - before
			} else {
				slowest = max(slowest, took)
			}
			steps++
			for _, e := range s.Events {
				switch e := e.(type) {
				case Deleted:
					deleted++
				case Rounded:
					sum = e
				}
			}
			if !h.Collecting() {
				break
			}
		}
		t.Logf("%d objects: %v in %d steps, the longest %d µs, judging %d µs; %d bytes for each object",
			l.n, time.Since(begun), steps, slowest, judged, most/int64(l.n))
		if sum.Objects != l.n || deleted != sum.Deleted || sum.Reached+deleted != l.n ||
			deleted == 0 || len(h.heads.items) > 2*1024 {
			t.Errorf("%+v; %d in the cache", sum, len(h.heads.items))
		}
		if most > 80*int64(l.n)+1<<20 {
			t.Errorf("%d bytes for %d objects", most, l.n)
		}
	})
	t.Run("O24, O25 a large world that is not needed here needs little more", func(t *testing.T) {
		l := &large{n: *million, away: true}
		h, _, err := Open(Config{
			Self: hostID(0), Store: l, Cache: 1024, Link: func(id.HostID) Link {
				return Link{Open: true}
			}, Class: func(Class) Behaviour { return toy{} },
		}, Moment{Now: 1})
		if err != nil {
			t.Fatal(err)
		}
		heap := func() int64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int64(m.HeapAlloc)
		}
		before, most := heap(), int64(0)
		for first := true; first || h.Collecting(); first = false {
			judge := h.round != nil && h.round.phase == judging
			if _, err := h.Collect(Moment{Now: 2}); err != nil {
				t.Fatal(err)
			}
			if judge {
				most = heap() - before
			}
		}
		after := heap() - before
		t.Logf("%d objects: %d bytes for each object in the round, %d behind it", l.n,
			most/int64(l.n), after/int64(l.n))
		if len(h.nimby) != l.n || most > 160*int64(l.n)+1<<20 || after > 80*int64(l.n)+1<<20 {
			t.Errorf("%d of %d are nimby; %d and %d bytes", len(h.nimby), l.n, most, after)
		}
	})
}
