package main

import (
	"testing"
	"time"

	"holt/server/id"
)

func TestClock(t *testing.T) {
	const start = 1_780_000_000_000 * time.Millisecond
	for _, c := range []struct {
		name string
		wall []time.Duration // of the machine's clock behind start, second by second
		want []id.Millis     // since start
	}{
		{"K1 it is the machine's", []time.Duration{0, 1000, 2000}, []id.Millis{0, 1000, 2000}},
		{"K1 it follows the machine's ahead", []time.Duration{0, 5000, 6000}, []id.Millis{0, 5000, 6000}},
		{"K1 it goes on when the machine's is set back", []time.Duration{0, 1000, -3_600_000, -3_599_000}, []id.Millis{0, 1000, 2000, 3000}},
		{"K1 and is the machine's when that is ahead again", []time.Duration{0, -5000, 1500, 4000}, []id.Millis{0, 1000, 2000, 4000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &clock{base: start}
			for i, wall := range c.wall {
				if got := clock.at(start+wall*time.Millisecond, time.Duration(i)*time.Second) - id.Millis(start.Milliseconds()); got != c.want[i] {
					t.Errorf("after %d s it shows %d, want %d", i, got, c.want[i])
				}
			}
		})
	}
	t.Run("K1 it tells the time", func(t *testing.T) {
		before := id.Millis(time.Now().UnixMilli())
		if got := newClock().now(); got < before || got > id.Millis(time.Now().UnixMilli()) {
			t.Errorf("it shows %d, after %d", got, before)
		}
	})
}
