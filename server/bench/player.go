package bench

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
	"holt/server/play/zlevel"
)

// player is one client at the table, with its counts. It drags its pieces one after the other.
type player struct {
	// Set at construction.
	run    *run
	index  int
	seat   client.Seat
	client *client.Client
	track  *track // of the seat
	rand   *rand.Rand

	joined chan struct{} // closed after the first full state
	ended  chan struct{} // closed when the client has ended
	err    error         // why it ended; set before ended is closed

	// Owned by play.
	hand hand

	// Owned by write, except where a comment says that something is guarded.
	pen     *rand.Rand
	writing writing

	// Owned by the client's Handle. Others read it when the client is at rest.
	opened    time.Duration // when the client began to open the stream
	now       time.Duration // when the current frame came
	frame     frame
	joinTime  time.Duration
	joinBytes int

	here        atomic.Bool   // it has a stream that has synchronised it
	interrupted atomic.Bool   // the drag met a conflict or a reject
	cut         atomic.Bool   // the bench is cutting its stream
	grabbed     atomic.Uint64 // sequence of the last acknowledged grab
	counts      counts

	mu sync.Mutex
	// Guarded by mu.
	top     zlevel.Level         // the highest Z level that it has seen
	seqs    map[id.ClientSeq]int // its pending moves: sequence -> number
	got     map[id.Seat]numbers  // moves of others that it received, by seat
	doubled uint64               // moves that it received more than once
	fullAt  time.Duration        // when the last full state except the first came; 0: none
}

// counts has what happened to a player. The counts never decrease.
type counts struct {
	// Moves: due, made, and due but not made because too many were pending.
	planned, sent, held atomic.Uint64
	recorded            atomic.Uint64 // own acknowledged moves
	acks                atomic.Uint64 // of all operations
	received            atomic.Uint64 // moves of others
	bytes, frames       atomic.Uint64 // received on the stream
	due, points, seen   atomic.Uint64 // points of motion: due, sent, and received of others
	carried             atomic.Int64  // nanoseconds of drags by motion
	fulls               atomic.Uint64 // full states
	rejects, conflicts  atomic.Uint64 // of all operations
	dropped, refused    atomic.Uint64
	moves               atomic.Uint64 // own moves that were rejected, discarded, dropped or refused
	lost, retries       atomic.Uint64 // streams lost, requests retried
}

// handle receives the events of the client.
func (p *player) handle(e *client.Event) {
	c := &p.counts
	switch e.Kind {
	case client.Opening:
		p.opened = p.run.clock()
	case client.Received:
		p.now = p.run.clock()
		p.count(e.Bytes)
	case client.Synchronised, client.Resumed:
		p.frame.others++
		p.made(e.Kind)
	case client.Updated:
		p.see(e)
	case client.Moved:
		p.watch(e)
	case client.Acked:
		p.frame.others++
		c.acks.Add(1)
		p.acked(e)
	case client.Rejected, client.Conflict, client.Dropped, client.Refused:
		p.fail(e)
	case client.ComponentChanged:
		p.frame.others++
		p.reads(e)
	case client.WriteTaken, client.WriteOvertaken, client.WriteRefused:
		p.frame.others++
		p.wrote(e)
	case client.Lost:
		p.here.Store(false)
		p.writing.cutOff(&p.run.texts)
		p.track.connect(never)
		c.lost.Add(1)
		if !p.cut.Swap(false) {
			p.run.recordError(e.Err)
		}
	case client.Retried:
		c.retries.Add(1)
		p.run.recordError(e.Err)
	default:
		p.frame.others++
	}
}

// made measures how long a stream took to synchronise the client.
func (p *player) made(how client.EventKind) {
	took := p.now - p.opened
	switch {
	case how == client.Resumed:
		p.run.resumed.add(took, p.frame.bytes)
	case p.counts.fulls.Add(1) == 1:
		p.joinTime, p.joinBytes = took, p.frame.bytes
		close(p.joined)
	default:
		if !p.here.Load() { // else it is another one on the same stream
			p.run.renewed.add(took, p.frame.bytes)
		}
		p.mu.Lock()
		p.fullAt = p.now
		p.mu.Unlock()
	}
	if !p.here.Swap(true) {
		p.frame.late = true
		p.track.connect(p.now)
	}
	if how == client.Synchronised {
		p.learnTopLevel()
	}
}

