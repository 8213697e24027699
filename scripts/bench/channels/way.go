package main

import (
	"errors"
	"time"

	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
)

// way is a way to carry messages.
type way struct {
	id, name string
	open     func(b *bout) carrier
	// strays says that messages may be executed before one for which they have to wait.
	strays bool
}

// flag returns what names a way on the command line.
func (w *way) flag() string { return w.id }

// channels is the number of channels of the third way.
const channels = 8

// ways are all ways. The first is the one with which the others are compared.
var ways = []way{
	{id: "graph", name: "the graph", open: openConn(func(b *bout, n int, _ map[int]int) []int {
		return b.messages[n].deps
	}, 0, false)},
	{id: "ordered", name: "one channel", open: openConn(inChannels(1), 0, true)},
	{id: "eight", name: "eight channels", open: openConn(inChannels(channels), 1, true),
		strays: true},
	{id: "enet", name: "ENet-like, a channel per piece", open: openENet(func(piece int) byte {
		return byte(piece)
	}), strays: true},
	{id: "enet-one", name: "ENet-like, one channel", open: openENet(func(int) byte { return 0 })},
}

// inChannels makes each message wait for the one before it in its channel. last is for its own use.
func inChannels(many int) func(b *bout, n int, last map[int]int) []int {
	return func(b *bout, n int, last map[int]int) []int {
		k := b.messages[n].piece % many
		before, ok := last[k]
		last[k] = n
		if !ok {
			return nil
		}
		return []int{before}
	}
}

// conns are both ends of a connection of server/transport/connection on plain UDP.
type conns struct {
	// Set at construction.
	bout    *bout
	order   func(b *bout, n int, last map[int]int) []int
	implied bool // the dependencies follow from the channel and need not be sent
	number  int  // bytes that say the channel
	ends    [2]*connection.Conn

	now     time.Duration
	last    map[int]int
	handles []depgraph.Handle // of each message
	waiting []waiting         // messages for which there is no space
	named   int               // dependencies in headers
}

// waiting is a message that has not been sent.
type waiting struct {
	n    int
	deps []*depgraph.Handle
}

func openConn(order func(b *bout, n int, last map[int]int) []int, number int,
	implied bool) func(b *bout) carrier {
	return func(b *bout) carrier {
		c := &conns{bout: b, order: order, implied: implied, number: number, last: map[int]int{},
			handles: make([]depgraph.Handle, len(b.messages))}
		for side := range c.ends {
			config := connection.Config{
				Number: 1, Path: connection.Path{Largest: connection.UDPSize, UDP: true},
				Takes: connection.FromServer, PeerLimits: connection.FromServer, RepeatOverdue: true,
				Execute: func(uint64, []byte) {}, Unguaranteed: func(uint32, []byte) {},
			}
			if side == 1 {
				config.Execute = func(_ uint64, p []byte) { b.execute(c.now, p) }
			}
			c.ends[side] = connection.NewConn(config)
		}
		return c
	}
}

func (c *conns) send(now time.Duration, n int) error {
	m := waiting{n: n}
	for _, before := range c.order(c.bout, n, c.last) {
		m.deps = append(m.deps, &c.handles[before])
	}
	c.waiting = append(c.waiting, m)
	return c.flush(now)
}

// flush sends what waits, as far as there is space (D3).
func (c *conns) flush(now time.Duration) error {
	for len(c.waiting) > 0 {
		m, names := c.waiting[0], 0
		for _, d := range m.deps {
			if !d.Executed() {
				names++
			}
		}
		switch err := c.ends[0].Send(now, c.bout.body(m.n), m.deps, &c.handles[m.n]); {
		case errors.Is(err, depgraph.ErrWindow):
			return nil
		case err != nil:
			return err
		}
		c.named += names
		c.waiting = c.waiting[1:]
	}
	return nil
}

// Receive implements virtual.Ends.
func (c *conns) Receive(now time.Duration, side int, p []byte) error {
	c.now = now
	if err := c.ends[side].Receive(now, p); err != nil {
		return err
	}
	if side == 0 {
		return c.flush(now)
	}
	return nil
}

// Next implements virtual.Ends.
func (c *conns) Next(now time.Duration, side int, to []byte) ([]byte, bool) {
	return c.ends[side].Next(now, to)
}

// Wake implements virtual.Ends.
func (c *conns) Wake(side int) (time.Duration, bool) { return c.ends[side].Wake() }

// excess returns what a channel would not send: a channel says by its number and by the order of
// its messages for which one a message waits. What was sent again is not counted.
func (c *conns) excess() int {
	if !c.implied {
		return 0
	}
	return 2*c.named - c.number*len(c.bout.messages)
}
