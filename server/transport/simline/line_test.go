package simline

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// fate is the time at which a packet arrived, or 0 if it was lost.
type fate time.Duration

// fates sends n packets of size bytes, one every interval, and returns their fates.
func fates(c Config, seed uint64, n, size int, interval time.Duration) (all []fate, counts Counts) {
	l := New(c, rand.New(rand.NewPCG(seed, 0)))
	all = make([]fate, n)
	p := make([]byte, size)
	receive := func(until time.Duration) {
		for {
			at, _ := l.Arrival()
			b, ok := l.Receive(until, nil)
			if !ok {
				return
			}
			all[binary.BigEndian.Uint32(b)] = fate(at)
		}
	}
	for i := range n {
		now := time.Duration(i) * interval
		receive(now)
		binary.BigEndian.PutUint32(p, uint32(i))
		l.Send(now, p)
	}
	receive(time.Hour)
	return all, l.Counts()
}

func lost(all []fate) []bool {
	l := make([]bool, len(all))
	for i := range all {
		l[i] = all[i] == 0
	}
	return l
}

func count(all []fate) (lost int) {
	for _, f := range all {
		if f == 0 {
			lost++
		}
	}
	return lost
}

func TestLine(t *testing.T) {
	t.Run("each packet arrives after the delay", func(t *testing.T) {
		all, _ := fates(Config{Delay: 50 * ms}, 1, 100, 1500, ms)
		for i := range all {
			if want := fate(time.Duration(i)*ms + 50*ms); all[i] != want {
				t.Fatalf("packet %d arrives at %v, want %v", i, all[i], want)
			}
		}
	})
	for _, share := range []float64{0.01, 0.05, 0.1} {
		t.Run(fmt.Sprintf("packets are lost at the line's rate: %g", share), func(t *testing.T) {
			const n = 200_000
			all, counts := fates(Config{Delay: ms, Loss: share}, 1, n, 100, ms)
			got := float64(count(all)) / n
			if deviation := math.Sqrt(share * (1 - share) / n); math.Abs(got-share) > 4*deviation {
				t.Errorf("lost %.4f, want %.4f ± %.4f", got, share, 4*deviation)
			}
			if counts.Lost != uint64(count(all)) || counts.Sent != n || counts.Bytes != 100*n {
				t.Errorf("counted %+v", counts)
			}
			pairs := 0
			for i := 1; i < n; i++ {
				if all[i] == 0 && all[i-1] == 0 {
					pairs++
				}
			}
			if got := float64(pairs) / float64(count(all)); math.Abs(got-share) > 5*math.Sqrt(
				1/float64(n)) {
				t.Errorf("after a packet that is lost %.4f are, want %.4f: each by itself", got,
					share)
			}
		})
	}
	t.Run("nothing and everything", func(t *testing.T) {
		if all, _ := fates(Config{Delay: ms}, 1, 1000, 100, ms); count(all) != 0 {
			t.Errorf("a line without loss lost %d of 1000", count(all))
		}
		if all, _ := fates(Config{Delay: ms, Loss: 1}, 1, 1000, 100, ms); count(all) != 1000 {
			t.Errorf("a line that loses everything lost %d of 1000", count(all))
		}
	})
	t.Run("the seed and number of a packet decide about its loss", func(t *testing.T) {
		a, _ := fates(Config{Delay: ms, Loss: 0.1}, 7, 1000, 100, ms)
		b, _ := fates(Config{Delay: 9 * ms, Loss: 0.1, Rate: 1 << 20, Queue: 1 << 20}, 7,
			1000, 900, 3*ms)
		if !slices.Equal(lost(a), lost(b)) {
			t.Error("the same seed loses others for other sizes and times")
		}
		if c, _ := fates(Config{Delay: ms, Loss: 0.1},
			8, 1000, 100, ms); slices.Equal(lost(a), lost(c)) {
			t.Error("another seed loses the same")
		}
	})
}

