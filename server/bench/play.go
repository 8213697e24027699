package bench

import (
	"context"
	"os"
	"sync"
	"time"
)

// play lets all players play for the duration.
func (p *run) play(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.cfg.Duration)
	defer cancel()
	p.before = p.sample()
	var playing sync.WaitGroup
	for _, pl := range p.players {
		if p.cfg.Motion {
			playing.Go(func() { pl.carry(ctx) })
		} else {
			playing.Go(func() { pl.play(ctx) })
		}
		if p.cfg.writes(pl.index) {
			playing.Go(func() { pl.write(ctx) })
		}
		if p.cfg.Reconnect {
			playing.Go(func() { pl.cutRepeatedly(ctx) })
		}
	}
	playing.Wait()
	p.after = p.sample()
}

// sample holds the counts at one moment.
type sample struct {
	at            time.Duration
	server, bench time.Duration // processor time
	bytes, frames uint64
}

func (p *run) sample() sample {
	self := process{pid: os.Getpid()}
	s := sample{at: p.clock(), server: p.process.cpu(), bench: self.cpu()}
	for _, pl := range p.players {
		s.bytes += pl.counts.bytes.Load()
		s.frames += pl.counts.frames.Load()
	}
	return s
}
