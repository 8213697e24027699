package room

import (
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/stream"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// historyKept is how many entries a room keeps at least, as soon as there are so many, for clients that come back (S5).
const historyKept = 2048

// resumable returns those of the entries behind a snapshot that somebody who comes back may have missed: not those
// before the first seat, when there was nobody.
func resumable(told []table.Entry) []table.Entry {
	first := slices.IndexFunc(told, func(e table.Entry) bool { return e.Who != nil && e.Who.Seat == 1 })
	return slices.Clone(told[max(first, len(told)-2*historyKept, 0):])
}

// keep adds what has been told to the kept history. Twice as much as need be is kept at most, so that it is moved rarely.
func (r *room) keep(entries []table.Entry) {
	if over := len(r.history) + len(entries) - 2*historyKept; over > 0 {
		drop := min(max(over, len(r.history)-historyKept), len(r.history))
		r.history = append(r.history[:0], r.history[drop:]...)
	}
	r.history = append(r.history, entries...)
}

// missed returns what was told after the entry of a generation. It reports false if the history does not go back so far: to
// that entry itself. What has been told since might otherwise begin with what only others were told, and whoever comes back
// would learn of it by being told everything anew.
func (r *room) missed(g id.Generation) ([]table.Entry, bool) {
	begin := r.remembered()
	if g <= begin || g > r.shown {
		return nil, false
	}
	return r.history[g-begin:], true // no generation is left out
}

// remembered returns the generation from which the history goes on: what lies before it nobody is told again.
func (r *room) remembered() id.Generation {
	if len(r.history) == 0 {
		return r.shown
	}
	return r.history[0].Gen - 1
}

// resume makes a stream whole by what its client has missed, if that is known. It reports false if it is not (S5).
func (r *room) resume(a *attached, h Hello) bool {
	if h.Mark == 0 || h.Epoch != r.row.Epoch {
		return false
	}
	g, ok := r.table.GenAt(a.seat, h.Mark)
	if !ok {
		return false
	}
	missed, ok := r.missed(g)
	if !ok {
		return false
	}
	frame, err := r.resumption(a, missed, h.Seq)
	if err != nil {
		r.log.Error("frame not encoded", "error", err)
		a.stream.Close(nil, stream.CodeInternal, "frame could not be encoded")
		return true
	}
	a.stream.Whole(frame)
	r.tellMotion(a)
	return true
}

// resumption returns the frame that tells a client what it has missed, as it would have been told, but for notices: who has
// gone on with the last mark may have been told them (T28).
func (r *room) resumption(a *attached, missed []table.Entry, seq id.ClientSeq) ([]byte, error) {
	w := work{entries: missed}
	for i := range missed {
		if missed[i].Who == nil { // the seats are told as they are
			w.items = append(w.items, item{entry: i})
		}
	}
	frame := wire.AppendHead(nil, r.now(), r.table.MarkAt(a.seat, r.shown))
	frame, err := wire.AppendEvent(frame, wire.ResumedEvent(r.everySeat()))
	p := publication{room: r, work: &w}
	p.fold()
	for i := range w.items {
		e := &w.entries[w.items[i].entry]
		if (e.Client != a.id || e.Server) && !e.Notice {
			s := p.show(i, a.seat)
			err = errors.Join(err, s.err)
			frame = s.append(frame, r.table.MarkAt(a.seat, e.Gen))
		}
		if e.Client == a.id {
			var failed error
			frame, failed = wire.AppendEvent(frame, p.ack(e, a.seat))
			err = errors.Join(err, failed)
		}
	}
	frame = r.appendHolds(frame, touched(missed))
	if seq > 0 {
		for _, ack := range r.table.Acks(a.id, seq, r.shown) {
			var failed error
			frame, failed = wire.AppendEvent(frame, wire.RepeatEvent(ack))
			err = errors.Join(err, failed)
		}
	}
	return frame, err
}

// everySeat returns the seats as clients see them.
func (r *room) everySeat() []*holtpb.Seat {
	seats := r.table.Seats()
	all := make([]*holtpb.Seat, len(seats))
	for i := range seats {
		all[i] = wire.Seat(&seats[i], r.presence(seats[i].Seat))
	}
	return all
}
