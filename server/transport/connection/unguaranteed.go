package connection

import (
	"slices"
	"time"
)

// Bounds of unguaranteed messages (D15).
const (
	maxUnguaranteed     = 64 // messages that wait to be sent
	unguaranteedTimeout = 100 * time.Millisecond
)

// unguaranteedBox has the unguaranteed messages that wait to be sent, the oldest first.
type unguaranteedBox struct {
	waiting []unguaranteedMessage
}

type unguaranteedMessage struct {
	key  uint32
	at   time.Duration
	deps []uint64
	msg  []byte
}

// add adds a message. The message replaces one of the same key, unless the key is 0. If too many
// wait, the oldest one is dropped.
func (l *unguaranteedBox) add(m unguaranteedMessage) {
	if m.key != 0 {
		for i := range l.waiting {
			if l.waiting[i].key == m.key {
				l.waiting[i] = m
				return
			}
		}
	}
	if len(l.waiting) == maxUnguaranteed {
		l.waiting = slices.Delete(l.waiting, 0, 1)
	}
	l.waiting = append(l.waiting, m)
}

// expire drops the messages that have waited for 100 ms or longer.
func (l *unguaranteedBox) expire(now time.Duration) {
	if len(l.waiting) > 0 {
		l.waiting = slices.DeleteFunc(l.waiting, func(m unguaranteedMessage) bool {
			return now-m.at >= unguaranteedTimeout
		})
	}
}

// fill appends to a packet of at most limit bytes the messages that fit into it. It drops messages
// for which not even an empty packet, with capacity bytes, has room. floor is the lowest message
// that is not acknowledged: messages do not name dependencies below it any more.
func (l *unguaranteedBox) fill(b []byte, limit, capacity int, floor uint64) []byte {
	l.waiting = slices.DeleteFunc(l.waiting, func(m unguaranteedMessage) bool {
		deps := slices.DeleteFunc(m.deps, func(d uint64) bool { return d < floor })
		size := unguaranteedSize(m.key, deps, m.msg)
		if size > limit-len(b) {
			return size > capacity
		}
		b = appendUnguaranteed(b, m.key, deps, m.msg)
		return true
	})
	return b
}