// frame describes the current frame until the next one comes.
type frame struct {
	bytes                 int
	late                  bool // it brought what was missed without a stream
	moves, points, others uint64
}

// count counts a new frame. It adds the previous frame to the sizes if that one held only moves, or
// only points.
func (p *player) count(bytes int) {
	c := &p.counts
	c.bytes.Add(uint64(bytes)) //nolint:gosec // a size
	c.frames.Add(1)
	f := &p.frame
	switch {
	case f.others > 0:
	case f.points == 0:
		p.run.moveFrames.add(f.moves, f.bytes)
	case f.moves == 0:
		p.run.pointFrames.add(f.points, f.bytes)
	default:
	}
	*f = frame{bytes: bytes}
}

// weights sums the sizes of frames that hold only one sort of news. It is safe for concurrent use.
type weights struct{ news, bytes atomic.Uint64 }

// add adds a frame that holds news. It ignores a frame without news.
func (w *weights) add(news uint64, bytes int) {
	if news > 0 {
		w.news.Add(news)
		w.bytes.Add(uint64(bytes)) //nolint:gosec // a size
	}
}

// each returns the average number of bytes for one piece of news.
func (w *weights) each() float64 { return ratio(w.bytes.Load(), w.news.Load()) }

// see measures a move by somebody else.
func (p *player) see(e *client.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.top = max(p.top, e.Piece.Z)
	if e.Op != table.OpMove {
		p.frame.others++
		return
	}
	p.frame.moves++
	p.counts.received.Add(1)
	t := p.run.trackOf(e.By)
	if t == nil {
		return
	}
	n, ok := t.find(p.run.fromCorner(e.Piece.X, e.Piece.Y))
	if !ok {
		return
	}
	p.measure(t, n)
	got := p.got[e.By]
	if !got.add(n) {
		p.doubled++
	}
	p.got[e.By] = got
}

// measure records the latency of a move or a point, unless its sender or this player was
// disconnected meanwhile.
func (p *player) measure(t *track, n int) {
	if age, ok := t.age(n, p.now); ok && !p.frame.late {
		p.run.latency.add(age)
	}
}

// acked takes an acknowledged update of the player's own.
func (p *player) acked(e *client.Event) {
	switch e.Op {
	case table.OpMove:
		p.counts.recorded.Add(1)
		p.mu.Lock()
		defer p.mu.Unlock()
		if n, ok := p.seqs[e.Seq]; ok {
			p.track.record(n)
			delete(p.seqs, e.Seq)
		}
	case table.OpGrab:
		p.grabbed.Store(uint64(e.Seq))
	default:
	}
}

// fail counts an update that had no effect. It ends the drag (T11).
func (p *player) fail(e *client.Event) {
	c := &p.counts
	p.frame.others++
	switch e.Kind {
	case client.Rejected:
		c.rejects.Add(1)
	case client.Conflict:
		c.conflicts.Add(1)
	case client.Dropped:
		c.dropped.Add(1)
	default:
		c.refused.Add(1)
		p.run.recordError(e.Err)
	}
	if e.Op == table.OpMove {
		c.moves.Add(1)
		p.mu.Lock()
		delete(p.seqs, e.Seq)
		p.mu.Unlock()
	}
	p.interrupted.Store(true)
}

// learnTopLevel takes the highest Z level of a full state.
func (p *player) learnTopLevel() {
	top := zlevel.Level("")
	for _, s := range p.client.View().Pieces {
		top = max(top, s.Z)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.top = max(p.top, top)
}

// above returns a Z level above all that the player has seen.
func (p *player) above() zlevel.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	if z, err := zlevel.Above(p.top); err == nil {
		p.top = z
	}
	return p.top
}
