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
		wall []int       // what the machine's clock shows second by second, in ms since start
		want []id.Millis // since start
	}{
		{"K1 it is the machine's", []int{0, 1000, 2000}, []id.Millis{0, 1000, 2000}},
		{"K1 it follows the machine's ahead", []int{0, 5000, 6000}, []id.Millis{0, 5000, 6000}},
		{"K1 it goes on when the machine's is set back", []int{0, 1000, -3_600_000, -3_599_000}, []id.Millis{0, 1000, 2000, 3000}},
		{"K1 and is the machine's when that is ahead again", []int{0, -5000, 1500, 4000}, []id.Millis{0, 1000, 2000, 4000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := &clock{base: start}
			for i, wall := range c.wall {
				if got := clock.at(start+time.Duration(wall)*time.Millisecond, time.Duration(i)*time.Second) - id.Millis(start.Milliseconds()); got != c.want[i] {
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
