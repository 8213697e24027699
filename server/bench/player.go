package bench

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/table"
	"holt/server/zlevel"
)

// player is one client at the table, with what it has met. It drags its pieces, one after the other.
type player struct {
	// Set at construction.
	party  *party
	index  int
	seat   client.Seat
	client *client.Client
	track  *track // of the seat
	rand   *rand.Rand

	joined chan struct{} // closed when the first full state has come
	ended  chan struct{} // closed when the client has ended
	err    error         // why it did; set before ended is closed

	// Owned by play.
	path    wander
	pieces  []id.Piece // its own
	every   []id.Piece // everybody's
	holding id.Piece   // 0: none
	left    int        // moves until the release

	// Owned by the client's Handle; read by others when the client has come to rest.
	opened    time.Duration
	now       time.Duration // when the current frame came
	frame     frame
	seen      map[id.Seat]uint64 // the number of the last move that was received of each seat
	joinTime  time.Duration
	joinBytes int

	interrupted atomic.Bool // the drag has met a conflict or a reject
	counts      counts

	mu sync.Mutex
	// Guarded by mu.
	top zlevel.Level // the highest that it has seen
}

// counts are what a player has met. They only grow.
type counts struct {
	planned, sent, held atomic.Uint64 // moves: due, made, and due but not made because too many were outstanding
	recorded            atomic.Uint64 // own moves acknowledged
	acks                atomic.Uint64 // of all operations
	received            atomic.Uint64 // moves of others
	folded              atomic.Uint64 // moves of others that were told with a later one
	bytes, frames       atomic.Uint64 // that came down the stream
	weighed, weight     atomic.Uint64 // moves of others in frames that held nothing else, and the bytes of these
	wholes              atomic.Uint64 // full states
	rejects, conflicts  atomic.Uint64 // of all operations
	dropped, refused    atomic.Uint64
	moves               atomic.Uint64 // own moves that were rejected, discarded, dropped or refused
	lost, retries       atomic.Uint64 // streams, requests
}

// handle is told what happens to the client.
func (p *player) handle(e *client.Event) {
	c := &p.counts
	switch e.Kind {
	case client.Received:
		p.now = p.party.clock()
		p.count(e.Bytes)
	case client.Whole:
		p.frame.others++
		if c.wholes.Add(1) == 1 {
			p.joinTime, p.joinBytes = p.now-p.opened, p.frame.bytes
			close(p.joined)
		}
		p.raise()
	case client.Updated:
		p.see(e)
	case client.Acked:
		p.frame.others++
		c.acks.Add(1)
		if e.Op == table.OpMove {
			c.recorded.Add(1)
		}
	case client.Rejected, client.Conflict, client.Dropped, client.Refused:
		p.fail(e)
	case client.Lost:
		c.lost.Add(1)
		p.party.complain(e.Err)
	case client.Retried:
		c.retries.Add(1)
		p.party.complain(e.Err)
	default:
		p.frame.others++
	}
}

// frame is what is known of a frame until the next one comes.
type frame struct {
	bytes         int
	moves, others uint64
}

// count counts a frame that has come, and weighs the one before it if it held moves and nothing else.
func (p *player) count(bytes int) {
	c := &p.counts
	c.bytes.Add(uint64(bytes)) //nolint:gosec // a size
	c.frames.Add(1)
	if p.frame.moves > 0 && p.frame.others == 0 {
		c.weighed.Add(p.frame.moves)
		c.weight.Add(uint64(p.frame.bytes)) //nolint:gosec // a size
	}
	p.frame = frame{bytes: bytes}
}

// see measures a move of somebody else.
func (p *player) see(e *client.Event) {
	p.mu.Lock()
	p.top = max(p.top, e.Piece.Z)
	p.mu.Unlock()
	if e.Op != table.OpMove {
		p.frame.others++
		return
	}
	p.frame.moves++
	p.counts.received.Add(1)
	if t := p.party.trackOf(e.By); t != nil {
		n := number(p.party.fromCorner(e.Piece.X, e.Piece.Y))
		p.party.latency.add(t.age(n, p.now))
		p.counts.folded.Add(t.folded(p.seen[e.By], n))
		p.seen[e.By] = n
	}
}

// fail counts an update that came to nothing. The drag is over (T11).
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
		p.party.complain(e.Err)
	}
	if e.Op == table.OpMove {
		c.moves.Add(1)
	}
	p.interrupted.Store(true)
}

