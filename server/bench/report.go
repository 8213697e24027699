package bench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

// Quantiles are of times in milliseconds. Those below the maximum are rounded up by a 64th at most.
type Quantiles struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Report is what a run has found. Sizes are in bytes, times in milliseconds unless they say otherwise.
type Report struct {
	Config  Config  `json:"config"`
	Seats   int     `json:"seats"`
	Pieces  int     `json:"pieces"` // on the table
	Seconds float64 `json:"seconds"`
	Moves   Moves   `json:"moves"`
	// Latency is from the moment in which a player makes a move, before the request that takes it up, to the moment
	// in which another player's program has the frame that tells it.
	Latency Quantiles `json:"latencyMs"`
	Down    Down      `json:"down"`
	Join    Join      `json:"join"`
	Updates Updates   `json:"updates"`
	Server  *Usage    `json:"server,omitempty"` // absent if it cannot be seen
	Bench   Usage     `json:"bench"`

	Reconnects uint64         `json:"reconnects"`
	Retries    uint64         `json:"retries"`
	Errors     map[string]int `json:"errors,omitempty"` // texts of errors, and how often
	// Compared says how many views were compared with each other, and how many of them with GET as well.
	Compared    int      `json:"viewsCompared"`
	ReadBack    int      `json:"viewsReadBack"`
	Divergences int      `json:"divergences"` // pieces that differ between two views
	Described   []string `json:"described,omitempty"`
}

// Moves counts moves: only the operation move, not grab and release.
type Moves struct {
	Planned  uint64 `json:"planned"` // rate × seconds × players
	Sent     uint64 `json:"sent"`
	Recorded uint64 `json:"recorded"` // acknowledged as durable
	Refused  uint64 `json:"refused"`  // rejected, discarded by a conflict, or refused with their batch
	Received uint64 `json:"received"` // deliveries to others
	Folded   uint64 `json:"folded"`   // deliveries together with a later move of the same drag
	Covered  uint64 `json:"covered"`  // deliveries that a second full state took the place of
	Lost     uint64 `json:"lost"`     // sent and without an outcome, or recorded and not delivered
	Doubled  uint64 `json:"doubled"`  // delivered more often than recorded
}

// Down is what came down the streams while they played.
type Down struct {
	Bytes  uint64 `json:"bytes"` // WebSocket messages with their headers
	Frames uint64 `json:"frames"`
	// PerMove is the size of a move at a receiver, from frames that held nothing but moves.
	PerMove float64 `json:"bytesPerMove"`
	// PerMoveAll is all that came down, acks, grabs and releases too, by the moves received.
	PerMoveAll    float64 `json:"bytesPerMoveAll"`
	MovesPerFrame float64 `json:"movesPerFrame"`
}

// Join is what the players' coming has cost; they came one after the other, to the full table.
type Join struct {
	TimeMs    Quantiles `json:"timeMs"`    // from before the dialling to the full state
	FullBytes int       `json:"fullBytes"` // of the last player's first frame
	LastMs    float64   `json:"lastMs"`
	Bytes     uint64    `json:"bytes"` // down all streams together until the last was in
	Seconds   float64   `json:"seconds"`
}

// Updates counts outcomes of all operations.
type Updates struct {
	Acks      uint64 `json:"acks"`
	Rejects   uint64 `json:"rejects"`
	Conflicts uint64 `json:"conflicts"`
	Dropped   uint64 `json:"dropped"`
	Refused   uint64 `json:"refused"`
	Held      uint64 `json:"held"`      // not made, because too many were outstanding or no piece was free
	Unsettled int    `json:"unsettled"` // without an outcome in the end
}

// Usage is what a process has used while they played.
type Usage struct {
	CPUSeconds float64 `json:"cpuSeconds"`
	CPUPercent float64 `json:"cpuPercent"` // of one processor
	// PerDelivery is processor time by moves received, in microseconds.
	PerDelivery float64 `json:"cpuPerDeliveryUs"`
	RSS         uint64  `json:"rss"`
	PeakRSS     uint64  `json:"peakRss"` // since the process began
}

// sample is what has been used and counted at one moment.
type sample struct {
	at            time.Duration
	server, bench time.Duration // processor time
	bytes, frames uint64
}

func (p *party) sample() sample {
	self := process{pid: os.Getpid()}
	s := sample{at: p.clock(), server: p.process.cpu(), bench: self.cpu()}
	for _, pl := range p.players {
		s.bytes += pl.counts.bytes.Load()
		s.frames += pl.counts.frames.Load()
	}
	return s
}

// play lets all players play for the duration.
func (p *party) play(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.cfg.Duration)
	defer cancel()
	p.before = p.sample()
	var playing sync.WaitGroup
	for _, pl := range p.players {
		playing.Go(func() { pl.play(ctx) })
	}
	playing.Wait()
	p.after = p.sample()
}

