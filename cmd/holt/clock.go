package main

import (
	"sync"
	"time"

	"holt/server/id"
)

// clock tells the time of the server in two ways. steady is that of the tables (K1), and of the objects on them: it begins with
// what the machine's clock shows when the server starts, and goes on at the pace of time. When the machine's clock is set ahead
// or back, or the machine sleeps, it does not follow: else a running chess clock would lose or gain that time (K13). now follows
// when the machine's clock is set ahead, as that of other servers does whose vouchers it judges, and never goes back.
type clock struct {
	// Set at construction.
	first time.Duration // what the machine's clock showed then, since the Unix epoch
	read  func() (wall, elapsed time.Duration)

	mu   sync.Mutex
	base time.Duration // Guarded by mu. The time of now when the clock was made.
}

func newClock() *clock { return clockOf(machineTime()) }

// machineTime returns what reads the machine's clock, and what has elapsed since now.
func machineTime() func() (wall, elapsed time.Duration) {
	start := time.Now()
	return func() (wall, elapsed time.Duration) {
		now := time.Now()
		return time.Duration(now.UnixNano()), now.Sub(start)
	}
}

// tableTime returns the time of the tables of a server that starts now.
func tableTime(read func() (wall, elapsed time.Duration)) func() id.Millis {
	return clockOf(read).steady
}

// clockOf returns a clock by what the machine's clock shows, and what has elapsed since it was made.
func clockOf(read func() (wall, elapsed time.Duration)) *clock {
	wall, elapsed := read()
	return &clock{first: wall - elapsed, base: wall - elapsed, read: read}
}

func (c *clock) steady() id.Millis {
	_, elapsed := c.read()
	return id.Millis((c.first + elapsed).Milliseconds())
}

func (c *clock) now() id.Millis {
	wall, elapsed := c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = max(c.base, wall-elapsed)
	return id.Millis((c.base + elapsed).Milliseconds())
}
