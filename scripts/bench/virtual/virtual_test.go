package virtual

import (
	"errors"
	"slices"
	"testing"
	"time"

	"holt/server/transport/simline"
)

const ms = time.Millisecond

// echo answers each packet, and repeats its own every 100 ms.
type echo struct {
	due      time.Duration
	answers  int
	received [2][]time.Duration
	restless bool
	err      error
}

func (e *echo) Receive(now time.Duration, side int, _ []byte) error {
	e.received[side] = append(e.received[side], now)
	if side == 1 {
		e.answers++
	}
	return e.err
}

func (e *echo) Next(now time.Duration, side int, to []byte) ([]byte, bool) {
	switch {
	case side == 0 && now >= e.due:
		e.due += 100 * ms
	case side == 1 && e.answers > 0:
		e.answers--
	default:
		return to, false
	}
	return append(to, 1, 2, 3), true
}

func (e *echo) Wake(side int) (time.Duration, bool) {
	if e.restless {
		return 0, true
	}
	return e.due, side == 0
}

func TestWorld(t *testing.T) {
	pair := func() simline.Pair {
		return simline.NewPair(simline.Config{Delay: 20 * ms}, simline.Config{Delay: 5 * ms}, 1)
	}
	t.Run("packets are sent when an end wants to, and come when the line says", func(t *testing.T) {
		e := &echo{}
		w := New(e, pair())
		if err := w.Run(250 * ms); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{20 * ms, 120 * ms, 220 * ms}; !slices.Equal(e.received[1], want) {
			t.Errorf("came at %v, want %v", e.received[1], want)
		}
		if want := []time.Duration{25 * ms, 125 * ms, 225 * ms}; !slices.Equal(e.received[0], want) {
			t.Errorf("answers came at %v, want %v", e.received[0], want)
		}
		if w.Now() != 250*ms {
			t.Errorf("it is %v", w.Now())
		}
	})
	t.Run("an end that is never content is an error", func(t *testing.T) {
		if err := New(&echo{restless: true}, pair()).Run(ms); !errors.Is(err, ErrStill) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the error of an end is returned", func(t *testing.T) {
		e := &echo{err: errors.New("no")}
		if err := New(e, pair()).Run(time.Second); !errors.Is(err, e.err) {
			t.Errorf("got %v", err)
		}
	})
}
