package bench

import (
	"context"
	"time"

	"holt/server/client"
	"holt/server/id"
)

// slot is the time between two points of a motion, which lie at multiples of it (S12).
const slot = 50 * time.Millisecond

// carry drags pieces by motion until ctx is done: only grab and release are recorded. A point is said at each multiple of
// 50 ms of the server's time; what is due while the grab waits for its ack is held back, as nobody would be told of it.
func (p *player) carry(ctx context.Context) {
	// A message that is given up half-way would take the stream with it.
	say := context.WithoutCancel(ctx)
	last := id.Millis(0)
	beat := time.NewTimer(0)
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
		now, _, ok := p.client.ServerTime()
		if !ok {
			beat.Reset(slot)
			continue
		}
		if at := nearest(now); at > last {
			p.counts.due.Add(due(last, at))
			p.point(say, at)
			last = at
		}
		now, _, _ = p.client.ServerTime()
		beat.Reset(time.Duration(last-now)*time.Millisecond + slot)
	}
}

// nearest returns the multiple of slot that is nearest to a time.
func nearest(t id.Millis) id.Millis {
	ms := id.Millis(slot.Milliseconds())
	return (t + ms/2) / ms * ms
}

// due returns how many points were due after one that was made for a time, up to another: those that were missed, too.
func due(last, at id.Millis) uint64 {
	if last == 0 {
		return 1
	}
	return uint64((at - last) / id.Millis(slot.Milliseconds())) //nolint:gosec // not negative
}

// point says where the piece in hand is seen at a time of the server's, or takes one.
func (p *player) point(ctx context.Context, at id.Millis) {
	if p.interrupted.Swap(false) {
		p.release()
	}
	inHand := p.hand.holding != 0 || p.grab()
	if !inHand || p.grabbed.Load() != p.hand.grab {
		p.counts.held.Add(1)
		return
	}
	if p.hand.since.IsZero() {
		p.hand.since = time.Now()
	}
	_, p.hand.x, p.hand.y = p.step()
	if err := p.client.Carry(ctx, at, client.Place{Piece: p.hand.holding, X: p.hand.x, Y: p.hand.y}); err != nil {
		p.counts.held.Add(1)
	} else {
		p.counts.points.Add(1)
	}
	if p.hand.left--; p.hand.left <= 0 {
		p.release()
	}
}

// watch measures points of others. Those that come back of the player's own the client keeps to itself.
func (p *player) watch(e *client.Event) {
	for i := range e.Stretches {
		s := &e.Stretches[i]
		p.frame.points++
		p.counts.seen.Add(1)
		piece, ok := p.client.Piece(id.Piece(s.ID))
		if !ok {
			continue
		}
		if t := p.party.trackOf(piece.Holder); t != nil {
			if n, ok := t.find(p.party.fromCorner(s.X1, s.Y1)); ok {
				p.measure(t, n)
			}
		}
	}
}

// Motion is what drags by motion have cost. What a player drags itself comes back to it, too, as everybody gets the same
// frame: those bytes are in PerPoint and PerDragSecond, though they only count points and drags of others.
type Motion struct {
	Planned  uint64 `json:"planned"`  // points: 20 × seconds × players
	Sent     uint64 `json:"sent"`     // up the streams
	Received uint64 `json:"received"` // by others; points may be lost, and those of a piece in one tick are told as one
	// PerPoint is the size of a point at a receiver, from frames that held nothing but points.
	PerPoint float64 `json:"bytesPerPoint"`
	// PerDragSecond is all that came down to one receiver, grabs and releases too, by the seconds that others dragged.
	PerDragSecond float64 `json:"bytesPerDragSecond"`
	DragSeconds   float64 `json:"dragSeconds"` // of all players together
	// PerClient is the server's processor time for each client, in percent of one processor; 0 if it cannot be seen.
	PerClient float64 `json:"cpuPercentPerClient"`
}

// motionReport returns what r says of motion; it reads what r says of all else.
func (p *party) motionReport(r *Report) *Motion {
	m := &Motion{PerPoint: p.pointFrames.each(), Received: p.pointsSeen()}
	for _, pl := range p.players {
		c := &pl.counts
		m.Planned += c.due.Load()
		m.Sent += c.points.Load()
		m.DragSeconds += time.Duration(c.carried.Load()).Seconds()
	}
	others := len(p.players) - 1 // each second of a drag is for so many receivers
	if m.DragSeconds > 0 && others > 0 {
		m.PerDragSecond = float64(r.Down.Bytes) / m.DragSeconds / float64(others)
	}
	if r.Server != nil {
		m.PerClient = r.Server.CPUPercent / float64(len(p.players))
	}
	return m
}

// pointsSeen returns how many points of motion the players have received of others.
func (p *party) pointsSeen() (n uint64) {
	for _, pl := range p.players {
		n += pl.counts.seen.Load()
	}
	return n
}
