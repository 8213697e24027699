package packet

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holt/server/depgraph"
	"holt/server/packet/vlink"
)

// down is good, with nothing getting through.
var down = vlink.Config{Delay: 50 * ms, Down: true}

// quiet returns a link on which the first packets have been exchanged, so that round trips are known.
func quietLink(t *testing.T, path Path, there, back vlink.Config) *link {
	l := newLink(t, 1, path, there, back)
	l.run(450 * ms)
	return l
}

// lose loses what an end sends now.
func (l *link) lose(e *end) {
	before := l.lines[e.side].Config()
	l.lines[e.side].Set(vlink.Config{Delay: 50 * ms, Down: true})
	e.flush()
	l.lines[e.side].Set(before)
}

func TestLoss(t *testing.T) {
	t.Run("D26 a packet is lost when one sent three later is acknowledged, and then sent again at once", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		a.send(10, 0)
		l.lose(a)
		start := l.now
		for lane := range 3 {
			a.send(10, 1+lane)
			a.flush()
		}
		for b.count < 4 {
			l.step(start + time.Second)
		}
		if l.now-start != 150*ms || a.conn.Stats().Lost != 1 || a.conn.Stats().Probes != 0 {
			t.Errorf("after %v, %+v", l.now-start, a.conn.Stats())
		}
	})
	t.Run("D26 a packet is lost when one sent later is acknowledged, after 9/8 of the round trip", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		a.send(10, 0)
		l.lose(a)
		start := l.now
		a.send(10, 1)
		a.flush()
		for b.count < 2 {
			l.step(start + time.Second)
		}
		if want := 100*ms*9/8 + 50*ms; l.now-start != want || a.conn.Stats().Lost != 1 || a.conn.Stats().Probes != 0 {
			t.Errorf("after %v, want %v, %+v", l.now-start, want, a.conn.Stats())
		}
	})
	t.Run("D26 the last packet of all is probed for", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0], l.ends[1]
		trip := a.conn.trip
		a.send(10, 0)
		l.lose(a)
		start := l.now
		for b.count < 1 {
			l.step(start + time.Second)
		}
		if want := trip.smoothed + 4*trip.variation + 10*ms + 50*ms; l.now-start != want || a.conn.Stats().Probes != 1 {
			t.Errorf("after %v, want %v, %+v", l.now-start, want, a.conn.Stats())
		}
		l.settle(time.Second)
	})
	t.Run("D26 probes are the two oldest messages, and come less and less often, down to one a second", func(t *testing.T) {
		l := newLink(t, 1, quic, down, good)
		a := l.ends[0]
		a.conn.SetKeepalive(time.Hour)
		for n := range 5 {
			a.send(300, n)
		}
		var at []time.Duration
		l.saw = func(from int, p []byte) {
			_, rest, err := readData(p, false)
			if err != nil || from != 0 {
				return
			}
			records, err := readAllAt(rest, 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				return // it acknowledges
			}
			at = append(at, l.now)
			if len(at) > 2 && (len(records) != 2 || records[0].header.Number != 0 || records[1].header.Number != 1) {
				t.Errorf("at %v: %v", l.now, records)
			}
		}
		l.run(4 * time.Second)
		// Two packets with the messages, then probes.
		want := []time.Duration{0, 0, 200 * ms, 600 * ms, 1400 * ms, 2400 * ms, 3400 * ms}
		if !equal(at, want) {
			t.Errorf("%v, want %v", at, want)
		}
	})
	t.Run("D26 after a blackout of two seconds everything comes, and soon", func(t *testing.T) {
		for _, path := range []Path{udp, quic} {
			l := quietLink(t, path, good, good)
			for _, line := range l.lines {
				line.Set(down)
			}
			for end := l.now + 2*time.Second; l.now < end; {
				for _, e := range l.ends {
					e.send(60, int(e.sent)%lanes)
					e.flush()
				}
				l.run(l.now + 5*ms)
			}
			for _, line := range l.lines {
				line.Set(good)
			}
			l.settle(1500 * ms)
			if a := l.ends[0]; a.sent < 390 {
				t.Errorf("%d messages", a.sent)
			}
		}
	})
	t.Run("D26 acknowledgements that are lost cost nothing but time", func(t *testing.T) {
		l := quietLink(t, udp, good, vlink.Config{Delay: 50 * ms, Loss: 0.5})
		a := l.ends[0]
		for range 2000 {
			a.send(60, int(a.sent)%lanes)
			a.flush()
			l.run(l.now + 5*ms)
		}
		l.settle(5 * time.Second)
		if s := a.conn.Stats(); s.Lost > 20 {
			t.Errorf("%d packets count as lost: %+v", s.Lost, s)
		}
	})
	t.Run("D26 packets that are overtaken by fifty are not taken for lost for long", func(t *testing.T) {
		l := quietLink(t, udp, vlink.Config{Delay: 50 * ms, Late: 0.02, Lateness: 50 * ms}, good)
		a := l.ends[0]
		var half Stats
		for n := range 4000 {
			a.send(60, int(a.sent)%lanes)
			a.flush()
			l.run(l.now + ms)
			if n == 2000 {
				half = a.conn.Stats()
			}
		}
		l.settle(time.Second)
		all := a.conn.Stats()
		if half.Spurious == 0 || all.Lost-half.Lost > half.Lost/2 || all.Lost != all.Spurious {
			t.Errorf("after half %+v, in the end %+v", half, all)
		}
	})
	t.Run("D22 what is sent again by others changes nothing", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		r := rand.New(rand.NewPCG(22, 1))
		var kept [2][][]byte
		l.saw = func(from int, p []byte) { kept[from] = append(kept[from], slices.Clone(p)) }
		for range 3000 {
			e := l.ends[r.IntN(2)]
			e.send(r.IntN(200), r.IntN(lanes))
			e.flush()
			l.run(l.now + time.Duration(r.IntN(3))*ms)
			for range 3 {
				side := r.IntN(2)
				if n := len(kept[side]); n > 0 {
					p := kept[side][n-1-r.IntN(min(n, 1+r.IntN(2000)))]
					if err := l.ends[1-side].conn.Receive(l.now, p); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		l.settle(5 * time.Second)
	})
	t.Run("D1, D6 and D22 numbers of packets and of messages go round", func(t *testing.T) {
		rounds := 150_000 // four times all numbers of messages
		if testing.Short() {
			rounds = 70_000 // twice
		}
		for _, loss := range []float64{0, 0.1} {
			line := vlink.Config{Delay: 20 * ms, Loss: loss, Double: loss}
			l := quietLink(t, quic, line, line)
			a := l.ends[0]
			for range rounds {
				a.send(5, int(a.sent)%lanes)
				a.flush()
				l.run(l.now + ms/4)
			}
			l.settle(5 * time.Second)
			if a.sent < uint64(rounds) || a.packets < 1<<16 || l.ends[1].count != a.sent {
				t.Errorf("%d messages in %d packets, %d executed", a.sent, a.packets, l.ends[1].count)
			}
			l.bounded()
		}
	})
}

func readAllAt(p []byte, floor uint64) ([]record, error) {
	var r reader
	return r.read(p, floor)
}

// delays sends for a while 200 messages a second over fifty pieces, and returns how long they took, ascending.
func delays(t *testing.T, loss float64, one bool) []time.Duration {
	line := vlink.Config{Delay: 50 * ms, Loss: loss}
	l := quietLink(t, udp, line, line)
	a, b := l.ends[0], l.ends[1]
	var took []time.Duration
	sent := map[uint64]time.Duration{}
	b.onExecute = func(number uint64, _ []byte) { took = append(took, l.now-sent[number]) }
	for range 12_000 {
		sent[a.sent] = l.now
		lane := int(a.sent*7) % lanes
		if one {
			lane = 0
		}
		if !a.send(40, lane) {
			t.Fatal("the window is full")
		}
		a.flush()
		l.run(l.now + 5*ms)
	}
	l.settle(5 * time.Second)
	slices.Sort(took)
	return took
}

func TestD5NothingElseIsHeldUp(t *testing.T) {
	at := func(took []time.Duration, share float64) time.Duration { return took[int(share*float64(len(took)))] }
	graph, channel := delays(t, 0.05, false), delays(t, 0.05, true)
	t.Logf("with 5 %% loss: by the graph p50 %v, p90 %v, p99 %v; in one channel p50 %v, p90 %v, p99 %v",
		at(graph, 0.5), at(graph, 0.9), at(graph, 0.99), at(channel, 0.5), at(channel, 0.9), at(channel, 0.99))
	if p90 := at(graph, 0.9); p90 > 60*ms {
		t.Errorf("nine of ten messages take up to %v", p90)
	}
	if p90 := at(channel, 0.9); p90 < 120*ms {
		t.Errorf("in one channel nine of ten take up to %v: is anything lost at all?", p90)
	}
}

func TestPaths(t *testing.T) {
	t.Run("D21 a connection goes on where another path leads", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		for _, e := range l.ends {
			e.send(20_000, 1)
			e.send(10, 1)
			e.flush()
		}
		l.run(l.now + 30*ms)
		l.lines[0].Clear()
		l.lines[1].Clear()
		l.stops = true
		l.run(l.now + 9*time.Second) // less than the time-out
		l.stops = false
		before := l.ends[0].conn.Stats().Sent
		fast := vlink.Config{Delay: 5 * ms}
		for side, e := range l.ends {
			l.lines[side].Set(fast)
			e.conn.Resume(l.now, Path{Largest: 900})
			e.flush()
		}
		if l.ends[0].conn.Stats().Sent == before {
			t.Error("nothing is sent on the new path")
		}
		l.settle(100 * ms)
		for _, e := range l.ends {
			s := e.conn.Stats()
			if s.RoundTrip == 0 || s.RoundTrip > 25*ms || s.Lost > 0 || s.Window != 0 {
				t.Errorf("%+v", s)
			}
			e.send(30_000, 1)
		}
		l.settle(200 * ms)
	})
	t.Run("D21 what was sent on the path before says nothing about the new one", func(t *testing.T) {
		l := quietLink(t, udp, vlink.Config{Delay: 400 * ms}, good)
		a := l.ends[0]
		a.send(10, 0)
		a.flush()
		l.lines[0].Set(good)
		l.run(l.now + 5*ms)
		for _, e := range l.ends {
			e.conn.Resume(l.now, udp)
		}
		l.run(l.now + time.Second) // what was sent before arrives late, and is acknowledged
		if s := a.conn.Stats(); s.RoundTrip > 115*ms || s.Spurious > 0 {
			t.Errorf("%+v", s)
		}
		l.settle(time.Second)
	})
	t.Run("D21 an end that has nothing to send says something on a new path", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a := l.ends[0]
		a.conn.Resume(l.now, udp)
		if at, ok := a.conn.Wake(); !ok || at > l.now {
			t.Errorf("it wakes at %v", at)
		}
		if _, ok := a.conn.Next(l.now, nil); !ok {
			t.Error("nothing is sent")
		}
	})
	t.Run("D28 what was sent in larger packets is sent again in smaller ones", func(t *testing.T) {
		l := quietLink(t, Path{Largest: 1400}, good, good)
		a := l.ends[0]
		narrow := vlink.Config{Delay: 50 * ms, Largest: 700}
		l.lines[0].Set(narrow)
		a.send(20_000, 1)
		a.send(1300, 2) // it went whole
		a.send(10, 2)
		a.flush()
		start := l.now
		a.conn.Resize(700) // the network has said so
		a.flush()
		for l.ends[1].count < 3 {
			if !l.step(start + time.Second) {
				t.Fatalf("%s", l)
			}
		}
		if l.now-start != 50*ms || l.lines[0].Counts().TooLarge == 0 || a.conn.Stats().Lost > 0 {
			t.Errorf("after %v, %+v, %+v", l.now-start, l.lines[0].Counts(), a.conn.Stats())
		}
		l.settle(time.Second)
	})
	t.Run("D28 what was cut is whole again where there is room", func(t *testing.T) {
		l := quietLink(t, Path{Largest: 600}, down, good)
		a := l.ends[0]
		a.send(1000, 1)
		a.flush()
		l.lines[0].Set(good)
		a.conn.Resume(l.now, quic)
		l.settle(200 * ms)
	})
}

