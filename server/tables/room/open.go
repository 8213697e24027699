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
) (*stream.Stream, error) {
	if owner := r.owner(h.Client); owner != 0 && owner != s.Seat {
		return nil, ErrClient
	}
	old := r.clients[h.Client]
	if old != nil && h.Attempt != 0 && h.Attempt <= old.attempt {
		return nil, ErrAttempt
	}
	if h.Handover && !old.canHandOver() {
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
		r.handOver(old)
	case old != nil:
		r.takeOver(old, "another stream of this client took over")
	case r.seatStreams.open(s.Seat) >= maxStreamsPerSeat:
		oldest := r.oldest(s.Seat)
		r.takeOver(oldest, "a newer stream of this seat took over")
		r.clientLost(oldest, false)
	case len(r.clients) >= maxStreams:
		return nil, ErrBusy
	}
	r.opened++
	r.used = true
	a := &attached{
		id: h.Client, seat: s.Seat, release: release,
		attempt: h.Attempt, withoutMotion: h.WithoutMotion, order: r.opened,
		foreign: h.Foreign, role: r.roleOf(s.Seat), updates: h.Updates,
	}
	a.stream = stream.Open(carrier, stream.Handlers{
		Receive: func(msg []byte) error { return r.receive(a, msg) },
		Ready:   func() { r.later(func() { r.resynchronise(a) }) },
		Ended:   func(err error) { r.later(func() { r.ended(a, err) }) },
	})
	if h.Handover {
		a.takeClientState(old)
	}
	r.clients[h.Client] = a
	r.resetTick()
	if h.Version != 0 || h.Seq != 0 || h.Attempt > 1 {
		waitsFrom := h.Seq
		if h.Handover {
			waitsFrom = 0
		}
		r.table.Return(h.Client, s.Seat, waitsFrom)
	}
	r.seatStreams.opened(s.Seat, a.away)
	r.publishPresence(s.Seat, was)
	r.clientBack(a)
	switch {
	case h.Handover:
		r.sendMissed(a, nil, 0)
	case resumes:
		r.sendMissed(a, missed, h.Seq)
	default:
		r.chargeState(s.Seat)
		r.queueFullState(a, h.Seq)
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

// queueFullState queues the full state for a stream, with the acks from seq on (S5).
func (r *room) queueFullState(a *attached, seq id.ClientSeq) {
	if r.clients[a.id] != a {
		return
	}
	var acks []table.Ack
	if seq > 0 {
		acks = r.table.Acks(a.id, seq, r.table.Gen())
	}
	frame, err := r.full(a.seat, a.id, acks, a.foreign && r.readsForeign(a.role))
	if err != nil {
		r.log.Error("full state not encoded", "error", err)
		a.stream.Close(nil, stream.CodeInternal, "state could not be encoded")
		return
	}
	r.recorded.queueFull(a, frame)
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
	if r.seatStreams.open(a.seat) == 0 && err != nil && !left {
		r.seatStreams.streamBroke(a.seat)
	}
	r.publishPresence(a.seat, was)
	r.clientLost(a, left)
}

func (r *room) detach(a *attached) {
	delete(r.clients, a.id)
	r.resetTick()
	a.release()
	if last := r.seatStreams.closed(a.seat, a.away); last {
		delete(r.motions.cursors, a.seat)
	}
}
