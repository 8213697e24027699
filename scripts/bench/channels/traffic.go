package main

import (
	"math/rand/v2"
	"time"
)

// message is a message that the server sends to the client.
type message struct {
	at    time.Duration
	piece int // that it is about
	size  int
	// deps are the messages that must be executed before it, ascending.
	deps []int
}

// table describes what is sent.
type table struct {
	rate   float64 // messages a second
	pieces int
	size   int // bytes of a message
	// fence is the share of messages that wait for all before them, like a shuffle (D33).
	fence float64
	// warm is how long messages are sent before any are measured, length how long then.
	warm, length time.Duration
}

// play makes messages at random times, each about one of the pieces. Each waits for the one before
// it of its piece.
func (t table) play(seed uint64) []message {
	rnd := rand.New(rand.NewPCG(seed, 77)) //nolint:gosec // to be repeated
	last := make([]int, t.pieces)
	for i := range last {
		last[i] = -1
	}
	var all []message
	ends := map[int]bool{} // messages on which none depends yet
	for at := time.Duration(0); ; {
		at += time.Duration(rnd.ExpFloat64() / t.rate * float64(time.Second))
		if at >= t.warm+t.length {
			return all
		}
		n, m := len(all), message{at: at, piece: rnd.IntN(t.pieces), size: t.size}
		switch {
		case t.fence > 0 && rnd.Float64() < t.fence:
			for d := range n {
				if ends[d] {
					m.deps = append(m.deps, d)
				}
			}
			clear(ends)
		case last[m.piece] >= 0:
			m.deps = []int{last[m.piece]}
			delete(ends, last[m.piece])
		}
		ends[n], last[m.piece] = true, n
		all = append(all, m)
	}
}
