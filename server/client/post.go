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

// postTimeout bounds one request. A server that does not answer in time has perhaps recorded the batch: it is
// posted again under the same sequences (T10).
const postTimeout = 30 * time.Second

// post sends what is outstanding, one request at a time; what is made meanwhile goes into the next (http.md).
// It ends when ctx is done, or with the problem if the seat is gone.
func (c *Client) post(ctx context.Context) error {
	for {
		select {
		case <-c.wake:
		case <-ctx.Done():
			return nil
		}
		for {
			b, s := c.batch()
			if len(b.Updates) == 0 {
				break
			}
			if err := c.postBatch(ctx, s, b); err != nil {
				return err
			}
		}
	}
}

// batch returns what is to be posted, and the stream in which the outcome is to come.
func (c *Client) batch() (wire.Batch, *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := wire.Batch{Client: c.id, Epoch: c.state.epoch, Mark: c.state.mark, Updates: c.state.unsent()}
	_, _ = hex.Decode(b.Life[:], []byte(c.state.life)) // it is empty, or what a server has sent
	return b, c.socket
}

// postBatch posts b until the server has judged it or refused it, its stream has ended, or ctx is done. The next stream
// takes what is outstanding into its own hands: a request on a line that is gone is not waited for (S5).
func (c *Client) postBatch(ctx context.Context, s *socket, b wire.Batch) error {
	ctx, cancel := s.during(ctx)
	defer cancel()
	body := wire.AppendBatch(nil, b)
	query := ""
	if b.Life != ([16]byte{}) && b.Mark > 0 {
		query = fmt.Sprintf("life=%x&mark=%d", b.Life, b.Mark)
	}
	err := c.persist(ctx, func(ctx context.Context) error { return c.postOnce(ctx, query, body) }, func() bool { return c.settled(b) })
	var p *Problem
	switch {
	case errors.As(err, &p) && p.seatIsGone():
		return err
	case errors.As(err, &p):
		c.refused(ctx, s, b.Updates, err)
	case err != nil:
		c.interrupt(s) // what Run returns says why
	}
	return nil
}

// persist posts something until it is through: nil, or the *Problem with which the server has refused it. If ctx is done
// meanwhile the error is another one; if it need not be posted any more after a failure, nil.
func (c *Client) persist(ctx context.Context, post func(context.Context) error, needless func() bool) error {
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

// interrupt lets nothing more be posted until the next stream is whole, if s is still the latest. What was in the request
// that was given up may not have come to the server, and nothing that was made later may come before it (T10).
func (c *Client) interrupt(s *socket) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.socket == s {
		c.state.lost()
	}
}

// postOnce posts a body. Nil means 2xx: every update has been judged.
func (c *Client) postOnce(ctx context.Context, query string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	r, err := c.cfg.Server.request(ctx, http.MethodPost, "api/v1/tables/"+c.cfg.Seat.Table+"/updates", c.cfg.Seat.Token, body)
	if err != nil {
		return err
	}
	r.URL.RawQuery = query
	_, err = c.cfg.Server.do(r)
	return err
}

// settled reports whether a batch need not be posted again: nothing of it is outstanding, or a full state has
// taken what is into its own hands (S5).
func (c *Client) settled(b wire.Batch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waits := map[id.ClientSeq]bool{}
	for i := range c.state.notes {
		if n := &c.state.notes[i]; n.sent {
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

// refused gives up the updates of a batch and asks for the full state (T15).
func (c *Client) refused(ctx context.Context, s *socket, batch []table.Update, why error) {
	c.handling.Lock()
	c.mu.Lock()
	c.events = c.state.refuse(batch, why, c.events[:0])
	c.state.resync = false
	c.mu.Unlock()
	c.handle()
	c.handling.Unlock()
	_ = s.say(ctx, wire.ResyncUp()) // if the stream is broken, the next one brings it
}
