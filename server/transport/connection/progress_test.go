package connection

import (
	"testing"
	"time"

	"holt/server/transport/simline"
)

func TestProgress(t *testing.T) {
	wide := simline.Config{Delay: 40 * ms, Rate: 2_000_000, Queue: 200_000}
	narrow := simline.Config{Delay: 40 * ms, Rate: 8_000, Queue: 8_000}
	for name, path := range map[string]Path{
		"by QUIC": {Largest: UDPSize}, "by UDP": {Largest: UDPSize, UDP: true},
		"without a window": quic,
	} {
		t.Run("D10 an overloaded line with progress lives for 30 s "+name, func(t *testing.T) {
			l := newLink(t, 10, path, wide, wide)
			a, b := l.ends[0], l.ends[1]
			for range 200 { // until much is under way
				a.fill(900, 300)
				a.flush()
				l.run(l.now + 10*ms)
			}
			l.lines[0].Set(narrow)
			l.lines[1].Set(narrow)
			a.fill(900, 500)
			a.flush()
			var longest time.Duration // for which the end knew that something was missing
			missed := l.now
			for until := l.now + 30*time.Second; l.now < until; {
				l.run(l.now + 10*ms)
				l.quarrel()
				if a.conn.Stats().Waiting < 20_000 {
					a.fill(900, 30)
				}
				a.flush()
				if _, missing := b.conn.graph.Deadline(); !missing {
					missed = l.now
				}
				longest = max(longest, l.now-missed)
			}
			if longest < 15*time.Second {
				t.Errorf("something was missing for %v only: the line was not overloaded", longest)
			}
			l.lines[0].Set(wide)
			l.lines[1].Set(wide)
			l.settle(time.Minute)
		})
	}
	t.Run("D10.6 a hole that stays for 11 s ends the connection", func(t *testing.T) {
		k := newTalk(t, quic, FromClient)
		if err := k.say(whole(0, nil), whole(2, nil, 1)); err != nil {
			t.Fatal(err)
		}
		for n := uint64(3); k.conn.Err() == nil && k.now < time.Minute; n++ {
			k.now += 500 * ms
			_ = k.say(whole(n, nil))
			k.drain()
		}
		if k.conn.Err() == nil || k.conn.Err().Code != CodeSilent || k.now != 11*time.Second {
			t.Errorf("after %v: %v", k.now, k.conn.Err())
		}
	})
	t.Run("D10.7 repeated resumes do not keep a hole alive", func(t *testing.T) {
		k := newTalk(t, quic, FromClient)
		if err := k.say(whole(2, nil, 1)); err != nil {
			t.Fatal(err)
		}
		for k.conn.Err() == nil && k.now < time.Minute {
			k.now += time.Second
			k.conn.Resume(k.now, quic)
			k.drain()
		}
		if k.conn.Err() == nil || k.conn.Err().Code != CodeSilent || k.now != 11*time.Second {
			t.Errorf("after %v: %v", k.now, k.conn.Err())
		}
	})
}