func TestFlow(t *testing.T) {
	t.Run("D27 a line of 1 Mbit/s with a queue of 64 KiB is not flooded, and is used", func(t *testing.T) {
		slow := vlink.Config{Delay: 20 * ms, Rate: 125_000, Queue: 64 << 10, Overhead: 28}
		l := quietLink(t, udp, slow, vlink.Config{Delay: 20 * ms})
		a, b := l.ends[0], l.ends[1]
		var longest time.Duration
		bytes := 0
		b.onExecute = func(_ uint64, msg []byte) { bytes += len(msg) }
		fill := func(from, to time.Duration) {
			for l.now < to {
				a.fill(1000, 1000)
				a.flush()
				l.run(l.now + 5*ms)
				if l.now > from {
					longest = max(longest, a.conn.trip.latest-40*ms)
				}
			}
		}
		fill(5*time.Second, 30*time.Second)
		counts := l.lines[0].Counts()
		t.Logf("%d bytes in 29.5 s, the queue up to %v at first and %v later, %+v, %+v", bytes, counts.LongestWait, longest, counts, a.conn.Stats())
		if counts.LongestWait > 400*ms || longest > 200*ms {
			t.Errorf("packets wait %v at first, %v later", counts.LongestWait, longest)
		}
		if bytes < 29*125_000*85/100 {
			t.Errorf("%d bytes in 29 s at 125,000", bytes)
		}
	})
	t.Run("D27 while a slow line is full a small message waits for no more than its queue", func(t *testing.T) {
		slow := vlink.Config{Delay: 20 * ms, Rate: 125_000, Queue: 64 << 10, Overhead: 28}
		l := quietLink(t, udp, vlink.Config{Delay: 20 * ms}, slow)
		a, b := l.ends[0], l.ends[1] // b fills the line, a talks the other way
		for l.now < 10*time.Second {
			b.fill(1000, 200)
			b.flush()
			a.send(20, int(a.sent)%lanes)
			a.flush()
			l.run(l.now + 20*ms)
		}
		if s := a.conn.Stats(); s.RoundTrip > 300*ms {
			t.Errorf("%+v", s)
		}
		l.settle(5 * time.Second)
	})
	t.Run("D27 a line with a short queue is found out by what it loses", func(t *testing.T) {
		slow := vlink.Config{Delay: 20 * ms, Rate: 250_000, Queue: 6_000, Overhead: 28}
		l := quietLink(t, udp, slow, vlink.Config{Delay: 20 * ms})
		a, b := l.ends[0], l.ends[1]
		bytes := 0
		b.onExecute = func(_ uint64, msg []byte) { bytes += len(msg) }
		for l.now < 20*time.Second {
			a.fill(1000, 1000)
			a.flush()
			l.run(l.now + 5*ms)
		}
		counts := l.lines[0].Counts()
		share := float64(counts.Overflowed) / float64(counts.Sent)
		t.Logf("%d bytes in 19.5 s, %.3f lost, %+v", bytes, share, a.conn.Stats())
		if share > 0.12 || bytes < 19*250_000*85/100 {
			t.Errorf("%d bytes in 19 s at 250,000, and %.2f are lost", bytes, share)
		}
	})
	t.Run("D27 a line that loses by chance is not taken for a full one", func(t *testing.T) {
		for _, loss := range []float64{0.02, 0.1} {
			l := quietLink(t, udp, vlink.Config{Delay: 50 * ms, Loss: loss}, good)
			a := l.ends[0]
			a.send(testMessage, 0)
			for range 3 {
				a.send(testMessage-1, 0)
			}
			start := l.now
			l.settle(time.Minute)
			took := l.now - start
			t.Logf("with %v lost 4 MiB take %v, %+v", loss, took, a.conn.Stats())
			if took > 3*time.Second {
				t.Errorf("with %v lost 4 MiB take %v", loss, took)
			}
		}
	})
	t.Run("D27 packets are spread, and four at most go at once", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a := l.ends[0]
		a.send(200_000, 0)
		together, most, last := 0, 0, time.Duration(-1)
		l.saw = func(from int, p []byte) {
			if from != 0 || len(p) < 1000 {
				return
			}
			if together++; l.now != last {
				together = 1
			}
			last, most = l.now, max(most, together)
		}
		l.settle(5 * time.Second)
		if most > 4 {
			t.Errorf("%d at once", most)
		}
	})
	t.Run("D27 on other paths there is no window of ours", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a := l.ends[0]
		a.send(110_000, 0)
		a.flush()
		if s := a.conn.Stats(); s.Flying < 100_000 || s.Window != 0 {
			t.Errorf("%+v", s)
		}
		l.settle(time.Second)
	})
}

