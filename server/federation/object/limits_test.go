package object

import (
	"encoding/binary"
	"slices"
	"testing"

	"holt/server/id"
)

// This file tests bounds with the numbers of the document, not with the constants of the code.

// sized answers a call with as many zeros as the first four bytes of its argument say.
type sized struct{}

func (sized) Invoke(i Invocation) Result {
	if i.Method == "lay" { // for gives
		return toy{}.Invoke(i)
	}
	return Result{Answer: make([]byte, binary.BigEndian.Uint32(i.Args))}
}

// kindsOf returns a number of kinds.
func kindsOf(n int) (all []Kind) {
	for i := range n {
		all = append(all, Kind{0: 1, 1: byte(i >> 8), 2: byte(i)})
	}
	return all
}

// ready delivers all messages without letting time pass.
func (w *world) ready() {
	for {
		for i, b := range w.boxes {
			for len(b.batches) > 0 {
				w.flush(i, 1<<30)
			}
		}
		if len(w.net) == 0 {
			return
		}
		w.deliver(0)
	}
}

// pending returns the messages of one type that a host has decided to send and not sent yet.
func pending[B Body](w *world, i int) (all []B) {
	for _, b := range w.boxes[i].batches {
		for _, s := range b.step.Sends {
			if x, ok := s.Message.Body.(B); ok {
				all = append(all, x)
			}
		}
	}
	return all
}

// until nudges the world until a host sends a message of a type, and returns how long that took.
func until[B Body](w *world, i int) (B, id.Millis) {
	w.t.Helper()
	begun := w.now
	for n := 0; n < 10_000 && w.now < begun+60*minute; n++ { // the world may be at rest
		if all := pending[B](w, i); len(all) > 0 {
			return all[0], w.now - begun
		}
		w.nudge()
	}
	var none B
	w.t.Fatalf("host %d sends no %T", i, none)
	return none, 0
}

// lets makes a host process something in one input.
func (w *world) lets(i int, do func(h *Host)) {
	h := w.boxes[i].host
	s, err := h.input(w.moment(i), func() { do(h) })
	w.input(i, s, err)
}

