package room

import (
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// How long a client that has no stream keeps holding a piece (S14).
const (
	// After its stream was closed: the page was left, or is loaded again.
	leftFor = 2 * time.Second
	// After its stream broke.
	brokenFor = 30 * time.Second
)

// grab is a piece that a seat holds.
type grab struct {
	seat   id.Seat
	client id.Client     // that grabbed it; zero if that is not known any more
	gen    id.Generation // of the last entry that set its place, holder or owner
	due    time.Time     // when the server releases it; zero: never
}

// grabs are the pieces of a table that are held, by their names.
type grabs map[id.Piece]*grab

// newGrabs returns the grabs of a table that was loaded. It does not know their clients.
func newGrabs(t *table.Table, shown id.Generation) grabs {
	all := grabs{}
	for _, name := range t.Held() {
		s, _ := t.Look(name)
		all[name] = &grab{seat: s.Holder, gen: shown, due: time.Now().Add(brokenFor)}
	}
	return all
}

// follow processes an entry that sets the place or the holder of its piece, by an update of the
// client by. connected reports whether a client with a stream can release the piece.
func (g grabs) follow(e *table.Entry, by id.Client, connected func(*grab) bool) {
	held := g[e.Name]
	switch {
	case e.After.Holder == 0 || e.After.Gone:
		delete(g, e.Name)
	case held == nil || held.seat != e.After.Holder || e.Op == table.OpGrab ||
		e.Op == table.OpWrest:
		held = &grab{seat: e.After.Holder, client: by, gen: e.Gen}
		if !connected(held) { // the stream broke while the update was on its way, or there was none
			held.due = time.Now().Add(brokenFor)
		}
		g[e.Name] = held
	default:
		held.gen = e.Gen
	}
}

// rename notes that a piece was renamed (T21).
func (g grabs) rename(from, to id.Piece) {
	if held := g[from]; held != nil {
		delete(g, from)
		g[to] = held
	}
}

// clientLost notes that a client has lost its stream: what it holds is released after a while. last
// says that its seat has no other stream.
func (g grabs) clientLost(a *attached, left, last bool) {
	wait := brokenFor
	if left {
		wait = leftFor
	}
	for _, held := range g {
		if held.client == a.id || held.client == (id.Client{}) && held.seat == a.seat && last {
			held.due = time.Now().Add(wait)
		}
	}
}

// clientBack notes that a client has a stream again, and keeps what it holds.
func (g grabs) clientBack(a *attached) {
	for _, held := range g {
		if held.client == a.id || held.client == (id.Client{}) && held.seat == a.seat {
			held.due = time.Time{}
		}
	}
}

// overdue returns the pieces that are to be released now.
func (g grabs) overdue(now time.Time) []id.Piece {
	var names []id.Piece
	for name, held := range g {
		if !held.due.IsZero() && !now.Before(held.due) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// of returns what a seat holds, in no order.
func (g grabs) of(seat id.Seat) []id.Piece {
	var names []id.Piece
	for name, held := range g {
		if held.seat == seat {
			names = append(names, name)
		}
	}
	return names
}

// next returns when the next piece is to be released; the zero time if there is none.
func (g grabs) next() (next time.Time) {
	for _, held := range g {
		next = earlier(next, held.due)
	}
	return next
}
