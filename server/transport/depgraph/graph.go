// Package depgraph says in which order messages are executed that come in any order over a line that loses,
// doubles and reorders them: each once, after all messages on which it depends, and waiting for no other
// (rules D1 to D15, docs/protocol/datagram.md). A Sender numbers messages and leaves out dependencies that cost
// nothing any more; a Receiver executes. Both have the same graph. static/js/depgraph.js does the same in the
// browser, with identical results (docs/protocol/vectors/datagrams.json).
//
// The package sends nothing, repeats nothing and knows no clock: packets, acknowledgements and what is said
// again when it was lost are the business of server/transport/connection. Nothing in it is safe for concurrent use.
package depgraph

import "errors"

const (
	// Window is how many messages a sender may have under way: numbers from the lowest that is not acknowledged
	// and below that one plus Window (D3). It is a quarter of the numbers that the wire tells apart.
	Window = 8192
	// MaxDependencies is the greatest number of dependencies of a message (D14).
	MaxDependencies = 64

	// What a message that waits costs beside its bytes and its header, in bytes that are counted like those (D14).
	messageCost    = 64
	dependencyCost = 8 // of each
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
//
// It is cheap where others say what is in it (D14): a place is 16 bytes, and a message that has not been executed has
// a waiter, with room for its edges.
type graph[P any] struct {
	// Set at construction.
	execute func(number uint64, payload P) // may call back into the graph

	floor uint64    // the lowest number that has not been executed
	top   uint64    // one above the highest number that is known; at least floor
	nodes []node[P] // a ring: number n is at n & mask; zero outside of floor to top
	mask  uint64    // the length of nodes, a power of two, less one
	ready heap      // what may be executed and has not been, while settle runs
	spare []*waiter[P]
	busy  bool // settle runs
}

// node is a message in the graph, or the place of one (D5).
type node[P any] struct {
	waiter     *waiter[P] // nil before anything is known of the message but its place, and after it was executed
	successors edge       // the first of the list
	state      state
	waits      uint8 // dependencies that have not been executed: at most MaxDependencies
}

// waiter is what is kept of a message that has not been executed.
type waiter[P any] struct {
	payload P
	// next has, for each of the dependencies that had not been executed, the edge that follows in its list of successors.
	next []edge
	// few is where next begins: most have no more.
	few [2]edge
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

// edge leads to a message that waits: 0 is none, any other says which of its dependencies it is, in the lowest bits of what it is
// above 1, and above them the message's number modulo Window. That is enough to tell apart what is in a graph.
type edge uint32

func newEdge(number uint64, i int) edge {
	return edge(1 + number%Window*MaxDependencies + uint64(i)) //nolint:gosec // below 2^20
}

// to returns the number of the message that waits, which is at least floor, and which of its dependencies it is.
func (e edge) to(floor uint64) (number uint64, i int) {
	e--
	return floor + (uint64(e/MaxDependencies)-floor)%Window, int(e % MaxDependencies)
}

const (
	leastNodes = 16
	// idleNodes is how many nodes an empty graph keeps: one that had a burst gives the rest back.
	idleNodes = 1024
	// spareWaiters is how many waiters are kept to be used again.
	spareWaiters = 32
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

// hold makes sure that there is a node for number, which is at least floor, and less than Window above it.
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

// enter keeps what is known of a message, which is held, and makes it wait for those of deps that have not been executed: they
// are lower, at most MaxDependencies, and held by that. One that is listed twice is found at the head of the list (D9).
func (g *graph[P]) enter(number uint64, to state, payload P, deps []uint64) {
	w := g.waiter()
	w.payload = payload
	for _, d := range deps {
		if g.state(d) == executed {
			continue
		}
		n := g.at(d)
		if n.successors != 0 {
			if first, _ := n.successors.to(g.floor); first == number {
				continue
			}
		}
		if len(w.next) == cap(w.next) {
			w.next = append(make([]edge, 0, len(deps)), w.next...)
		}
		w.next = append(w.next, n.successors)
		n.successors = newEdge(number, len(w.next)-1)
	}
	n := g.at(number)
	n.waiter, n.state, n.waits = w, to, uint8(len(w.next)) //nolint:gosec // at most MaxDependencies
	if to == arrived {
		g.release(number, n)
	}
}

// arrive says that a message that was declared is here.
func (g *graph[P]) arrive(number uint64) {
	n := g.at(number)
	n.state = arrived
	g.release(number, n)
}

// release executes a message that has arrived, unless it waits, and what waits for nothing any more by that.
func (g *graph[P]) release(number uint64, n *node[P]) {
	if n.waits == 0 {
		g.ready.push(number)
		g.settle()
	}
}

// waiter takes an empty one.
func (g *graph[P]) waiter() *waiter[P] {
	if last := len(g.spare) - 1; last >= 0 {
		w := g.spare[last]
		g.spare = g.spare[:last]
		return w
	}
	w := new(waiter[P])
	w.next = w.few[:0]
	return w
}

// drop keeps a waiter to be used again, if there is need for it.
func (g *graph[P]) drop(w *waiter[P]) {
	if len(g.spare) < spareWaiters {
		*w = waiter[P]{}
		w.next = w.few[:0]
		g.spare = append(g.spare, w)
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
		w, successors := n.waiter, n.successors
		n.waiter, n.successors, n.state = nil, 0, executed
		g.walk(successors)
		payload := w.payload
		g.drop(w)
		g.execute(number, payload)
		g.forget()
	}
	if cap(g.ready) > idleNodes {
		g.ready = nil
	}
	g.busy = false
}

// walk takes an edge off and all that follow it, which have already been taken off their node.
func (g *graph[P]) walk(successors edge) {
	for e := successors; e != 0; {
		number, i := e.to(g.floor)
		n := g.at(number)
		e = n.waiter.next[i]
		if n.waits--; n.waits == 0 && n.state == arrived {
			g.ready.push(number)
		}
	}
}

// forget raises the floor above what has been executed.
func (g *graph[P]) forget() {
	for g.floor < g.top && g.at(g.floor).state == executed {
		*g.at(g.floor) = node[P]{}
		g.floor++
	}
	if g.floor == g.top && len(g.nodes) > idleNodes {
		g.nodes, g.mask = nil, 0
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
