package bench

import (
	"context"
	"time"

	"holt/server/client"
	"holt/server/id"
)

// slot is the time between two points of motion. Points lie at multiples of it (S12).
const slot = 50 * time.Millisecond

// carry drags pieces by motion until ctx is done. Only grab and release are recorded. It sends a
// point at each multiple of 50 ms of the server's time. It holds back points that are due while the
// grab waits for its ack, because the server would publish them to nobody.
func (p *player) carry(ctx context.Context) {
	// A message that is aborted half-way would end the stream.
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

// due returns how many points were due after last, up to at, including missed ones. It returns 1 if
// there was no last one.
func due(last, at id.Millis) uint64 {
	if last == 0 {
		return 1
	}
	return uint64((at - last) / id.Millis(slot.Milliseconds())) //nolint:gosec // not negative
}

// point grabs a piece if none is held, and sends where the held piece is seen at a time of the
// server's.
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
	if err := p.client.Carry(
		ctx, at, client.Place{Piece: p.hand.holding, X: p.hand.x, Y: p.hand.y},
	); err != nil {
		p.counts.held.Add(1)
	} else {
		p.counts.points.Add(1)
	}
	if p.hand.left--; p.hand.left <= 0 {
		p.release()
	}
}

// watch measures points of others. The client does not report the player's own points.
func (p *player) watch(e *client.Event) {
	for i := range e.Segments {
		s := &e.Segments[i]
		p.frame.points++
		p.counts.seen.Add(1)
		piece, ok := p.client.Piece(id.Piece(s.ID))
		if !ok {
			continue
		}
		if t := p.run.trackOf(piece.Holder); t != nil {
			if n, ok := t.find(p.run.fromCorner(s.X1, s.Y1)); ok {
				p.measure(t, n)
			}
		}
	}
}

// Motion is the cost of drags by motion. Everybody gets the same frame, so a player also receives
// what it drags itself. Those bytes count in PerPoint and PerDragSecond, which divide by points and
// drags of others only.
type Motion struct {
	Planned uint64 `json:"planned"` // points: 20 × seconds × players
	Sent    uint64 `json:"sent"`    // by the players
	// By others. Points may be lost, and those of a piece in one tick are published as one.
	Received uint64 `json:"received"`
	// PerPoint is the size of a point at a receiver, from frames that held only points.
	PerPoint float64 `json:"bytesPerPoint"`
	// PerDragSecond is all bytes to one receiver, also those of grabs and releases, divided by the
	// seconds that others dragged.
	PerDragSecond float64 `json:"bytesPerDragSecond"`
	DragSeconds   float64 `json:"dragSeconds"` // of all players together
	// PerClient is the server's processor time for each client, in percent of one processor; 0 if
	// unknown.
	PerClient float64 `json:"cpuPercentPerClient"`
}

// motionReport returns the report on motion. It needs r.Down and r.Server.
func (p *run) motionReport(r *Report) *Motion {
	m := &Motion{PerPoint: p.pointFrames.each(), Received: p.pointsSeen()}
	for _, pl := range p.players {
		c := &pl.counts
		m.Planned += c.due.Load()
		m.Sent += c.points.Load()
		m.DragSeconds += time.Duration(c.carried.Load()).Seconds()
	}
	others := len(p.players) - 1 // each second of a drag has this many receivers
	if m.DragSeconds > 0 && others > 0 {
		m.PerDragSecond = float64(r.Down.Bytes) / m.DragSeconds / float64(others)
	}
	if r.Server != nil {
		m.PerClient = r.Server.CPUPercent / float64(len(p.players))
	}
	return m
}

// pointsSeen returns how many points of motion of others the players have received.
func (p *run) pointsSeen() (n uint64) {
	for _, pl := range p.players {
		n += pl.counts.seen.Load()
	}
	return n
}
