// Package depgraph says in which order messages are executed that come in any order over a line that loses,
// doubles and reorders them: each once, after all messages on which it depends, and waiting for no other
// (rules D1 to D15, docs/protocol/datagram.md). A Sender numbers messages and leaves out dependencies that cost
// nothing any more; a Receiver executes. Both have the same graph. static/js/depgraph.js does the same in the
// browser, with identical results (docs/protocol/vectors/datagrams.json).
//
// The package sends nothing, repeats nothing and knows no clock: packets, acknowledgements and what is said
// again when it was lost are the business of server/packet. Nothing in it is safe for concurrent use.
package depgraph

import "errors"

const (
	// Window is how many messages a sender may have under way: numbers from the lowest that is not acknowledged
	// and below that one plus Window (D3). It is a quarter of the numbers that the wire tells apart.
	Window = 8192
	// MaxDependencies is the greatest number of dependencies of a message (D14).
	MaxDependencies = 64
)

// What ends a connection. Errors that are returned wrap one of them and say more.
var (
	// ErrProtocol says that the other side has broken a rule: close code 1002.
	ErrProtocol = errors.New("protocol broken")
	// ErrBounds says that the other side has gone beyond a bound of D14: close code 1009.
	ErrBounds = errors.New("bound exceeded")
	// ErrExpired says that a message is missing, and nothing of it has come for too long (D10): close code 4000.
	ErrExpired = errors.New("missing for too long")
)

// graph has the messages from floor to top, exclusively, and which of them waits for which. P is what is kept of
// a message until it is executed. Below the floor all have been executed, and nothing is kept of them (D10).
type graph[P any] struct {
	// Set at construction.
	execute func(number uint64, payload P) // may call back into the graph

	floor uint64    // the lowest number that has not been executed
	top   uint64    // one above the highest number that is known; at least floor
	nodes []node[P] // a ring: number n is at n & mask; zero outside of floor to top
	mask  uint64    // the length of nodes, a power of two, less one
	edges []edge    // all successors of all nodes, as linked lists; the first is none
	free  uint32    // the list of edges that are not in use
	ready heap      // what may be executed and has not been, while settle runs
	busy  bool      // settle runs
}

// node is a message in the graph, or the place of one (D5).
type node[P any] struct {
	payload    P      // zero before the message has arrived and after it was executed
	successors uint32 // the first of its edges, 0 for none
	waits      uint32 // dependencies that have not been executed
	state      state
}

// state is how far a message has come:
//
//	absent ──▶ declared ──▶ arrived ──▶ executed
//	   └───────────────────────▲
//
// An absent one may have a place for all that (D5).
type state uint8

const (
	absent   state = iota
	declared       // it was sent, by this end
	arrived        // it may be executed as soon as it waits for nothing
	executed
)

// edge leads from a node to one that waits for it.
type edge struct {
	to   uint32 // the lower half of the number
	next uint32 // index of the next edge of the same node, 0 for none
}

// lower returns the lower half of a number. It is enough to tell apart what is in a graph.
func lower(number uint64) uint32 { return uint32(number) } //nolint:gosec // the lower half is meant

const (
	leastNodes = 16
	// idleNodes is how many nodes an empty graph keeps: one that had a burst gives the rest back.
	idleNodes = 1024
)

// at returns the node of a number from floor to top, exclusively. It is good until the next call of hold.
func (g *graph[P]) at(number uint64) *node[P] { return &g.nodes[number&g.mask] }

// state returns how far a message has come.
func (g *graph[P]) state(number uint64) state {
	switch {
	case number < g.floor:
		return executed
	case number >= g.top:
		return absent
	default:
		return g.at(number).state
	}
}

// hold makes sure that there is a node for number, which is at least floor.
func (g *graph[P]) hold(number uint64) {
	if number < g.top {
		return
	}
	if above := number - g.floor; len(g.nodes) == 0 || above > g.mask {
		mask := max(leastNodes-1, g.mask)
		for mask < above {
			mask = 2*mask + 1
		}
		nodes := make([]node[P], mask+1)
		for n := g.floor; n < g.top; n++ {
			nodes[n&mask] = *g.at(n)
		}
		g.nodes, g.mask = nodes, mask
	}
	g.top = number + 1
}

// depend makes the message of number wait for dependency, which is lower. Both are held; dependency has not been
// executed. All dependencies of a message are added before those of another: so a dependency that is listed twice
// is found at the head of the list (D9).
func (g *graph[P]) depend(number, dependency uint64) {
	d := g.at(dependency)
	if d.successors != 0 && g.edges[d.successors].to == lower(number) {
		return
	}
	d.successors = g.edge(lower(number), d.successors)
	g.at(number).waits++
}

// edge takes an edge that is not in use.
func (g *graph[P]) edge(to, next uint32) uint32 {
	e := edge{to: to, next: next}
	if i := g.free; i != 0 {
		g.free = g.edges[i].next
		g.edges[i] = e
		return i
	}
	if len(g.edges) == 0 {
		g.edges = append(g.edges, edge{})
	}
	g.edges = append(g.edges, e)
	return uint32(len(g.edges) - 1) //nolint:gosec // at most MaxDependencies for each of Window nodes
}

// arrive says that the message is here, with all its dependencies added, and executes what waits for nothing
// any more.
func (g *graph[P]) arrive(number uint64, payload P) {
	n := g.at(number)
	n.state, n.payload = arrived, payload
	if n.waits == 0 {
		g.ready.push(number)
		g.settle()
	}
}

// settle executes what is ready, the lowest number first, and what becomes ready by it (D4). What the function
// that executes adds is executed by the same loop: nothing here is recursive.
func (g *graph[P]) settle() {
	if g.busy {
		return
	}
	g.busy = true
	for len(g.ready) > 0 {
		number := g.ready.pop()
		n := g.at(number)
		payload, successors := n.payload, n.successors
		var none P
		n.payload, n.successors, n.state = none, 0, executed
		g.release(successors)
		g.execute(number, payload)
		g.forget()
	}
	g.busy = false
}

// release takes an edge off and all that follow it, which have already been taken off their node.
func (g *graph[P]) release(successors uint32) {
	for i := successors; i != 0; {
		e := g.edges[i]
		g.edges[i], g.free = edge{next: g.free}, i
		number := g.floor + uint64(e.to-lower(g.floor))
		n := g.at(number)
		if n.waits--; n.waits == 0 && n.state == arrived {
			g.ready.push(number)
		}
		i = e.next
	}
}

// forget raises the floor above what has been executed.
func (g *graph[P]) forget() {
	for g.floor < g.top && g.at(g.floor).state == executed {
		*g.at(g.floor) = node[P]{}
		g.floor++
	}
	if g.floor == g.top && len(g.nodes) > idleNodes {
		g.nodes, g.mask, g.edges, g.free = nil, 0, nil, 0
	}
}

// heap is a binary heap of numbers, the lowest first.
type heap []uint64

func (h *heap) push(number uint64) {
	q := append(*h, number)
	for i := len(q) - 1; i > 0; {
		parent := (i - 1) / 2
		if q[parent] <= q[i] {
			break
		}
		q[parent], q[i] = q[i], q[parent]
		i = parent
	}
	*h = q
}

func (h *heap) pop() uint64 {
	q := *h
	lowest, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && q[child+1] < q[child] {
			child++
		}
		if q[i] <= q[child] {
			break
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
	*h = q
	return lowest
}
