package connection

import (
	"slices"
	"time"
)

// Bounds of unguaranteed messages (D15).
const (
	maxLoose   = 64 // messages that wait to be sent
	looseStale = 100 * time.Millisecond
)

// looseBox has the unguaranteed messages that wait to be sent, the oldest first.
type looseBox struct {
	waiting []looseMessage
}

type looseMessage struct {
	key  uint32
	at   time.Duration
	deps []uint64
	msg  []byte
}

// add adds a message. The message replaces one of the same key, unless the key is 0. If too many
// wait, the oldest one is dropped.
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

// expire drops the messages that have waited for 100 ms or longer.
func (l *looseBox) expire(now time.Duration) {
	if len(l.waiting) > 0 {
		l.waiting = slices.DeleteFunc(l.waiting, func(m looseMessage) bool {
			return now-m.at >= looseStale
		})
	}
}

// fill appends to a packet of at most limit bytes the messages that fit into it. It drops messages
// for which not even an empty packet, with capacity bytes, has room. floor is the lowest message
// that is not acknowledged: messages do not name dependencies below it any more.
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
