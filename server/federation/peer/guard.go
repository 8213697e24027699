package peer

import (
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds of what hosts may do that keep to nothing (O35).
const (
	maxRefused    = 1000      // in refusedWithin pause the link
	refusedWithin = time.Hour // as above
	burstOf       = 2         // seconds' worth of requests that may come at once
	perRequest    = 4 << 10   // bytes: a longer request counts as so many as it has of these
)

// guard counts what a host asks for. It is safe for concurrent use.
type guard struct {
	mu sync.Mutex
	// Guarded by mu.
	limits  Limits
	rate    *rate.Limiter
	atOnce  int
	refused []time.Time // the last ones, at most maxRefused; a ring once it is full
	next    int         // of the ring
}

func newGuard(l Limits) *guard {
	g := &guard{}
	g.set(l)
	return g
}

// set changes the limits.
func (g *guard) set(l Limits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits = l
	g.rate = rate.NewLimiter(rate.Limit(l.PerSecond), max(burstOf*l.PerSecond, 1))
}

// wait returns for how long the next request, of so many bytes, has to wait, so that they come no faster than they may (O36).
func (g *guard) wait(now time.Time, bytes int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rate.ReserveN(now, min(1+bytes/perRequest, g.rate.Burst())).DelayFrom(now)
}

// begin counts a request that begins to be carried out.
func (g *guard) begin() (end func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.atOnce >= g.limits.AtOnce {
		return nil, ErrBusy
	}
	g.atOnce++
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.atOnce--
	}), nil
}

// refuse counts a request that was refused. It reports whether there were maxRefused within refusedWithin; then the count begins anew.
func (g *guard) refuse(now time.Time) (tooMany bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.refused) < maxRefused {
		g.refused = append(g.refused, now)
	} else {
		g.refused[g.next] = now
		g.next = (g.next + 1) % maxRefused
	}
	if len(g.refused) < maxRefused || now.Sub(g.refused[g.next]) > refusedWithin {
		return false
	}
	g.refused, g.next = nil, 0
	return true
}

// Times of calling a host that is not there.
const (
	againFirst = time.Second
	againMost  = time.Minute
)

// again returns after how long a host is called once more, after so many failures: twice as long each time, and by chance a
// quarter more or less, so that hosts that have gone together do not come back together.
func again(failures int) time.Duration {
	d := againMost
	if failures < 6 {
		d = min(againFirst<<failures, againMost)
	}
	return d - d/4 + rand.N(d/2) //nolint:gosec // nobody has to be surprised
}

// upgrades are after how long a host that is reached by WebSocket is tried by QUIC again; the last one holds for all that follow.
var upgrades = [...]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute}
