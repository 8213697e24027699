package connection

import (
	"slices"
	"time"
)

// Bounds of what is not guaranteed (D15).
const (
	maxLoose   = 64 // messages that wait to be sent
	looseStale = 100 * time.Millisecond
)

// looseBox has the unguaranteed messages that wait to be sent, those that came first before others.
type looseBox struct {
	waiting []looseMessage
}

type looseMessage struct {
	key  uint32
	at   time.Duration
	deps []uint64
	msg  []byte
}

// add takes a message: in the place of one of the same key, unless that is 0, or of the one that has waited longest when there are
// too many.
func (l *looseBox) add(m looseMessage) {
	if m.key != 0 {
		for i := range l.waiting {
			if l.waiting[i].key == m.key {
				l.waiting[i] = m
				return
			}
		}
	}
	if len(l.waiting) == maxLoose {
		l.waiting = slices.Delete(l.waiting, 0, 1)
	}
	l.waiting = append(l.waiting, m)
}

// expire throws away what has waited too long.
func (l *looseBox) expire(now time.Duration) {
	if len(l.waiting) > 0 {
		l.waiting = slices.DeleteFunc(l.waiting, func(m looseMessage) bool { return now-m.at >= looseStale })
	}
}

// fill appends to a packet that may go up to limit what fits into it, and what not even an empty one has room for, capacity bytes,
// it throws away. Floor is the lowest message that is not acknowledged: those below are no dependencies any more.
func (l *looseBox) fill(b []byte, limit, capacity int, floor uint64) []byte {
	l.waiting = slices.DeleteFunc(l.waiting, func(m looseMessage) bool {
		deps := slices.DeleteFunc(m.deps, func(d uint64) bool { return d < floor })
		size := looseSize(m.key, deps, m.msg)
		if size > limit-len(b) {
			return size > capacity
		}
		b = appendLoose(b, m.key, deps, m.msg)
		return true
	})
	return b
}
