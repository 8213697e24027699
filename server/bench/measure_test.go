package bench

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestHistogram shows that quantiles are exact to a 64th and a microsecond, and that each value
// falls into the right bucket.
func TestHistogram(t *testing.T) {
	t.Run("a quantile is at least the true one, and at most 1/64 + 1 µs more", func(t *testing.T) {
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
	t.Run("each value falls into the first bucket that ends at or above it", func(t *testing.T) {
		for v := uint64(0); v < 1<<20; v += 1 + v/100 {
			i := bucket(v)
			if upper(i) < v || (i > 0 && upper(i-1) >= v) {
				t.Fatalf("%d falls into bucket %d, which ends at %d; the one before at %d",
					v, i, upper(i), upper(i-1))
			}
		}
	})
	t.Run("values out of range are counted at its end", func(t *testing.T) {
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

// TestProcess shows how the process that listens at a port is found, and how its memory is read.
func TestProcess(t *testing.T) {
	t.Run("the listener of a port is found in the kernel's tables", func(t *testing.T) {
		const sockets = "  sl  local_address rem_address   st tx_queue rx_queue " +
			"tr tm->when retrnsmt   uid  timeout inode\n" +
			"   0: 0100007F:4A37 0100007F:9C40 01 00000000:00000000 " +
			"00:00000000 00000000     0        0 111 1 0 20 4 30 10 -1\n" +
			"   1: 0100007F:4A37 00000000:0000 0A 00000000:00000000 " +
			"00:00000000 00000000     0        0 222 1 0 100 0 0 10 0\n"
		if got := listening([]byte(sockets), 0x4A37); got != "222" {
			t.Errorf("inode %q, want 222", got)
		}
		if got := listening([]byte(sockets), 80); got != "" {
			t.Errorf("inode %q for a port on which nobody listens", got)
		}
	})
	t.Run("memory is read in bytes", func(t *testing.T) {
		const status = "Name:\tholt\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n"
		if now, highest := kilobytes([]byte(status), "VmRSS:"),
			kilobytes([]byte(status), "VmHWM:"); now != 1<<20 || highest != 2<<20 {
			t.Errorf("%d and %d", now, highest)
		}
	})
	t.Run("process 0 is not a process", func(t *testing.T) {
		var none *process
		if now, highest := none.memory(); none.cpu() != 0 || now != 0 || highest != 0 {
			t.Error("nobody uses something")
		}
	})
}
