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

// Delays between attempts (S6).
const (
	firstDelay = 250 * time.Millisecond
	lastDelay  = 10 * time.Second
	// soonDelay is the longest delay within recent of the last stream that was whole.
	soonDelay = 2500 * time.Millisecond
	recent    = 2 * time.Minute
	// stable is how long a stream has to last for the delays to begin again.
	stable = 10 * time.Second
)

// drawn returns a random delay between half of d and all of it.
func drawn(d time.Duration) time.Duration { return d/2 + mathrand.N(d/2+1) } //nolint:gosec // no secret

// pause waits for d. It reports false if ctx is done.
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

// stream opens one stream after another.
func (c *Client) stream(ctx context.Context) error {
	delay := firstDelay
	lasted := -recent // when a stream that was whole has ended last
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
		if c.wasWhole {
			c.wasWhole, lasted = false, now
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
			c.choosing.failed(now, now-began)
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

// comesBack reports whether another attempt may succeed where one has ended with err.
func comesBack(err error) bool {
	var p *Problem
	if errors.As(err, &p) {
		return p.Status == http.StatusTooManyRequests || p.Status >= http.StatusInternalServerError && p.Code != "damaged"
	}
	return !errors.Is(err, ErrClosed) && !errors.Is(err, ErrNoDatagrams)
}

// wasCut returns after how long the next stream is to be opened, if Cut has ended the last one.
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

// attempt opens one stream and reads it to its end. by is how it came, and wait how long the server has asked to wait before
// the next one, 0 if it has not.
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
	wait, err = c.read(context.WithoutCancel(ctx), s) // until the server has answered that the client leaves
	return by, wait, err
}

// query is what the server needs to know to open one more stream (S1): even of one that was given up it may have heard.
func (c *Client) query() url.Values {
	c.attempts++
	c.mu.Lock()
	seq, query := c.state.lowest(), url.Values{}
	if c.state.mark > 0 && !c.state.unsure {
		query = c.state.told()
	}
	c.mu.Unlock()
	query.Set("client", c.id.String())
	query.Set("attempt", strconv.FormatUint(c.attempts, 10))
	if seq > 0 {
		query.Set("seq", strconv.FormatUint(uint64(seq), 10))
	}
	return query
}

// attach notes the stream that is open, or that there is none. Pings that wait for their pong belong to the one before.
func (c *Client) attach(s *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.socket = s
	c.asked.forget()
	if s == nil {
		c.state.lost()
	}
}

// tend says what there is to say on a stream, and leaves when ctx is done, until the stream has ended.
func (c *Client) tend(ctx context.Context, s *socket) {
	select {
	case <-s.whole:
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
			c.Forget() // what was wrong is not to come again
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
			c.Forget()
			return wait, err
		}
		if open && !whole {
			whole, c.wasWhole = true, true
			close(s.whole)
		}
		if resync {
			if err := s.say(ctx, wire.ResyncUp()); err != nil {
				return wait, err
			}
		}
	}
}

// frame processes a frame and tells what was in it. It reports whether the client is whole, and whether the full state
// must be asked for.
func (c *Client) frame(f *holtpb.Frame, bytes int) (open, resync bool, err error) {
	c.handling.Lock()
	defer c.handling.Unlock()
	c.events = append(c.events[:0], Event{Kind: Received, Bytes: bytes})
	c.mu.Lock()
	c.events, err = c.state.frame(f, c.events)
	open = c.state.open
	resync, c.state.resync = c.state.resync, false
	c.answer(c.events)
	c.mu.Unlock()
	signal(c.wake) // what had to wait for the full state
	signal(c.written)
	c.handle()
	return open, resync, err
}
