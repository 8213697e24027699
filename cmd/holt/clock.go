package main

import (
	"sync"
	"time"

	"holt/server/id"
)

// clock gives the time of the server in two ways.
//
// steady is the time of the tables (K1), and of the objects on them. It begins with the time of the
// machine's clock when the server starts, and goes on at the pace of real time. It does not follow
// when the machine's clock is set forward or back, or when the machine sleeps: otherwise a running
// chess clock would lose or gain that time (K13).
//
// now follows when the machine's clock is set forward, and never goes back. The server judges
// vouchers of other servers by it, and their clocks are corrected, too.
type clock struct {
	// Set at construction.
	first time.Duration // the machine's clock at the start, since the Unix epoch
	read  func() (wall, elapsed time.Duration)

	mu   sync.Mutex
	base time.Duration // Guarded by mu. The time of now when the clock was made.
}

func newClock() *clock { return clockOf(machineTime()) }

// machineTime returns a function that reads the machine's clock, and the time elapsed since the
// call of machineTime.
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

// clockOf returns a clock. read returns the time of the machine's clock, and the time elapsed since
// a fixed moment.
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