func (p *party) report() *Report {
	took := p.after.at - p.before.at
	r := &Report{
		Config: p.cfg, Seats: p.seatsOf(), Pieces: p.table, Seconds: took.Seconds(),
		Latency: p.latency.quantiles(), Compared: len(p.players), ReadBack: p.readBack,
		Divergences: p.differing, Described: p.divergences,
	}
	var weighed, weight uint64
	for _, pl := range p.players {
		r.add(&pl.counts)
		weighed += pl.counts.weighed.Load()
		weight += pl.counts.weight.Load()
	}
	missing, doubled, folded, covered := p.deliveries()
	m := &r.Moves
	m.Covered, m.Doubled, m.Folded = covered, doubled, folded
	m.Lost = missing
	if outcomes := m.Recorded + m.Refused; m.Sent > outcomes {
		m.Lost += m.Sent - outcomes
	}
	r.Updates.Unsettled = p.unsettled
	r.Down = Down{
		Bytes: p.after.bytes - p.before.bytes, Frames: p.after.frames - p.before.frames, PerMove: ratio(weight, weighed),
	}
	r.Down.PerMoveAll, r.Down.MovesPerFrame = ratio(r.Down.Bytes, m.Received), ratio(m.Received, r.Down.Frames)
	r.Join = p.joinReport()
	r.Bench = usage(&process{pid: os.Getpid()}, p.after.bench-p.before.bench, took, m.Received)
	if p.process != nil && p.after.server > 0 {
		u := usage(p.process, p.after.server-p.before.server, took, m.Received)
		r.Server = &u
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

func (p *party) joinReport() Join {
	var times histogram
	for _, pl := range p.players {
		times.add(pl.joinTime)
	}
	last := p.players[len(p.players)-1]
	return Join{
		TimeMs: times.quantiles(), FullBytes: last.joinBytes, LastMs: float64(last.joinTime.Microseconds()) / 1000,
		Bytes: p.joining, Seconds: p.joinTook.Seconds(),
	}
}

func usage(p *process, used, took time.Duration, deliveries uint64) Usage {
	u := Usage{CPUSeconds: used.Seconds(), CPUPercent: 100 * used.Seconds() / took.Seconds()}
	u.PerDelivery = ratio(uint64(used.Microseconds()), deliveries) //nolint:gosec // not negative
	u.RSS, u.PeakRSS = p.memory()
	return u
}

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Faults returns what no run may find, one sentence each; none if all is well.
func (r *Report) Faults() []string {
	var f []string
	if r.Divergences > 0 {
		f = append(f, fmt.Sprintf("%d pieces differ between views that should be the same", r.Divergences))
	}
	if r.Moves.Lost > 0 {
		f = append(f, fmt.Sprintf("%d moves were lost", r.Moves.Lost))
	}
	if r.Moves.Doubled > 0 {
		f = append(f, fmt.Sprintf("%d moves were delivered twice", r.Moves.Doubled))
	}
	if r.Updates.Unsettled > 0 {
		f = append(f, fmt.Sprintf("%d updates never had an outcome", r.Updates.Unsettled))
	}
	return f
}

// WriteTable writes the report for people.
func (r *Report) WriteTable(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	c := &r.Config
	row("run", "%s, %d players, %d pieces, %g moves/s each, %.1f s, conflict %g, seed %d", c.Game, c.Players, r.Pieces, c.Rate, r.Seconds, c.Conflict, c.Seed)
	row("moves", "%d planned, %d sent, %d recorded, %d refused", r.Moves.Planned, r.Moves.Sent, r.Moves.Recorded, r.Moves.Refused)
	row("deliveries", "%d received, %d with a later one, %d covered by a full state, %d lost, %d doubled", r.Moves.Received, r.Moves.Folded, r.Moves.Covered, r.Moves.Lost, r.Moves.Doubled)
	row("latency to a receiver", "%s", r.Latency)
	row("down the streams", "%.1f bytes a move, %.1f with all else; %.2f moves a frame; %d bytes", r.Down.PerMove, r.Down.PerMoveAll, r.Down.MovesPerFrame, r.Down.Bytes)
	row("join", "%s; last %.2f ms, %d bytes of state", r.Join.TimeMs, r.Join.LastMs, r.Join.FullBytes)
	row("all joins", "%d bytes down all streams, %.2f s", r.Join.Bytes, r.Join.Seconds)
	u := &r.Updates
	row("updates", "%d acks, %d rejects, %d conflicts, %d dropped, %d refused, %d held back, %d without outcome", u.Acks, u.Rejects, u.Conflicts, u.Dropped, u.Refused, u.Held, u.Unsettled)
	if r.Server != nil {
		row("server", "%s", r.Server)
	}
	row("this program", "%s", r.Bench)
	row("network", "%d reconnects, %d requests again", r.Reconnects, r.Retries)
	for _, text := range slices.Sorted(maps.Keys(r.Errors)) {
		row("  error", "%d times: %s", r.Errors[text], text)
	}
	row("views", "%d compared, %d also with GET: %d divergences", r.Compared, r.ReadBack, r.Divergences)
	for _, text := range r.Described {
		row("  divergence", "%s", text)
	}
	return w.Flush()
}

func (q Quantiles) String() string {
	return fmt.Sprintf("p50 %.2f, p90 %.2f, p99 %.2f, max %.2f ms", q.P50, q.P90, q.P99, q.Max)
}

func (u Usage) String() string {
	const mb = 1 << 20
	return fmt.Sprintf("%.2f s of CPU (%.0f %% of one), %.1f µs a delivery; %d MB resident, %d MB at most", u.CPUSeconds, u.CPUPercent, u.PerDelivery, u.RSS/mb, u.PeakRSS/mb)
}
