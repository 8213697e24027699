package client

import (
	"context"
	"errors"
	"sync"
	"time"

	"holt/server/transport/endpoint"
)

// Where a WebSocket would do as well nobody waits for datagrams that do not come through (RFC 8305 does so with addresses).
const (
	// headStart is how long QUIC is tried alone, once there is a ticket.
	headStart = 250 * time.Millisecond
	// quickly is how long a ticket may take, and the answer to a Hello.
	quickly = 2 * time.Second
)

// dialEither opens the next stream by QUIC or by WebSocket, whichever reaches the server first (D38).
func (c *Client) dialEither(ctx context.Context) (line, Transport, error) {
	soon, cancel := context.WithTimeout(ctx, quickly)
	t, err := c.offered(soon)
	cancel()
	if err == nil {
		var way *endpoint.Way
		var l line
		if way, l, err = c.race(ctx, t); way == nil {
			c.choosing.failed(c.ticks(), 0)
			return l, WebSocket, err
		}
		soon, cancel := context.WithTimeout(ctx, quickly)
		defer cancel()
		if l, err = c.enter(soon, t, way); err == nil {
			return l, Datagrams, nil
		}
	}
	c.choosing.failed(c.ticks(), 0)
	c.choosing.never = errors.Is(err, ErrNoDatagrams)
	l, err := c.dialWebSocket(ctx, c.query())
	return l, WebSocket, err
}

// race reaches the server by QUIC and, after headStart or as soon as that has failed, by WebSocket. It returns what is there first, and ends the other.
// By QUIC nothing is asked for before it has won: so the server never has two streams of the client, of which one would take over the other (S8).
func (c *Client) race(ctx context.Context, t *ticket) (*endpoint.Way, line, error) {
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

// finish is how one of two has come to the server, or why it has not.
type finish struct {
	way  *endpoint.Way
	line line
	err  error
}

// discard ends what was not first.
func (f finish) discard() {
	switch {
	case f.err != nil:
	case f.way != nil:
		f.way.Close()
	default:
		f.line.drop()
	}
}
