package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/id"
	"holt/server/proto/componentpb"
)

// Put sets a value (C17). Like what Do does it is shown at once and posted when there is a stream; until then it is kept, and
// merged when the line is back. Its outcome comes as an event, unless this client writes there again before. The
// errors are ErrNotWhole, ErrNoComponent, ErrTooManyWrite, crdt.ErrDeleted, crdt.ErrSpent and *component.Fault: then nothing has
// happened.
func (c *Client) Put(e crdt.Entity, number uint32, data []byte) error {
	return c.write(crdt.Op{Kind: crdt.Put, Entity: e, Component: number, Data: bytes.Clone(data)}, nil)
}

// Delete deletes a value, as Put sets one.
func (c *Client) Delete(e crdt.Entity, number uint32) error {
	return c.write(crdt.Op{Kind: crdt.Delete, Entity: e, Component: number}, nil)
}

// Append adds an element to a set, as Put sets a value.
func (c *Client) Append(e crdt.Entity, number uint32, data []byte) error {
	return c.write(crdt.Op{Kind: crdt.Append, Entity: e, Component: number, Data: bytes.Clone(data)}, nil)
}

// DeleteEntity deletes a stroke, or all before a second (C16). What this client has written to it before and was not told of is
// given up without a word.
func (c *Client) DeleteEntity(e crdt.Entity) error {
	return c.write(crdt.Op{Kind: crdt.DeleteEntity, Entity: e}, nil)
}

// write makes an operation, and notes who waits for the answer to it, if anybody.
func (c *Client) write(op crdt.Op, q *question) error {
	c.mu.Lock()
	op, err := c.state.parts.write(op)
	if q != nil && err == nil {
		q.timestamp = op.Timestamp
		c.questions = append(c.questions, q)
	}
	c.mu.Unlock()
	if err == nil {
		signal(c.written)
	}
	return err
}

// Component returns a value as the client displays it: what it has written itself lies on top. It is not to be changed. It
// reports false if there is none.
func (c *Client) Component(e crdt.Entity, number uint32) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.parts.told == nil {
		return nil, false
	}
	return c.state.parts.get(e, number)
}

// Components returns operations that make up what an entity has as the client displays it.
func (c *Client) Components(e crdt.Entity) []crdt.Op {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.parts.told == nil || c.state.parts.gone(e) {
		return nil
	}
	return slices.Collect(c.state.parts.shown(e).OpsOf(e))
}

// Digest returns the digest (C20) of all that the client has been told of components, and how many writes of its own are
// outstanding.
func (c *Client) Digest() (d crdt.Digest, outstanding int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.parts.told != nil {
		d = c.state.parts.told.Replica().Digest()
	}
	return d, len(c.state.parts.writes)
}

// answerTime is how long a question may go without an answer before it counts as expired (C18).
const answerTime = 10 * time.Second

// Errors of Ask.
var (
	ErrExpired   = errors.New("the question has not been answered in time")
	ErrOvertaken = errors.New("somebody else has put the question again")
	ErrRefused   = errors.New("the question was refused")
)

// question is one that somebody waits for the answer to.
type question struct {
	entity    crdt.Entity
	component uint32
	timestamp uint32
	end       chan outcome // the first one; later ones say nothing new
}

// outcome is what comes of a question.
type outcome struct {
	answer []byte
	err    error
}

// Ask puts a question and returns the data of its answer (C18). It waits until that is there, and is not to be called by
// Handle. Without a line, or with the server away, ErrExpired comes after 10 s, and the answer may still come later as a component.
// The errors are those of Put and of Ask, and ctx's.
func (c *Client) Ask(ctx context.Context, e crdt.Entity, number uint32, data []byte) ([]byte, error) {
	if schema.Answer(number) == 0 {
		return nil, ErrNoComponent
	}
	q := &question{entity: e, component: number, end: make(chan outcome, 1)}
	defer c.forget(q)
	if err := c.write(crdt.Op{Kind: crdt.Put, Entity: e, Component: number, Data: bytes.Clone(data)}, q); err != nil {
		return nil, err
	}
	expired := time.NewTimer(answerTime)
	defer expired.Stop()
	select {
	case o := <-q.end:
		return o.answer, o.err
	case <-expired.C:
		return nil, ErrExpired
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *Client) forget(q *question) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.questions = slices.DeleteFunc(c.questions, func(o *question) bool { return o == q })
}

