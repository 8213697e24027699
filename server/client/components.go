package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
)

// Put sets a value (C17). Like Do, it displays the value at once and posts it when a stream is
// open. Until then it keeps the write, and the server merges it later. The outcome comes as an
// event, unless this client writes to the same component again before. The errors are
// ErrNotSynchronised, ErrNoComponent, ErrTooManyWrite, crdt.ErrDeleted, crdt.ErrSpent and
// *schema.Fault. After an error nothing has changed.
func (c *Client) Put(e crdt.Entity, number uint32, data []byte) error {
	return c.write(
		crdt.Op{Kind: crdt.Put, Entity: e, Component: number, Data: bytes.Clone(data)}, nil,
	)
}

// Delete deletes a value. It behaves like Put.
func (c *Client) Delete(e crdt.Entity, number uint32) error {
	return c.write(crdt.Op{Kind: crdt.Delete, Entity: e, Component: number}, nil)
}

// Append adds an element to a set. It behaves like Put.
func (c *Client) Append(e crdt.Entity, number uint32, data []byte) error {
	return c.write(
		crdt.Op{Kind: crdt.Append, Entity: e, Component: number, Data: bytes.Clone(data)}, nil,
	)
}

// DeleteEntity deletes a stroke, or all strokes made before a second (C16). It drops this client's
// pending writes to that entity without an event. Otherwise it behaves like Put.
func (c *Client) DeleteEntity(e crdt.Entity) error {
	return c.write(crdt.Op{Kind: crdt.DeleteEntity, Entity: e}, nil)
}

// write makes an operation. If q is not nil, it records that q waits for the answer.
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

// Component returns a value as the client displays it, with the client's own pending writes on top.
// The caller must not modify it. It reports false if there is no value.
func (c *Client) Component(e crdt.Entity, number uint32) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.parts.confirmed == nil {
		return nil, false
	}
	return c.state.parts.get(e, number)
}

// Digest returns the digest (C20) of all components that the server sent, and the number of the
// client's pending writes.
func (c *Client) Digest() (d crdt.Digest, outstanding int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.parts.confirmed != nil {
		d = c.state.parts.confirmed.Replica().Digest()
	}
	return d, len(c.state.parts.writes)
}

// answerTime is how long Ask waits for an answer (C18).
const answerTime = 10 * time.Second

// Errors of Ask.
var (
	ErrExpired   = errors.New("the question has not been answered in time")
	ErrOvertaken = errors.New("somebody else has put the question again")
	ErrRefused   = errors.New("the question was refused")
)

// question is a question of Ask that waits for its answer.
type question struct {
	entity    crdt.Entity
	component uint32
	timestamp uint32
	end       chan outcome // capacity 1: only the first outcome counts
}

// outcome is the answer to a question, or an error.
type outcome struct {
	answer []byte
	err    error
}

// Ask asks a question and returns the data of its answer (C18). It waits for the answer, so Handle
// must not call it. The errors are those of Put, ErrExpired, ErrOvertaken, ErrRefused and that of
// ctx. Without a stream, or if the server does not answer, Ask returns ErrExpired after 10 s. The
// answer may still come later as a component.
func (c *Client) Ask(
	ctx context.Context, e crdt.Entity, number uint32, data []byte,
) ([]byte, error) {
	if schema.Answer(number) == 0 {
		return nil, ErrNoComponent
	}
	q := &question{entity: e, component: number, end: make(chan outcome, 1)}
	defer c.forget(q)
	if err := c.write(
		crdt.Op{Kind: crdt.Put, Entity: e, Component: number, Data: bytes.Clone(data)}, q,
	); err != nil {
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

// answer passes the outcomes in events to the questions that wait for them. The caller holds mu.
func (c *Client) answer(events []Event) {
	for i := range events {
		for _, q := range c.questions {
			o, over := c.over(q, &events[i])
			if !over {
				continue
			}
			select {
			case q.end <- o:
			default: // it has an outcome already
			}
		}
	}
}

// over reports whether an event ends a question, and returns the outcome.
func (c *Client) over(q *question, e *Event) (o outcome, over bool) {
	mine := e.Entity == q.entity && e.Component == q.component && e.Timestamp == q.timestamp
	switch {
	case e.Kind == WriteOvertaken && mine:
		return outcome{err: ErrOvertaken}, true
	case e.Kind == WriteRefused && mine && e.Err != nil:
		return outcome{err: fmt.Errorf("%w: %w", ErrRefused, e.Err)}, true
	case e.Kind == WriteRefused && mine:
		return outcome{err: fmt.Errorf("%w: %v", ErrRefused, e.Refusal)}, true
	case e.Kind == ComponentChanged && e.Entity == q.entity &&
		e.Component == schema.Answer(q.component), e.Kind == Synchronised:
		return c.answered(q)
	}
	return outcome{}, false
}

// answered reports whether the value under the answer's key answers this question.
func (c *Client) answered(q *question) (outcome, bool) {
	data, ok := c.state.parts.confirmed.Replica().Get(q.entity, schema.Answer(q.component))
	if !ok {
		return outcome{}, false
	}
	// The first field of every answer is the timestamp of its question.
	of, err := schema.Decode[componentpb.ShuffleResult](data)
	return outcome{answer: data}, err == nil && of.GetOf() == q.timestamp
}

// postWrites posts pending writes, one message at a time, until ctx is done. It returns the
// *Problem if the seat is gone, else nil.
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
			s, query := c.socket, c.state.resumeParams()
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

// postOps posts a message until the server has judged or refused it, or its stream has ended. The
// next stream sends all pending writes again. It returns an error only if the seat is gone.
func (c *Client) postOps(ctx context.Context, s *socket, ops []crdt.Op, query string) error {
	ctx, cancel := s.during(ctx)
	defer cancel()
	var body []byte
	for i := range ops {
		body = crdt.AppendOp(body, &ops[i])
	}
	err := c.persist(
		ctx, func(ctx context.Context) error {
			return c.postOnce(ctx, "/components", "application/x-protobuf", query, body)
		},
		func() bool { return false },
	)
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
