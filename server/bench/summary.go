package bench

import (
	"maps"
	"os"
	"time"
)

// report returns the report of the run.
func (p *run) report() *Report {
	took := p.after.at - p.before.at
	r := &Report{
		Config: p.cfg, Seats: p.seatsOf(), Pieces: p.table, Seconds: took.Seconds(),
		Latency: p.latency.quantiles(), Join: p.joinReport(), Compared: len(p.players),
		ReadBack:    p.readBack,
		Divergences: p.differing, Described: p.divergences,
	}
	for _, pl := range p.players {
		r.add(&pl.counts)
	}
	d := p.deliveries()
	m := &r.Moves
	m.Covered, m.Doubled, m.Folded, m.Lost = d.covered, d.doubled, d.folded, d.missing
	if outcomes := m.Recorded + m.Refused; m.Sent > outcomes {
		m.Lost += m.Sent - outcomes
	}
	r.Updates.Unsettled = p.unsettled
	r.Down = p.downReport(m.Received)
	received := m.Received + p.pointsSeen()
	r.Bench = usage(&process{pid: os.Getpid()}, p.after.bench-p.before.bench, took, received)
	if p.process != nil && p.after.server > 0 {
		u := usage(p.process, p.after.server-p.before.server, took, received)
		r.Server = &u
	}
	if p.cfg.Motion {
		r.Motion = p.motionReport(r)
	}
	if p.cfg.Writers > 0 {
		r.Writes = p.writesReport()
	}
	if p.cfg.Reconnect {
		r.Reconnect = &Reconnect{Resumed: p.resumed.report(), Full: p.renewed.report()}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r.Errors = maps.Clone(p.complaints)
	return r
}

func (r *Report) add(c *counts) {
	r.Moves.Planned += c.planned.Load()
	r.Moves.Sent += c.sent.Load()
	r.Moves.Recorded += c.recorded.Load()
	r.Moves.Refused += c.moves.Load()
	r.Moves.Received += c.received.Load()
	r.Updates.Acks += c.acks.Load()
	r.Updates.Rejects += c.rejects.Load()
	r.Updates.Conflicts += c.conflicts.Load()
	r.Updates.Dropped += c.dropped.Load()
	r.Updates.Refused += c.refused.Load()
	r.Updates.Held += c.held.Load()
	r.Reconnects += c.lost.Load()
	r.Retries += c.retries.Load()
}

func (p *run) downReport(moves uint64) Down {
	d := Down{
		Bytes: p.after.bytes - p.before.bytes, Frames: p.after.frames - p.before.frames,
		PerMove: p.moveFrames.each(),
	}
	d.PerMoveAll, d.MovesPerFrame = ratio(d.Bytes, moves), ratio(moves, d.Frames)
	return d
}

func (p *run) joinReport() Join {
	var times histogram
	for _, pl := range p.players {
		times.add(pl.joinTime)
	}
	last := p.players[len(p.players)-1]
	return Join{
		TimeMs: times.quantiles(), FullBytes: last.joinBytes,
		LastMs:   float64(last.joinTime.Microseconds()) / 1000,
		PerPiece: ratio(uint64(last.joinBytes), uint64(p.table)), //nolint:gosec // not negative
		Bytes:    p.joining, Seconds: p.joinTook.Seconds(),
	}
}

func usage(p *process, used, took time.Duration, received uint64) Usage {
	u := Usage{CPUSeconds: used.Seconds(), CPUPercent: 100 * used.Seconds() / took.Seconds()}
	u.PerDelivery = ratio(uint64(used.Microseconds()), received) //nolint:gosec // not negative
	u.RSS, u.PeakRSS = p.memory()
	return u
}

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
