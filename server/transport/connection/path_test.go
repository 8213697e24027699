package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

func TestPaths(t *testing.T) {
	t.Run("D21.4, D21.5, D21.6 a connection goes on over another path", func(t *testing.T) {
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
		l.run(l.now + 9*time.Second) // less than the timeout
		l.stops = false
		before := l.ends[0].conn.Stats().Sent
		fast := simline.Config{Delay: 5 * ms}
		for side, e := range l.ends {
			l.lines[side].Set(fast)
			e.conn.Resume(l.now, Path{Largest: 900, Free: true})
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
	t.Run("D21.6 earlier packets say nothing about a new path", func(t *testing.T) {
		l := quietLink(t, udp, simline.Config{Delay: 400 * ms}, good)
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
	t.Run("D21 an idle end sends something on a new path", func(t *testing.T) {
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
	// Clauses: D25.10, D28.1, D28.3
	t.Run("D25 what was sent in larger packets is sent again in smaller ones", func(t *testing.T) {
		l := quietLink(t, Path{Largest: 1400, Free: true}, good, good)
		a := l.ends[0]
		narrow := simline.Config{Delay: 50 * ms, Largest: 700}
		l.lines[0].Set(narrow)
		a.send(20_000, 1)
		a.send(1300, 2) // it was not cut
		a.send(10, 2)
		a.flush()
		start := l.now
		a.conn.Resize(700) // the network has reported it
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
	t.Run("D28 a cut message is in one piece again where there is room", func(t *testing.T) {
		l := quietLink(t, Path{Largest: 600, Free: true}, down, good)
		a := l.ends[0]
		a.send(1000, 1)
		a.flush()
		l.lines[0].Set(good)
		a.conn.Resume(l.now, quic)
		l.settle(200 * ms)
	})
}
