package connection

import "time"

// Constants of D27.
const (
	firstWindow = 12_000  // bytes
	leastWindow = 2_400   // bytes
	mostWindow  = 4 << 20 // bytes
	burst       = 4       // packets at once
	sample      = 60      // the fewest packets of which the lost ones are a share
	queueing    = 100 * time.Millisecond
	shortQueue  = 5 * time.Millisecond
	atOnce      = 2 * time.Millisecond // what goes in this time may go at once, too
	// The least round-trip time is that of the last one to two of these.
	memory = 5 * time.Second
)

// flow says how much may be under way, and when the next packet may go (D27).
type flow struct {
	window int
	packet int  // bytes of the largest packet
	filled bool // the line was full once

	// Of the present round trip.
	round   uint64 // it ends when a packet of this number or a higher one is acknowledged
	limited bool   // the window held something back
	before  bool   // the window held something back in the round trip before
	grown   int    // bytes acknowledged since the window last grew

	// Packets of the present sample: one round trip, or several.
	acked, lost int

	// The least round-trip time of the present stretch of time, and of the one before.
	least, leastBefore time.Duration
	stretch            time.Duration // when the present one began

	slot time.Duration // when the next packet may go
}

func newFlow(packet int) flow { return flow{window: firstWindow, packet: packet} }

// open reports whether the window has room. If it has none, open records that the window held
// something back.
func (f *flow) open(flying int) bool {
	if flying < f.window {
		return true
	}
	f.limited = true
	return false
}

// sent charges size bytes to the pace. The pace is 5/4 of the window in a round trip, or twice the
// window before the line was full for the first time. Some packets may go at once, because clocks
// are coarse.
func (f *flow) sent(now time.Duration, size int, r *roundTrip) {
	if r.smoothed == 0 {
		f.slot = now
		return
	}
	f.slot = max(f.slot, now-max(f.cost((burst-1)*f.packet, r), atOnce)) + f.cost(size, r)
}

// cost returns how long size bytes take at the pace.
func (f *flow) cost(size int, r *roundTrip) time.Duration {
	whole := time.Duration(size) * r.smoothed / time.Duration(f.window)
	if f.filled {
		return whole * 4 / 5
	}
	return whole / 2
}

// measured takes the latest round-trip time into the least one.
func (f *flow) measured(now time.Duration, r *roundTrip) {
	if now-f.stretch >= memory {
		f.leastBefore, f.least, f.stretch = f.least, 0, now
	}
	if f.least == 0 || r.latest < f.least {
		f.least = r.latest
	}
}

// lowest returns the least round-trip time of the last 5 to 10 s.
func (f *flow) lowest() time.Duration {
	if f.leastBefore > 0 {
		return min(f.least, f.leastBefore)
	}
	return f.least
}

// acknowledged counts a packet, and lets the window grow if it was full.
func (f *flow) acknowledged(size int) {
	f.acked++
	if !f.limited && !f.before {
		return
	}
	f.grown += size
	switch {
	case !f.filled:
		f.window, f.grown = f.window+f.grown, 0
	case f.grown >= f.window:
		f.grown -= f.window
		f.window += f.packet
	}
	f.window = min(f.window, mostWindow)
}

// turn ends a round trip if the packet highest, which was just acknowledged, was sent after the
// round trip began. It makes the window smaller if the line is full. next is the number of the next
// packet that is sent.
func (f *flow) turn(highest, next uint64, r *roundTrip) {
	if highest < f.round {
		return
	}
	lowest := f.lowest()
	queue := r.smoothed - lowest
	switch all := f.acked + f.lost; {
	case lowest > 0 && f.limited && queue > queueing:
		// What is under way beyond what the line holds waits in a queue. This cut empties the
		// queue.
		f.cut(min(float64(lowest)/float64(r.smoothed), 0.7))
	case all < sample:
	case f.lost*5 > all, f.lost*50 > all && f.limited && queue > max(lowest/8, shortQueue):
		f.cut(0.7)
	default:
		f.acked, f.lost = 0, 0
	}
	f.round, f.before, f.limited = next, f.limited, false
}

// cut makes the window smaller.
func (f *flow) cut(share float64) {
	f.window = max(int(float64(f.window)*share), leastWindow)
	f.filled, f.grown, f.acked, f.lost = true, 0, 0, 0
}

// found counts a packet as acknowledged that had been counted as lost.
func (f *flow) found() {
	f.lost = max(f.lost-1, 0)
	f.acked++
}
