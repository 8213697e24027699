package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

// packetSeen is a Data packet that an end has sent.
type packetSeen struct {
	at      time.Duration
	size    int
	data    data
	rest    []byte
	records []record
}

// watch records the Data packets that an end sends from now on.
func (l *link) watch(side int) *[]packetSeen {
	seen := new([]packetSeen)
	l.saw = func(from int, p []byte) {
		if from != side {
			return
		}
		p = append([]byte(nil), p...)
		d, rest, err := readData(p, l.ends[side].conn.path.UDP)
		if err != nil {
			l.t.Fatal(err)
		}
		records, err := readAllAt(rest, l.ends[1-side].conn.Floor())
		if err != nil {
			l.t.Fatal(err)
		}
		*seen = append(*seen, packetSeen{l.now, len(p), d, rest, records})
	}
	return seen
}

// gaps returns how long an end was silent between its packets.
func gaps(seen []packetSeen) (all []time.Duration) {
	for i := 1; i < len(seen); i++ {
		all = append(all, seen[i].at-seen[i-1].at)
	}
	return all
}

func TestPacketsAreBounded(t *testing.T) {
	t.Run("D22.5 a sender puts 64 guaranteed messages into a packet, and no more", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		seen := l.watch(0)
		for range 129 {
			l.ends[0].send(0)
		}
		l.ends[0].flush()
		var counts []int
		for _, p := range *seen {
			counts = append(counts, len(p.records))
		}
		if want := []int{64, 64, 1}; !equal(counts, want) {
			t.Errorf("packets of %v messages, want %v", counts, want)
		}
	})
	t.Run("D23.3 65 guaranteed messages and fragments in a packet end with 1002", func(t *testing.T) {
		records := func(whole64 int) (all [][]byte) {
			for n := range uint64(whole64) {
				all = append(all, whole(n, nil))
			}
			return append(all, fragment(100, make([]byte, 300), 0, 16))
		}
		k := newTalk(t, quic, limits)
		if err := k.say(records(63)...); err != nil {
			t.Fatalf("64 are refused: %v", err)
		}
		k = newTalk(t, quic, limits)
		k.ends(k.say(records(64)...), CodeProtocol)
	})
	t.Run("D14.9 a client is given 4 and 256 KiB in all, a server 16 and 24 MiB", func(t *testing.T) {
		if want := (Limits{Message: 4096, Window: 262_144}); FromClient != want {
			t.Errorf("of a client %+v is taken", FromClient)
		}
		if want := (Limits{Message: 16_777_216, Window: 25_165_824}); FromServer != want {
			t.Errorf("of a server %+v is taken", FromServer)
		}
	})
}

func TestAcknowledgementsAlone(t *testing.T) {
	t.Run("D24.8 a packet with acknowledgements alone does not ask", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		seen := l.watch(1)
		l.ends[0].send(10, 0)
		l.settle(time.Second)
		if len(*seen) != 1 {
			t.Fatalf("%d packets", len(*seen))
		}
		if p := (*seen)[0]; !p.data.acks || len(p.rest) > 0 || !p.data.quiet {
			t.Errorf("%+v", p)
		}
	})
	t.Run("D15.11 an unguaranteed message that does not ask gets no ack", func(t *testing.T) {
		k := newTalk(t, quic, limits)
		k.drain()
		got := 0
		k.conn.config.Unguaranteed = func(uint32, []byte) { got++ }
		p := appendData(nil, data{number: 0, quiet: true}, false)
		if err := k.conn.Receive(0, appendUnguaranteed(p, 1, nil, []byte("a"))); err != nil || got != 1 {
			t.Fatalf("%d are executed, %v", got, err)
		}
		k.now = ackDelay
		if p, ok := k.conn.Next(k.now, nil); ok {
			t.Errorf("%x is sent", p)
		}
		if k.conn.Floor() != 0 {
			t.Errorf("the floor is %d", k.conn.Floor())
		}
	})
}

