package peer

import (
	"encoding/binary"
	"sync"

	"holt/server/id"
)

// Questions are the questions of one kind to linked hosts that wait for their answers. They are
// safe for concurrent use.
type Questions struct {
	mu sync.Mutex
	// Guarded by mu.
	number  uint64
	waiting map[uint64]question
}

type question struct {
	host   id.HostID
	answer chan []byte // capacity 1: a question is answered once
}

// Ask gives a question to a host a number. The answer comes once, unless end is called before. ok
// is false if that many questions wait already.
func (q *Questions) Ask(
	host id.HostID, most int,
) (n uint64, answer <-chan []byte, end func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= most {
		return 0, nil, nil, false
	}
	if q.waiting == nil {
		q.waiting = map[uint64]question{}
	}
	q.number++
	n = q.number
	c := make(chan []byte, 1)
	q.waiting[n] = question{host, c}
	return n, c, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.waiting, n)
	}, true
}

// Answer passes on an answer of a host: the number of the question in eight bytes, and what
// follows. It ignores an answer for which nobody waits.
func (q *Questions) Answer(host id.HostID, b []byte) {
	n := binary.BigEndian.Uint64(b)
	q.mu.Lock()
	defer q.mu.Unlock()
	if x, ok := q.waiting[n]; ok && x.host == host {
		delete(q.waiting, n)
		x.answer <- b[8:]
	}
}
