package client

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Delays between attempts to open a stream (S6).
const (
	firstDelay = 250 * time.Millisecond
	lastDelay  = 10 * time.Second
	// soonDelay is the longest delay until recent after the last synchronised stream.
	soonDelay = 2500 * time.Millisecond
	recent    = 2 * time.Minute
	// stable is how long a stream must last before the delays start again at firstDelay.
	stable = 10 * time.Second
)

// drawn returns a random delay from d/2 to d.
func drawn(d time.Duration) time.Duration {
	return d/2 + mathrand.N(d/2+1) //nolint:gosec // not a secret
}

// pause waits for d. It reports false if ctx is done first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stream opens one stream after another. It returns when ctx is done, or when another attempt is
// pointless.
func (c *Client) stream(ctx context.Context) error {
	delay := firstDelay
	lasted := -recent // when the last synchronised stream ended
	for {
		c.tell(Event{Kind: Opening})
		began := c.ticks()
		by, wait, err := c.attempt(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			return errors.New("a stream has ended without a reason")
		case !comesBack(err):
			return err
		}
		c.tell(Event{Kind: Lost, Err: err})
		now := c.ticks()
		if c.wasSynchronised {
			c.wasSynchronised, lasted = false, now
		}
		if now-began >= stable {
			delay = firstDelay
		}
		if tooFast(err) {
			delay = lastDelay
		}
		cut, wasCut := c.wasCut()
		switch {
		case wasCut:
			wait, delay = cut, firstDelay
		case by == Datagrams && c.cfg.Transport == Auto && wait == 0: // a WebSocket, at once (D38)
			c.transportChoice.failed(now, now-began)
		default:
			wait = max(wait, drawn(delay))
			longest := lastDelay
			if now-lasted < recent {
				longest = soonDelay
			}
			delay = min(2*delay, longest)
		}
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

// comesBack reports whether a new attempt may succeed after err.
func comesBack(err error) bool {
	var p *Problem
	if errors.As(err, &p) {
		return p.Status == http.StatusTooManyRequests ||
			p.Status >= http.StatusInternalServerError && p.Code != "damaged"
	}
	return !errors.Is(err, ErrClosed) && !errors.Is(err, ErrNoDatagrams)
}

// wasCut returns the delay before the next stream if Cut ended the last one. It resets it.
func (c *Client) wasCut() (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cut := c.cut
	c.cut = nil
	if cut == nil {
		return 0, false
	}
	return *cut, true
}

// attempt opens one stream and reads it to its end. It returns the transport that was used, and how
// long the server asked the client to wait before the next stream: 0 if it did not ask.
func (c *Client) attempt(ctx context.Context) (by Transport, wait time.Duration, err error) {
	l, by, err := c.dial(ctx)
	if err != nil {
		var p *Problem
		if errors.As(err, &p) {
			wait = p.RetryAfter
		}
		return by, wait, err
	}
	s := newSocket(ctx, l)
	c.attach(s)
	var tending sync.WaitGroup
	tending.Go(func() { c.tend(ctx, s) })
	defer func() {
		s.close()
		c.attach(nil)
		tending.Wait()
	}()
	c.tell(Event{Kind: Opened, Transport: by})
	// Reading goes on after ctx is done, until the server has answered that the client leaves.
	wait, err = c.read(context.WithoutCancel(ctx), s)
	return by, wait, err
}

// query returns the parameters that open the next stream (S1). It counts every attempt, because the
// server may know of an attempt that the client gave up.
func (c *Client) query() url.Values {
	c.attempts++
	c.mu.Lock()
	seq, query := c.state.lowest(), url.Values{}
	if c.state.version > 0 && !c.state.needsFull {
		query = c.state.resumeParams()
	}
	c.mu.Unlock()
	query.Set("client", c.id.String())
	query.Set("attempt", strconv.FormatUint(c.attempts, 10))
	if seq > 0 {
		query.Set("seq", strconv.FormatUint(uint64(seq), 10))
	}
	return query
}

// attach records the open stream, or that there is none. It drops pings of the previous stream.
func (c *Client) attach(s *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.socket = s
	c.up.reset()
	c.asked.forget()
	if s == nil {
		c.state.lost()
	}
}

// tend sends away and pings on a stream until it ends. When ctx is done, it leaves the stream.
func (c *Client) tend(ctx context.Context, s *socket) {
	select {
	case <-s.synchronised:
	case <-s.over.Done():
		return
	case <-ctx.Done():
		s.leave()
		return
	}
	c.sayAway(ctx, s)
	c.beat(ctx, s)
	if ctx.Err() != nil {
		s.leave()
	}
}

// read processes frames until the stream ends.
func (c *Client) read(ctx context.Context, s *socket) (wait time.Duration, err error) {
	whole := false
	for {
		msg, bytes, err := s.read(ctx)
		if err != nil {
			if gone := final(err); gone != nil {
				err = gone
			}
			return wait, err
		}
		f, err := wire.DecodeFrame(msg)
		if err != nil {
			c.ForceFull() // ask for the full state, so that the same fault does not return
			return wait, err
		}
		for _, e := range f.GetEvents() {
			switch e := e.GetEvent().(type) {
			case *holtpb.Event_Pong:
				c.pong(e.Pong.GetNonce(), timeOf(f))
			case *holtpb.Event_Going:
				wait = time.Duration(e.Going.GetAfterMs()) * time.Millisecond
				switch {
				case e.Going.GetSeat() != holtpb.Farewell_FAREWELL_NONE:
					return wait, fmt.Errorf("%w: the seat was withdrawn", ErrClosed)
				case e.Going.GetFinal():
					return wait, fmt.Errorf("%w: the table is closed", ErrClosed)
				}
			}
		}
		open, resync, err := c.frame(f, bytes)
		if err != nil {
			c.ForceFull()
			return wait, err
		}
		if open && !whole {
			whole, c.wasSynchronised = true, true
			close(s.synchronised)
		}
		if resync {
			if err := s.say(ctx, wire.ResyncUp()); err != nil {
				return wait, err
			}
		}
	}
}

// frame processes a frame and hands its events to Handle. It reports whether the stream has
// synchronised the client, and whether the client must ask for the full state.
func (c *Client) frame(f *holtpb.Frame, bytes int) (open, resync bool, err error) {
	c.handling.Lock()
	defer c.handling.Unlock()
	c.events = append(c.events[:0], Event{Kind: Received, Bytes: bytes})
	c.mu.Lock()
	c.events, err = c.state.frame(f, c.events)
	open = c.state.open
	resync, c.state.resync = c.state.resync, false
	c.answer(c.events)
	var gone error
	var refused []refusedBatch
	c.events, refused, gone = c.takeAnswers(c.state.answers, c.events)
	c.state.answers = c.state.answers[:0]
	for _, b := range refused {
		c.events = c.state.refuse(b.updates, b.why, c.events)
		resync = true
	}
	c.state.resync = false
	c.mu.Unlock()
	signal(c.wake) // updates that waited for the full state, or for an answer
	signal(c.written)
	c.handle()
	if err == nil {
		err = gone
	}
	return open, resync, err
}
