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
func (r *room) presence(seat id.Seat) holtpb.Presence { return r.attendance.of(seat) }

// attend publishes the presence of a seat if it differs from was.
func (r *room) attend(seat id.Seat, was holtpb.Presence) {
	if r.presence(seat) == was {
		return
	}
	if who, ok := r.table.Seat(seat); ok {
		r.next.tell(id.Client{}, wire.SeatEvent(&who, r.presence(seat)))
	}
	r.setAbsence()
}

// setAway notes whether somebody looks at the page of a client.
func (r *room) setAway(a *attached, away bool) {
	if r.clients[a.id] != a || a.away == away {
		return
	}
	was := r.presence(a.seat)
	a.away = away
	r.attendance.setAway(a.seat, away)
	r.attend(a.seat, was)
}

// misses reports whether the room waits for a seat that is lost, or for the holder of a piece.
func (r *room) misses() bool { return len(r.attendance.lost) > 0 || len(r.grabs) > 0 }

// endAbsences releases pieces that clients without a stream have held for too long, and makes seats
// GONE that have been lost for too long.
func (r *room) endAbsences() {
	now := time.Now()
	for _, name := range r.grabs.overdue(now) {
		r.drop(name)
	}
	for _, seat := range r.attendance.overdue(now) {
		was := r.presence(seat)
		r.attendance.forget(seat)
		r.attend(seat, was)
	}
	r.setAbsence()
}

// setAbsence sets the timer of absences to when endAbsences has something to do, if ever.
func (r *room) setAbsence() {
	next := earlier(r.attendance.next(), r.grabs.next())
	if next.IsZero() {
		r.timers.absence.Stop()
		return
	}
	r.timers.absence.Reset(time.Until(next))
}

// letGo notes that a client has lost its stream.
func (r *room) letGo(a *attached, left bool) {
	r.grabs.letGo(a, left, r.attendance.open(a.seat) == 0)
	r.setAbsence()
}

// holdOn notes that a client has a stream again.
func (r *room) holdOn(a *attached) {
	r.grabs.holdOn(a)
	r.setAbsence()
}

// connected reports whether a client with a stream can release a piece.
func (r *room) connected(g *grab) bool {
	return r.clients[g.client] != nil || g.client == (id.Client{}) && r.attendance.open(g.seat) > 0
}

// drop releases a piece where it was last seen (S14).
func (r *room) drop(name id.Piece) {
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