func TestBoundsOfObjects(t *testing.T) {
	t.Run("O3.1 an object has at most 256 kinds and 4,096 references", func(t *testing.T) {
		w := scene(t, 1, nil)
		var refs []id.OID
		for range 4097 {
			refs = append(refs, w.create(0, Set))
		}
		for n, x := range []struct {
			kinds, refs int
			ok          bool
		}{{256, 0, true}, {257, 0, false}, {0, 4096, true}, {0, 4097, false}} {
			s, err := w.boxes[0].host.Create(w.moment(0), made(0, n), Set, kindsOf(x.kinds),
				nil, refs[:x.refs])
			if (err == nil) != x.ok {
				t.Errorf("%d kinds, %d references: %v", x.kinds, x.refs, err)
			}
			if err == nil {
				w.input(0, s, err)
			}
		}
		if a := w.does(0, made(0, 2), "lay", nil, refs[4096]); a.Refusal != Large {
			t.Errorf("a call that adds the 4,097th reference: %+v", a)
		}
		if a := w.does(0, made(0, 0), "lay", nil, refs[4096]); a.Refusal != 0 {
			t.Errorf("a call that adds the first reference: %+v", a)
		}
	})
	t.Run("O3.2 kinds, content, references and holders share 752 KiB", func(t *testing.T) {
		const most = 752 << 10
		w := scene(t, 2, nil)
		w.lax = true // its content does not record calls
		ref := w.create(0, Set)
		for n, x := range []struct {
			kinds, content, refs int
			ok                   bool
		}{
			{0, most, 0, true}, {0, most + 1, 0, false},
			{2, most - 64, 0, true}, {2, most - 63, 0, false},
			{0, most - 16, 1, true}, {0, most - 15, 1, false},
		} {
			s, err := w.boxes[0].host.Create(w.moment(0), made(0, n), Set, kindsOf(x.kinds),
				make([]byte, x.content), slices.Repeat([]id.OID{ref}, x.refs))
			if (err == nil) != x.ok {
				t.Errorf("%+v: %v", x, err)
			}
			if err == nil {
				w.input(0, s, err)
			}
		}
		// A holder counts 40 bytes. A call adds 8 bytes to the content.
		for n, content := range []int{most - 48, most - 47} {
			set := made(0, 100+n)
			s, err := w.boxes[0].host.Create(w.moment(0), set, Set, nil, make([]byte, content), nil)
			w.input(0, s, err)
			w.create(0, Table, set)
			w.gives(0, set, 1, w.create(1, Table))
			a := w.does(1, set, "add", nil)
			after := len(w.boxes[0].host.bodies.get(set).Content)
			if n == 0 && (a.Refusal != 0 || after != content+8) ||
				n == 1 && (a.Refusal != Large || after != content) {
				t.Errorf("a call of an object with %d bytes of content: %+v", content, a)
			}
		}
	})
	t.Run("O3.3 the 1,025th holder of an object is refused with full", func(t *testing.T) {
		w := scene(t, 2, func(_ int, c *Config) {
			c.Link = func(id.HostID) Link { return Link{Open: true} }
		})
		set := w.create(0, Set)
		w.create(0, Table, set)
		w.gives(0, set, 1, w.create(1, Table))
		w.lets(0, func(h *Host) {
			for n := 2; n <= 1025; n++ {
				other := id.HostID{0: 0xf0, 5: byte(n >> 8), 6: byte(n), 7: 0x80}
				(&Retain{OID: set, For: other}).carryOut(h, hostID(1), func(b Body) {
					if why := refusal(b); n <= 1024 && why != 0 || n > 1024 && why != Full {
						t.Errorf("holder %d is answered %v", n, why)
					}
				})
			}
		})
	})
	t.Run("O3.5 an envelope of 1 MiB is sent, and a longer one is not", func(t *testing.T) {
		sends := func(content int) (w *world, set id.OID, envelope []byte) {
			w = scene(t, 2, nil)
			w.lax = true // its content does not record calls
			set = w.create(0, Set)
			w.create(0, Table, set)
			w.settle()
			b := w.boxes[0].host.bodies.get(set)
			b.Content = make([]byte, content)
			w.boxes[0].host.bodies.put(set, b)
			w.move(0, set, hostID(1))
			for _, o := range pending[*Offer](w, 0) {
				envelope = o.Envelope
			}
			w.settle()
			return w, set, envelope
		}
		_, _, small := sends(700_000)
		rest := len(small) - 700_000
		w, set, full := sends(1<<20 - rest)
		if len(full) != 1<<20 || w.at(set) != 1 {
			t.Errorf("one of %d bytes: the object is at %d", len(full), w.at(set))
		}
		w, set, more := sends(1<<20 - rest + 1)
		if more != nil || w.at(set) != 0 {
			t.Errorf("one of %d bytes is sent, and the object is at %d", len(more), w.at(set))
		}
		if a, ok := of[Answered](w.take()); !ok || a.Refusal != Large {
			t.Errorf("the move ends with %+v", a)
		}
		if len(w.boxes[0].durable[set].Holders) != 0 {
			t.Error("the owner has become a holder of its own object")
		}
	})
}