func TestKeepalive(t *testing.T) {
	t.Run("D29 a side that has sent nothing for the keepalive asks", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a, b := l.ends[0], l.ends[1]
		a.conn.SetKeepalive(700 * ms)
		b.conn.SetKeepalive(time.Hour)
		var at []time.Duration
		l.saw = func(from int, p []byte) {
			if from == 0 {
				at = append(at, l.now)
			}
		}
		l.run(8 * time.Second)
		for i := range at[1:] {
			if gap := at[i+1] - at[i]; gap != 700*ms {
				t.Errorf("%v between two", gap)
			}
		}
		if len(at) < 9 || b.conn.Err() != nil {
			t.Errorf("%d times, %v", len(at), b.conn.Err())
		}
	})
	t.Run("D29 a path that is silent for 10 s ends the connection with 4000", func(t *testing.T) {
		l := quietLink(t, udp, down, good)
		b := l.ends[1]
		heard := b.conn.Heard()
		l.run(time.Minute)
		for _, e := range l.ends {
			if err := e.conn.Err(); err == nil || err.Code != CodeSilent {
				t.Errorf("end %d: %v", e.side, err)
			}
		}
		if b.conn.Err().Remote || heard != 0 {
			t.Errorf("heard at %v, %v", heard, b.conn.Err())
		}
		if _, ok := b.conn.Wake(); ok {
			t.Error("it wakes for ever")
		}
	})
}