// answer tells those who wait what has come of their questions. The caller holds mu.
func (c *Client) answer(events []Event) {
	for i := range events {
		for _, q := range c.questions {
			o, over := c.over(q, &events[i])
			if !over {
				continue
			}
			select {
			case q.end <- o:
			default: // it knows already
			}
		}
	}
}

// over reports whether an event ends a question, and how.
func (c *Client) over(q *question, e *Event) (o outcome, over bool) {
	mine := e.Entity == q.entity && e.Component == q.component && e.Timestamp == q.timestamp
	switch {
	case e.Kind == WriteOvertaken && mine:
		return outcome{err: ErrOvertaken}, true
	case e.Kind == WriteRefused && mine && e.Err != nil:
		return outcome{err: fmt.Errorf("%w: %w", ErrRefused, e.Err)}, true
	case e.Kind == WriteRefused && mine:
		return outcome{err: fmt.Errorf("%w: %v", ErrRefused, e.Refusal)}, true
	case e.Kind == ComponentChanged && e.Entity == q.entity && e.Component == schema.Answer(q.component), e.Kind == Whole:
		return c.answered(q)
	}
	return outcome{}, false
}

// answered reports whether what lies under the answer's key is of this question.
func (c *Client) answered(q *question) (outcome, bool) {
	data, ok := c.state.parts.told.Replica().Get(q.entity, schema.Answer(q.component))
	if !ok {
		return outcome{}, false
	}
	// All answers have the timestamp of their question in their first field.
	of, err := schema.Decode[componentpb.ShuffleResult](data)
	return outcome{answer: data}, err == nil && of.GetOf() == q.timestamp
}

// postWrites sends writes to components, one message at a time, until ctx is done; the error is the problem if the seat is gone.
func (c *Client) postWrites(ctx context.Context) error {
	for {
		select {
		case <-c.written:
		case <-ctx.Done():
			return nil
		}
		for {
			c.mu.Lock()
			var ops []crdt.Op
			if c.state.open {
				ops = c.state.parts.unsent()
			}
			s, query := c.socket, c.state.told()
			c.mu.Unlock()
			if len(ops) == 0 {
				break
			}
			query.Set("client", c.id.String())
			if err := c.postOps(ctx, s, ops, query.Encode()); err != nil {
				return err
			}
		}
	}
}

// postOps posts a message until the server has judged it or refused it, or its stream has ended: the next one sends all again
// that is outstanding.
func (c *Client) postOps(ctx context.Context, s *socket, ops []crdt.Op, query string) error {
	ctx, cancel := s.during(ctx)
	defer cancel()
	var body []byte
	for i := range ops {
		body = crdt.AppendOp(body, &ops[i])
	}
	err := c.persist(ctx, func(ctx context.Context) error { return c.postMessage(ctx, query, body) }, func() bool { return false })
	var p *Problem
	switch {
	case err == nil || !errors.As(err, &p):
		return nil
	case p.seatIsGone():
		return err
	}
	c.handling.Lock()
	defer c.handling.Unlock()
	c.mu.Lock()
	c.events = c.state.parts.fail(ops, err, c.events[:0])
	c.answer(c.events)
	c.mu.Unlock()
	c.handle()
	return nil
}

// postMessage posts a message once.
func (c *Client) postMessage(ctx context.Context, query string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	r, err := c.cfg.Server.request(ctx, http.MethodPost, "api/v1/tables/"+c.cfg.Seat.Table+"/components", c.cfg.Seat.Token, body)
	if err != nil {
		return err
	}
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", "application/x-protobuf")
	_, err = c.cfg.Server.do(r)
	return err
}

// You returns the seat of the client, 0 before the first full state.
func (c *Client) You() id.Seat {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.you
}