func TestBoundsOfCalls(t *testing.T) {
	// held makes an object at host 0 that answers at any length, and its holders.
	held := func(t *testing.T, holders int) (w *world, set id.OID,
		call func(from int, n uint64, size int) Body) {
		w = scene(t, 1+holders, func(_ int, c *Config) {
			c.Lazy = 1 << 30
			c.Class = func(Class) Behaviour { return sized{} }
		})
		set = w.create(0, Set)
		w.create(0, Table, set)
		for i := 1; i <= holders; i++ {
			w.gives(0, set, i, w.create(i, Table))
		}
		return w, set, func(from int, n uint64, size int) Body {
			return w.ask(from, 0, &Call{OID: set, Number: n, Method: "say",
				Held: w.boxes[from].host.helds.get(set).Number,
				Args: binary.BigEndian.AppendUint32(nil, uint32(size))})
		}
	}
	t.Run("O14.13 beyond 128 KiB of unread answers a host's next call is busy", func(t *testing.T) {
		for _, x := range []struct {
			sizes []int
			busy  bool
		}{{[]int{65_536, 65_300}, false}, {[]int{65_536, 65_300, 300}, true}} {
			_, _, call := held(t, 2)
			for n, size := range x.sizes {
				if why := refusal(call(1, uint64(n+1), size)); why != 0 {
					t.Fatalf("answer %d: %v", n+1, why)
				}
			}
			if why := refusal(call(1, 9, 1)); (why == Busy) != x.busy {
				t.Errorf("with unread answers of %v bytes: %v", x.sizes, why)
			}
			if why := refusal(call(2, 9, 1)); why != 0 {
				t.Errorf("the call of another host: %v", why)
			}
		}
	})
	t.Run("O14.14, O14.15 above 256 KiB, who has most answers loses the oldest", func(t *testing.T) {
		w, set, call := held(t, 3)
		say := func(from int, n uint64, size int) {
			t.Helper()
			if why := refusal(call(from, n, size)); why != 0 {
				t.Fatalf("call %d of %d: %v", n, from, why)
			}
		}
		size := func() (n int) {
			for _, c := range w.boxes[0].host.bodies.get(set).Calls {
				for _, k := range c.Kept {
					n += len(k.Answer.Answer)
				}
			}
			return n
		}
		say(1, 1, 60_000)
		say(1, 2, 60_000)
		say(2, 1, 60_000)
		say(3, 1, 60_000)
		if n := size(); n != 240_000 {
			t.Fatalf("%d bytes are kept", n)
		}
		say(2, 2, 30_000) // 270,000 are too many; host 1 has most
		if n := size(); n != 210_000 {
			t.Errorf("%d bytes are kept", n)
		}
		for _, x := range []struct {
			from int
			n    uint64
			why  Refusal
		}{{1, 1, Forgotten}, {1, 2, 0}, {2, 1, 0}, {2, 2, 0}, {3, 1, 0}} {
			if why := refusal(call(x.from, x.n, 1)); why != x.why {
				t.Errorf("call %d of %d comes again: %v", x.n, x.from, why)
			}
		}
	})
	t.Run("O14.19 the 17th call without an answer is busy at once", func(t *testing.T) {
		w, set := apart(t)
		w.off(1, true)
		for n := 1; n <= 17; n++ {
			w.take()
			w.call(2, set, "look", nil)
			w.ready()
			if a, ended := of[Answered](w.take()); ended != (n > 16) || ended && a.Refusal != Busy {
				t.Errorf("call %d: %+v", n, a)
			}
		}
	})
	t.Run("O14.21 a call with more than 64 KiB of arguments is not sent", func(t *testing.T) {
		w, set := apart(t)
		if a := w.does(2, set, "look", make([]byte, 64<<10)); a.Refusal != 0 || a.Failure != nil {
			t.Errorf("64 KiB: %+v", a)
		}
		sent := w.sent
		if a := w.does(2, set, "look", make([]byte, 64<<10+1)); a.Refusal != Large ||
			w.sent != sent {
			t.Errorf("a byte more: %+v, %d messages", a, w.sent-sent)
		}
	})
	t.Run("O14.10 a call says up to which call its sender has all answers", func(t *testing.T) {
		w, set := apart(t)
		w.does(2, set, "look", nil) // so that it knows the owner
		w.call(2, set, "look", nil)
		first := pending[*Call](w, 2)[0]
		w.call(2, set, "look", nil)
		second := pending[*Call](w, 2)[1]
		if second.Read >= first.Number {
			t.Errorf("the second call has all answers up to %d, and there is none to call %d",
				second.Read, first.Number)
		}
		w.settle()
		w.call(2, set, "look", nil)
		if third := pending[*Call](w, 2)[0]; third.Read < second.Number {
			t.Errorf("the third call has the answers up to %d, and that to call %d is there",
				third.Read, second.Number)
		}
	})
}

