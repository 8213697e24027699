package connection

import (
	"math/bits"
	"time"
)

// reach is how far below the highest received number a packet may lie (D22).
const reach = 128

// received knows which packets came, and what to acknowledge (D22, D24).
type received struct {
	next uint64 // one above the highest number that came
	// Bit i: the packet next − 2 − i came. The first word has the lower i.
	came [reach / 64]uint64
	at   time.Duration // when the highest came

	asking int           // packets that ask and were not acknowledged
	due    time.Duration // when they are acknowledged at the latest

	low   uint64 // the other end knows of all packets below this that came
	after uint64 // acknowledgements in packets below this one did not cover a late packet
}

// number returns the number of a packet from its 16 bits on the wire. It returns false if the
// packet came before or is too old.
func (r *received) number(w uint16) (uint64, bool) {
	ahead := int16(w - uint16(r.next)) //nolint:gosec // the lower half is meant
	if ahead >= 0 {
		return r.next + uint64(ahead), true
	}
	back := uint64(-int64(ahead)) // 1: the highest itself
	if back == 1 || back > reach+1 || back > r.next {
		return 0, false
	}
	i := back - 2
	return r.next - back, r.came[i/64]>>(i%64)&1 == 0
}

// take records a packet that number has accepted. next is the number of the next packet that is
// sent.
func (r *received) take(now time.Duration, number uint64, asks bool, next uint64) {
	inTurn := number == r.next
	if number < r.next {
		i := r.next - 2 - number
		r.came[i/64] |= 1 << (i % 64)
		if number < r.low {
			r.low, r.after = number, next
		}
	} else {
		r.shift(number + 1 - r.next)
		r.next, r.at = number+1, now
	}
	if !asks {
		return
	}
	if r.asking++; r.asking == 1 {
		r.due = now + ackDelay
	}
	if r.asking > 1 || !inTurn {
		r.due = now
	}
}

// shift makes room for by numbers above the highest. The highest joins those in came.
func (r *received) shift(by uint64) {
	if by > reach {
		r.came = [len(r.came)]uint64{}
		return
	}
	for range by / 64 {
		r.came[1], r.came[0] = r.came[0], 0
	}
	if by := by % 64; by > 0 {
		r.came[1] = r.came[1]<<by | r.came[0]>>(64-by)
		r.came[0] <<= by
	}
	if r.next > 0 {
		r.came[(by-1)/64] |= 1 << ((by - 1) % 64)
	}
}

// say returns the acknowledgement for a packet that is sent now.
func (r *received) say(now time.Duration, floor uint16) ack {
	highest := r.next - 1
	//nolint:gosec // the lower half is meant; the delay is bounded
	a := ack{
		latest: uint16(highest),
		floor:  floor,
		delay:  uint16(min((now-r.at)/tick, 1<<16-1)),
	}
	a.size = int(min(highest-min(r.low, highest)+7, maxBits) / 8)
	a.bits = r.came[0] & (1<<(8*a.size) - 1)
	a.size = (bits.Len64(a.bits) + 7) / 8
	return a
}

// said records that the acknowledgement was sent.
func (r *received) said() { r.asking = 0 }

// known records that the other end has acknowledged our packet of that number, which acknowledged
// all packets below told.
func (r *received) known(number, told uint64) {
	if number >= r.after {
		r.low = max(r.low, told)
	}
}
