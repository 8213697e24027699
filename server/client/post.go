package client

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// postTimeout bounds one request. A server that does not answer in time may have recorded the
// batch. The client posts it again with the same sequences (T10).
const postTimeout = 30 * time.Second

// post sends pending updates: by datagrams, several requests at a time (D39), or by HTTP, one
// request at a time. Updates made meanwhile go into the next request (http.md). It returns nil when
// ctx is done, or the *Problem if the seat is gone.
func (c *Client) post(ctx context.Context) error {
	late := time.NewTimer(answerWithin)
	defer late.Stop()
	for {
		select {
		case <-c.wake:
		case <-late.C:
		case <-ctx.Done():
			return nil
		}
		for again := true; again; {
			var err error
			if again, err = c.sendNext(ctx); err != nil {
				return err
			}
			if !again {
				var wait time.Duration
				if wait, again = c.lateAnswers(); wait > 0 {
					late.Reset(wait)
				}
			}
		}
	}
}

// sendNext sends the next updates, one way or the other. It reports whether there may be more to
// send now.
func (c *Client) sendNext(ctx context.Context) (again bool, err error) {
	sent, post := c.nextRequest()
	if !post {
		return sent, nil
	}
	c.pauseAsked(ctx)
	b, s := c.batch()
	if len(b.Updates) == 0 {
		return false, nil
	}
	return true, c.postBatch(ctx, s, b)
}

// batch returns the next batch, and the stream on which its outcome will come.
func (c *Client) batch() (wire.Batch, *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := wire.Batch{
		Client: c.id, Epoch: c.state.epoch, Version: c.state.version, Updates: c.state.unsent(),
	}
	_, _ = hex.Decode(b.Life[:], []byte(c.state.life)) // life is empty, or came from a server
	return b, c.socket
}

// postBatch posts b until the server has judged or refused it, its stream has ended, or ctx is
// done. The next stream sends all pending updates again, so nobody waits for a request of a stream
// that has ended (S5). It returns an error only if the seat is gone.
func (c *Client) postBatch(ctx context.Context, s *socket, b wire.Batch) error {
	ctx, cancel := s.during(ctx)
	defer cancel()
	body := wire.AppendBatch(nil, b)
	query := ""
	if b.Life != ([16]byte{}) && b.Version > 0 {
		query = fmt.Sprintf("life=%x&mark=%d", b.Life, b.Version)
	}
	err := c.persist(
		ctx, func(ctx context.Context) error {
			return c.postOnce(ctx, "/updates", "application/json", query, body)
		},
		func() bool { return c.settled(b) },
	)
	var p *Problem
	switch {
	case errors.As(err, &p) && p.seatIsGone():
		return err
	case errors.As(err, &p):
		c.refused(ctx, s, b.Updates, err)
	case err != nil:
		c.interrupt(s) // Run's error says why
	}
	return nil
}

// persist calls post until it succeeds, with growing pauses. It returns the *Problem if the server
// refuses the request. It returns nil if needless reports after a failure that no retry is
// necessary, and may do so if ctx is done during a pause; otherwise, if ctx is done, it returns
// ctx.Err().
func (c *Client) persist(
	ctx context.Context, post func(context.Context) error, needless func() bool,
) error {
	for delay := firstDelay; ; delay = min(2*delay, lastDelay) {
		err := post(ctx)
		if err == nil {
			return nil
		}
		wait := drawn(delay)
		var p *Problem
		if errors.As(err, &p) {
			if p.Status != http.StatusTooManyRequests && p.Status < http.StatusInternalServerError {
				return err
			}
			wait = max(wait, p.RetryAfter)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.tell(Event{Kind: Retried, Err: err})
		if !pause(ctx, wait) || needless() {
			return nil
		}
	}
}

// interrupt stops posting until the next stream is synchronised, if s is still the latest stream.
// The server may not have got the abandoned request, and must not get later updates before that one
// (T10).
func (c *Client) interrupt(s *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.socket == s {
		c.state.lost()
	}
}

// postOnce posts a body. Nil means a 2xx status: the server has judged every update.
func (c *Client) postOnce(ctx context.Context, path, kind, query string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	r, err := c.cfg.Server.request(
		ctx, http.MethodPost, "api/v1/tables/"+c.cfg.Seat.Table+path, c.cfg.Seat.Token, body,
	)
	if err != nil {
		return err
	}
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", kind)
	_, err = c.cfg.Server.do(r)
	return err
}

// settled reports whether the batch needs no retry. Either none of its updates is pending, or a new
// stream will send those that are (S5).
func (c *Client) settled(b wire.Batch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waits := map[id.ClientSeq]bool{}
	for i := range c.state.pending {
		if n := &c.state.pending[i]; n.sent {
			waits[n.update.Seq] = true
		}
	}
	for i := range b.Updates {
		if waits[b.Updates[i].Seq] {
			return false
		}
	}
	return true
}

// refused drops the updates of a refused batch and asks for the full state (T15).
func (c *Client) refused(ctx context.Context, s *socket, batch []table.Update, why error) {
	c.handling.Lock()
	c.mu.Lock()
	c.events = c.state.refuse(batch, why, c.events[:0])
	c.state.resync = false
	c.mu.Unlock()
	c.handle()
	c.handling.Unlock()
	_ = s.say(ctx, wire.ResyncUp()) // if the stream is broken, the next one brings the full state
}
