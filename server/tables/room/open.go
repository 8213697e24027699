package room

import (
	"errors"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
)

// Bounds of the streams of one table.
const (
	maxStreams        = 2000
	maxStreamsPerSeat = 16
)

// open attaches a client (S1). It takes over a stream that the same client still has (S8).
func (r *room) open(
	s Session, h Hello, carrier stream.Carrier, release func(),
) (*stream.Client, error) {
	if owner := r.owner(h.Client); owner != 0 && owner != s.Seat {
		return nil, ErrClient
	}
	old := r.clients[h.Client]
	if old != nil && h.Attempt != 0 && h.Attempt <= old.attempt {
		return nil, ErrAttempt
	}
	if h.Handover && !old.mayGoOver() {
		return nil, ErrHandover
	}
	missed, resumes := r.mayResume(s.Seat, h)
	if !resumes && !h.Handover {
		if err := r.budgets.admitOwn(s.Seat, r.unitsOfState(s.Seat)); err != nil {
			return nil, err
		}
	}
	was := r.presence(s.Seat)
	switch {
	case h.Handover:
		r.letGoOver(old)
	case old != nil:
		r.takeOver(old, "another stream of this client took over")
	case r.attendance.open(s.Seat) >= maxStreamsPerSeat:
		oldest := r.oldest(s.Seat)
		r.takeOver(oldest, "a newer stream of this seat took over")
		r.letGo(oldest, false)
	case len(r.clients) >= maxStreams:
		return nil, ErrBusy
	}
	r.opened++
	r.used = true
	a := &attached{
		id: h.Client, seat: s.Seat, release: release,
		attempt: h.Attempt, still: h.Still, order: r.opened,
	}
	a.stream = stream.Open(carrier, stream.Handlers{
		Receive: func(msg []byte) error { return r.receive(a, msg) },
		Ready:   func() { r.later(func() { r.restore(a) }) },
		Ended:   func(err error) { r.later(func() { r.ended(a, err) }) },
	})
	if h.Handover {
		a.inherit(old)
	}
	r.clients[h.Client] = a
	r.retick()
	if h.Mark != 0 || h.Seq != 0 || h.Attempt > 1 {
		r.table.Return(h.Client, s.Seat)
	}
	r.attendance.opened(s.Seat, a.away)
	r.attend(s.Seat, was)
	r.holdOn(a)
	switch {
	case h.Handover:
		r.tellMissed(a, nil, 0)
	case resumes:
		r.tellMissed(a, missed, h.Seq)
	default:
		r.chargeState(s.Seat)
		r.makeWhole(a, h.Seq)
	}
	return a.stream, nil
}

// takeOver closes a stream at once, so that another one can take its place.
func (r *room) takeOver(a *attached, why string) {
	a.stream.Close(nil, stream.CodeTakenOver, why)
	a.stream.Abort(stream.CodeTakenOver, why)
	r.detach(a)
}

// oldest returns the stream of a seat that was opened first; nil if the seat has none.
func (r *room) oldest(seat id.Seat) (found *attached) {
	for _, a := range r.clients {
		if a.seat == seat && (found == nil || a.order < found.order) {
			found = a
		}
	}
	return found
}

// makeWhole queues the full state for a stream, with the acks from seq on (S5).
func (r *room) makeWhole(a *attached, seq id.ClientSeq) {
	if r.clients[a.id] != a {
		return
	}
	var acks []table.Ack
	if seq > 0 {
		acks = r.table.Acks(a.id, seq, r.table.Gen())
	}
	frame, err := r.full(a.seat, a.id, acks)
	if err != nil {
		r.log.Error("full state not encoded", "error", err)
		a.stream.Close(nil, stream.CodeInternal, "state could not be encoded")
		return
	}
	r.next.whole(a, frame)
}

// later lets run call f, unless the room has ended: then nothing is left to do. Streams call it.
// When the inbox is full they wait for it, which delays only their own client.
func (r *room) later(f func()) {
	select {
	case r.inbox <- f:
	case <-r.gone:
	}
}

// ended detaches a stream that is over. err is nil if the server has closed it.
func (r *room) ended(a *attached, err error) {
	if r.clients[a.id] != a {
		return // taken over
	}
	was := r.presence(a.seat)
	r.detach(a)
	left := errors.Is(err, stream.ErrLeft)
	if r.attendance.open(a.seat) == 0 && err != nil && !left {
		r.attendance.broke(a.seat)
	}
	r.attend(a.seat, was)
	r.letGo(a, left)
}

func (r *room) detach(a *attached) {
	delete(r.clients, a.id)
	r.retick()
	a.release()
	if last := r.attendance.closed(a.seat, a.away); last {
		delete(r.motions.cursors, a.seat)
	}
}
