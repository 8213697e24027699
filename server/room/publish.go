package room

import (
	"slices"

	"holt/server/id"
	"holt/server/stream"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// publish tells every stream what w holds, as its view is shown it. Streams that are told the same share
// one encoding.
func (r *room) publish(w *work) {
	if len(w.items) == 0 || len(r.clients) == 0 {
		return
	}
	shared := sharing{room: r, work: w, views: map[id.Seat]*viewing{}}
	special := w.addressed()
	for _, a := range r.clients {
		if !special[a.id] {
			if frame := shared.frame(a.seat); frame != nil {
				a.stream.Push(frame)
			}
			continue
		}
		r.publishTo(a, w)
	}
}

// addressed returns the clients that get something else than their view.
func (w *work) addressed() map[id.Client]bool {
	special := map[id.Client]bool{}
	for i := range w.items {
		it := &w.items[i]
		if it.entry >= 0 {
			special[w.entries[it.entry].Client] = true
		} else {
			special[it.to] = true
		}
	}
	return special
}

// publishTo tells one client: its own updates are acknowledged, and what happened before a full state is in
// it.
func (r *room) publishTo(a *attached, w *work) {
	var events []*holtpb.Event
	for i := range w.items {
		it := &w.items[i]
		switch {
		case it.full == a:
			events = nil
			a.stream.Full(it.frame)
		case it.full != nil:
		case it.entry >= 0:
			events = r.appendEntry(events, a, &w.entries[it.entry])
		case it.to == a.id || it.to == (id.Client{}):
			events = append(events, it.event)
		}
	}
	if len(events) > 0 {
		r.push(a.stream, a.seat, events)
	}
}

// appendEntry appends what a client is told of an entry: an update, or the ack of its own, or both (T17).
func (r *room) appendEntry(events []*holtpb.Event, a *attached, e *table.Entry) []*holtpb.Event {
	if e.Who != nil {
		return append(events, wire.SeatEvent(e.Who, r.online[e.Who.Seat] > 0))
	}
	before, after, shown := r.table.Shows(e, a.seat)
	own := e.Client == a.id
	if shown && (!own || e.Server) {
		events = append(events, wire.UpdateEvent(e, &before, &after))
	}
	if !own {
		return events
	}
	filled := &holtpb.Piece{Id: uint32(e.Name), Mark: uint64(r.table.MarkAt(a.seat, e.Gen))}
	if shown && !e.Server {
		filled = wire.PieceFilled(&before, &after)
	}
	return append(events, wire.AckEvent(e, filled))
}

// push encodes events for one stream. Whoever is not told everything must not be told more: a frame that
// cannot be encoded ends the stream.
func (r *room) push(s *stream.Client, seat id.Seat, events []*holtpb.Event) {
	if b := r.encode(seat, events); b != nil {
		s.Push(b)
		return
	}
	s.Close(nil, stream.CodeInternal, "frame could not be encoded")
}

func (r *room) encode(seat id.Seat, events []*holtpb.Event) []byte {
	b, err := wire.EncodeFrame(&holtpb.Frame{
		Time: uint64(r.cfg.Now()), Mark: uint64(r.table.MarkAt(seat, r.shown)), Events: events, //nolint:gosec // after 1970
	})
	if err != nil {
		r.log.Error("frame not encoded", "error", err)
		return nil
	}
	return b
}

// sharing makes each view's frame once, and one frame for views that are shown the same.
type sharing struct {
	room   *room
	work   *work
	views  map[id.Seat]*viewing
	frames []*viewing
}

// viewing is what a view is told.
type viewing struct {
	mark  id.Mark
	shown []telling
	frame []byte // nil if there is nothing to tell
}

// telling is one event before it is encoded: comparable, so that equal views are found.
type telling struct {
	entry         int
	before, after table.Shown
	event         *holtpb.Event
}

// frame returns the frame for the view of a seat, nil if it is told nothing.
func (s *sharing) frame(seat id.Seat) []byte {
	name := s.room.table.ViewOf(seat)
	if v := s.views[name]; v != nil {
		return v.frame
	}
	v := &viewing{mark: s.room.table.MarkAt(seat, s.room.shown), shown: s.tell(seat)}
	s.views[name] = v
	for _, same := range s.frames {
		if same.mark == v.mark && slices.Equal(same.shown, v.shown) {
			v.frame = same.frame
			return v.frame
		}
	}
	v.frame = s.encode(seat, v.shown)
	s.frames = append(s.frames, v)
	return v.frame
}

func (s *sharing) tell(seat id.Seat) []telling {
	var all []telling
	for i := range s.work.items {
		it := &s.work.items[i]
		if it.entry < 0 {
			if it.to == (id.Client{}) && it.full == nil {
				all = append(all, telling{entry: -1, event: it.event})
			}
			continue
		}
		e := &s.work.entries[it.entry]
		if e.Who != nil {
			all = append(all, telling{entry: it.entry})
			continue
		}
		if before, after, ok := s.room.table.Shows(e, seat); ok {
			all = append(all, telling{entry: it.entry, before: before, after: after})
		}
	}
	return all
}

func (s *sharing) encode(seat id.Seat, all []telling) []byte {
	if len(all) == 0 {
		return nil
	}
	events := make([]*holtpb.Event, len(all))
	for i := range all {
		t := &all[i]
		switch {
		case t.event != nil:
			events[i] = t.event
		case s.work.entries[t.entry].Who != nil:
			who := s.work.entries[t.entry].Who
			events[i] = wire.SeatEvent(who, s.room.online[who.Seat] > 0)
		default:
			events[i] = wire.UpdateEvent(&s.work.entries[t.entry], &t.before, &t.after)
		}
	}
	return s.room.encode(seat, events)
}
