// Package depgraph decides in which order messages are executed that arrive over a line that loses,
// duplicates and reorders them (docs/protocol/datagram.md, D1 to D15). Each message is executed
// once, after all messages on which it depends, and waits for no other. A Sender numbers messages
// and leaves out dependencies that have been executed. A Receiver executes messages. Both have the
// same graph. In the browser graph.js in static/js/parts/datagrams does the same, with identical
// results (docs/protocol/vectors/datagrams.json).
//
// The package sends nothing, repeats nothing and has no clock. Packets, acknowledgements and
// retries are in server/transport/connection. Nothing in it is safe for concurrent use.
package depgraph

import (
	"errors"

	"holt/server/heap"
)

const (
	// Window is how many messages a sender may have under way: the lowest that is not acknowledged,
	// and numbers up to Window-1 above it (D3). It is a quarter of the numbers that the wire can
	// tell apart.
	Window = 8192
	// MaxDependencies is the greatest number of dependencies of a message (D14).
	MaxDependencies = 64

	// What a message that waits costs beside its own bytes and its header, in bytes (D14).
	messageCost    = 64
	dependencyCost = 8 // for each dependency
)

// Errors that end a connection. Returned errors wrap one of them and say more.
var (
	// ErrProtocol says that the other side has broken a rule: close code 1002.
	ErrProtocol = errors.New("protocol broken")
	// ErrBounds says that the other side has exceeded a bound of D14: close code 1009.
	ErrBounds = errors.New("bound exceeded")
	// ErrExpired says that a message is missing and nothing of it has come for too long (D10):
	// close code 4000.
	ErrExpired = errors.New("missing for too long")
)

// graph has the messages from floor up to, but not including, top, and which of them waits for
// which. P is what is kept of a message until it is executed. All messages below the floor have
// been executed, and nothing is kept of them (D10).
//
// It needs little memory even if the other side decides what is in it (D14): a node has 16 bytes,
// and a message that has not been executed has a waiter with room for its edges.
type graph[P any] struct {
	// Set at construction.
	execute func(number uint64, payload P) // may call back into the graph

	floor uint64           // the lowest number that has not been executed
	top   uint64           // one above the highest number that is known; at least floor
	nodes []node[P]        // a ring: number n is at n & mask; zero outside [floor, top)
	mask  uint64           // the length of nodes, a power of two, less one
	ready heap.Heap[place] // may be executed and is not yet, while settle runs
	spare []*waiter[P]
	busy  bool // settle runs
}

// node is a message in the graph, or the place of one that has not arrived (D5).
type node[P any] struct {
	// nil while nothing but the number of the message is known, and after it was executed.
	waiter     *waiter[P]
	successors edge // the first of the list
	state      state
	waits      uint8 // dependencies that are not executed: at most MaxDependencies
}

// waiter is what is kept of a message that has not been executed.
type waiter[P any] struct {
	payload P
	// next has an edge for each dependency that had not been executed: the one that follows in that
	// dependency's list of successors.
	next []edge
	// few is the memory with which next begins: most messages need no more.
	few [2]edge
}

// state is how far a message has come:
//
//	absent ──▶ declared ──▶ arrived ──▶ executed
//	   └───────────────────────▲
//
// An absent message may have a node nevertheless (D5).
type state uint8

const (
	absent  state = iota
	sent          // this end has sent it
	arrived       // it may be executed when it waits for nothing
	executed
)

// edge leads to a message that waits. 0 is not an edge. Otherwise edge-1 has in its lowest bits
// which of the message's dependencies this is, and above them the message's number modulo Window.
// That is enough to tell apart all messages in a graph.
type edge uint32

func newEdge(number uint64, i int) edge {
	return edge(1 + number%Window*MaxDependencies + uint64(i)) //nolint:gosec // below 2^20
}

// to returns the number of the message that waits, and which of its dependencies the edge is. The
// message is at or above floor.
func (e edge) to(floor uint64) (number uint64, i int) {
	e--
	return floor + (uint64(e/MaxDependencies)-floor)%Window, int(e % MaxDependencies)
}

const (
	leastNodes = 16
	// idleNodes is how many nodes an empty graph keeps at most. After a burst the graph frees more.
	idleNodes = 1024
	// spareWaiters is how many waiters are kept for reuse.
	spareWaiters = 32
)

// at returns the node of a number in [floor, top). It is valid until the next call of hold.
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

// ensureNode makes sure that there is a node for number, which is from floor to Window-1 above it.
func (g *graph[P]) ensureNode(number uint64) {
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

// enter stores what is known of a message that has a node, and makes it wait for those of deps that
// have not been executed. There are at most MaxDependencies of deps, all lower than number, so they
// have nodes, too. If a dependency is listed twice, its list of successors already begins with
// number (D9).
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

// arrive records that a declared message has arrived.
func (g *graph[P]) arrive(number uint64) {
	n := g.at(number)
	n.state = arrived
	g.release(number, n)
}

// release executes a message that has arrived, unless it waits, and then what waited for it alone.
func (g *graph[P]) release(number uint64, n *node[P]) {
	if n.waits == 0 {
		g.ready.Push(place(number))
		g.settle()
	}
}

// waiter returns an empty waiter.
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

// drop keeps a waiter for reuse, unless there are enough.
func (g *graph[P]) drop(w *waiter[P]) {
	if len(g.spare) < spareWaiters {
		*w = waiter[P]{}
		w.next = w.few[:0]
		g.spare = append(g.spare, w)
	}
}

// settle executes what is ready, the lowest number first, and what becomes ready by that (D4). If
// the execute function adds messages, the same loop executes them: nothing here is recursive.
func (g *graph[P]) settle() {
	if g.busy {
		return
	}
	g.busy = true
	for len(g.ready) > 0 {
		number := uint64(g.ready.Pop())
		n := g.at(number)
		w, successors := n.waiter, n.successors
		n.waiter, n.successors, n.state = nil, 0, executed
		g.releaseSuccessors(successors)
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

// releaseSuccessors removes an edge and all that follow it in their list. The list was taken off
// its node before.
func (g *graph[P]) releaseSuccessors(successors edge) {
	for e := successors; e != 0; {
		number, i := e.to(g.floor)
		n := g.at(number)
		e = n.waiter.next[i]
		if n.waits--; n.waits == 0 && n.state == arrived {
			g.ready.Push(place(number))
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

// place is the number of a message that is ready. The lowest is executed first.
type place uint64

// Before reports whether the message is executed before another one.
func (p place) Before(q place) bool { return p < q }
