package room

import (
	"math"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/curve"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// Bounds of motion (S12, S13).
const (
	maxPoints  = 600 // of pieces, of one client in a second
	maxCursors = 25  // points of a cursor, of one client in a second

	minSpan   = 20 // milliseconds of a segment
	maxSpan   = 100
	morePer   = 27   // for so many pieces in a message, because such messages come less often, ...
	moreSpan  = 50   // ... a segment may last so many milliseconds longer
	usualSpan = 50   // of the first segment
	maxLate   = 1000 // milliseconds by which a point may lie in the past
)

// path is where a piece or a cursor was seen, and where it goes.
type path struct {
	curve curve.Curve
	last  wire.Segment // of the last point
	fresh bool         // last has not been published
}

// to lets the path go on to a place that was seen at a time. The segment lasts at most longest
// milliseconds. The first one begins at x0, y0.
func (p *path) to(at, longest id.Millis, x0, y0, x, y int32) {
	span := id.Millis(usualSpan)
	if begun := p.last.Span > 0; begun {
		at = max(at, p.last.From+1)
		span = min(max(at-p.last.From, minSpan), longest)
		// Otherwise the rest of the segment before would show again (K6).
		span = max(span, p.last.From+p.last.Span-at)
		if v, ok := p.curve.Hold(at); ok {
			x0, y0 = v[0], v[1]
		}
	}
	s := wire.Segment{ID: p.last.ID, From: at, Span: span, X0: x0, Y0: y0, X1: x, Y1: y}
	if p.fresh { // one segment a tick (S10)
		s.From, s.X0, s.Y0 = p.last.From, p.last.X0, p.last.Y0
		s.Span = at + span - s.From
	}
	p.last, p.fresh = s, true
	// Add cannot fail: the bounds of what clients send, and of the table, keep the segment within
	// those of curves.
	_ = p.curve.Add(curve.Segment{
		Version: curve.Version{Tick: at}, From: s.From, To: s.From + s.Span, Kind: curve.Linear,
		Start: curve.Value{s.X0, s.Y0}, End: curve.Value{x, y},
	})
	p.curve.Prune(s.From)
}

// motions are the paths of dragged pieces and of cursors (S12, S13), and the times of the last
// frames that had any.
type motions struct {
	pieces  map[id.Piece]*path
	cursors map[id.Seat]*path
	// sent is the time of the last frame that published any of these to all.
	sent id.Millis
	// sentTo is the time of the last frame with motion that only this seat sees. It has only times
	// that are not before sent.
	sentTo map[id.Seat]id.Millis
}

func newMotions() motions {
	return motions{
		pieces: map[id.Piece]*path{}, cursors: map[id.Seat]*path{}, sentTo: map[id.Seat]id.Millis{},
	}
}

// rename notes that a piece was renamed (T21).
func (m *motions) rename(from, to id.Piece) {
	if p := m.pieces[from]; p != nil {
		delete(m.pieces, from)
		p.last.ID = uint32(to)
		m.pieces[to] = p
	}
}

// carry adds points of pieces that the client carries (S12). It ignores points of pieces that the
// seat does not hold: the client will know why once it has got what is on its way to it.
func (r *room) carry(a *attached, m *holtpb.Motion) {
	if r.clients[a.id] != a {
		return
	}
	at, news, common := r.seenAt(m.GetAt()), false, false
	longest := maxSpan + moreSpan*id.Millis(len(m.GetPieces())/morePer)
	for i, said := range m.GetPieces() {
		name, _ := r.table.Find(id.Piece(said), a.seat)
		g := r.grabs[name]
		if g == nil || g.seat != a.seat || !a.motions.take(maxPoints) {
			continue
		}
		p := r.motions.pieces[name]
		if p == nil {
			p = &path{last: wire.Segment{ID: uint32(name)}}
			r.motions.pieces[name] = p
		}
		s, _ := r.table.Look(name)
		x, y := r.table.Within(m.GetX()[i], m.GetY()[i])
		p.to(at, longest, s.X, s.Y, x, y)
		news, common = true, common || len(r.table.Watchers(name)) == 0
	}
	if news {
		r.publishInTick(common)
	}
}

// point adds a point of a client's cursor (S13).
func (r *room) point(a *attached, c *holtpb.Cursor) {
	if r.clients[a.id] != a || !a.points.take(maxCursors) {
		return
	}
	p := r.motions.cursors[a.seat]
	x, y := r.table.Within(c.GetX(), c.GetY())
	if p == nil {
		p = &path{last: wire.Segment{ID: uint32(a.seat)}}
		r.motions.cursors[a.seat] = p
	}
	p.to(r.seenAt(c.GetAt()), maxSpan, x, y, x, y)
	r.publishInTick(true)
}

// seenAt brings the time that a client gave for a point within the last second.
func (r *room) seenAt(at uint64) id.Millis {
	now := r.now()
	if at == 0 || at > math.MaxInt64 {
		return now
	}
	return min(max(id.Millis(at), now-maxLate), now)
}

// gatherMotion adds motion to the tick. Motion that follows an entry which has not been published
// waits until that is.
func (p *publication) gatherMotion() {
	r := p.room
	hands := map[id.Seat][]wire.Segment{}
	for name, m := range r.motions.pieces {
		if !m.fresh || r.grabs[name].gen > r.publishedGen {
			continue
		}
		m.fresh = false
		watchers := r.table.Watchers(name)
		if len(watchers) == 0 {
			p.pieces = append(p.pieces, m.last)
		}
		for _, seat := range watchers {
			hands[seat] = append(hands[seat], m.last)
		}
	}
	for _, m := range r.motions.cursors {
		if m.fresh {
			m.fresh = false
			p.cursors = append(p.cursors, m.last)
		}
	}
	p.motion = r.appendMoving(nil, p.now, p.pieces, p.cursors)
	if len(p.motion) > 0 {
		r.motions.sent = p.now
	}
	p.setTimes(hands)
	p.recordMotion(hands)
	if len(hands) > 0 {
		p.hands = map[id.Seat][]byte{}
	}
	for seat, stretches := range hands {
		p.hands[seat] = r.appendMoving(nil, p.timeFor(seat), stretches, nil)
	}
}

// setTimes notes for which seats the frame of the tick has a later time than for everybody: those
// that just got motion which others do not see. So others cannot tell by the time of a frame that
// there was any.
func (p *publication) setTimes(hands map[id.Seat][]wire.Segment) {
	r := p.room
	for seat, last := range r.motions.sentTo {
		if last < p.now {
			delete(r.motions.sentTo, seat)
			continue
		}
		if p.times == nil {
			p.times = map[id.Seat]id.Millis{}
		}
		p.times[seat] = last + 1
		if len(p.motion) > 0 {
			r.motions.sentTo[seat] = last + 1
		}
	}
	for seat := range hands {
		r.motions.sentTo[seat] = p.timeFor(seat)
	}
}

// timeFor returns the time of the frame for a seat.
func (p *publication) timeFor(seat id.Seat) id.Millis { return max(p.now, p.times[seat]) }

// motionAt returns the motion that everybody sees, as events of a frame made at now.
func (p *publication) motionAt(now id.Millis) []byte {
	if now == p.now {
		return p.motion
	}
	return p.room.appendMoving(nil, now, p.pieces, p.cursors)
}

// moves reports whether there is motion in the tick.
func (p *publication) moves() bool { return len(p.motion) > 0 || len(p.hands) > 0 }

// appendMotion appends all motion that a seat may see to a frame made at now.
func (r *room) appendMotion(frame []byte, now id.Millis, seat id.Seat) []byte {
	var pieces, cursors []wire.Segment
	for name, m := range r.motions.pieces {
		if watchers := r.table.Watchers(name); r.grabs[name].gen <= r.publishedGen &&
			(len(watchers) == 0 || slices.Contains(watchers, seat)) {
			pieces = append(pieces, m.last)
		}
	}
	for _, m := range r.motions.cursors {
		cursors = append(cursors, m.last)
	}
	if len(pieces)+len(cursors) > 0 {
		r.motions.sentTo[seat] = max(r.motions.sentTo[seat], now)
	}
	return r.appendMoving(frame, now, pieces, cursors)
}

// sendMotion sends a client that has just become synchronised the motion that goes on.
func (r *room) sendMotion(a *attached) {
	if a.withoutMotion {
		return
	}
	now := r.nowFor(a.seat)
	head := wire.AppendHead(nil, now, 0)
	if frame := r.appendMotion(head, now, a.seat); len(frame) > len(head) {
		a.stream.Push(frame)
	}
}

// appendMoving appends segments of the paths of pieces and of cursors to a frame made at now.
func (r *room) appendMoving(frame []byte, now id.Millis, pieces, cursors []wire.Segment) []byte {
	frame = r.appendEvents(frame, wire.MotionsEvents(now, pieces))
	return r.appendEvents(frame, wire.CursorsEvents(now, cursors))
}

// appendEvents appends events to a frame. It logs those that cannot be encoded, and leaves them
// out.
func (r *room) appendEvents(frame []byte, events []*holtpb.Event) []byte {
	for _, e := range events {
		var err error
		if frame, err = wire.AppendEvent(frame, e); err != nil {
			r.log.Error("event not encoded", "error", err)
		}
	}
	return frame
}

// allowance counts how much a client has used of what it may use in a second.
type allowance struct {
	since time.Time
	taken int
}

// take takes one of n in a second. It reports false if none is left.
func (a *allowance) take(n int) bool {
	if now := time.Now(); now.Sub(a.since) >= time.Second {
		a.since, a.taken = now, 0
	}
	a.taken++
	return a.taken <= n
}
