package room

import (
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// How long a piece stays in the grip of somebody who has no stream (S14).
const (
	leftFor   = 2 * time.Second  // whoever closed it: leaves the page, or loads it anew
	brokenFor = 30 * time.Second // whose line broke
)

// grip is a piece that somebody holds.
type grip struct {
	seat   id.Seat
	client id.Client     // which has it; zero if that is not known any more
	gen    id.Generation // of the last entry that has set its place, its holder or its owner
	due    time.Time     // when the server lets go of it, zero: not
}

// regrip takes over the grips of a table that was loaded. The clients are not known.
func (r *room) regrip() {
	for _, name := range r.table.Held() {
		s, _ := r.table.Look(name)
		r.grips[name] = &grip{seat: s.Holder, gen: r.shown, due: time.Now().Add(brokenFor)}
	}
	r.setAlarm()
}

// record queues what the table has recorded for one update, and notes what it means for what is held and moved (K12).
func (r *room) record() {
	entries, err := r.chances.take()
	if err != nil {
		r.broken = err // a name that cannot be bound
	}
	r.budgets.note(entries)
	var by id.Client // whose update it was
	for i := range entries {
		if entries[i].Client != (id.Client{}) {
			by = entries[i].Client
		}
	}
	for i := range entries {
		e := &entries[i]
		if err := r.parts.follow(r.table, e); err != nil {
			r.broken = err // what was recorded could not be read again
		}
		switch b, a := &e.Before, &e.After; {
		case e.Set != nil:
			if e.Set.Stage == table.StageReturn || e.Set.Stage == table.StageMake {
				r.errand(e.Set.Set)
			}
			continue
		case e.Who != nil || e.Fact != nil || e.Ops != nil:
			continue
		case relocates(e):
			r.relocated(e, by)
		case (a.Owner != b.Owner || a.Team != b.Team) && r.grips[e.Name] != nil: // others see it move now, or no more
			r.grips[e.Name].gen = e.Gen
		}
		if e.NewName != 0 {
			r.renamed(e.Name, e.NewName)
		}
		if e.Op == table.OpWrite && !e.After.Set.IsZero() {
			r.write(e)
		}
		if r.table.Unread(e) {
			r.inquire(e.After.Set, false)
		}
	}
	r.next.record(entries)
	weight := weigh(entries)
	r.next.weight += weight
	r.space.pending += weight
	r.watchSpace()
	r.lookSoon()
}

// renamed notes that what was held and moved under one name is called otherwise now (T21).
func (r *room) renamed(from, to id.Piece) {
	if g := r.grips[from]; g != nil {
		delete(r.grips, from)
		r.grips[to] = g
	}
	if p := r.moving[from]; p != nil {
		delete(r.moving, from)
		p.last.ID = uint32(to)
		r.moving[to] = p
	}
}

// relocates reports whether an entry sets the place or the holder of its piece.
func relocates(e *table.Entry) bool {
	b, a := &e.Before, &e.After
	return a.X != b.X || a.Y != b.Y || a.Holder != b.Holder || a.Gone || e.Made
}

func (r *room) relocated(e *table.Entry, by id.Client) {
	delete(r.moving, e.Name)
	held := r.grips[e.Name]
	switch {
	case e.After.Holder == 0 || e.After.Gone:
		delete(r.grips, e.Name)
	case held == nil || held.seat != e.After.Holder || e.Op == table.OpGrab || e.Op == table.OpWrest:
		g := &grip{seat: e.After.Holder, client: by, gen: e.Gen}
		r.grips[e.Name] = g
		if r.clients[g.client] == nil && (g.client != (id.Client{}) || r.online[g.seat] == 0) { // the line broke while the update was on its way, or there never was one
			g.due = time.Now().Add(brokenFor)
			r.setAlarm()
		}
	default:
		held.gen = e.Gen
	}
}

// letGo notes that a client has lost its stream: what it holds is not held for ever.
func (r *room) letGo(a *attached, left bool) {
	wait := brokenFor
	if left {
		wait = leftFor
	}
	for _, g := range r.grips {
		if g.client == a.id || g.client == (id.Client{}) && g.seat == a.seat && r.online[a.seat] == 0 {
			g.due = time.Now().Add(wait)
		}
	}
	r.setAlarm()
}

// holdOn notes that a client has a stream again, and what it holds.
func (r *room) holdOn(a *attached) {
	for _, g := range r.grips {
		if g.client == a.id || g.client == (id.Client{}) && g.seat == a.seat {
			g.due = time.Time{}
		}
	}
	r.setAlarm()
}

// overdue returns the pieces whose holders have been waited for long enough.
func (r *room) overdue(now time.Time) []id.Piece {
	var names []id.Piece
	for name, g := range r.grips {
		if !g.due.IsZero() && !now.Before(g.due) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// drop lays a piece down where it was last seen (S14).
func (r *room) drop(name id.Piece) {
	x, y := r.lastSeen(name)
	delete(r.grips, name)
	delete(r.moving, name)
	if r.table.Drop(name, x, y, r.now()) {
		r.record()
	}
}

// lastSeen returns where a piece was last seen.
func (r *room) lastSeen(name id.Piece) (x, y int32) {
	if p := r.moving[name]; p != nil {
		return p.last.X1, p.last.Y1
	}
	s, _ := r.table.Look(name)
	return s.X, s.Y
}