// raise looks for the highest level in a full state.
func (p *player) raise() {
	top := zlevel.Level("")
	for _, s := range p.client.View().Pieces {
		top = max(top, s.Z)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.top = max(p.top, top)
}

// above returns a level above all that the player has seen.
func (p *player) above() zlevel.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	if z, err := zlevel.Above(p.top); err == nil {
		p.top = z
	}
	return p.top
}

// movable returns the pieces that a player may drag, in an order that is the same in every view: names are a
// view's own (T21), places are not.
func movable(v *client.View, light func(kind uint32) bool) []id.Piece {
	var found []table.Shown
	for _, s := range v.Pieces {
		if light(s.Kind) && !s.Pinned && !s.Locked && s.Owner == 0 {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b table.Shown) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z), cmp.Compare(a.ZMark, b.ZMark))
	})
	names := make([]id.Piece, len(found))
	for i := range found {
		names[i] = found[i].Name
	}
	return names
}

// prepare deals the pieces out: every player has each n-th.
func (p *player) prepare() {
	v := p.client.View()
	p.every = movable(&v, p.party.light)
	for i := p.index; i < len(p.every); i += p.party.cfg.Players {
		p.pieces = append(p.pieces, p.every[i])
	}
	if len(p.pieces) == 0 && len(p.every) > 0 { // more players than pieces
		p.pieces = p.every[p.index%len(p.every):][:1]
	}
	p.path = wander{rand: p.rand, width: v.Info.Width, height: v.Info.Height}
}

// play drags pieces at the rate until ctx is done, then puts down what it holds. The beat is fixed: a player
// who is late makes the moves that were due meanwhile count as planned and not sent.
func (p *player) play(ctx context.Context) {
	interval := time.Duration(float64(time.Second) / p.party.cfg.Rate)
	due := time.Now().Add(rand.N(interval)) //nolint:gosec // no secret
	beat := time.NewTimer(time.Until(due))
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
		case <-p.ended:
			return
		case <-ctx.Done():
			p.release()
			return
		}
		p.counts.planned.Add(1)
		p.beat()
		due = due.Add(interval)
		for late := time.Since(due); late > interval; late -= interval {
			p.counts.planned.Add(1)
			due = due.Add(interval)
		}
		beat.Reset(time.Until(due))
	}
}

// beat makes one move: with the piece in hand, or with another one that it takes.
func (p *player) beat() {
	if p.interrupted.Swap(false) {
		p.release()
	}
	if p.holding == 0 && !p.grab() {
		p.counts.held.Add(1)
		return
	}
	u := table.Update{Op: table.OpMove, Piece: p.holding, Has: table.HasPiece | table.HasXY}
	x, y := p.path.next()
	x, y = p.track.stamp(x, y, p.party.clock())
	u.X, u.Y = p.party.fromMiddle(x, y)
	switch _, err := p.client.Do(u); {
	case err == nil:
		p.counts.sent.Add(1)
	case errors.Is(err, client.ErrGone):
		p.holding = 0
		return
	default:
		p.counts.held.Add(1)
	}
	if p.left--; p.left <= 0 {
		p.release()
	}
}

// Drags are between one and three seconds long at 30 moves a second.
const (
	shortDrag = 30
	longDrag  = 90
)

// grab takes a piece: one of its own, or, as often as the run wants conflicts, any.
func (p *player) grab() bool {
	from := p.pieces
	if p.rand.Float64() < p.party.cfg.Conflict {
		from = p.every
	}
	if len(from) == 0 {
		return false
	}
	name := from[p.rand.IntN(len(from))]
	s, ok := p.client.Piece(name)
	if !ok {
		return false
	}
	u := table.Update{Op: table.OpGrab, Piece: name, Has: table.HasPiece | table.HasZ, Z: p.above()}
	if _, err := p.client.Do(u); err != nil {
		return false
	}
	p.track.drag.Add(1)
	p.holding, p.left = name, shortDrag+p.rand.IntN(longDrag-shortDrag)
	p.path.start(p.party.fromCorner(s.X, s.Y))
	return true
}

// release puts down what it holds, if it still does.
func (p *player) release() {
	name := p.holding
	p.holding = 0
	if s, ok := p.client.Piece(name); ok && s.Holder == p.seat.Number {
		// If it cannot be sent now, the piece stays held: nobody else is to take it, and nothing is wrong.
		_, _ = p.client.Do(table.Update{Op: table.OpRelease, Piece: name, Has: table.HasPiece})
	}
}
