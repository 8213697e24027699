package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

func TestFlow(t *testing.T) {
	t.Run("D27.3 a 1 Mbit/s line with a 64 KiB queue is used without flooding", func(t *testing.T) {
		slow := simline.Config{Delay: 20 * ms, Rate: 125_000, Queue: 64 << 10, Overhead: 28}
		l := quietLink(t, udp, slow, simline.Config{Delay: 20 * ms})
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
					longest = max(longest, a.conn.rtt.latest-40*ms)
				}
			}
		}
		fill(5*time.Second, 30*time.Second)
		counts := l.lines[0].Counts()
		t.Logf("%d bytes in 29.5 s, the queue up to %v at first and %v later, %+v, %+v", bytes,
			counts.LongestWait, longest, counts, a.conn.Stats())
		if counts.LongestWait > 400*ms || longest > 200*ms {
			t.Errorf("packets wait %v at first, %v later", counts.LongestWait, longest)
		}
		if bytes < 29*125_000*85/100 {
			t.Errorf("%d bytes in 29 s at 125,000", bytes)
		}
	})
	t.Run("D27 too many single messages share packets, on any path", func(t *testing.T) {
		narrow := simline.Config{Delay: 50 * ms, Rate: 12_000, Queue: 12_000, Overhead: 60}
		for _, path := range []Path{udp, {Largest: UDPSize}} {
			l := quietLink(t, path, narrow, simline.Config{Delay: 50 * ms})
			a, b := l.ends[0], l.ends[1]
			sent := map[uint64]time.Duration{}
			var longest time.Duration
			b.onExecute = func(number uint64, _ []byte) {
				longest = max(longest, l.now-sent[number])
			}
			const n = 4000
			for range n { // 200 a second
				sent[a.sent] = l.now
				a.send(33, int(a.sent)%lanes)
				a.flush()
				l.run(l.now + 5*ms)
			}
			l.settle(10 * time.Second)
			counts := l.lines[0].Counts()
			t.Logf("%+v: %v at most, %d bytes a message, %+v", path, longest,
				counts.Bytes/n, a.conn.Stats())
			if longest > 5*time.Second || counts.Bytes/n > 80 {
				t.Errorf("%+v: a message takes %v, and %d bytes", path, longest, counts.Bytes/n)
			}
		}
	})
	t.Run("D27 on a full slow line a small message waits only for its queue", func(t *testing.T) {
		slow := simline.Config{Delay: 20 * ms, Rate: 125_000, Queue: 64 << 10, Overhead: 28}
		l := quietLink(t, udp, simline.Config{Delay: 20 * ms}, slow)
		a, b := l.ends[0], l.ends[1] // b fills the line, a sends in the other direction
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
	t.Run("D27 a short queue is detected by its losses", func(t *testing.T) {
		slow := simline.Config{Delay: 20 * ms, Rate: 250_000, Queue: 6_000, Overhead: 28}
		l := quietLink(t, udp, slow, simline.Config{Delay: 20 * ms})
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
	t.Run("D27 a line with random loss does not count as full", func(t *testing.T) {
		for _, loss := range []float64{0.02, 0.1} {
			l := quietLink(t, udp, simline.Config{Delay: 50 * ms, Loss: loss}, good)
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
	t.Run("D27.17 packets are spread, at most four at once", func(t *testing.T) {
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
	t.Run("D27.4 a quiet end has no window on a path other than UDP", func(t *testing.T) {
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
