package room

import (
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
	"holt/server/tables/wire"
)

// lostFor is how long somebody whose line broke is expected back (S11).
const lostFor = 2 * time.Minute

// presence says whether somebody is at a seat (S11).
func (r *room) presence(seat id.Seat) holtpb.Presence {
	_, lost := r.lost[seat]
	switch {
	case r.online[seat] > 0 && r.aways[seat] == r.online[seat]:
		return holtpb.Presence_PRESENCE_AWAY
	case r.online[seat] > 0:
		return holtpb.Presence_PRESENCE_HERE
	case lost:
		return holtpb.Presence_PRESENCE_LOST
	default:
		return holtpb.Presence_PRESENCE_GONE
	}
}

// attend tells everybody if the presence of a seat is not what it was.
func (r *room) attend(seat id.Seat, was holtpb.Presence) {
	if r.presence(seat) == was {
		return
	}
	if who, ok := r.table.Seat(seat); ok {
		r.next.tell(id.Client{}, wire.SeatEvent(&who, r.presence(seat)))
	}
	r.setAlarm()
}

// setAway notes what a client says of the person before it.
func (r *room) setAway(a *attached, away bool) {
	if r.clients[a.id] != a || a.away == away {
		return
	}
	was := r.presence(a.seat)
	a.away = away
	if away {
		r.aways[a.seat]++
	} else {
		r.aways[a.seat]--
	}
	r.attend(a.seat, was)
}

// misses reports whether somebody is waited for who is expected back, or who holds a piece.
func (r *room) misses() bool { return len(r.lost) > 0 || len(r.grips) > 0 }

// alarmed lets go of what was waited for too long: pieces whose holders have vanished, and people.
func (r *room) alarmed() {
	now := time.Now()
	for _, name := range r.overdue(now) {
		r.drop(name)
	}
	for seat, since := range r.lost {
		if now.Sub(since) >= lostFor {
			was := r.presence(seat)
			delete(r.lost, seat)
			r.attend(seat, was)
		}
	}
	r.setAlarm()
}

// setAlarm lets alarm fire when it is time for alarmed, if ever.
func (r *room) setAlarm() {
	var next time.Time
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for _, since := range r.lost {
		sooner(since.Add(lostFor))
	}
	for _, g := range r.grips {
		if !g.due.IsZero() {
			sooner(g.due)
		}
	}
	if next.IsZero() {
		r.alarm.Stop()
		return
	}
	r.alarm.Reset(time.Until(next))
}
