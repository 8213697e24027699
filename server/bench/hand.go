package bench

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"holt/server/client"
	"holt/server/id"
	"holt/server/play/table"
)

// hand is what a player is doing.
type hand struct {
	path    wander
	pieces  []id.Piece // its own
	every   []id.Piece // everybody's
	holding id.Piece   // the held piece; 0: none
	grab    uint64     // the sequence of the grab
	drag    uint64     // the number of the drag
	since   time.Time  // since when motion drags the held piece; zero: it does not
	x, y    int32      // where it was dragged last
	left    int        // moves until the release
}

// movable returns the pieces that a player may drag, in an order that is the same in every view. It
// sorts by places, because names differ between views (T21).
func movable(v *client.View, light func(kind uint32) bool) []id.Piece {
	var found []table.Shown
	for _, s := range v.Pieces {
		if light(s.Kind) && !s.Pinned && !s.Locked && s.Owner == 0 {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b table.Shown) int {
		return cmp.Or(
			cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z),
			cmp.Compare(a.ZVersion, b.ZVersion),
		)
	})
	names := make([]id.Piece, len(found))
	for i := range found {
		names[i] = found[i].Name
	}
	return names
}

// prepare gives the player its own pieces: every n-th movable one.
func (p *player) prepare() {
	v := p.client.View()
	p.hand.every = movable(&v, p.run.light)
	for i := p.index; i < len(p.hand.every); i += p.run.cfg.Players {
		p.hand.pieces = append(p.hand.pieces, p.hand.every[i])
	}
	if len(p.hand.pieces) == 0 && len(p.hand.every) > 0 { // more players than pieces
		p.hand.pieces = p.hand.every[p.index%len(p.hand.every):][:1]
	}
	p.hand.path = wander{rand: p.rand, width: v.Info.Width, height: v.Info.Height}
}

// play drags pieces by recorded moves at the rate of the run until ctx is done, then releases the
// held piece. The beat is fixed. If a player is late, the moves that were due meanwhile count as
// planned and not sent.
func (p *player) play(ctx context.Context) {
	interval := time.Duration(float64(time.Second) / p.run.cfg.Rate)
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

// beat makes one move: of the held piece, or of another that it grabs.
func (p *player) beat() {
	if p.interrupted.Swap(false) {
		p.release()
	}
	if p.hand.holding == 0 && !p.grab() {
		p.counts.held.Add(1)
		return
	}
	u := table.Update{Op: table.OpMove, Piece: p.hand.holding, Has: table.HasPiece | table.HasXY}
	n, x, y := p.step()
	u.X, u.Y = x, y
	switch err := p.move(u, n); {
	case err == nil:
		p.counts.sent.Add(1)
	case errors.Is(err, client.ErrGone):
		p.hand.holding = 0
		return
	default:
		p.counts.held.Add(1)
	}
	if p.hand.left--; p.hand.left <= 0 {
		p.release()
	}
}

// step goes one step along the path. It returns the move's number and destination.
func (p *player) step() (n int, x, y int32) {
	x, y = p.hand.path.next()
	n, x, y = p.track.stamp(moved{at: p.run.clock(), player: p.index, drag: p.hand.drag}, x, y)
	x, y = p.run.fromMiddle(x, y)
	return n, x, y
}

// move sends the move with number n.
func (p *player) move(u table.Update, n int) error {
	p.mu.Lock() // an ack waits until the sequence is recorded
	defer p.mu.Unlock()
	seq, err := p.client.Do(u)
	if err == nil {
		p.seqs[seq] = n
	}
	return err
}

// Bounds of the moves, or points, of a drag: between one and three seconds at 30 a second.
const (
	shortDrag = 30
	longDrag  = 90
)

// grab grabs one of the player's own pieces, or any piece with the probability of the run's
// Conflict.
func (p *player) grab() bool {
	from := p.hand.pieces
	if p.rand.Float64() < p.run.cfg.Conflict {
		from = p.hand.every
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
	seq, err := p.client.Do(u)
	if err != nil {
		return false
	}
	p.hand.holding, p.hand.grab, p.hand.drag = name, uint64(seq), p.run.drags.Add(1)
	p.hand.left = shortDrag + p.rand.IntN(longDrag-shortDrag)
	p.hand.path.start(p.run.fromCorner(s.X, s.Y))
	return true
}

// release releases the piece if the player still holds it: at the place of its last point of
// motion, if there is one.
func (p *player) release() {
	name, carried := p.hand.holding, !p.hand.since.IsZero()
	p.hand.holding = 0
	if carried {
		p.counts.carried.Add(int64(time.Since(p.hand.since)))
		p.hand.since = time.Time{}
	}
	s, ok := p.client.Piece(name)
	if !ok || s.Holder != p.seat.Number {
		return
	}
	u := table.Update{Op: table.OpRelease, Piece: name, Has: table.HasPiece}
	if carried {
		u.Has, u.X, u.Y = u.Has|table.HasXY, p.hand.x, p.hand.y
	}
	// If the update cannot be made now, the piece stays held. That is not a fault.
	_, _ = p.client.Do(u)
}
