package room

import (
	"time"

	"holt/server/id"
	"holt/server/proto/holtpb"
)

// lostFor is how long a seat whose stream broke counts as lost; then it counts as gone (S11).
const lostFor = 2 * time.Minute

// seatStreams knows the open streams of each seat, and when streams ended (S11). It sends nothing:
// its callers publish what has changed.
type seatStreams struct {
	streams map[id.Seat]streams
	// When the last stream of a seat broke; until the seat comes back or counts as gone.
	lost map[id.Seat]time.Time
	// When a seat was taken, or its last stream ended, since the table was loaded.
	emptySince map[id.Seat]time.Time
}

// streams counts the open streams of a seat.
type streams struct {
	open int
	away int // those of them at whose page nobody looks
}

func newSeatStreams() seatStreams {
	return seatStreams{
		streams: map[id.Seat]streams{},
		lost:    map[id.Seat]time.Time{}, emptySince: map[id.Seat]time.Time{},
	}
}

// of returns the presence of a seat.
func (t *seatStreams) of(seat id.Seat) holtpb.Presence {
	s := t.streams[seat]
	_, lost := t.lost[seat]
	switch {
	case s.open > 0 && s.away == s.open:
		return holtpb.Presence_PRESENCE_AWAY
	case s.open > 0:
		return holtpb.Presence_PRESENCE_HERE
	case lost:
		return holtpb.Presence_PRESENCE_LOST
	default:
		return holtpb.Presence_PRESENCE_GONE
	}
}

// open returns how many streams a seat has.
func (t *seatStreams) open(seat id.Seat) int { return t.streams[seat].open }

// opened counts a new stream of a seat.
func (t *seatStreams) opened(seat id.Seat, away bool) {
	delete(t.lost, seat)
	t.count(seat, 1, away)
}

// closed counts that a stream of a seat has ended, and reports whether it was the last one.
func (t *seatStreams) closed(seat id.Seat, away bool) (last bool) {
	t.count(seat, -1, away)
	t.emptySince[seat] = time.Now()
	return t.open(seat) == 0
}

func (t *seatStreams) count(seat id.Seat, by int, away bool) {
	s := t.streams[seat]
	s.open += by
	if away {
		s.away += by
	}
	if s.open == 0 {
		delete(t.streams, seat)
		return
	}
	t.streams[seat] = s
}

// setAway notes that nobody looks at the page of one stream of a seat any more, or that somebody
// does again.
func (t *seatStreams) setAway(seat id.Seat, away bool) {
	s := t.streams[seat]
	if away {
		s.away++
	} else {
		s.away--
	}
	t.streams[seat] = s
}

// streamBroke notes that the last stream of a seat broke.
func (t *seatStreams) streamBroke(seat id.Seat) { t.lost[seat] = time.Now() }

// forget stops waiting for a seat.
func (t *seatStreams) forget(seat id.Seat) { delete(t.lost, seat) }

// overdue returns the seats that have been lost for so long that they count as gone.
func (t *seatStreams) overdue(now time.Time) []id.Seat {
	var seats []id.Seat
	for seat, since := range t.lost {
		if now.Sub(since) >= lostFor {
			seats = append(seats, seat)
		}
	}
	return seats
}

// next returns when the next lost seat counts as gone; the zero time if none is lost.
func (t *seatStreams) next() (next time.Time) {
	for _, since := range t.lost {
		next = earlier(next, since.Add(lostFor))
	}
	return next
}

// earlier returns the earlier of two times. The zero time means that there is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
