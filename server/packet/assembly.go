package packet

import (
	"fmt"
	"time"

	"holt/server/depgraph"
)

// assemblies has the messages of which fragments have come, and not all (D25).
type assemblies struct {
	open  map[uint64]*assembly
	bytes int           // of all of them, as they will be
	check time.Duration // when to look for one of which nothing comes any more; 0 for never
}

type assembly struct {
	body   []byte
	came   blocks
	latest time.Duration // when something new of it came
}

// fragmentTimeout is after how long a message of which nothing comes any more ends the connection: as D10 has it.
const fragmentTimeout = time.Duration(depgraph.ExecuteTimeout)

// errSizes says that fragments of one message name different sizes (D25).
var errSizes = fmt.Errorf("%w: fragments of one message name different sizes", depgraph.ErrProtocol)

// add puts a fragment in its place, and returns the message when it is whole. There must be room for it.
func (a *assemblies) add(now time.Duration, f *record) (body []byte, err error) {
	m := a.open[f.header.Number]
	if m == nil {
		if a.open == nil {
			a.open = map[uint64]*assembly{}
		}
		m = &assembly{body: make([]byte, f.size), came: newBlocks(f.size), latest: now}
		a.open[f.header.Number] = m
		a.bytes += len(m.body)
		if a.check == 0 {
			a.check = now + fragmentTimeout
		}
	}
	if len(m.body) != int(f.size) {
		return nil, errSizes
	}
	if m.came.add(f.from, f.from+uint32(len(f.data))) { //nolint:gosec // it is within the size
		m.latest = now
		copy(m.body[f.from:], f.data)
	}
	if m.came.left > 0 {
		return nil, nil
	}
	a.drop(f.header.Number)
	return m.body, nil
}

// has reports whether fragments of a message have come.
func (a *assemblies) has(number uint64) bool { return a.open[number] != nil }

// drop forgets a message: it is whole, or it came whole.
func (a *assemblies) drop(number uint64) {
	if m := a.open[number]; m != nil {
		a.bytes -= len(m.body)
		delete(a.open, number)
	}
}

// expire reports whether there is a message of which nothing has come for too long.
func (a *assemblies) expire(now time.Duration) error {
	if a.check == 0 || now < a.check {
		return nil
	}
	if a.check = 0; len(a.open) == 0 {
		return nil
	}
	oldest := now
	for number, m := range a.open {
		if now-m.latest >= fragmentTimeout {
			return fmt.Errorf("%w: message %d", depgraph.ErrExpired, number)
		}
		oldest = min(oldest, m.latest)
	}
	a.check = max(oldest+fragmentTimeout, now+time.Second) // or a hostile sender had all of them looked at with each
	return nil
}
