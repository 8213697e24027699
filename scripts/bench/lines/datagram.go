package main

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"holt/scripts/bench/lines/emulator"
	"holt/server/transport/connection"
	"holt/server/transport/depgraph"
)

// order returns the numbers of the messages for which message n has to wait. last is for its own
// use: the number of the last message of each channel.
type order func(b *bout, n int, last map[int]int) []int

// ordered makes each message wait for the one before it.
func ordered(_ *bout, n int, _ map[int]int) []int {
	if n == 0 {
		return nil
	}
	return []int{n - 1}
}

// perPiece makes each message wait for the one before it in its channel.
func perPiece(b *bout, n int, last map[int]int) []int {
	k := b.channel(n)
	before, ok := last[k]
	last[k] = n
	if !ok {
		return nil
	}
	return []int{before}
}

// graph makes each message wait for those that were recorded.
func graph(b *bout, n int, _ map[int]int) []int { return b.trace[n].Deps }

// path sends packets to the other end. send may wait.
type path struct {
	send    func(p []byte) error
	receive func() ([]byte, error) // the caller owns the result
}

// limits are what both ends accept (docs/protocol/datagram.md, D14).
var limits = connection.Limits{Message: 16 << 20, Window: 24 << 20}

// keepalive is that of a visible page (D29).
const keepalive = 500 * time.Millisecond

func openPlain(o order) func(context.Context, *emulator.Link, *bout, *watcher) (carrier, error) {
	return func(_ context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
		server, err := l.Server.ListenUDP()
		if err != nil {
			return nil, err
		}
		client, err := l.Client.ListenUDP()
		if err != nil {
			return nil, errors.Join(err, server.Close())
		}
		shut := func() { _, _ = server.Close(), client.Close() }
		return newDatagrams(b, o, connection.Path{Largest: connection.UDPSize, UDP: true},
			plainPath(server, client), plainPath(client, server), shut), nil
	}
}

func plainPath(here, there *net.UDPConn) path {
	to := there.LocalAddr()
	return path{
		send: func(p []byte) error {
			_, err := here.WriteTo(p, to)
			return err
		},
		receive: func() ([]byte, error) {
			b := make([]byte, emulator.MTU)
			n, err := here.Read(b)
			return b[:n], err
		},
	}
}

func openQUIC(o order) func(context.Context, *emulator.Link, *bout, *watcher) (carrier, error) {
	return func(ctx context.Context, l *emulator.Link, b *bout, _ *watcher) (carrier, error) {
		p, err := connect(ctx, l, nil)
		if err != nil {
			return nil, err
		}
		over := context.WithoutCancel(ctx) // closing the path ends what waits
		server := path{p.server.SendDatagram,
			func() ([]byte, error) { return p.server.ReceiveDatagram(over) }}
		client := path{p.client.SendDatagram,
			func() ([]byte, error) { return p.client.ReceiveDatagram(over) }}
		const fits = 1100 // in the smallest packet of QUIC, with bytes to spare
		return newDatagrams(b, o, connection.Path{Largest: fits}, server, client, p.close), nil
	}
}

// datagrams is a connection by datagrams. Its handshake is not part of it.
type datagrams struct {
	// Set at construction.
	bout           *bout
	order          order
	server, client *end
	shut           func() // closes the paths
	running        sync.WaitGroup

	// Owned by the server's goroutine.
	last    map[int]int
	handles []depgraph.Handle // of each message
	waiting []waiting         // messages for which there is no space
}

// waiting is a message that has not been sent.
type waiting struct {
	n    int
	deps []*depgraph.Handle
}

func newDatagrams(b *bout, o order, shape connection.Path,
	server, client path, shut func()) *datagrams {
	d := &datagrams{bout: b, order: o, shut: shut, last: map[int]int{},
		handles: make([]depgraph.Handle, len(b.trace))}
	config := connection.Config{Number: 1, Path: shape, Takes: limits, PeerLimits: limits,
		Keepalive: keepalive, RepeatOverdue: true}
	config.Execute, config.Unguaranteed = func(uint64, []byte) {}, func(uint32, []byte) {}
	d.server = newEnd(b, config, server)
	config.Execute = func(_ uint64, m []byte) { b.execute(m) }
	d.client = newEnd(b, config, client)
	d.client.sees = b.find
	d.server.retry = d.flush
	d.server.run(&d.running)
	d.client.run(&d.running)
	return d
}

func (d *datagrams) send(first, end int) {
	d.server.call(func(now time.Duration) {
		for n := first; n < end; n++ {
			m := waiting{n: n}
			for _, before := range d.order(d.bout, n, d.last) {
				m.deps = append(m.deps, &d.handles[before])
			}
			d.waiting = append(d.waiting, m)
		}
		d.flush(now)
	})
}

// flush sends what waits, as far as there is space (D3).
func (d *datagrams) flush(now time.Duration) {
	for len(d.waiting) > 0 {
		m := d.waiting[0]
		err := d.server.core.Send(now, d.bout.message(m.n), m.deps, &d.handles[m.n])
		if errors.Is(err, depgraph.ErrWindow) {
			return
		}
		if err != nil {
			d.bout.breakOff(err)
			return
		}
		d.waiting = d.waiting[1:]
	}
}

func (d *datagrams) close() {
	close(d.server.over)
	close(d.client.over)
	d.shut()
	d.running.Wait()
}
