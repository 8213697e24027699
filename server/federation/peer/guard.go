package peer

import (
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds for hosts that ignore the rules (O35), and for requests (O36).
const (
	maxRefused    = 1000      // this many within refusedWithin pause the link
	refusedWithin = time.Hour // as above
	burstOf       = 2         // seconds' worth of requests that may come at once
	perRequest    = 4 << 10   // bytes: a long request counts once more for each such part
)

// guard counts the requests of a host. It is safe for concurrent use.
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

// wait returns for how long the next request must wait, so that requests come no faster than they
// may (O36). bytes is its length.
func (g *guard) wait(now time.Time, bytes int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.rate.ReserveN(now, min(1+bytes/perRequest, g.rate.Burst())).DelayFrom(now)
}

// begin counts a request until end is called. The error is ErrBusy if too many are being carried
// out.
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

// refuse counts a refused request. It reports whether there were maxRefused within refusedWithin.
// Then the count begins again.
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

// How long to wait between calls of a host that cannot be reached.
const (
	againFirst = time.Second
	againMost  = time.Minute
)

// again returns after how long a host is called again after so many failures. The time doubles up
// to againMost, and is a quarter longer or shorter at random. So hosts that went down together do
// not come back together.
func again(failures int) time.Duration {
	d := againMost
	if failures < 6 {
		d = min(againFirst<<failures, againMost)
	}
	return d - d/4 + rand.N(d/2) //nolint:gosec // no secret depends on it
}

// upgrades are after how long QUIC is tried again for a host that is reached by WebSocket. The last
// one applies to all further tries.
var upgrades = [...]time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute}
