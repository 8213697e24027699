package bench

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// track is how the moves of one seat are recognised by whoever receives them: the last bits of the place of a
// piece are the number of the move, and the track knows when that one was sent. It is safe for concurrent use.
type track struct {
	next  atomic.Uint64
	sent  [stamps]atomic.Int64  // nanoseconds since the start of the clock
	drag  atomic.Uint64         // the number of the drag that goes on
	drags [stamps]atomic.Uint64 // to which each move belongs
}

const (
	stampBits = 6 // of each coordinate
	stampMask = 1<<stampBits - 1
	// stamps is how many moves of a seat are told apart: at a thousand a second those of four seconds, at
	// thirty those of two minutes.
	stamps = 1 << (2 * stampBits)
)

// stamp returns the place near (x, y) that says which move of the seat it is, and notes when it was sent.
// Places count from the corner of the table and are not negative.
func (t *track) stamp(x, y int32, now time.Duration) (int32, int32) {
	n := t.next.Add(1) % stamps
	t.sent[n].Store(int64(now))
	t.drags[n].Store(t.drag.Load())
	return x&^stampMask | int32(n&stampMask), y&^stampMask | int32(n>>stampBits)
}

// number returns which move went to that place.
func number(x, y int32) uint64 {
	return uint64(uint32(x)&stampMask | uint32(y)&stampMask<<stampBits) //nolint:gosec // six bits
}

// age returns how long ago the move of a number was sent.
func (t *track) age(n uint64, now time.Duration) time.Duration {
	return now - time.Duration(t.sent[n].Load())
}

// folded returns how many moves between two that somebody was told of, one after the other, were of the same drag as
// the later one: these the server may tell together with it (S10).
func (t *track) folded(before, n uint64) (folded uint64) {
	for k := (before + 1) % stamps; k != n; k = (k + 1) % stamps {
		if t.drags[k].Load() == t.drags[n].Load() {
			folded++
		}
	}
	return folded
}

// wander is the path of a hand that carries a piece about: straight on to a place, then to another.
type wander struct {
	rand          *rand.Rand
	width, height int32 // of the table
	x, y          int32
	tox, toy      int32
}

// start begins at a place, which counts from the corner of the table.
func (w *wander) start(x, y int32) {
	w.x, w.y = min(x, w.width-stampMask-1), min(y, w.height-stampMask-1)
	w.turn()
}

// turn draws where to go: a place whose stamp, whatever it is, still lies on the table.
func (w *wander) turn() {
	w.tox, w.toy = w.rand.Int32N(w.width-stampMask), w.rand.Int32N(w.height-stampMask)
}

// step is how far a hand gets between two moves, in table units: 2 cm.
const step = 200

// next returns the next place.
func (w *wander) next() (x, y int32) {
	if w.x == w.tox && w.y == w.toy {
		w.turn()
	}
	w.x += min(max(w.tox-w.x, -step), step)
	w.y += min(max(w.toy-w.y, -step), step)
	return w.x, w.y
}
