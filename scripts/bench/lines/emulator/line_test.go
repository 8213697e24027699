package emulator

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// fates sends n packets of size bytes, one every interval, and returns what becomes of them and when they arrive.
func fates(l Line, n, size int, interval time.Duration) (f []fate, at []time.Duration) {
	p := newPipe(l)
	for i := range n {
		a, fate := p.enter(time.Duration(i)*interval, size)
		f, at = append(f, fate), append(at, a)
	}
	return f, at
}

func count(all []fate, which fate) int {
	n := 0
	for _, f := range all {
		if f == which {
			n++
		}
	}
	return n
}

func TestLine(t *testing.T) {
	t.Run("each packet arrives after the delay", func(t *testing.T) {
		f, at := fates(Line{Delay: 50 * ms}, 100, 1500, ms)
		for i := range f {
			if want := time.Duration(i)*ms + 50*ms; f[i] != passed || at[i] != want {
				t.Fatalf("packet %d: fate %d at %v, want it to pass at %v", i, f[i], at[i], want)
			}
		}
	})
	for _, share := range []float64{0.01, 0.05, 0.1} {
		t.Run(fmt.Sprintf("the share that is lost is that of the line: %g", share), func(t *testing.T) {
			const n = 200_000
			f, _ := fates(Line{Loss: share, Seed: 1}, n, 100, ms)
			got := float64(count(f, lost)) / n
			if deviation := math.Sqrt(share * (1 - share) / n); math.Abs(got-share) > 4*deviation {
				t.Errorf("lost %.4f, want %.4f ± %.4f", got, share, 4*deviation)
			}
			pairs := 0
			for i := 1; i < n; i++ {
				if f[i] == lost && f[i-1] == lost {
					pairs++
				}
			}
			if got := float64(pairs) / float64(count(f, lost)); math.Abs(got-share) > 5*math.Sqrt(share/(n*share)) {
				t.Errorf("after a packet that is lost %.4f are, want %.4f: each by itself", got, share)
			}
		})
	}
	t.Run("nothing and everything", func(t *testing.T) {
		if f, _ := fates(Line{Seed: 1}, 1000, 100, ms); count(f, passed) != 1000 {
			t.Errorf("%d of 1000 pass a line without loss", count(f, passed))
		}
		if f, _ := fates(Line{Loss: 1, Seed: 1}, 1000, 100, ms); count(f, lost) != 1000 {
			t.Errorf("a line that loses everything lost %d of 1000", count(f, lost))
		}
	})
	t.Run("the seed and the number of a packet say whether it is lost", func(t *testing.T) {
		a, _ := fates(Line{Loss: 0.1, Seed: 7}, 1000, 100, ms)
		b, _ := fates(Line{Loss: 0.1, Seed: 7, Delay: 9 * ms, Rate: 1 << 20, Queue: 1 << 20}, 1000, 900, 3*ms)
		if !slices.Equal(a, b) {
			t.Error("the same seed loses others when sizes and times are others")
		}
		if c, _ := fates(Line{Loss: 0.1, Seed: 8}, 1000, 100, ms); slices.Equal(a, c) {
			t.Error("another seed loses the same")
		}
	})
}

func TestRate(t *testing.T) {
	l := Line{Delay: 10 * ms, Rate: 100_000, Queue: 3000} // a packet of 1000 bytes takes 10 ms
	t.Run("packets at the rate do not wait", func(t *testing.T) {
		f, at := fates(l, 50, 1000, 10*ms)
		for i := range f {
			if want := time.Duration(i)*10*ms + 20*ms; f[i] != passed || at[i] != want {
				t.Fatalf("packet %d: fate %d at %v, want it to pass at %v", i, f[i], at[i], want)
			}
		}
	})
	t.Run("a burst waits in the queue, and is lost where that is full", func(t *testing.T) {
		f, at := fates(l, 5, 1000, 0)
		if want := []fate{passed, passed, passed, flooded, flooded}; !slices.Equal(f, want) {
			t.Fatalf("fates %d, want %d", f, want)
		}
		if want := []time.Duration{20 * ms, 30 * ms, 40 * ms}; !slices.Equal(at[:3], want) {
			t.Errorf("arrive at %v, want %v", at[:3], want)
		}
	})
	t.Run("what is too much is lost, and the rest comes at the rate", func(t *testing.T) {
		const n = 3000
		f, at := fates(l, n, 1000, 5*ms) // twice the rate
		var arrivals []time.Duration
		for i := range f {
			if f[i] == passed {
				arrivals = append(arrivals, at[i])
			}
		}
		if got := count(f, flooded); got < n/2-5 || got > n/2 {
			t.Errorf("%d of %d are lost, want half", got, n)
		}
		for i := 1; i < len(arrivals); i++ {
			if gap := arrivals[i] - arrivals[i-1]; gap != 10*ms {
				t.Fatalf("packets %v apart come out, want 10 ms", gap)
			}
		}
	})
	t.Run("what is lost by chance has been in the queue", func(t *testing.T) {
		loses := l
		loses.Loss, loses.Seed = 0.5, 3
		f, at := fates(loses, 3, 1000, 0)
		for i := range f {
			if want := time.Duration(i+2) * 10 * ms; f[i] == passed && at[i] != want {
				t.Errorf("packet %d arrives at %v, want %v", i, at[i], want)
			}
		}
		if count(f, lost) == 0 || count(f, passed) == 0 {
			t.Fatalf("fates %d: this seed shows nothing", f)
		}
	})
}
