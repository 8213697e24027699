package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holt/scripts/bench/lines/trace"
)

const ms = time.Millisecond

// three returns three messages. The last one waits for the first.
func three() trace.Trace {
	return trace.Trace{{Size: 20, Lanes: []int{0}}, {At: 3 * ms, Size: 5, Lanes: []int{1}},
		{At: 3 * ms, Size: 30, Lanes: []int{0, 1}, Deps: []int{0}}}
}

func TestBout(t *testing.T) {
	// executed returns a bout whose messages were sent, and executed in the given order.
	executed := func(order ...int) *bout {
		b := newBout(three())
		b.sending(0, 3)
		for _, n := range order {
			b.execute(b.message(n))
		}
		return b
	}
	t.Run("messages have the recorded size, and room for their number", func(t *testing.T) {
		b := newBout(three())
		for n, want := range []int{20, markSize, 30} {
			if got := len(b.message(n)); got != want {
				t.Errorf("message %d has %d bytes, want %d", n, got, want)
			}
		}
	})
	t.Run("it ends when all are executed", func(t *testing.T) {
		for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}} {
			b := executed(order[:2]...)
			select {
			case <-b.done:
				t.Fatal("it is over before the last")
			default:
			}
			b.execute(b.message(order[2]))
			<-b.done
			if b.err != nil {
				t.Error(b.err)
			}
		}
	})
	t.Run("a message that does not wait is a violation", func(t *testing.T) {
		if got := executed(0, 2, 1).violations; got != 0 {
			t.Errorf("%d violations in order", got)
		}
		if got := executed(1, 2, 0).violations; got != 1 {
			t.Errorf("%d violations, want 1", got)
		}
	})
	for name, wrong := range map[string]func(b *bout){
		"a message executed twice": func(b *bout) {
			b.execute(b.message(0))
			b.execute(b.message(0))
		},
		"a message that was not sent yet": func(b *bout) { b.execute(b.message(2)) },
		"a message that is too short":     func(b *bout) { b.execute(b.message(0)[:19]) },
		"a message without a number":      func(b *bout) { b.execute([]byte("12345678901234567890")) },
		"a message with an invalid number": func(b *bout) {
			b.execute(append(slices.Clone(mark), 0, 0, 0, 3))
		},
		"a carrier that breaks down": func(b *bout) { b.breakOff(errMessage) },
	} {
		t.Run("it ends by "+name, func(t *testing.T) {
			b := newBout(three())
			b.sending(0, 2)
			wrong(b)
			<-b.done
			if b.err == nil {
				t.Error("there is no error")
			}
			b.breakOff(errors.New("a second one")) // it does not count, and does no harm
		})
	}
	t.Run("messages are found in packets, and count on first arrival", func(t *testing.T) {
		b := newBout(three())
		b.sending(0, 3)
		b.find(append([]byte{1, 2, 3}, b.message(1)...))
		first := b.arrived[1]
		b.find(slices.Concat(b.message(2), []byte{9}, b.message(1), mark, []byte{0, 0, 0, 99}))
		if b.arrived[0] != 0 || first == 0 || b.arrived[1] != first || b.arrived[2] < first {
			t.Errorf("arrived at %v, the second at first at %v", b.arrived, first)
		}
	})
}

// carry is a carrier made of a function.
type carry func(first, end int)

func (c carry) send(first, end int) { c(first, end) }
func (carry) close()                {}

func TestPlay(t *testing.T) {
	t.Run("messages are sent at their time, concurrent ones together", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBout(three())
			begun := time.Now()
			var sent []time.Duration
			err := b.play(t.Context(), carry(func(first, end int) {
				sent = append(sent, time.Since(begun))
				for n := first; n < end; n++ {
					b.execute(b.message(n))
				}
			}))
			if want := []time.Duration{0, 3 * ms}; err != nil || !slices.Equal(sent, want) {
				t.Errorf("sent at %v, want %v: %v", sent, want, err)
			}
		})
	})
	t.Run("it ends when a message does not arrive", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBout(three())
			err := b.play(t.Context(), carry(func(int, int) {}))
			if err == nil || !strings.Contains(err.Error(), "3 of 3") {
				t.Errorf("got %v", err)
			}
		})
	})
	t.Run("it ends on an error or a cancellation", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBout(three())
			if err := b.play(t.Context(),
				carry(func(int, int) { b.breakOff(errFrame) })); !errors.Is(err, errFrame) {
				t.Errorf("got %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := newBout(three()).play(ctx, carry(func(int, int) {})); !errors.Is(err,
				context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	})
}

func TestOrders(t *testing.T) {
	b := newBout(trace.Trace{
		{Size: 9, Lanes: []int{4}}, {Size: 9, Lanes: []int{7}}, {Size: 9},
		{Size: 9, Lanes: []int{4, 7}, Deps: []int{0, 1, 2}},
		{Size: 9, Lanes: []int{7}, Deps: []int{3}}, {Size: 9},
	})
	for name, o := range map[string]struct {
		of   order
		want [][]int
	}{
		"one channel":        {ordered, [][]int{nil, {0}, {1}, {2}, {3}, {4}}},
		"one for each piece": {perPiece, [][]int{nil, nil, nil, {0}, {1}, {2}}},
		"as recorded":        {graph, [][]int{nil, nil, nil, {0, 1, 2}, {3}, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			last := map[int]int{}
			for n := range b.trace {
				if got := o.of(b, n, last); !slices.Equal(got, o.want[n]) {
					t.Errorf("message %d waits for %v, want %v", n, got, o.want[n])
				}
			}
		})
	}
}
