package bench

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Bounds of the random times for which a player is connected and disconnected.
const (
	minOnline = time.Second
	maxOnline = 2 * time.Second
	minAway   = 250 * time.Millisecond
	maxAway   = 750 * time.Millisecond
)

// cutRepeatedly cuts the stream of a player repeatedly until ctx is done. Every second player asks
// for the full state. The others resume where they were cut, and must not miss anything.
func (p *player) cutRepeatedly(ctx context.Context) {
	for {
		select {
		case <-time.After(between(minOnline, maxOnline)):
		case <-p.ended:
			return
		case <-ctx.Done():
			return
		}
		if !p.here.Load() {
			continue
		}
		if p.index%2 == 1 {
			p.client.ForceFull()
		}
		p.cut.Store(true)
		p.client.Cut(between(minAway, maxAway))
	}
}

func between(a, b time.Duration) time.Duration {
	return a + rand.N(b-a) //nolint:gosec // not a secret
}

// comebacks measures reopened streams. It is safe for concurrent use.
type comebacks struct {
	times histogram
	bytes atomic.Uint64
}

func (c *comebacks) add(took time.Duration, bytes int) {
	c.times.add(took)
	c.bytes.Add(uint64(bytes)) //nolint:gosec // a size
}

func (c *comebacks) report() Comeback {
	return Comeback{TimeMs: c.times.quantiles(), Bytes: ratio(c.bytes.Load(), c.times.total.Load())}
}

// Reconnect is the cost of reconnecting while the others go on playing.
type Reconnect struct {
	Resumed Comeback `json:"resumed"` // with what was missed
	Full    Comeback `json:"full"`    // with the full state
}

// Comeback is the cost of being synchronised by a reopened stream.
type Comeback struct {
	TimeMs Quantiles `json:"timeMs"`         // from before dialling until the first frame
	Bytes  float64   `json:"bytesPerStream"` // size of that frame, on average
}
