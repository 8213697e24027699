package room

import (
	"cmp"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// presence returns the presence of a seat (S11).
func (r *room) presence(seat id.Seat) holtpb.Presence { return r.seatStreams.of(seat) }

// publishPresence publishes the presence of a seat if it differs from was.
func (r *room) publishPresence(seat id.Seat, was holtpb.Presence) {
	if r.presence(seat) == was {
		return
	}
	if who, ok := r.table.Seat(seat); ok {
		r.recorded.queueEvent(id.Client{}, wire.SeatEvent(&who, r.presence(seat)))
	}
	r.noteAbsence(seat)
	r.noteVoter(seat)
	r.checkSuccession()
	r.setAbsence()
}

// setAway notes whether somebody looks at the page of a client.
func (r *room) setAway(a *attached, away bool) {
	if r.clients[a.id] != a || a.away == away {
		return
	}
	was := r.presence(a.seat)
	a.away = away
	r.seatStreams.setAway(a.seat, away)
	r.publishPresence(a.seat, was)
}

// waitsForSomebody reports whether the room waits for a seat that is lost, or for the holder of a
// piece.
func (r *room) waitsForSomebody() bool { return len(r.seatStreams.lost) > 0 || len(r.grabs) > 0 }

// endAbsences releases pieces that clients without a stream have held for too long, and makes seats
// GONE that have been lost for too long.
func (r *room) endAbsences() {
	now := time.Now()
	for _, name := range r.grabs.overdue(now) {
		r.releasePiece(name)
	}
	for _, seat := range r.seatStreams.overdue(now) {
		was := r.presence(seat)
		r.seatStreams.forget(seat)
		r.publishPresence(seat, was)
	}
	r.setAbsence()
}

// setAbsence sets the timer of absences to when endAbsences has something to do, if ever.
func (r *room) setAbsence() {
	next := earlier(r.seatStreams.next(), r.grabs.next())
	if next.IsZero() {
		r.timers.absence.Stop()
		return
	}
	r.timers.absence.Reset(time.Until(next))
}

// clientLost notes that a client has lost its stream.
func (r *room) clientLost(a *attached, left bool) {
	r.grabs.clientLost(a, left, r.seatStreams.open(a.seat) == 0)
	r.setAbsence()
}

// clientBack notes that a client has a stream again.
func (r *room) clientBack(a *attached) {
	r.grabs.clientBack(a)
	r.setAbsence()
}

// connected reports whether a client with a stream can release a piece.
func (r *room) connected(g *grab) bool {
	return r.clients[g.client] != nil || g.client == (id.Client{}) && r.seatStreams.open(g.seat) > 0
}

// releasePiece releases a piece where it was last seen (S14).
func (r *room) releasePiece(name id.Piece) {
	x, y := r.lastSeen(name)
	delete(r.grabs, name)
	delete(r.motions.pieces, name)
	if r.table.Drop(name, x, y, r.now()) {
		r.record()
	}
}

// lastSeen returns where a piece was last seen.
func (r *room) lastSeen(name id.Piece) (x, y int32) {
	if p := r.motions.pieces[name]; p != nil {
		return p.last.X1, p.last.Y1
	}
	s, _ := r.table.Look(name)
	return s.X, s.Y
}

// heldBy returns what a seat holds, ordered by where it was last seen. Names are random and must
// not decide the order: that would reveal something of what others do not see.
func (r *room) heldBy(seat id.Seat) []id.Piece {
	names := r.grabs.of(seat)
	slices.SortFunc(names, func(a, b id.Piece) int {
		ax, ay := r.lastSeen(a)
		bx, by := r.lastSeen(b)
		return cmp.Or(cmp.Compare(ax, bx), cmp.Compare(ay, by), cmp.Compare(a, b))
	})
	return names
}

// relocates reports whether an entry sets the place or the holder of its piece.
func relocates(e *table.Entry) bool {
	b, a := &e.Before, &e.After
	return a.X != b.X || a.Y != b.Y || a.Holder != b.Holder || a.Gone || e.Made
}