func TestClosing(t *testing.T) {
	t.Run("D29 a side that ends in good order first sends what waits", func(t *testing.T) {
		for _, code := range []Code{CodeDone, CodeGoing, CodeTaken, CodeNoSeat, CodeEnded} {
			l := quietLink(t, udp, good, good)
			a, b := l.ends[0], l.ends[1]
			for range 3 {
				a.send(10_000, 0)
			}
			l.lose(a)
			a.conn.Close(l.now, code, "so long")
			a.conn.Close(l.now, CodeProtocol, "not this")
			l.run(l.now + 5*time.Second)
			if err := b.conn.Err(); err == nil || err.Code != code || err.Reason != "so long" || !err.Remote || b.count != 3 {
				t.Errorf("%v, %d messages", err, b.count)
			}
			if err := a.conn.Err(); err == nil || err.Code != code || err.Remote {
				t.Error(err)
			}
		}
	})
	t.Run("D29 that takes 1 s at most", func(t *testing.T) {
		l := quietLink(t, udp, down, good)
		a := l.ends[0]
		a.send(10, 0)
		start := l.now
		a.conn.Close(l.now, CodeGoing, "")
		for a.conn.Err() == nil {
			if !l.step(start + 5*time.Second) {
				t.Fatal("it does not end")
			}
		}
		if l.now-start != time.Second {
			t.Errorf("after %v", l.now-start)
		}
	})
	t.Run("D29 what was said before a fault is not waited for", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a := l.ends[0]
		a.send(10, 0)
		a.conn.Close(l.now, CodeProtocol, "")
		if p, ok := a.conn.Next(l.now, nil); !ok || p[0] != byte(KindClose) {
			t.Errorf("%x", p)
		}
		if p, ok := a.conn.Next(l.now, nil); ok {
			t.Errorf("then %x", p)
		}
	})
	t.Run("D29 a Close is said again three times at most, as an answer", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a, b := l.ends[0], l.ends[1]
		a.conn.Close(l.now, CodeRefused, "no")
		closes := 0
		count := func() {
			for {
				p, ok := a.conn.Next(l.now, nil)
				if !ok {
					return
				}
				if _, code, _, err := ReadClose(p, true); err != nil || code != CodeRefused {
					t.Errorf("%x", p)
				}
				closes++
			}
		}
		count()
		if closes != 1 {
			t.Errorf("%d times at first", closes)
		}
		for range 10 {
			b.send(1, 0)
			p, ok := b.conn.Next(l.now, nil)
			if !ok {
				t.Fatal("nothing is sent")
			}
			if err := a.conn.Receive(l.now, p); err == nil {
				t.Error("it is taken")
			}
			count()
		}
		if closes != 4 {
			t.Errorf("%d times", closes)
		}
		if b.count+l.ends[0].count != 0 {
			t.Error("something was executed after the end")
		}
	})
	t.Run("D29 whoever reads a Close says nothing more", func(t *testing.T) {
		for _, path := range []Path{udp, quic} {
			l := quietLink(t, path, good, good)
			b := l.ends[1].conn
			err := b.Receive(l.now, AppendClose(nil, 1, path.UDP, CodeNoSeat, "gone"))
			if err == nil || b.Err() == nil || *b.Err() != (CloseError{Code: CodeNoSeat, Reason: "gone", Remote: true}) {
				t.Error(err)
			}
			if p, ok := b.Next(l.now, nil); ok {
				t.Errorf("it says %x", p)
			}
		}
	})
	t.Run("D29 a Close within a message that is executed ends the rest", func(t *testing.T) {
		k := newTalk(t, quic, limits)
		k.conn.config.Execute = func(number uint64, _ []byte) {
			k.got = append(k.got, number)
			k.conn.Close(0, CodeRefused, "enough")
		}
		k.ends(k.say(whole(0, nil), whole(1, nil)), CodeRefused)
		if len(k.got) != 1 {
			t.Errorf("%v were executed", k.got)
		}
	})
}

