package connection

import (
	"errors"
	"testing"
	"time"

	"holt/server/transport/depgraph"
	"holt/server/transport/simline"
)

var (
	udp  = Path{Largest: UDPSize, UDP: true}
	quic = Path{Largest: UDPSize, Free: true}
)

const ms = time.Millisecond

// good is a line of 50 ms.
var good = simline.Config{Delay: 50 * ms}

func TestSending(t *testing.T) {
	t.Run("D20.4, D20.5 a connection begins with a probe, and both ends measure", func(t *testing.T) {
		for _, path := range []Path{udp, quic} {
			l := newLink(t, 1, path, good, good)
			l.run(time.Second)
			for _, e := range l.ends {
				if got := e.conn.Stats().RoundTrip; got != 100*ms {
					t.Errorf("%+v: a round trip of %v", path, got)
				}
			}
		}
	})
	// Clauses: D24.2, D24.3, D24.5
	t.Run("D24 two packets are acknowledged at once, one after 10 ms", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		l.run(450 * ms)
		a := l.ends[0]
		for _, packets := range []int{1, 2} {
			for range packets {
				a.send(10, 0)
				a.flush()
			}
			start := l.now
			for a.conn.Sender().Floor() != a.sent {
				l.step(start + time.Second)
			}
			if want := 100*ms + ackDelay*time.Duration(2-packets); l.now-start != want {
				t.Errorf("%d packets are acknowledged after %v, want %v", packets,
					l.now-start, want)
			}
		}
	})
	t.Run("D24.4 a packet out of order is acknowledged at once", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		l.run(450 * ms)
		a := l.ends[0]
		l.lines[0].Set(simline.Config{Delay: 50 * ms, Down: true})
		a.send(10, 0)
		a.flush()
		l.lines[0].Set(good)
		a.send(10, 1)
		a.flush()
		start := l.now
		for b := l.ends[1]; b.packets == l.ends[1].packets; {
			before := b.packets
			if l.step(start + time.Second); b.packets > before {
				break
			}
		}
		if l.now-start != 50*ms {
			t.Errorf("after %v", l.now-start)
		}
	})
	// Clauses: D15.1, D24.6, D24.7
	t.Run("D15, D24 unguaranteed packets ask for an ack ten times a second", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		l.run(450 * ms)
		asking := 0
		l.saw = func(from int, p []byte) {
			d, rest, err := readData(p, false)
			if err != nil {
				t.Fatal(err)
			}
			if from == 0 && !d.quiet {
				asking++
			}
			if from == 1 && len(rest) > 0 {
				t.Errorf("the other end sends %x", rest)
			}
		}
		for range 100 {
			l.ends[0].sendUnguaranteed(7, -1)
			l.ends[0].flush()
			l.run(l.now + 10*ms)
		}
		if asking < 9 || asking > 11 || l.ends[1].unguaranteed != 96 {
			t.Errorf("%d packets ask, %d of 96 messages are there", asking, l.ends[1].unguaranteed)
		}
	})
	// Clauses: D15.2, D15.3
	t.Run("D15 an unguaranteed message is sent in time or never, newest per key", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		l.run(450 * ms)
		var keys []uint32
		l.ends[1].onUnguaranteed = func(key uint32, _ []byte) { keys = append(keys, key) }
		a := l.ends[0]
		a.sendUnguaranteed(1, -1)
		l.stops = true
		l.run(l.now + 60*ms)
		for _, key := range []uint32{2, 2, 0, 3, 0, 3, 2} {
			a.sendUnguaranteed(key, -1)
		}
		l.run(l.now + 60*ms)
		l.stops = false
		a.flush()
		l.run(l.now + time.Second)
		if want := []uint32{2, 0, 3, 0}; !equal(keys, want) {
			t.Errorf("%v, want %v", keys, want)
		}
	})
	t.Run("D15 an unguaranteed message too large for a packet is refused", func(t *testing.T) {
		l := newLink(t, 1, udp, good, good)
		c := l.ends[0].conn
		if err := c.SendUnguaranteed(0, 1<<32-1,
			make([]byte, c.MaxUnguaranteed()+1), nil); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
		if err := c.SendUnguaranteed(0, 1<<32-1, make([]byte, c.MaxUnguaranteed()), nil); err != nil {
			t.Error(err)
		}
		came := 0
		l.ends[1].onUnguaranteed = func(_ uint32, msg []byte) { came = len(msg) }
		l.run(time.Second)
		if came != c.MaxUnguaranteed() {
			t.Errorf("%d bytes have come", came)
		}
	})
	t.Run("D15 and D28 an unguaranteed message that no longer fits is dropped", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a := l.ends[0]
		if err := a.conn.SendUnguaranteed(l.now, 1, make([]byte, 800), nil); err != nil {
			t.Fatal(err)
		}
		a.conn.Resize(700)
		sent := a.conn.Stats().Sent
		a.flush()
		if s := a.conn.Stats(); s.Sent != sent || len(a.conn.unguaranteed.waiting) != 0 {
			t.Errorf("%d packets, %d wait", s.Sent-sent, len(a.conn.unguaranteed.waiting))
		}
		a.send(10, 0)
		l.settle(time.Second)
	})
	t.Run("D15.4 at most 64 unguaranteed messages wait", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		var keys []uint32
		l.ends[1].onUnguaranteed = func(key uint32, _ []byte) { keys = append(keys, key) }
		for key := range uint32(70) {
			l.ends[0].sendUnguaranteed(1+key, -1)
		}
		l.ends[0].flush()
		l.run(l.now + time.Second)
		if len(keys) != maxUnguaranteed || keys[0] != 7 || keys[maxUnguaranteed-1] != 70 {
			t.Errorf("%v", keys)
		}
	})
	t.Run("D26, D27.1, D27.2 at most 4,096 packets are under way", func(t *testing.T) {
		k := newTalk(t, quic, limits)
		for range maxFlying + 100 {
			if err := k.conn.Send(0, nil, nil, nil); err != nil {
				t.Fatal(err)
			}
			k.drain()
		}
		if s := k.conn.Stats(); s.Sent != maxFlying || len(k.conn.flight.ring) > 2*maxFlying {
			t.Errorf("%d packets, room for %d", s.Sent, len(k.conn.flight.ring))
		}
		if at, ok := k.conn.Wake(); !ok || at == 0 {
			t.Errorf("it wakes at %v, %v", at, ok)
		}
		before := k.conn.Stats().Sent
		// it still probes and asks, and sleeps in between
		for end := k.now + 3*time.Second; k.now < end; {
			at, ok := k.conn.Wake()
			if !ok || at <= k.now {
				t.Fatalf("at %v it wakes at %v, %v", k.now, at, ok)
			}
			k.now = at
			k.drain()
		}
		if n := k.conn.Stats().Sent - before; n < 4 || n > 24 {
			t.Errorf("%d packets in 3 s", n)
		}
		a := ack{latest: maxFlying - 1, floor: maxFlying}
		if err := k.conn.Receive(k.now,
			appendData(nil, data{acks: true, ack: a}, false)); err != nil {
			t.Fatal(err)
		}
		k.drain()
		if k.conn.out.fresh != maxFlying+100 || k.conn.waiting() {
			t.Errorf("%d messages", k.conn.out.fresh)
		}
	})
	t.Run("D15 neither guaranteed nor unguaranteed messages starve the other", func(t *testing.T) {
		slow := simline.Config{Delay: 20 * ms, Rate: 20_000, Queue: 20_000, Overhead: 28}
		l := newLink(t, 1, udp, slow, good)
		l.run(450 * ms)
		a, b := l.ends[0], l.ends[1]
		a.fill(500, 1000)
		for range 200 {
			for key := range uint32(40) {
				a.sendUnguaranteed(key, -1)
			}
			a.flush()
			l.run(l.now + 20*ms)
		}
		if b.count < 40 || b.unguaranteed < 200 {
			t.Errorf("in four seconds %d guaranteed messages and %d others have come",
				b.count, b.unguaranteed)
		}
	})
	t.Run("D14 a message is no larger than the other end takes", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		c := l.ends[0].conn
		if err := c.Send(0, make([]byte, testMessage+1), nil, nil); !errors.Is(err, ErrTooLarge) {
			t.Error(err)
		}
		if !l.ends[0].send(testMessage, 0) {
			t.Error("there is no room")
		}
		l.settle(10 * time.Second)
	})
	t.Run("D14 an excessive claim of capacity is not believed", func(t *testing.T) {
		c := NewConn(Config{Path: quic, PeerLimits: Limits{Message: 1<<32 - 1, Window: 1<<32 - 1}})
		if _, n := c.Sender().Room(); n != int(FromServer.Window) {
			t.Errorf("there is room for %d bytes", n)
		}
		if err := c.Send(0, make([]byte, FromServer.Message+1), nil, nil); !errors.Is(
			err, ErrTooLarge) {
			t.Error(err)
		}
		if err := c.Send(0, make([]byte, FromServer.Message), nil, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("D3.3, D3.4 a full window is not an error, and empties again", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		a := l.ends[0]
		if n := a.fill(0, 1<<20); n != depgraph.Window {
			t.Errorf("%d messages", n)
		}
		l.settle(time.Minute)
		if n := a.fill(testMessage/2, 1<<20); n != testWindow/(testMessage/2)-1 {
			t.Errorf("%d messages of half a mebibyte", n)
		}
		l.settle(time.Minute)
		l.bounded()
	})
	t.Run("D2 handles of an ended connection are ignored, and nothing is sent", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		var h depgraph.Handle
		c := l.ends[0].conn
		if err := c.Send(0, nil, nil, &h); err != nil {
			t.Fatal(err)
		}
		c.Close(0, CodeProtocol, "")
		if err := c.Send(0, nil, nil, nil); !errors.Is(err, depgraph.ErrClosed) {
			t.Error(err)
		}
		if err := c.SendUnguaranteed(0, 0, nil, nil); !errors.Is(err, depgraph.ErrClosed) {
			t.Error(err)
		}
		next := newLink(t, 2, quic, good, good).ends[0].conn
		if err := next.Send(0, nil, []*depgraph.Handle{&h}, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("D2.5 an empty handle is a mistake, and nothing is sent", func(t *testing.T) {
		l := newLink(t, 1, quic, good, good)
		c := l.ends[0].conn
		if err := c.Send(0, nil, []*depgraph.Handle{new(depgraph.Handle)}, nil); !errors.Is(err,
			depgraph.ErrUnfilled) {
			t.Error(err)
		}
		if err := c.SendUnguaranteed(0, 0, nil,
			[]*depgraph.Handle{new(depgraph.Handle)}); !errors.Is(err, depgraph.ErrUnfilled) {
			t.Error(err)
		}
		l.settle(time.Second)
		if l.ends[1].count != 0 {
			t.Errorf("%d messages", l.ends[1].count)
		}
	})
	t.Run("D23 small messages share a packet", func(t *testing.T) {
		l := newLink(t, 1, udp, good, good)
		l.run(450 * ms)
		a, packets := l.ends[0], 0
		l.saw = func(from int, p []byte) {
			if from == 0 {
				packets++
			}
		}
		for n := range 36 {
			a.send(29, n) // 32 bytes each, and 11 of the packet's
		}
		a.flush()
		if packets != 1 {
			t.Errorf("%d packets", packets)
		}
		l.settle(time.Second)
	})
	t.Run("D22 a packet has at most 64 messages", func(t *testing.T) {
		l := newLink(t, 1, udp, good, good)
		l.run(450 * ms)
		a, packets := l.ends[0], 0
		l.saw = func(from int, p []byte) {
			if from == 0 {
				packets++
			}
		}
		for range 2 * maxRecords {
			a.send(0)
		}
		a.flush()
		if packets != 2 {
			t.Errorf("%d packets", packets)
		}
		l.settle(time.Second)
	})
}

func equal[E comparable](a, b []E) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
