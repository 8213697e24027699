package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

func TestKeepalive(t *testing.T) {
	t.Run("D29.1 an idle side asks after the keepalive", func(t *testing.T) {
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
	// Clauses: D29.7
	t.Run("D29 an unanswered side asks every 150 ms, and after 2 s every second", func(t *testing.T) {
		l := quietLink(t, udp, good, down)
		a := l.ends[0]
		a.conn.SetKeepalive(5 * time.Second)
		var at []time.Duration
		l.saw = func(from int, p []byte) {
			if from == 0 {
				at = append(at, l.now)
			}
		}
		l.run(9 * time.Second)
		var often, seldom int
		for i := range at[1:] {
			switch gap := at[i+1] - at[i]; {
			case gap == 150*ms && at[i] < 8*time.Second:
				often++
			case gap == time.Second:
				seldom++
			}
		}
		if often < 10 || seldom < 2 {
			t.Errorf("%d times after 150 ms, %d after a second: %v", often, seldom, at)
		}
	})
	t.Run("D29 a line that loses every fifth packet is not dead", func(t *testing.T) {
		lossy := simline.Config{Delay: 25 * ms, Loss: 0.2}
		for seed := range uint64(20) {
			l := newLink(t, seed, udp, lossy, lossy)
			for _, e := range l.ends {
				e.conn.SetKeepalive(DefaultKeepalive)
			}
			l.run(10 * time.Minute)
			for _, e := range l.ends {
				if err := e.conn.Err(); err != nil {
					t.Errorf("seed %d, end %d: %v", seed, e.side, err)
				}
			}
		}
	})
	// Clauses: D29.9, D29.26
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
			t.Error("it wakes forever")
		}
	})
}

func TestClosing(t *testing.T) {
	t.Run("D29.22 a graceful close first sends what waits", func(t *testing.T) {
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
			if err := b.conn.Err(); err == nil || err.Code != code || err.Reason != "so long" ||
				!err.Remote || b.count != 3 {
				t.Errorf("%v, %d messages", err, b.count)
			}
			if err := a.conn.Err(); err == nil || err.Code != code || err.Remote {
				t.Error(err)
			}
		}
	})
	t.Run("D29.22 a graceful close ends within 1 s", func(t *testing.T) {
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
	t.Run("D29.21 a close after a fault waits for nothing", func(t *testing.T) {
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
	t.Run("D29.13 a Close is repeated at most three times, as an answer", func(t *testing.T) {
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
				t.Error("it is accepted")
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
	t.Run("D29 nothing is sent after a received Close", func(t *testing.T) {
		for _, path := range []Path{udp, quic} {
			l := quietLink(t, path, good, good)
			b := l.ends[1].conn
			err := b.Receive(l.now, AppendClose(nil, 1, path.UDP, CodeNoSeat, "gone"))
			if err == nil || b.Err() == nil ||
				*b.Err() != (CloseError{Code: CodeNoSeat, Reason: "gone", Remote: true}) {
				t.Error(err)
			}
			if p, ok := b.Next(l.now, nil); ok {
				t.Errorf("it sends %x", p)
			}
		}
	})
	t.Run("D29 a Close during the execution of a message ends the rest", func(t *testing.T) {
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
