package connection

import (
	"fmt"

	"holt/server/transport/depgraph"
)

// assemblies has the messages of which some fragments have come, but not all (D25).
type assemblies struct {
	open map[uint64]*assembly
	cost int // of all messages, as if they were complete (D14)
}

type assembly struct {
	body []byte
	came blocks
	cost int
}

// errSizes says that fragments of one message name different sizes (D25).
var errSizes = fmt.Errorf("%w: fragments of one message name different sizes", depgraph.ErrProtocol)

// add puts a fragment in its place. It reports whether the fragment has anything new, and returns
// the message when it is complete. The caller has checked that there is room for the message.
func (a *assemblies) add(f *record) (body []byte, fresh bool, err error) {
	m := a.open[f.header.Number]
	if m == nil {
		if a.open == nil {
			a.open = map[uint64]*assembly{}
		}
		m = &assembly{
			body: make([]byte, f.size),
			came: newBlocks(f.size),
			cost: f.header.Cost(int(f.size)),
		}
		a.open[f.header.Number] = m
		a.cost += m.cost
	}
	if len(m.body) != int(f.size) {
		return nil, false, errSizes
	}
	//nolint:gosec // within the size
	if fresh = m.came.add(f.from, f.from+uint32(len(f.data))); fresh {
		copy(m.body[f.from:], f.data)
	}
	if m.came.left > 0 {
		return nil, fresh, nil
	}
	a.drop(f.header.Number)
	return m.body, fresh, nil
}

// has reports whether fragments of a message have come.
func (a *assemblies) has(number uint64) bool { return a.open[number] != nil }

// drop forgets a message: all of its fragments have come, or it came in one piece.
func (a *assemblies) drop(number uint64) {
	if m := a.open[number]; m != nil {
		a.cost -= m.cost
		delete(a.open, number)
	}
}
