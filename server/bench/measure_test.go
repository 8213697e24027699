package bench

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestHistogram(t *testing.T) {
	t.Run("a quantile is never below the true one, and at most a 64th and a microsecond above it", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			micros := rapid.SliceOfN(rapid.Uint64Range(0, 1<<34), 1, 300).Draw(t, "micros")
			q := rapid.SampledFrom([]float64{0.01, 0.5, 0.9, 0.99, 1}).Draw(t, "q")
			var h histogram
			for _, v := range micros {
				h.add(time.Duration(v) * time.Microsecond)
			}
			slices.Sort(micros)
			rank := min(max(int(q*float64(len(micros))+0.5), 1), len(micros))
			want := time.Duration(micros[rank-1]) * time.Microsecond
			if got := h.quantile(q); got < want || got > want+want/64+time.Microsecond {
				t.Fatalf("the %v quantile is %v, want %v", q, got, want)
			}
			if got := h.quantile(1); got != time.Duration(micros[len(micros)-1])*time.Microsecond {
				t.Fatalf("the maximum is %v", got)
			}
		})
	})
	t.Run("each value falls into a bucket that ends at or above it, and into none before", func(t *testing.T) {
		for v := uint64(0); v < 1<<20; v += 1 + v/100 {
			i := bucket(v)
			if upper(i) < v || (i > 0 && upper(i-1) >= v) {
				t.Fatalf("%d falls into bucket %d, which ends at %d; the one before at %d", v, i, upper(i), upper(i-1))
			}
		}
	})
	t.Run("what is beyond its range is counted at its end", func(t *testing.T) {
		var h histogram
		h.add(-time.Second)
		h.add(1000 * time.Hour)
		if q := h.quantiles(); q.Count != 2 || q.Max != 3.6e9 || q.P50 != 0 {
			t.Fatalf("%+v", q)
		}
	})
	t.Run("an empty one has no quantiles", func(t *testing.T) {
		var h histogram
		if q := h.quantiles(); q != (Quantiles{}) {
			t.Fatalf("%+v", q)
		}
	})
}

func TestStamps(t *testing.T) {
	t.Run("a receiver knows the age of any of the last moves, wherever they went", func(t *testing.T) {
		var tr track
		type move struct {
			x, y int32
			at   time.Duration
		}
		var moves []move
		for n := range 3 * stamps {
			at := time.Duration(n) * time.Millisecond
			x, y := tr.stamp(rand.Int32N(8000), rand.Int32N(8000), at)
			moves = append(moves, move{x, y, at})
		}
		now := time.Hour
		for _, m := range moves[len(moves)-stamps:] {
			if got := tr.age(number(m.x, m.y), now); got != now-m.at {
				t.Fatalf("the move of %v to %d, %d is %v old, want %v", m.at, m.x, m.y, got, now-m.at)
			}
		}
	})
	t.Run("a stamp moves a place by less than its own size", func(t *testing.T) {
		var tr track
		for range 2 * stamps {
			const x, y = 1234, 777
			if a, b := tr.stamp(x, y, 0); a/64 != x/64 || b/64 != y/64 {
				t.Fatalf("%d, %d became %d, %d", x, y, a, b)
			}
		}
	})
	t.Run("the same place is not stamped twice in a row, so that each move is one", func(t *testing.T) {
		var tr track
		for n, last := 0, [2]int32{-1, -1}; n < 2*stamps; n++ {
			x, y := tr.stamp(500, 500, 0)
			if last == [2]int32{x, y} {
				t.Fatalf("move %d goes nowhere", n)
			}
			last = [2]int32{x, y}
		}
	})
}

func TestFolded(t *testing.T) {
	t.Run("S10 moves of the same drag that were passed over were told with the later one, those of another were not", func(t *testing.T) {
		var tr track
		for n := range stamps + 20 { // drags of ten
			if n%10 == 0 {
				tr.drag.Add(1)
			}
			tr.stamp(0, 0, 0)
		}
		// The numbers count from 1, and begin again.
		for _, c := range []struct{ before, n, want uint64 }{
			{30, 31, 0}, {31, 34, 2}, {31, 40, 8}, {38, 43, 2}, {stamps - 1, 3, 3}, {stamps - 6, stamps - 4, 1},
		} {
			if got := tr.folded(c.before, c.n); got != c.want {
				t.Errorf("between %d and %d: %d, want %d", c.before, c.n, got, c.want)
			}
		}
	})
}

func TestWander(t *testing.T) {
	const seed = 5
	w := wander{rand: rand.New(rand.NewPCG(seed, 0)), width: 4000, height: 3000}
	var tr track
	w.start(4000, 3000) // a piece may lie on the very edge
	for n := range 100_000 {
		x, y := w.next()
		if x, y = tr.stamp(x, y, 0); x < 0 || y < 0 || x > w.width || y > w.height {
			t.Fatalf("seed %d: move %d leaves the table: %d, %d", seed, n, x, y)
		}
	}
}

func TestProcess(t *testing.T) {
	t.Run("the listener of a port is found in what the kernel says", func(t *testing.T) {
		const sockets = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:4A37 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 111 1 0 20 4 30 10 -1
   1: 0100007F:4A37 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 222 1 0 100 0 0 10 0
`
		if got := listening([]byte(sockets), 0x4A37); got != "222" {
			t.Errorf("inode %q, want 222", got)
		}
		if got := listening([]byte(sockets), 80); got != "" {
			t.Errorf("inode %q for a port on which nobody listens", got)
		}
	})
	t.Run("memory is read in bytes", func(t *testing.T) {
		const status = "Name:\tholt\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n"
		if now, highest := kilobytes([]byte(status), "VmRSS:"), kilobytes([]byte(status), "VmHWM:"); now != 1<<20 || highest != 2<<20 {
			t.Errorf("%d and %d", now, highest)
		}
	})
	t.Run("nobody is no process", func(t *testing.T) {
		var none *process
		if now, highest := none.memory(); none.cpu() != 0 || now != 0 || highest != 0 {
			t.Error("nobody uses something")
		}
	})
}
