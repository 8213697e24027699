package client

import (
	"context"
	"errors"
	"sync"
	"time"

	"holt/server/transport/endpoint"
)

// The client does not wait long for datagrams that do not get through, since a WebSocket would do
// as well. RFC 8305 races addresses in the same way.
const (
	// headStart is how long the client tries QUIC alone after it has a ticket.
	headStart = 250 * time.Millisecond
	// quickly bounds the request for a ticket, and the opening over QUIC.
	quickly = 2 * time.Second
)

// dialEither opens the next stream by QUIC or WebSocket, whichever reaches the server first (D38).
func (c *Client) dialEither(ctx context.Context) (transportStream, Transport, error) {
	soon, cancel := context.WithTimeout(ctx, quickly)
	t, err := c.offered(soon)
	cancel()
	if err == nil {
		var way *endpoint.OpenPath
		var l transportStream
		if way, l, err = c.race(ctx, t); way == nil {
			c.transportChoice.failed(c.ticks(), 0)
			return l, WebSocket, err
		}
		soon, cancel := context.WithTimeout(ctx, quickly)
		defer cancel()
		if l, err = c.enter(soon, t, way); err == nil {
			return l, Datagrams, nil
		}
	}
	c.transportChoice.failed(c.ticks(), 0)
	c.transportChoice.never = errors.Is(err, ErrNoDatagrams)
	l, err := c.dialWebSocket(ctx, c.query())
	return l, WebSocket, err
}

// race reaches the server by QUIC, and also by WebSocket after headStart or as soon as QUIC has
// failed. It returns the winner and ends the other. It opens no stream over QUIC before QUIC has
// won. So the server never has two streams of the client, of which one would take over the other
// (S8).
func (c *Client) race(ctx context.Context, t *ticket) (*endpoint.OpenPath, transportStream, error) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	finishes, left := make(chan finish, 2), 0
	run := func(reach func() finish) {
		left++
		running.Go(func() { finishes <- reach() })
	}
	defer func() {
		cancel()
		running.Wait()
		for range left {
			(<-finishes).discard()
		}
	}()
	run(func() (f finish) {
		f.way, f.err = t.dialer.Reach(ctx, t.to)
		return f
	})
	begin := time.NewTimer(headStart)
	defer begin.Stop()
	var failed error
	for begun := false; ; {
		select {
		case f := <-finishes:
			left--
			if f.err == nil {
				return f.way, f.line, nil
			}
			failed = errors.Join(failed, f.err)
			if refused := new(*Problem); errors.As(f.err, refused) || begun && left == 0 {
				return nil, nil, failed
			}
		case <-begin.C:
		}
		if !begun {
			begun = true
			query := c.query()
			run(func() (f finish) {
				f.line, f.err = c.dialWebSocket(ctx, query)
				return f
			})
		}
	}
}

// finish is the result of one runner: how it reached the server, or why it failed.
type finish struct {
	way  *endpoint.OpenPath
	line transportStream
	err  error
}

// discard ends the connection that lost the race.
func (f finish) discard() {
	switch {
	case f.err != nil:
	case f.way != nil:
		f.way.Close()
	default:
		f.line.drop()
	}
}