func TestRate(t *testing.T) {
	c := Config{Delay: 10 * ms, Rate: 100_000, Queue: 3000} // a packet of 1000 bytes takes 10 ms
	t.Run("packets at the rate do not wait", func(t *testing.T) {
		all, _ := fates(c, 1, 50, 1000, 10*ms)
		for i := range all {
			if want := fate(time.Duration(i)*10*ms + 20*ms); all[i] != want {
				t.Fatalf("packet %d arrives at %v, want %v", i, all[i], want)
			}
		}
	})
	t.Run("a burst waits in the queue, and is lost where that is full", func(t *testing.T) {
		all, counts := fates(c, 1, 5, 1000, 0)
		if want := []fate{fate(20 * ms), fate(30 * ms),
			fate(40 * ms), 0, 0}; !slices.Equal(all, want) {
			t.Errorf("arrive at %v, want %v", all, want)
		}
		if counts.Overflowed != 2 || counts.LongestWait != 20*ms {
			t.Errorf("counted %+v", counts)
		}
	})
	t.Run("excess packets are lost, and the rest comes at the rate", func(t *testing.T) {
		const n = 3000
		all, _ := fates(c, 1, n, 1000, 5*ms) // twice the rate
		if got := count(all); got < n/2-5 || got > n/2 {
			t.Errorf("%d of %d are lost, want half", got, n)
		}
		came := slices.DeleteFunc(all, func(f fate) bool { return f == 0 })
		for i := 1; i < len(came); i++ {
			if gap := came[i] - came[i-1]; gap != fate(10*ms) {
				t.Fatalf("packets %v apart come out, want 10 ms", gap)
			}
		}
	})
	t.Run("packets lost by chance have been in the queue", func(t *testing.T) {
		c := c
		c.Loss, c.Queue = 0.5, 20_000
		all, _ := fates(c, 3, 20, 1000, 0)
		for i := range all {
			if want := fate(time.Duration(i+2) * 10 * ms); all[i] != 0 && all[i] != want {
				t.Errorf("packet %d arrives at %v, want %v", i, all[i], want)
			}
		}
		if n := count(all); n == 0 || n == 20 {
			t.Fatalf("%d of 20 are lost: this seed proves nothing", n)
		}
	})
}

// TestDisorder shows what a line does besides delays and losses.
func TestDisorder(t *testing.T) {
	overtakes := func(all []fate) (n int) {
		for i := 1; i < len(all); i++ {
			if all[i] < all[i-1] {
				n++
			}
		}
		return n
	}
	t.Run("jitter lets packets overtake others, unless they stay in order", func(t *testing.T) {
		all, _ := fates(Config{Delay: ms, Jitter: 20 * ms}, 1, 1000, 100, ms)
		if overtakes(all) < 100 || count(all) > 0 {
			t.Errorf("%d of 1000 overtake others, %d are lost", overtakes(all), count(all))
		}
		if all, _ := fates(Config{Delay: ms, Jitter: 20 * ms, InOrder: true},
			1, 1000, 100, ms); overtakes(all) > 0 || count(all) > 0 {
			t.Errorf("%d of 1000 overtake others, %d are lost", overtakes(all), count(all))
		}
	})
	t.Run("late packets are overtaken", func(t *testing.T) {
		all, _ := fates(Config{Delay: ms, Late: 0.1, Lateness: 5 * ms}, 1, 1000, 100, ms)
		if n := overtakes(all); n < 50 || n > 150 {
			t.Errorf("%d of 1000 overtake another, want some 90", n)
		}
	})
	t.Run("the share of duplicates is as configured", func(t *testing.T) {
		_, counts := fates(Config{Delay: ms, Duplicate: 0.2}, 1, 1000, 100, ms)
		if counts.Doubled < 150 || counts.Doubled > 250 {
			t.Errorf("%d of 1000 come twice", counts.Doubled)
		}
	})
	t.Run("bursts have the configured share and length", func(t *testing.T) {
		const n = 200_000
		all, _ := fates(Config{Delay: ms, Loss: 0.1, Burst: 20 * ms}, 1, n, 100, ms)
		bursts := 0
		for i := 1; i < n; i++ {
			if all[i] == 0 && all[i-1] != 0 {
				bursts++
			}
		}
		if share := float64(count(all)) / n; share < 0.08 || share > 0.12 {
			t.Errorf("lost %.3f, want 0.1", share)
		}
		if length := float64(count(all)) / float64(bursts); length < 15 || length > 25 {
			t.Errorf("bursts have %.1f packets, one a millisecond, want 20", length)
		}
	})
	t.Run("too large packets are lost", func(t *testing.T) {
		if all, counts := fates(Config{Delay: ms, Largest: 99}, 1, 10, 100, ms); count(all) != 10 ||
			counts.TooLarge != 10 {
			t.Errorf("lost %d of 10, counted %+v", count(all), counts)
		}
	})
}
