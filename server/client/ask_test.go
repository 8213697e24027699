package client

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"holt/server/components/crdt"
	"holt/server/components/schema"
	"holt/server/proto/componentpb"
	"holt/server/proto/holtpb"
)

// settled waits until every goroutine is blocked.
func (*booth) settled() { synctest.Wait() }

// asked is the outcome of a question.
type asked struct {
	answer []byte
	err    error
	took   time.Duration
}

// asks sends a question for a roll of piece 1.
func asks(ctx context.Context, c *Client) chan asked {
	done := make(chan asked, 1)
	start := time.Now()
	go func() {
		answer, err := c.Ask(ctx, pieceOne, schema.Roll, nil)
		done <- asked{answer, err, time.Since(start)}
	}()
	synctest.Wait()
	return done
}

// result is the answer to a roll.
func result(timestamp, of, face uint32) crdt.Op {
	data := schema.Encode(&componentpb.RollResult{Of: of, Face: &face})
	return crdt.Op{
		Kind: crdt.Put, Entity: pieceOne, Component: schema.RollResult, Timestamp: timestamp,
		Data: data,
	}
}

// TestAsk shows how a question gets its answer, expires, is refused or is overtaken (C18).
func TestAsk(t *testing.T) {
	roll := crdt.Op{Kind: crdt.Put, Entity: pieceOne, Component: schema.Roll, Timestamp: 1}
	// Clauses: C18.1, C18.2
	in(t, "C18 another component answers a question at its timestamp", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		v.says(frame(20, fullWith(result(6, 5, 3))))
		done := asks(t.Context(), c)
		v.says(frame(21, tells(roll)))
		v.says(frame(22, tells(result(7, 99, 2)))) // for somebody else
		if len(done) > 0 {
			t.Fatalf("it takes %v", <-done)
		}
		v.says(frame(23, tells(result(8, 1, 4))))
		got := <-done
		m, err := schema.Decode[componentpb.RollResult](got.answer)
		if got.err != nil || err != nil || m.GetFace() != 4 {
			t.Errorf("the answer is %v, %v, %v", m, got.err, err)
		}
	})
	// Clauses: C18.5, C18.6
	in(t, "C18 after 10 s a question expires, and a late answer merges", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		v.says(frame(20, fullWith()))
		c.Cut(time.Minute)
		if got := <-asks(t.Context(), c); !errors.Is(got.err, ErrExpired) ||
			got.took != 10*time.Second {
			t.Errorf("after %v: %v", got.took, got.err)
		}
		v = b.visited()
		v.says(frame(20, resumed(), tells(roll, result(1, 1, 4))))
		if data, ok := c.Component(pieceOne, schema.RollResult); !ok ||
			!bytes.Equal(data, result(1, 1, 4).Data) {
			t.Errorf("there is %q", data)
		}
	})
	in(t, "C18, S5 a missed answer is in the full state", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		b.visited().says(frame(20, fullWith()))
		done := asks(t.Context(), c)
		c.ForceFull()
		c.Cut(0)
		b.visited().says(frame(20, fullWith(roll, result(1, 1, 2))))
		if got := <-done; got.err != nil || !bytes.Equal(got.answer, result(1, 1, 2).Data) {
			t.Errorf("%q, %v", got.answer, got.err)
		}
	})
	in(t, "C11, C18 it may be refused, or replaced by another one", func(t *testing.T, b *booth) {
		c, _ := b.running(t)
		v := b.visited()
		v.says(frame(20, fullWith()))
		done := asks(t.Context(), c)
		v.says(frame(21, refusedAs(roll, holtpb.Refusal_REFUSAL_GONE)))
		if got := <-done; !errors.Is(got.err, ErrRefused) {
			t.Errorf("refused: %v", got.err)
		}
		done = asks(t.Context(), c)
		v.says(frame(22,
			tells(crdt.Op{Kind: crdt.Put, Entity: pieceOne, Component: schema.Roll, Timestamp: 9})))
		if got := <-done; !errors.Is(got.err, ErrOvertaken) {
			t.Errorf("overtaken: %v", got.err)
		}
		if _, err := c.Ask(
			t.Context(), pieceOne, schema.Label, textOf("?"),
		); !errors.Is(err, ErrNoComponent) {
			t.Errorf("an invalid question: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done = asks(ctx, c)
		cancel()
		if got := <-done; !errors.Is(got.err, context.Canceled) {
			t.Errorf("given up: %v", got.err)
		}
		if len(c.questions) > 0 {
			t.Errorf("%d questions are kept", len(c.questions))
		}
	})
}
