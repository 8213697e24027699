package room

import (
	"holt/server/id"
	"holt/server/stream"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// Bounds of the streams of one table.
const (
	maxStreams        = 2000
	maxStreamsPerSeat = 16
)

// open attaches a client (S1). A stream that the same client still has is taken over (S8).
func (r *room) open(s Session, h Hello, carrier stream.Carrier, release func()) (*stream.Client, error) {
	if owner := r.owner(h.Client); owner != 0 && owner != s.Seat {
		return nil, ErrClient
	}
	old := r.clients[h.Client]
	if old != nil {
		old.stream.Close(nil, stream.CodeTakenOver, "another stream of this client took over")
		old.stream.Abort(stream.CodeTakenOver, "another stream of this client took over")
		r.detach(old)
	}
	if len(r.clients) >= maxStreams || r.online[s.Seat] >= maxStreamsPerSeat {
		return nil, ErrBusy
	}
	a := &attached{id: h.Client, seat: s.Seat, release: release}
	a.stream = stream.Open(carrier, stream.Handlers{
		Receive: func(msg []byte) error { return r.receive(a, msg) },
		Ready:   func() { r.later(func() { r.makeWhole(a, 1) }) },
		Ended:   func(error) { r.later(func() { r.ended(a) }) },
	})
	r.clients[h.Client] = a
	r.online[s.Seat]++
	if r.online[s.Seat] == 1 && old == nil { // whoever takes over was never away
		r.tellPresence(s.Seat)
	}
	r.makeWhole(a, h.Seq)
	return a.stream, nil
}

// makeWhole queues the full state for a stream, with the acks from seq on (S5).
func (r *room) makeWhole(a *attached, seq id.ClientSeq) {
	if r.clients[a.id] != a {
		return
	}
	var acks []table.Ack
	if seq > 0 {
		acks = r.table.Acks(a.id, seq)
	}
	frame, err := wire.EncodeFrame(r.full(a.seat, a.id, acks))
	if err != nil {
		r.log.Error("full state not encoded", "error", err)
		a.stream.Close(nil, stream.CodeInternal, "state could not be encoded")
		return
	}
	r.next.whole(a, frame)
}

// later lets run call f, unless the room has ended, when there is nothing left to do. Streams call it: when
// the inbox is full they wait for it, which costs only their own client.
func (r *room) later(f func()) {
	select {
	case r.inbox <- f:
	case <-r.gone:
	}
}

// ended lets go of a stream that is over.
func (r *room) ended(a *attached) {
	if r.clients[a.id] != a {
		return // taken over
	}
	r.detach(a)
	if r.online[a.seat] == 0 {
		r.tellPresence(a.seat)
	}
}

func (r *room) detach(a *attached) {
	delete(r.clients, a.id)
	a.release()
	r.online[a.seat]--
	if r.online[a.seat] == 0 {
		delete(r.online, a.seat)
	}
}

// tellPresence tells everybody that a seat came or went.
func (r *room) tellPresence(seat id.Seat) {
	if who, ok := r.table.Seat(seat); ok {
		r.next.tell(id.Client{}, wire.SeatEvent(&who, r.presence(seat)))
	}
}

// presence says whether somebody is at a seat (S11).
func (r *room) presence(seat id.Seat) holtpb.Presence {
	if r.online[seat] > 0 {
		return holtpb.Presence_PRESENCE_HERE
	}
	return holtpb.Presence_PRESENCE_GONE
}
