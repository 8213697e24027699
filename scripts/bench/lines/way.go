package main

import (
	"context"
	"slices"

	"holt/scripts/bench/lines/emulator"
)

// way is a way to carry messages from a server to a client.
type way struct {
	id    string // on the command line
	name  string // in tables
	extra bool   // used only if it is named
	// watch returns a watcher of all packets that are delivered, before the first is; nil if the
	// way needs none.
	watch func(b *bout) *watcher
	// open opens both ends of the way on the hosts of a link. w is the result of watch.
	open func(ctx context.Context, l *emulator.Link, b *bout, w *watcher) (carrier, error)
}

// flag returns what names a way on the command line.
func (w *way) flag() string { return w.id }

// carrier is an open way. It informs its bout of arrivals and executions.
type carrier interface {
	// send takes the messages from first to end − 1, which were made together, and does not wait
	// for the network. One goroutine calls it.
	send(first, end int)
	// close ends the way, and waits for its goroutines.
	close()
}

// ways are all ways, in the order of the tables.
var ways = []way{
	{id: "websocket", name: "WebSocket", watch: watchTCP, open: openTCP("cubic")},
	{id: "websocket-bbr", name: "WebSocket, BBR", extra: true, watch: watchTCP,
		open: openTCP("bbr")},
	{id: "quic", name: "QUIC stream", open: openOneStream},
	{id: "quic-pieces", name: "a QUIC stream per piece", open: openStreams},
	{id: "ordered", name: "datagrams, one channel", open: openPlain(ordered)},
	{id: "pieces", name: "datagrams, one per piece", open: openPlain(perPiece)},
	{id: "graph", name: "datagrams, the graph", open: openPlain(graph)},
	{id: "graph-quic", name: "the graph, by QUIC", open: openQUIC(graph)},
}

// usual returns the ways that are used if the command line names none.
func usual() []way {
	return slices.DeleteFunc(slices.Clone(ways), func(w way) bool { return w.extra })
}

// channel returns the channel of a message for ways that have one for each piece: that of the first
// piece that it is about, or 0 if it is about none.
func (b *bout) channel(n int) int {
	if lanes := b.trace[n].Lanes; len(lanes) > 0 {
		return lanes[0] + 1
	}
	return 0
}
