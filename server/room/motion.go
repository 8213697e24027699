package room

import (
	"math"
	"slices"
	"time"

	"holt/server/curve"
	"holt/server/id"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// Bounds of motion (S12, S13).
const (
	maxPoints  = 600 // of pieces, of one client in a second
	maxCursors = 25  // points of a cursor, of one client in a second

	minSpan   = 20 // milliseconds of a segment
	maxSpan   = 100
	morePer   = 27   // for so many pieces in a message, which then come less often, ...
	moreSpan  = 50   // ... so many milliseconds more
	usualSpan = 50   // where there was no point before
	maxLate   = 1000 // milliseconds by which a point may lie in the past
)

// path is where a piece or a cursor was seen, and goes.
type path struct {
	curve curve.Curve
	last  wire.Stretch // the last point's
	fresh bool         // last has not been told
}

// to lets the path go on to a place that was seen at a time, for longest milliseconds at most. Without any before it, it
// begins at x0, y0.
func (p *path) to(at, longest id.Millis, x0, y0, x, y int32) {
	span := id.Millis(usualSpan)
	if begun := p.last.Span > 0; begun {
		at = max(at, p.last.From+1)
		span = min(max(at-p.last.From, minSpan), longest)
		span = max(span, p.last.From+p.last.Span-at) // or what is left of the segment before would show again (K6)
		if v, ok := p.curve.Hold(at); ok {
			x0, y0 = v[0], v[1]
		}
	}
	s := wire.Stretch{ID: p.last.ID, From: at, Span: span, X0: x0, Y0: y0, X1: x, Y1: y}
	if p.fresh { // one segment a tick (S10)
		s.From, s.X0, s.Y0 = p.last.From, p.last.X0, p.last.Y0
		s.Span = at + span - s.From
	}
	p.last, p.fresh = s, true
	// The bounds of what clients send, and of the table, keep it within those of curves.
	_ = p.curve.Add(curve.Segment{
		Version: curve.Version{Tick: at}, From: s.From, To: s.From + s.Span, Kind: curve.Linear,
		Start: curve.Value{s.X0, s.Y0}, End: curve.Value{x, y},
	})
	p.curve.Prune(s.From)
}

// carry takes points of what a client carries (S12). Those that it may not say anything about are ignored: the client
// will know why when it has got what is on its way to it.
func (r *room) carry(a *attached, m *holtpb.Motion) {
	if r.clients[a.id] != a {
		return
	}
	at, news := r.seenAt(m.GetAt()), false
	longest := maxSpan + moreSpan*id.Millis(len(m.GetPieces())/morePer)
	for i, said := range m.GetPieces() {
		name, _ := r.table.Find(id.Piece(said), a.seat)
		g := r.grips[name]
		if g == nil || g.seat != a.seat || !a.motions.take(maxPoints) {
			continue
		}
		p := r.moving[name]
		if p == nil {
			p = &path{last: wire.Stretch{ID: uint32(name)}}
			r.moving[name] = p
		}
		s, _ := r.table.Look(name)
		x, y := r.table.Within(m.GetX()[i], m.GetY()[i])
		p.to(at, longest, s.X, s.Y, x, y)
		news = true
	}
	if news {
		r.flushSoon()
	}
}

// point takes where a client points (S13).
func (r *room) point(a *attached, c *holtpb.Cursor) {
	if r.clients[a.id] != a || !a.points.take(maxCursors) {
		return
	}
	p := r.pointers[a.seat]
	x, y := r.table.Within(c.GetX(), c.GetY())
	if p == nil {
		p = &path{last: wire.Stretch{ID: uint32(a.seat)}}
		r.pointers[a.seat] = p
	}
	p.to(r.seenAt(c.GetAt()), maxSpan, x, y, x, y)
	r.flushSoon()
}

// seenAt puts the time right at which a client says to have seen something.
func (r *room) seenAt(at uint64) id.Millis {
	now := r.now()
	if at == 0 || at > math.MaxInt64 {
		return now
	}
	return min(max(id.Millis(at), now-maxLate), now)
}

// gatherMotion takes what moves into the tick. What follows an entry that has not been told waits until that is.
func (p *publication) gatherMotion() {
	var pieces, cursors []wire.Stretch
	hands := map[id.Seat][]wire.Stretch{}
	for name, m := range p.room.moving {
		if !m.fresh || p.room.grips[name].gen > p.room.shown {
			continue
		}
		m.fresh = false
		watchers := p.room.table.Watchers(name)
		if len(watchers) == 0 {
			pieces = append(pieces, m.last)
		}
		for _, seat := range watchers {
			hands[seat] = append(hands[seat], m.last)
		}
	}
	for _, m := range p.room.pointers {
		if m.fresh {
			m.fresh = false
			cursors = append(cursors, m.last)
		}
	}
	p.motion = p.room.appendEvents(nil, wire.MotionsEvents(p.now, pieces))
	p.motion = p.room.appendEvents(p.motion, wire.CursorsEvents(p.now, cursors))
	for seat, stretches := range hands {
		if p.hands == nil {
			p.hands = map[id.Seat][]byte{}
		}
		p.hands[seat] = p.room.appendEvents(nil, wire.MotionsEvents(p.now, stretches))
	}
	if p.moves() {
		p.room.moved = p.now
	}
}

// moves reports whether there is motion in the tick.
func (p *publication) moves() bool { return len(p.motion) > 0 || len(p.hands) > 0 }

// appendMotion appends all that moves, as a seat may see it, to a frame made at now.
func (r *room) appendMotion(frame []byte, now id.Millis, seat id.Seat) []byte {
	var pieces, cursors []wire.Stretch
	for name, m := range r.moving {
		if watchers := r.table.Watchers(name); r.grips[name].gen <= r.shown && (len(watchers) == 0 || slices.Contains(watchers, seat)) {
			pieces = append(pieces, m.last)
		}
	}
	for _, m := range r.pointers {
		cursors = append(cursors, m.last)
	}
	r.moved = max(r.moved, now)
	frame = r.appendEvents(frame, wire.MotionsEvents(now, pieces))
	return r.appendEvents(frame, wire.CursorsEvents(now, cursors))
}

// tellMotion tells a client that has just become whole what moves.
func (r *room) tellMotion(a *attached) {
	now := r.now()
	head := wire.AppendHead(nil, now, 0)
	if frame := r.appendMotion(head, now, a.seat); len(frame) > len(head) {
		a.stream.Push(frame)
	}
}

// appendEvents appends events that hold nothing but numbers: there is nothing in them that cannot be encoded.
func (r *room) appendEvents(frame []byte, events []*holtpb.Event) []byte {
	for _, e := range events {
		var err error
		if frame, err = wire.AppendEvent(frame, e); err != nil {
			r.log.Error("motion not encoded", "error", err)
		}
	}
	return frame
}

// allowance is how much a client has taken of what it may take in a second.
type allowance struct {
	since time.Time
	taken int
}

// take takes one of n in a second. It reports false if there is none left.
func (a *allowance) take(n int) bool {
	if now := time.Now(); now.Sub(a.since) >= time.Second {
		a.since, a.taken = now, 0
	}
	a.taken++
	return a.taken <= n
}
