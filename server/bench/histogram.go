package bench

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// histogram counts durations from one microsecond to nineteen hours in bounded memory. A bucket is
// at most 1/64 of its value wide. It is safe for concurrent use.
type histogram struct {
	counts [buckets]atomic.Uint64
	total  atomic.Uint64
	max    atomic.Int64 // nanoseconds
}

const (
	subBits = 6 // 64 buckets for each doubling
	octaves = 30
	buckets = (octaves + 1) << subBits
)

// bucket returns the index of the bucket of a value in microseconds.
func bucket(v uint64) int {
	e := max(bits.Len64(v)-subBits-1, 0)
	return min(e<<subBits+int(v>>e), buckets-1) //nolint:gosec // below 128
}

// upper returns the greatest value of a bucket, in microseconds.
func upper(i int) uint64 {
	if i < 2<<subBits {
		return uint64(i) //nolint:gosec // not negative
	}
	e := i>>subBits - 1
	return (uint64(i-e<<subBits)+1)<<e - 1 //nolint:gosec // not negative
}

// add counts d. A negative d counts as 0.
func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	h.counts[bucket(uint64(d/time.Microsecond))].Add(1)
	h.total.Add(1)
	for {
		m := h.max.Load()
		if int64(d) <= m || h.max.CompareAndSwap(m, int64(d)) {
			return
		}
	}
}

// quantile returns a duration that a share q of the counted ones do not exceed. It is the upper end
// of a bucket, so that it is never too small. It is 0 if nothing was counted.
func (h *histogram) quantile(q float64) time.Duration {
	total := h.total.Load()
	rank := uint64(q*float64(total) + 0.5)
	rank = min(max(rank, 1), total)
	seen := uint64(0)
	for i := range h.counts {
		if seen += h.counts[i].Load(); seen >= rank && rank > 0 {
			//nolint:gosec // small
			return min(time.Duration(upper(i)+1)*time.Microsecond-1, time.Duration(h.max.Load()))
		}
	}
	return 0
}

// quantiles returns the quantiles of a report, in milliseconds.
func (h *histogram) quantiles() Quantiles {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Quantiles{
		Count: h.total.Load(), P50: ms(h.quantile(0.50)), P90: ms(h.quantile(0.90)),
		P99: ms(h.quantile(0.99)),
		Max: ms(time.Duration(h.max.Load())),
	}
}