func TestD13Acknowledging(t *testing.T) {
	t.Run("D13 and D11 a message that waits is acknowledged, and does not count as executed", func(t *testing.T) {
		l := quietLink(t, quic, good, good)
		a, b := l.ends[0].conn, l.ends[1]
		b.onExecute = func(uint64, []byte) {}
		var first, second depgraph.Handle
		l.ends[0].told[0], l.ends[0].told[1] = declared{size: 8}, declared{deps: []uint64{0}, size: 8}
		l.ends[0].sent = 2
		send := func(n uint64, deps []*depgraph.Handle, h *depgraph.Handle) {
			msg := make([]byte, 8)
			pattern(msg, n)
			if err := a.Send(l.now, msg, deps, h); err != nil {
				t.Fatal(err)
			}
		}
		send(0, nil, &first)
		l.lose(l.ends[0])
		send(1, []*depgraph.Handle{&first}, &second)
		l.ends[0].flush()
		l.run(l.now + 110*ms) // the second is acknowledged, the first not yet lost
		if !a.Sender().Acknowledged(1) || second.Executed() || first.Executed() || b.count != 0 {
			t.Errorf("acknowledged %v, executed %v and %v, there %d", a.Sender().Acknowledged(1), first.Executed(), second.Executed(), b.count)
		}
		l.settle(time.Second)
		if !second.Executed() || !first.Executed() || b.count != 2 {
			t.Errorf("executed %v and %v, there %d", first.Executed(), second.Executed(), b.count)
		}
	})
	t.Run("D10 the floor acknowledges what no bit does any more", func(t *testing.T) {
		l := quietLink(t, quic, good, down)
		a, b := l.ends[0], l.ends[1]
		for range 100 {
			a.send(600, 0) // one a packet
			a.flush()
			l.run(l.now + ms)
		}
		l.run(l.now + 60*ms)
		if b.count != 100 {
			t.Fatalf("%d are there", b.count)
		}
		l.lines[1].Set(good)
		p, ok := b.conn.Next(l.now, nil) // a keepalive or an acknowledgement
		for !ok {
			l.now += 10 * ms
			p, ok = b.conn.Next(l.now, nil)
		}
		d, _, err := readData(p, false)
		if err != nil {
			t.Fatal(err)
		}
		if !d.acks {
			l.settle(time.Second)
			return
		}
		if err := a.conn.Receive(l.now, p); err != nil || a.conn.Sender().Floor() != a.sent {
			t.Errorf("%v, floor %d of %d", err, a.conn.Sender().Floor(), a.sent)
		}
	})
}

func TestReentry(t *testing.T) {
	t.Run("D4 what is executed may send", func(t *testing.T) {
		l := quietLink(t, udp, good, good)
		a, b := l.ends[0], l.ends[1]
		b.onExecute = func(number uint64, msg []byte) {
			b.send(len(msg)%100, int(number)%lanes)
			b.sendLoose(uint32(binary.BigEndian.Uint16(append(msg, 0, 0))), -1)
		}
		for range 500 {
			a.send(int(a.sent*31)%1500, int(a.sent)%lanes, 0)
			a.flush()
			l.run(l.now + 3*ms)
		}
		l.settle(5 * time.Second)
		if b.sent != 500 || a.loose == 0 {
			t.Errorf("%d answers, %d unguaranteed", b.sent, a.loose)
		}
	})
}
