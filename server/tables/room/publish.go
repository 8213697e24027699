package room

import (
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/proto/holtpb"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// publish sends every stream what a tick has, as its view is shown it. An entry is described and
// encoded once for all views to which it looks the same. Views that also number it alike share
// their frame. A client that gets an answer, or more motion than others, gets a frame that is cut
// from its view's.
func (p *publication) publish() {
	if len(p.room.clients) == 0 {
		return
	}
	n := len(p.work.items)
	p.common, p.byAspect, p.views = make([]*showing, n), make([]*showing, n), map[viewing]*viewFrame{}
	p.findRecipients()
	p.fold()
	var failed error
	if p.foreign, failed = p.foreignEvents(); failed != nil {
		p.room.log.Error("foreign components not encoded", "error", failed)
	}
	for _, a := range p.room.clients {
		t := p.view(a.seat)
		own, hand := p.own[a.id], p.hands[a.seat]
		switch {
		case t.err != nil:
			p.room.closeUnencodable(a, t.err)
		case a.withoutMotion && own == nil:
			p.pushForeign(a, t.frame[:t.body], t.head)
		case own != nil || hand != nil:
			p.answer(a, t, own, hand)
		case len(t.frame) > t.head:
			a.stream.Push(t.frame)
		}
	}
}

// closeUnencodable ends a stream for which a frame could not be encoded. A client that misses
// something must not get what comes after it.
func (r *room) closeUnencodable(a *attached, err error) {
	r.log.Error("frame not encoded", "error", err)
	a.stream.Close(nil, stream.CodeInternal, "frame could not be encoded")
}

// publication is what one tick publishes.
type publication struct {
	room *room
	work *work
	now  id.Millis

	// How many pieces lie in hands and containers now, as events; to everybody.
	counts  []byte
	foreign []byte                // foreign components, as events; to bridges
	motion  []byte                // motion, as events; to everybody
	hands   map[id.Seat][]byte    // motion in a hand, to the seats that see into it
	times   map[id.Seat]id.Millis // of the frames for some seats, if they are later than now

	pieces, cursors []wire.Segment // of motion and cursors

	different map[id.Seat]bool    // seats to which some entries look different
	own       map[id.Client][]int // the items by or for a client that has a stream, in order
	// For each item, what all seats that are not apart get; nil until it is needed.
	common []*showing
	// For each item about a piece, all ways in which it looks to anybody so far.
	byAspect []*showing
	// For an item that stands for earlier ones of its piece: the state before all of them.
	before map[int]table.State
	slab   []showing // memory for the next showings
	// The frames made so far.
	views  map[viewing]*viewFrame
	usual  *viewFrame   // the frame of views that are not apart; nil until one is made
	others []*viewFrame // frames of views that are apart; at most maxOthers
	shows  []*showing   // memory for a view whose frame is not kept; the next such view overwrites it
}

// viewing names the views that get the same frame at the same time. The version of the last entry
// that a view was shown counts all entries shown to it. So views that end with the same version,
// and are shown the same entries of this commit, number these entries alike.
type viewing struct {
	version id.Version
	seat    id.Seat // 0: none of those that are apart
	now     id.Millis
}

// findRecipients finds the seats and clients that get something of their own.
func (p *publication) findRecipients() {
	p.different, p.own = map[id.Seat]bool{}, map[id.Client][]int{}
	for i := range p.work.items {
		it := &p.work.items[i]
		to := it.to
		if it.entry >= 0 {
			e := &p.work.entries[it.entry]
			to = e.Client
			for _, seat := range p.room.table.Apart(e) {
				p.different[seat] = true
			}
		}
		if p.room.clients[to] != nil {
			p.own[to] = append(p.own[to], i)
		}
	}
}

// view returns the frame of the view of a seat.
func (p *publication) view(seat id.Seat) *viewFrame {
	name := viewing{version: p.room.table.VersionAt(seat, p.room.publishedGen), now: p.timeFor(seat)}
	if of := p.room.table.ViewOf(seat); p.different[of] {
		name.seat = of
	}
	t := p.views[name]
	if t == nil {
		t = p.frameFor(seat, name)
		p.views[name] = t
	}
	return t
}

// showing is an item, encoded for all views to which it looks the same.
type showing struct {
	events    []byte // what has no versions
	hasUpdate bool   // there is an update
	update    wire.Update
	err       error

	aspect table.Aspect // of an item about a piece
	next   *showing     // the same item as it looks to others
}

// append appends it to a frame for a view in which its entry has the version mark.
func (s *showing) append(frame []byte, version id.Version) []byte {
	frame = append(frame, s.events...)
	if s.hasUpdate {
		frame = s.update.Append(frame, version)
	}
	return frame
}

// showing returns what the view of a seat gets of an item. apart says that some items look
// different to the seat.
func (p *publication) showing(item int, seat id.Seat, different bool) *showing {
	if s := p.common[item]; s != nil && !different {
		return s
	}
	of := p.aboutPiece(item)
	switch {
	case of != nil && different:
		return p.showingOfPiece(item, of, seat)
	case different && p.isDifferentFor(item, seat):
		return p.show(item, seat) // only this seat gets it
	}
	s := p.common[item]
	switch {
	case s != nil:
		return s
	case of != nil:
		s = p.showingOfPiece(item, of, seat)
	default:
		s = p.show(item, seat)
	}
	p.common[item] = s
	return s
}

// showingOfPiece returns what the view of a seat gets of an item about a piece. Each way in which
// the item looks is encoded once.
func (p *publication) showingOfPiece(item int, of *table.Entry, seat id.Seat) *showing {
	aspect := p.room.table.Aspect(of, seat)
	for s := p.byAspect[item]; s != nil; s = s.next {
		if s.aspect == aspect {
			return s
		}
	}
	s := p.show(item, seat)
	s.aspect, s.next = aspect, p.byAspect[item]
	p.byAspect[item] = s
	return s
}

// aboutPiece returns the entry of an item that is published as an update of a piece; nil if the
// item is something else.
func (p *publication) aboutPiece(item int) *table.Entry {
	it := &p.work.items[item]
	if it.entry < 0 || it.folded {
		return nil
	}
	if e := &p.work.entries[it.entry]; e.OfPiece() && !e.Notice {
		return e
	}
	return nil
}

// isDifferentFor reports whether an item that is not about a piece looks different to a seat than
// to all others.
func (p *publication) isDifferentFor(item int, seat id.Seat) bool {
	of := p.work.items[item].concerns(p.work)
	for i := range of {
		if slices.Contains(p.room.table.Apart(&of[i]), seat) {
			return true
		}
	}
	return false
}

// show describes and encodes an item as a seat is shown it.
func (p *publication) show(item int, seat id.Seat) *showing {
	switch it := &p.work.items[item]; {
	case it.shuffled > 0:
		return p.shuffle(it.concerns(p.work), seat)
	case it.entry >= 0 && it.folded:
		return &showing{}
	case it.entry >= 0:
		e := &p.work.entries[it.entry]
		if before, ok := p.before[item]; ok {
			whole := *e
			whole.Before, e = before, &whole
		}
		return p.entry(e, seat)
	case it.event != nil && it.to == (id.Client{}):
		return encoded(it.event)
	default:
		return &showing{} // it is for one client
	}
}

// encoded returns a showing of an event that has no versions.
func encoded(e *holtpb.Event) *showing {
	b, err := wire.AppendEvent(nil, e)
	return &showing{events: b, err: err}
}

func (p *publication) entry(e *table.Entry, seat id.Seat) *showing {
	if e.Who != nil {
		return encoded(wire.SeatEvent(e.Who, p.room.presence(e.Who.Seat)))
	}
	switch {
	case e.Chat != nil && p.room.table.IsSentTo(e, seat):
		return encoded(wire.ChatEvent(e))
	case e.Chat != nil:
		return &showing{}
	case e.Set != nil && e.Op == table.OpGuest:
		return encoded(wire.SetEvent(e.Set))
	case e.Set != nil:
		return &showing{}
	case e.Fact != nil:
		return p.fact(e, seat)
	case e.Ops != nil && p.room.table.IsSentTo(e, seat):
		return encoded(wire.ComponentsEvent(e.Ops))
	case e.Ops != nil:
		return &showing{}
	case e.Rewound != nil: // those who were there have got the full state
		return &showing{}
	case e.Notice:
		return p.notice(e, seat)
	}
	if len(p.slab) == 0 {
		p.slab = make([]showing, min(len(p.work.items)+1, 256))
	}
	s := &p.slab[0]
	p.slab = p.slab[1:]
	var before, after table.Shown
	if before, after, s.hasUpdate = p.room.table.Shows(e, seat); s.hasUpdate {
		s.update, s.err = wire.EncodeUpdate(e, &before, &after)
	}
	return s
}

// notice encodes a notice of an action that nothing else shows (T28), and the faces that only this
// seat sees (T31).
func (p *publication) notice(e *table.Entry, seat id.Seat) *showing {
	piece, count, faces := p.room.table.Notice(e, seat)
	s := encoded(wire.NoticeEvent(e, piece, count))
	if faces && s.err == nil {
		s.events, s.err = wire.AppendEvent(s.events, wire.FacesEvent(e, piece))
	}
	return s
}

// shuffle encodes that there was a shuffle, whatever it has changed. It names the pieces that the
// seat sees outside the hands of others (T26).
func (p *publication) shuffle(entries []table.Entry, seat id.Seat) *showing {
	var seen []id.Piece
	for i := range entries {
		if p.room.table.SeesAfter(&entries[i], seat) {
			seen = append(seen, entries[i].Name)
		}
	}
	if len(seen) == 0 {
		return &showing{}
	}
	return encoded(wire.ShuffledEvent(entries[0].Seat, seen))
}

// answer sends a client what the tick has for it. It acknowledges the client's own updates, and
// leaves out what came before a full state, which contains that. The rest is the frame of its view,
// and motion in its own hand.
func (p *publication) answer(a *attached, t *viewFrame, own []int, hand []byte) {
	const usual = 48 // bytes of an answer, and more
	whole, now, version := false, p.timeFor(a.seat), id.Version(0)
	if len(own) > 0 || t.body > t.head {
		version = p.room.table.VersionAt(a.seat, p.room.publishedGen)
	}
	frame := wire.AppendHead(make([]byte, 0, len(t.frame)+usual*len(own)), now, version)
	from, head := t.head, len(frame)
	for _, i := range own {
		it := &p.work.items[i]
		frame = append(frame, t.frame[from:t.start(i)]...)
		from = t.ends[i]
		var err error
		switch {
		case it.full == a:
			frame, whole = frame[:head], true
			a.stream.Synchronise(it.frame)
		case it.full != nil: // of a stream that was taken over
		case it.shuffled > 0: // the client's own shuffle: it knows of it
		case it.entry >= 0:
			e := &p.work.entries[it.entry]
			if e.Server {
				frame = append(frame, t.frame[t.start(i):from]...)
			}
			frame, err = wire.AppendEvent(frame, p.ack(e, a.seat))
		default:
			frame, err = wire.AppendEvent(frame, it.event)
		}
		if err != nil {
			p.room.closeUnencodable(a, err)
			return
		}
	}
	frame = append(frame, t.frame[from:t.body]...)
	switch {
	case a.withoutMotion:
		p.pushForeign(a, frame, head)
		return
	case whole:
		frame = p.room.appendMotion(frame, now, a.seat) // all motion, not only what is new
	default:
		frame = append(append(frame, p.motionAt(now)...), hand...)
	}
	if len(frame) > head {
		a.stream.Push(frame)
	}
}

// ack acknowledges the update that e records. The effect of a server update stands before it in the
// frame (T17).
func (p *publication) ack(e *table.Entry, seat id.Seat) *holtpb.Event {
	if e.Chat != nil || e.Notice || e.Made && e.Brought == 0 {
		return wire.AckEvent(e, nil)
	}
	filled := &holtpb.Piece{Id: uint32(e.Name), Mark: uint64(p.room.table.VersionAt(seat, e.Gen))}
	if !e.Server {
		if before, after, shown := p.room.table.Shows(e, seat); shown {
			filled = wire.PieceFilled(&before, &after)
			if e.After.In != e.Before.In {
				// In a hand a card takes the hand's angle, whatever the update said. That may be
				// the angle that the card had before (T23).
				angle := uint32(after.Angle) //nolint:gosec // never negative
				filled.Angle = &angle
			}
		}
	}
	return wire.AckEvent(e, filled)
}

// fold joins successive moves of a piece by one client, or rotations, or pivots. What the last one
// shows is published as if it were all of them (S10). Their maker gets an ack for each.
func (p *publication) fold() {
	last := map[id.Piece]int{}
	for i := range p.work.items {
		it := &p.work.items[i]
		if it.entry < 0 {
			// A full state or a reject lies between, and shows the state at that time.
			if it.full != nil {
				clear(last)
			}
			delete(last, id.Piece(it.event.GetReject().GetPiece().GetId()))
			continue
		}
		e := &p.work.entries[it.entry]
		before, ok := last[e.Name]
		if ok && p.takesIn(e, &p.work.entries[p.work.items[before].entry]) {
			first, more := p.before[before]
			if !more {
				first = p.work.entries[p.work.items[before].entry].Before
			}
			// A view counts all of them, and must get one of them, because that ends motion (K12).
			// And a level has the version of the entry that set it.
			if leads(&first, &e.After) && !returns(&first, &e.Before, &e.After) &&
				first.ZGen == e.Before.ZGen {
				if p.before == nil {
					p.before = map[int]table.State{}
				}
				p.before[i] = first
				p.work.items[before].folded = true
			}
		}
		last[e.Name] = i
	}
}

// leads reports whether moves, rotations or pivots lead elsewhere and not back.
func leads(from, to *table.State) bool {
	return from.X != to.X || from.Y != to.Y || from.Angle != to.Angle
}

// returns reports whether a field that had changed gets its first value back by the last move. Then
// an update that stands for all moves would not name the field, but a client that resumes may have
// got some of the moves (datagram.md, D35).
func returns(first, before, after *table.State) bool {
	back := func(a, b, c int32) bool { return a != b && a == c }
	return back(first.X, before.X, after.X) || back(first.Y, before.Y, after.Y) ||
		back(first.Angle, before.Angle, after.Angle)
}

// takesIn reports whether e can be published together with the entry of its piece before it.
func (p *publication) takesIn(e, before *table.Entry) bool {
	if e.Op != before.Op || e.Client != before.Client || e.Seat != before.Seat ||
		e.Server || before.Server {
		return false
	}
	if !e.Op.LastCounts() {
		return false
	}
	return len(p.room.table.Apart(e)) == 0 && len(p.room.table.Apart(before)) == 0
}
