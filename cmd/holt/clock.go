package main

import (
	"sync"
	"time"

	"holt/server/id"
)

// clock tells the server's time (K1): that of the machine. When the machine's clock is set back it goes on from where it
// was, at the same pace, until the machine's is ahead again.
type clock struct {
	start time.Time

	mu   sync.Mutex
	base time.Duration // Guarded by mu. The server's time when the clock was made, since the Unix epoch.
}

func newClock() *clock {
	start := time.Now()
	return &clock{start: start, base: time.Duration(start.UnixNano())}
}

func (c *clock) now() id.Millis {
	now := time.Now()
	return c.at(time.Duration(now.UnixNano()), now.Sub(c.start))
}

// at is now when the machine's clock shows wall and the given time has elapsed since c was made.
func (c *clock) at(wall, elapsed time.Duration) id.Millis {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = max(c.base, wall-elapsed)
	return id.Millis((c.base + elapsed).Milliseconds())
}