func TestRepeats(t *testing.T) {
	t.Run("D25.9 of a message in fragments only the lost one is sent again", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a := l.ends[0]
		seen := l.watch(0)
		watching := l.saw
		sent := 0
		l.saw = func(from int, p []byte) {
			watching(from, p)
			if from == 0 {
				sent++
				lost := good
				lost.Down = sent == 2
				l.lines[0].Set(lost)
			}
		}
		a.send(6000, 0)
		a.flush()
		first := len(*seen)
		lost := (*seen)[1].records[0]
		l.settle(time.Second)
		var again []record
		for _, p := range (*seen)[first:] {
			again = append(again, p.records...)
		}
		if first < 5 || len(again) != 1 || again[0].kind != recordFragment ||
			again[0].from != lost.from || len(again[0].data) != len(lost.data) {
			t.Errorf("%d packets at first; then %d records, want one of %d bytes from %d", first,
				len(again), len(lost.data), lost.from)
		}
	})
	t.Run("D26.6 what was lost goes before what is new, the lowest message first", func(t *testing.T) {
		k := newTalk(t, quic, limits)
		k.drain()
		began := k.conn.flight.next
		var packets [][]uint64 // the messages of each packet
		send := func(messages int) {
			for range messages {
				if err := k.conn.Send(0, make([]byte, 900), nil, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		next := func() {
			for {
				p, ok := k.conn.Next(k.now, nil)
				if !ok {
					return
				}
				_, rest, err := readData(p, false)
				if err != nil {
					t.Fatal(err)
				}
				records, err := readAllAt(rest, 0)
				if err != nil {
					t.Fatal(err)
				}
				var numbers []uint64
				for _, r := range records {
					numbers = append(numbers, r.header.Number)
				}
				packets = append(packets, numbers)
			}
		}
		// acknowledge says that the packets came, the last of which is the highest. They are
		// counted from the first one with a message.
		acknowledge := func(came ...uint64) {
			a := ack{latest: uint16(began + came[len(came)-1]), size: 8}
			for _, n := range came[:len(came)-1] {
				a.bits |= 1 << (came[len(came)-1] - 1 - n)
			}
			p := appendData(nil, data{number: k.number, quiet: true, acks: true, ack: a}, false)
			k.number++
			if err := k.conn.Receive(k.now, p); err != nil {
				t.Fatal(err)
			}
		}
		send(7) // message n in packet n
		next()
		acknowledge(1, 2, 3) // message 0 is lost
		next()               // packet 7 has it
		send(3)
		next() // packets 8 to 10
		send(1)
		packets = nil
		acknowledge(1, 2, 3, 5, 6, 8, 9, 10) // message 4 is lost, and message 0 once more
		next()
		if len(packets) != 3 || !equal(packets[0], []uint64{0}) || !equal(packets[1], []uint64{4}) ||
			!equal(packets[2], []uint64{10}) {
			t.Errorf("messages %v are sent, want 0, 4 and 10", packets)
		}
	})
	t.Run("D26.11 RFC 6298 smooths round trips without the other side's delay", func(t *testing.T) {
		const us = time.Microsecond
		var r roundTrip
		for _, c := range []struct{ took, delay, smoothed, variation time.Duration }{
			{110 * ms, 10 * ms, 100 * ms, 50 * ms},         // R and R/2
			{180 * ms, 20 * ms, 107_500 * us, 52_500 * us}, // 7/8 and 1/8; 3/4 and 1/4
			{107_500 * us, 0, 107_500 * us, 39_375 * us},
		} {
			if r.measure(c.took, c.delay); r.smoothed != c.smoothed || r.variation != c.variation {
				t.Errorf("after %v less %v: %v and %v, want %v and %v", c.took, c.delay, r.smoothed,
					r.variation, c.smoothed, c.variation)
			}
		}
	})
}

func TestWindowGrowth(t *testing.T) {
	const packet = 1200
	// trip is one round trip in which as much is acknowledged as the window had at its beginning.
	trip := func(f *flow, full bool) {
		r := roundTrip{smoothed: 50 * ms}
		f.limited = full
		for left := f.window; left > 0; left -= packet {
			f.acknowledged(min(packet, left))
		}
		f.turn(f.round, f.round+100, &r)
	}
	t.Run("D27.5 the window begins with 12,000 bytes", func(t *testing.T) {
		l := newLink(t, 1, udp, good, good)
		a := l.ends[0]
		a.send(100_000, 0)
		a.flush()
		if s := a.conn.Stats(); s.Window != 12_000 || s.Flying < 12_000 || s.Flying > 13_200 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("D27.6 the window doubles in each round trip in which it was full", func(t *testing.T) {
		f := newFlow(packet)
		for _, want := range []int{24_000, 48_000, 96_000} {
			if trip(&f, true); f.window != want {
				t.Errorf("the window is %d, want %d", f.window, want)
			}
		}
		f = newFlow(packet)
		if trip(&f, false); f.window != 12_000 {
			t.Errorf("the window is %d, though it was not full", f.window)
		}
	})
	t.Run("D27.7 once the line was full, the window grows a packet a round trip", func(t *testing.T) {
		f := newFlow(packet)
		f.filled = true
		for _, want := range []int{13_200, 14_400, 15_600} {
			if trip(&f, true); f.window != want {
				t.Errorf("the window is %d, want %d", f.window, want)
			}
		}
		f = newFlow(packet)
		f.filled = true
		if trip(&f, false); f.window != 12_000 {
			t.Errorf("the window is %d, though it was not full", f.window)
		}
	})
	t.Run("D27.8 the window does not grow beyond 4 MiB", func(t *testing.T) {
		for _, filled := range []bool{false, true} {
			f := newFlow(packet)
			f.filled, f.window = filled, 4_194_304-1000
			trip(&f, true)
			if trip(&f, true); f.window != 4_194_304 {
				t.Errorf("the window is %d", f.window)
			}
		}
	})
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		name   string
		filled bool
		want   int // bytes in ten round trips
	}{
		{"D27.15 the pace is 5/4 of the window in a round trip", true, 150_000},
		{"D27.16 before the line was full the pace is twice the window in a round trip", false, 240_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			const packet = 1200
			f, r := newFlow(packet), roundTrip{smoothed: 100 * ms}
			f.filled = c.filled
			now, bytes := 10*time.Second, 0
			for begin := now + time.Second; now < begin+time.Second; now += ms {
				for f.slot <= now {
					f.sent(now, packet, &r)
					if now >= begin {
						bytes += packet
					}
				}
			}
			if bytes < c.want-packet || bytes > c.want+packet {
				t.Errorf("%d bytes in ten round trips, want %d", bytes, c.want)
			}
		})
	}
}

func TestAsking(t *testing.T) {
	t.Run("D29.3 a side that says nothing else has a keepalive of 5 s", func(t *testing.T) {
		k := newTalk(t, quic, limits)
		k.conn = NewConn(Config{Path: quic, Takes: limits, PeerLimits: limits})
		k.drain()
		if err := k.conn.Receive(0, k.packet(0)); err != nil {
			t.Fatal(err)
		}
		a := ack{}
		if err := k.conn.Receive(0, appendData(nil, data{number: 1, quiet: true, acks: true, ack: a},
			false)); err != nil {
			t.Fatal(err)
		}
		if at, ok := k.conn.Wake(); !ok || at != ackDelay {
			t.Fatalf("it wakes at %v", at)
		}
		k.now = ackDelay
		k.drain() // the acknowledgement
		if at, ok := k.conn.Wake(); !ok || at != ackDelay+5*time.Second {
			t.Errorf("it wakes at %v", at)
		}
	})
	t.Run("D29.4 on QUIC a packet that asks has 24 bytes, by records that ask", func(t *testing.T) {
		for _, path := range []Path{quic, udp} {
			l := quietLink(t, path, good, good)
			seen := l.watch(0)
			l.run(l.now + 2*time.Second)
			asked := 0
			for _, p := range *seen {
				if len(p.rest) == 0 {
					continue
				}
				asked++
				if !path.UDP && p.size != 24 || path.UDP && len(p.rest) != 1 || len(p.records) > 0 {
					t.Errorf("%+v: %d bytes, with %x", path, p.size, p.rest)
				}
			}
			if asked < 3 {
				t.Errorf("%+v: it asked %d times", path, asked)
			}
		}
	})
	t.Run("D29.5 on QUIC a message has a 24-byte packet while a probe waits", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a := l.ends[0]
		seen := l.watch(0)
		a.send(1, 0)
		l.lose(a)
		l.lines[0].Set(down)
		l.run(l.now + time.Second)
		if a.conn.Stats().Probes == 0 || len(*seen) < 2 {
			t.Fatalf("%d packets, %+v", len(*seen), a.conn.Stats())
		}
		if size := (*seen)[0].size; size >= 24 {
			t.Errorf("the first packet has %d bytes", size)
		}
		for _, p := range (*seen)[1:] {
			if len(p.records) > 0 && p.size < 24 {
				t.Errorf("a probe has %d bytes", p.size)
			}
		}
		a.send(1, 1)
		l.lose(a)
		if last := (*seen)[len(*seen)-1]; last.size < 24 {
			t.Errorf("with another message: %d bytes", last.size)
		}
		l.lines[0].Set(good)
		l.settle(5 * time.Second)
		*seen = nil
		a.send(1, 0)
		if a.flush(); len(*seen) != 1 || (*seen)[0].size >= 24 {
			t.Errorf("after the answer: %+v", *seen)
		}
	})
	for _, c := range []struct {
		name      string
		oneWay    time.Duration
		keepalive time.Duration
		want      time.Duration
	}{
		{"D29.6 a side that is not answered asks again after 150 ms", 20 * ms, 5 * time.Second, 150 * ms},
		{"D29.6 a side that is not answered asks again after two long round trips", 100 * ms,
			5 * time.Second, 400 * ms},
		{
			"D29.8 a side that is not answered asks again after a short keepalive", 20 * ms, 90 * ms,
			90 * ms,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := simline.Config{Delay: c.oneWay}
			l := newLink(t, 1, quic, line, line)
			a := l.ends[0]
			l.ends[1].conn.SetKeepalive(time.Hour)
			a.conn.SetKeepalive(c.keepalive)
			l.run(450 * ms)
			l.lines[0].Set(down)
			l.lines[1].Set(down)
			l.lines[0].Clear()
			l.lines[1].Clear()
			// In time it asks, and then again and again. Its packets have no messages.
			for !a.conn.unanswered || a.conn.spoke != a.conn.askedSince {
				if l.now > 8*time.Second {
					t.Fatal("it does not ask")
				}
				l.step(l.now + time.Second)
			}
			asked := l.now
			seen := l.watch(0)
			l.run(asked + 1900*ms)
			for i, gap := range append([]time.Duration{(*seen)[0].at - asked}, gaps(*seen)...) {
				if gap != c.want {
					t.Errorf("packet %d comes %v after the one before, want %v", i, gap, c.want)
				}
			}
			if c.keepalive < time.Second { // also when the other side is silent for long
				*seen = nil
				l.run(asked + 4*time.Second)
				for _, gap := range gaps(*seen) {
					if gap != c.want {
						t.Errorf("later it asks after %v, want %v", gap, c.want)
					}
				}
			}
		})
	}
}
