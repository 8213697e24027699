package client

import (
	"slices"
	"testing"
	"time"
)

// pinged runs a pace and returns the seconds in which it pings. At second sleptAt the machine has
// slept for the given time.
func pinged(until, sleptAt int, sleep time.Duration) (at []int) {
	wall := func(ticks time.Duration) time.Duration {
		if ticks >= time.Duration(sleptAt)*time.Second {
			return ticks + sleep + time.Hour
		}
		return ticks + time.Hour
	}
	p := begin(0, wall(0))
	for ticks := time.Duration(0); ticks < time.Duration(until)*time.Second; {
		ping, wait, _ := p.look(ticks, wall(ticks))
		if ping {
			at = append(at, int(ticks/time.Second))
		}
		ticks += wait
	}
	return at
}

// TestPace shows when a client pings, and which jumps of the wall clock count as a sleep (S15).
func TestPace(t *testing.T) {
	for name, row := range map[string]struct {
		sleptAt int
		sleep   time.Duration
		want    []int
	}{
		"S15.5, S15.6 when the stream has its full state, then every 30 s": {
			sleptAt: 1000, want: []int{0, 1, 3, 33, 63, 93},
		},
		"S15.7 twice after a sleep": {
			sleptAt: 39, sleep: time.Hour, want: []int{0, 1, 3, 33, 39, 40, 70},
		},
		"two clocks set by as much are no sleep": {
			sleptAt: 39, sleep: slept / 2, want: []int{0, 1, 3, 33, 63, 93},
		},
		"nor is one that is set back": {
			sleptAt: 39, sleep: -time.Hour, want: []int{0, 1, 3, 33, 63, 93},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pinged(100, row.sleptAt, row.sleep); !slices.Equal(got, row.want) {
				t.Errorf("it pings in seconds %v, want %v", got, row.want)
			}
		})
	}
}