func TestBoundsOfMemory(t *testing.T) {
	t.Run("O6.8 the owners of the 65,536 unheld objects used last are known", func(t *testing.T) {
		h := scene(t, 1, nil).boxes[0].host
		at := whereabouts{Owner: hostID(1), Term: 2}
		for n := range 65_536 {
			h.learn(made(7, n), at)
		}
		if h.known(made(7, 0)) != at { // it is used now
			t.Fatal("fewer are known")
		}
		h.learn(made(7, 65_536), at)
		for n, known := range map[int]bool{0: true, 1: false, 2: true, 65_536: true} {
			if (h.known(made(7, n)) == at) != known {
				t.Errorf("that the owner of object %d is known is %v", n, !known)
			}
		}
	})
	t.Run("O17.7 the failures of the last 65,536 objects are kept", func(t *testing.T) {
		w := scene(t, 1, nil)
		miss := func(n int) {
			w.boxes[0].host.missed(&Failure{OID: made(7, n), Host: hostID(7), Reason: Stranger})
		}
		w.lets(0, func(*Host) {
			for n := range 65_536 {
				miss(n)
			}
		})
		w.settle()
		if _, away := w.boxes[0].host.Unreachable(made(7, 0)); !away {
			t.Fatal("fewer are kept")
		}
		w.lets(0, func(*Host) { miss(65_536) })
		w.settle()
		w.start(0)
		for n, kept := range map[int]bool{0: false, 1: true, 65_536: true} {
			if _, away := w.boxes[0].host.Unreachable(made(7, n)); away != kept {
				t.Errorf("that the failure of object %d is kept is %v", n, away)
			}
		}
		if n := len(w.boxes[0].disk.values[Aways]); n != 65_536 {
			t.Errorf("%d are stored", n)
		}
	})
	t.Run("O22.9 what was disowned is remembered for 30 days", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		w.settle()
		oid := made(0, 1)
		w.ask(0, 1, &Check{oid, 5})
		begun := w.boxes[1].host.disowned.get(oid).At
		accepts := func() bool {
			_, no := w.ask(0, 1, &Give{[]Passed{{oid, 5}}}).(*Unregistered)
			return !no
		}
		w.now = begun + 30*24*60*minute
		w.collect(1)
		if accepts() {
			t.Error("after 30 days it is forgotten")
		}
		w.now = max(w.now, begun+30*24*60*minute+1)
		w.collect(1)
		if !accepts() {
			t.Error("it is never forgotten")
		}
	})
}

func TestBoundsOfRounds(t *testing.T) {
	t.Run("O23.2 one message renews at most 1,024 references", func(t *testing.T) {
		w := scene(t, 2, nil)
		w.create(1, Table)
		for range 1500 {
			w.give(0, w.create(0, Set), 1)
			w.ready()
		}
		var sizes []int
		w.log = func(format string, args ...any) {
			for _, x := range args {
				if r, ok := x.(*Renew); ok {
					sizes = append(sizes, len(r.Items))
					return
				}
			}
		}
		w.collect(1)
		total := 0
		for _, n := range sizes {
			if total += n; n > 1024 {
				t.Errorf("a message renews %d", n)
			}
		}
		if total != 1500 {
			t.Errorf("%d of 1500 are renewed, by messages of %v", total, sizes)
		}
	})
	t.Run("O23.4 a renewal without news is recorded in every fourth round", func(t *testing.T) {
		w, set := apart(t)
		w.collect(2)
		w.collect(1)
		written := func() uint64 { return w.boxes[1].durable[set].holder(hostID(2)).Round }
		was, changes := written(), []int{}
		for n := range 12 {
			w.collect(1)
			w.collect(2)
			if now := written(); now != was {
				changes, was = append(changes, n), now
			}
		}
		if len(changes) != 3 || changes[1] != changes[0]+4 || changes[2] != changes[1]+4 {
			t.Errorf("it is written down in the rounds %v", changes)
		}
		held := w.boxes[2].host.helds.get(set).Number
		w.ask(2, 1, &Renew{[]Renewal{{set, held, 7}}})
		if d := w.boxes[1].durable[set].holder(hostID(2)).DistancePlus1; d != 7 {
			t.Errorf("a new distance is not written down: %d", d)
		}
	})
	t.Run("O23.5 a holder that was not renewed for 8 rounds is asked", func(t *testing.T) {
		w, set := apart(t)
		asked := map[id.OID]int{}
		w.log = func(format string, args ...any) {
			for _, x := range args {
				if c, ok := x.(*Check); ok && args[1] == 2 {
					asked[c.OID]++
					return
				}
			}
		}
		w.collect(1)
		silent := w.create(1, Set)
		w.create(1, Table, silent)
		w.settle()
		h := w.boxes[1].host
		hd := h.heads.get(silent)
		if _, ok := hd.register(hostID(2), 1, h.self.Round); !ok { // 2 does not know of it
			t.Fatal("there is no room")
		}
		h.heads.put(silent, hd)
		for n := 1; n <= 8; n++ {
			w.collect(2)
			w.collect(1)
			if (asked[silent] > 0) != (n >= 8) {
				t.Errorf("after %d rounds it was asked %d times", n, asked[silent])
			}
		}
		for range 12 {
			w.collect(2)
			w.collect(1)
		}
		if asked[set] > 0 {
			t.Error("a holder that renews is asked")
		}
	})
}
