package bench

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// When streams are cut: each player's for about half a second, after about a second and a half of playing.
const (
	minOnline = time.Second
	maxOnline = 2 * time.Second
	minAway   = 250 * time.Millisecond
	maxAway   = 750 * time.Millisecond
)

// flicker cuts the stream of a player again and again until ctx is done. Every second player asks to be made whole by the
// full state, the others take up where they were cut: of these, nothing may be lost.
func (p *player) flicker(ctx context.Context) {
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
			p.client.Forget()
		}
		p.cut.Store(true)
		p.client.Cut(between(minAway, maxAway))
	}
}

func between(a, b time.Duration) time.Duration { return a + rand.N(b-a) } //nolint:gosec // no secret

// comebacks measures streams that were opened again. It is safe for concurrent use.
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

// Reconnect is what it took to come back while the others played on.
type Reconnect struct {
	Resumed Comeback `json:"resumed"` // by what was missed
	Full    Comeback `json:"full"`    // by the full state
}

// Comeback is what it took to be made whole by a stream that was opened again.
type Comeback struct {
	TimeMs Quantiles `json:"timeMs"`         // from before the dialling until the first frame has been processed
	Bytes  float64   `json:"bytesPerStream"` // of that frame, on average
}
