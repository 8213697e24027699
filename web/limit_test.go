package web

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiter(t *testing.T) {
	t.Run("a burst, then the rate", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter[string](Rate{PerSecond: 2, Burst: 4})
			if err := l.take("a", 4); err != nil {
				t.Fatal(err)
			}
			var p *problem
			if err := l.take("a", 2); !errors.As(err, &p) || p.After != time.Second {
				t.Fatalf("beyond the burst: %v", err)
			}
			if err := l.take("b", 1); err != nil {
				t.Fatalf("another key: %v", err)
			}
			<-time.After(500 * time.Millisecond)
			if err := l.take("a", 1); err != nil {
				t.Fatalf("after the time: %v", err)
			}
			if err := l.take("a", 1); err == nil {
				t.Fatal("more than the rate")
			}
			<-time.After(2 * time.Second)
			if err := l.take("a", 100); err != nil {
				t.Fatalf("more than a burst at once waits for a full bucket only: %v", err)
			}
		})
	})
	t.Run("it forgets the longest unused address", func(t *testing.T) {
		l := newLimiter[int](Rate{PerSecond: 0.001, Burst: 1})
		for k := range remembered {
			if err := l.take(k, 1); err != nil {
				t.Fatal(err)
			}
		}
		if l.take(0, 1) == nil { // the bucket of 0 becomes the one used last
			t.Fatal("the first is forgotten while there is room")
		}
		if err := l.take(remembered, 1); err != nil {
			t.Fatal(err)
		}
		if len(l.byKey) != remembered || l.order.Len() != remembered {
			t.Errorf("%d keys, %d in order", len(l.byKey), l.order.Len())
		}
		if l.take(0, 1) == nil {
			t.Error("the latest was forgotten")
		}
		if err := l.take(1, 1); err != nil {
			t.Errorf("the least recently used one is still known: %v", err)
		}
	})
}

func TestFindingS8TablesOfAnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiters(Limits{})
		made := func(hours int) (n int) {
			for range hours * 60 {
				for l.takeTables(netip.MustParseAddr("192.0.2.1"), 1) == nil {
					n++
				}
				<-time.After(time.Minute)
			}
			return n
		}
		if n := made(24); n < 380 || n > 400 {
			t.Errorf("an address makes %d tables on the first day", n)
		}
		if n := made(24); n < 195 || n > 205 {
			t.Errorf("an address makes %d tables on the next day", n)
		}
		if err := l.takeTables(netip.MustParseAddr("192.0.2.2"), 1); err != nil {
			t.Errorf("another address is refused: %v", err)
		}
	})
}
