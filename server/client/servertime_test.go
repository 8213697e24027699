package client

import (
	"math"
	"math/rand/v2"
	"testing"
)

// after returns what the client knows after pings. Each has the times at which it was sent and its
// answer received, and the server's time in the answer.
func after(pings ...[3]float64) *serverTime {
	t := &serverTime{}
	t.hear(pings...)
	return t
}

func (t *serverTime) hear(pings ...[3]float64) {
	for _, p := range pings {
		t.learn(pingSample{sent: p[0], received: p[1], server: p[2]})
	}
}

// offset checks the offset at a time, and that the uncertainty lies between least and most.
func (t *serverTime) offset(tt *testing.T, now, want, least, most float64) {
	tt.Helper()
	e, ok := t.at(now)
	if !ok || e.offset != want || e.uncertainty < least || e.uncertainty > most {
		tt.Errorf("at %v the server is ahead by %v ± %v (%v), want %v ± %v to %v",
			now, e.offset, e.uncertainty, ok, want, least, most)
	}
}

// TestServerTime shows which round trips count for the server's time, and when contradicting ones
// replace the others (K14, K15).
func TestServerTime(t *testing.T) {
	t.Run("K14 nothing is known before the first sample", func(t *testing.T) {
		if e, ok := (&serverTime{}).at(5); ok {
			t.Errorf("it knows %+v", e)
		}
	})
	t.Run("K14.1, K14.2 the middle of the round trip, plus or minus half of it", func(t *testing.T) {
		after([3]float64{1000, 1100, 5000}).offset(t, 1100, 3950.5, 50.5, 50.5)
	})
	t.Run("K14.2, K14.3 uncertainty grows with age, in both directions", func(t *testing.T) {
		known := after([3]float64{1000, 1100, 5000})
		known.offset(t, 101_100, 3950.5, 70.5, 70.5)
		known.offset(t, -98_900, 3950.5, 70.5, 70.5)
	})
	t.Run("K14.5 the best round trip counts until it is old", func(t *testing.T) {
		known := after([3]float64{0, 20, 1010}, [3]float64{1000, 1100, 2050})
		known.offset(t, 1100, 1000.5, 10.5, 11)
		// The uncertainty of both samples grows at the same rate, so only a later sample can be
		// better.
		known.hear([3]float64{300_000, 300_030, 301_020})
		known.offset(t, 300_030, 1005.5, 15.5, 15.5)
	})
	t.Run("K14.6, K14.7 an implausible round trip is ignored", func(t *testing.T) {
		known := after([3]float64{0, 20, 1010})
		known.hear([3]float64{50, 40, 9}, [3]float64{0, maxRoundTrip + 1, 9},
			[3]float64{0, math.NaN(), 9}, [3]float64{50, 60, math.NaN()})
		if len(known.samples) != 1 || known.doubt != nil {
			t.Errorf("%+v", known)
		}
	})
	t.Run("K14.4 the number of samples is bounded", func(t *testing.T) {
		known := &serverTime{}
		for i := range 100 {
			at := float64(i) * 1000
			known.hear([3]float64{at, at + 50, at + 7025})
		}
		if n := len(known.samples); n != maxSamples || known.samples[n-1].sent != 99_000 ||
			known.samples[0].sent != 84_000 {
			t.Errorf("%d samples: %+v", n, known.samples)
		}
	})
	// Clauses: K15.1, K15.2, K15.4
	t.Run("K15 a single contradiction is covered by the uncertainty", func(t *testing.T) {
		known := after([3]float64{0, 20, 1010}, [3]float64{1000, 1020, 9010})
		known.offset(t, 1020, 1000.5, 7000, 7020)
		known.hear([3]float64{2000, 2020, 3010})
		known.offset(t, 2020, 1000.5, 10.5, 12)
	})
	t.Run("K15.3 two that agree replace all before: the laptop slept an hour", func(t *testing.T) {
		const hour = 3_600_000
		known := after([3]float64{0, 20, 1010}, [3]float64{1000, 1020, 2010})
		known.hear([3]float64{2000, 2030, 3015 + hour}, [3]float64{2100, 2120, 3110 + hour})
		if len(known.samples) != 2 {
			t.Errorf("%d samples", len(known.samples))
		}
		known.offset(t, 2120, 1000.5+hour, 10.5, 11)
	})
	t.Run("K15.5 two outliers that disagree replace nothing", func(t *testing.T) {
		known := after([3]float64{0, 20, 1010}, [3]float64{1000, 1020, 9010},
			[3]float64{1100, 1120, 70_000})
		known.offset(t, 1120, 1000.5, 60_000, 70_000)
		if known.doubt == nil || known.doubt.server != 70_000 {
			t.Errorf("it doubts %+v", known.doubt)
		}
	})
}

// TestServerTimeIsTrue shows that the server's time lies within the stated uncertainty, whatever
// the delays (K14, K15).
func TestServerTimeIsTrue(t *testing.T) {
	t.Run("K14 and K15: the true time is within the uncertainty", func(t *testing.T) {
		for seed := range uint64(50) {
			r := rand.New(rand.NewPCG(seed, 0))
			clock := drifting{rand: r, offset: r.Float64() * 1e12}
			known := &serverTime{}
			for i := range 60 {
				clock.now += 1000 + r.Float64()*15_000
				pings := 1
				if r.Float64() < 0.02 { // the machine slept
					clock.offset += 60_000 + r.Float64()*1e6
					pings = 2
				}
				for range pings {
					known.learn(clock.ping())
				}
				clock.offset += (r.Float64() - 0.5) * 1e-4 * 1000
				if e, ok := known.at(clock.now); !ok ||
					math.Abs(e.offset-clock.offset) > e.uncertainty+1e-3 {
					t.Fatalf("seed %d, ping %d: %+v, and the true one is %v", seed, i, e, clock.offset)
				}
			}
		}
	})
}

// drifting is a client's clock, and how far the server's clock is ahead of it.
type drifting struct {
	rand        *rand.Rand
	now, offset float64
}

// ping measures one round trip. The server's time is cut to whole milliseconds.
func (d *drifting) ping() pingSample {
	delay := func() float64 {
		if d.rand.Float64() < 0.2 {
			return d.rand.Float64() * 2000
		}
		return d.rand.Float64() * 40
	}
	out, back := delay(), delay()
	s := pingSample{
		sent: d.now, received: d.now + out + back, server: math.Floor(d.now + out + d.offset),
	}
	d.now += out + back
	return s
}
