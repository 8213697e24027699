package room

import (
	"errors"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// missedEntries returns what a seat was sent after the entry that has the version mark in its view.
// It reports false if the history may lack something that the view was sent since.
func (r *room) missedEntries(seat id.Seat, version id.Version) ([]table.Entry, bool) {
	view := r.table.ViewOf(seat)
	g, ok := r.table.GenAt(seat, version)
	floor := r.history.floorOf(view)
	if !ok || g > r.publishedGen || g < floor && r.table.VersionAt(seat, floor) != version {
		return nil, false
	}
	return r.history.after(g, seat, view), true
}

// mayResume returns what the client of a seat has missed since its last stream. It reports false if
// that is not known (S5).
func (r *room) mayResume(seat id.Seat, h Hello) ([]table.Entry, bool) {
	if h.Version == 0 || h.Epoch != r.row.Epoch {
		return nil, false
	}
	return r.missedEntries(seat, h.Version)
}

// sendMissed synchronises a stream by what its client has missed.
func (r *room) sendMissed(a *attached, missed []table.Entry, seq id.ClientSeq) {
	frame, err := r.resumption(a, missed, seq)
	if err != nil {
		r.closeUnencodable(a, err)
		return
	}
	a.stream.Synchronise(frame)
	r.sendMotion(a)
}

// resumption returns the frame that sends a client what it has missed, as it would have come.
func (r *room) resumption(a *attached, missed []table.Entry, seq id.ClientSeq) ([]byte, error) {
	w := work{entries: missed}
	for i := range missed {
		if missed[i].Who == nil && missed[i].Set == nil { // seats and sets are sent as they are now
			w.items = append(w.items, item{entry: i})
		}
	}
	frame := wire.AppendHead(nil, r.now(), r.table.VersionAt(a.seat, r.publishedGen))
	resumed := wire.ResumedEvent(r.everySeat(), wire.GuestSets(r.table.Sets()), r.row.Catalog[:])
	resumed.GetResumed().Life = r.serverLife.bytes()
	frame, err := wire.AppendEvent(frame, resumed)
	if r.space.level > 0 {
		var failed error
		frame, failed = wire.AppendEvent(frame, wire.SpaceEvent(r.space.level))
		err = errors.Join(err, failed)
	}
	if r.undo.question != nil {
		var failed error
		frame, failed = wire.AppendEvent(frame, r.questionEvent(a.seat))
		err = errors.Join(err, failed)
	}
	if r.round != nil {
		var failed error
		frame, failed = wire.AppendEvent(frame, r.roundEvent(a.seat))
		err = errors.Join(err, failed)
	}
	if r.succession.open {
		var failed error
		frame, failed = wire.AppendEvent(frame, r.successionEvent())
		err = errors.Join(err, failed)
	}
	p := publication{room: r, work: &w}
	p.fold()
	for i := range w.items {
		e := &w.entries[w.items[i].entry]
		if e.Client != a.id || e.Server {
			s := p.show(i, a.seat)
			err = errors.Join(err, s.err)
			frame = s.append(frame, r.table.VersionAt(a.seat, e.Gen))
		}
		if e.Client == a.id {
			var failed error
			frame, failed = wire.AppendEvent(frame, p.ack(e, a.seat))
			err = errors.Join(err, failed)
		}
	}
	frame = r.appendCounts(frame, changedCounts(missed))
	if seq > 0 {
		for _, ack := range r.table.Acks(a.id, seq, r.publishedGen) {
			var failed error
			frame, failed = wire.AppendEvent(frame, wire.RepeatEvent(ack))
			err = errors.Join(err, failed)
		}
	}
	for _, e := range r.appendSaving(nil) {
		var failed error
		frame, failed = wire.AppendEvent(frame, e)
		err = errors.Join(err, failed)
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
