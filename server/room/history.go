package room

import (
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/table"
	"holt/server/wire"
	"holt/server/wire/holtpb"
)

// historyKept is how many entries a room keeps at least, as soon as there are so many, for clients that come back (S5).
const historyKept = 2048

// resumable returns those of the entries behind a snapshot that somebody who comes back may have missed: not those
// before the first seat, when there was nobody.
func resumable(told []table.Entry) []table.Entry {
	first := slices.IndexFunc(told, func(e table.Entry) bool { return e.Who != nil && e.Who.Seat == 1 })
	return slices.Clone(told[max(first, len(told)-2*historyKept, 0):])
}

// historyBytes is how many bytes the kept history has beside the states of pieces, about: of operations on components, of facts
// about randomness and of orders of containers. If they are more, it has fewer entries.
const historyBytes = 8 << 20

// keep adds what has been told to the kept history. Twice as much as need be is kept at most, so that it is moved rarely.
func (r *room) keep(entries []table.Entry) {
	if over := len(r.history) + len(entries) - 2*historyKept; over > 0 {
		r.unkeep(min(max(over, len(r.history)-historyKept), len(r.history)))
	}
	r.history = append(r.history, entries...)
	if r.historySize += sizeOf(entries); r.historySize > historyBytes {
		n, left := 0, r.historySize
		for ; left > historyBytes/2; n++ {
			left -= sizeOf(r.history[n : n+1])
		}
		r.unkeep(n)
	}
}

// unkeep forgets the first n entries of the kept history.
func (r *room) unkeep(n int) {
	r.historySize -= sizeOf(r.history[:n])
	left := copy(r.history, r.history[n:])
	clear(r.history[left:])
	r.history = r.history[:left]
}

// sizeOf returns how many bytes entries have that historyBytes counts.
func sizeOf(entries []table.Entry) int {
	n := 0
	for i := range entries {
		e := &entries[i]
		n += len(e.Ops) + len(e.Fact) + 4*(len(e.Order)+len(e.Faces))
	}
	return n
}

// missed returns what was told after the entry at which the view of a seat had a mark. It reports false if something may be
// missing in the history that the view was told since.
func (r *room) missed(seat id.Seat, mark id.Mark) ([]table.Entry, bool) {
	g, ok := r.table.GenAt(seat, mark)
	begin := r.remembered()
	switch {
	case !ok || g > r.shown:
		return nil, false
	case g > begin:
		return r.history[g-begin:], true // no generation is left out
	default:
		return r.history, r.table.MarkAt(seat, begin) == mark
	}
}

// remembered returns the generation from which the history goes on: what lies before it nobody is told again.
func (r *room) remembered() id.Generation {
	if len(r.history) == 0 {
		return r.shown
	}
	return r.history[0].Gen - 1
}

// resume makes a stream whole by what its client has missed, if that is known. It reports false if it is not (S5).
func (r *room) resume(a *attached, h Hello) bool {
	if h.Mark == 0 || h.Epoch != r.row.Epoch {
		return false
	}
	missed, ok := r.missed(a.seat, h.Mark)
	if !ok {
		return false
	}
	r.tellMissed(a, missed, h.Seq)
	return true
}

// tellMissed makes a stream whole by what its client has missed.
func (r *room) tellMissed(a *attached, missed []table.Entry, seq id.ClientSeq) {
	frame, err := r.resumption(a, missed, seq)
	if err != nil {
		r.unsayable(a, err)
		return
	}
	a.stream.Whole(frame)
	r.tellMotion(a)
}

// resumption returns the frame that tells a client what it has missed, as it would have been told.
func (r *room) resumption(a *attached, missed []table.Entry, seq id.ClientSeq) ([]byte, error) {
	w := work{entries: missed}
	for i := range missed {
		if missed[i].Who == nil && missed[i].Set == nil { // seats and sets are told as they are
			w.items = append(w.items, item{entry: i})
		}
	}
	frame := wire.AppendHead(nil, r.now(), r.table.MarkAt(a.seat, r.shown))
	frame, err := wire.AppendEvent(frame, wire.ResumedEvent(r.everySeat(), wire.GuestSets(r.table.Sets()), r.row.Catalog[:]))
	if r.space.level > 0 {
		var failed error
		frame, failed = wire.AppendEvent(frame, wire.SpaceEvent(r.space.level))
		err = errors.Join(err, failed)
	}
	p := publication{room: r, work: &w}
	p.fold()
	for i := range w.items {
		e := &w.entries[w.items[i].entry]
		if e.Client != a.id || e.Server {
			s := p.show(i, a.seat)
			err = errors.Join(err, s.err)
			frame = s.append(frame, r.table.MarkAt(a.seat, e.Gen))
		}
		if e.Client == a.id {
			var failed error
			frame, failed = wire.AppendEvent(frame, p.ack(e, a.seat))
			err = errors.Join(err, failed)
		}
	}
	frame = r.appendHolds(frame, touched(missed))
	if seq > 0 {
		for _, ack := range r.table.Acks(a.id, seq, r.shown) {
			var failed error
			frame, failed = wire.AppendEvent(frame, wire.RepeatEvent(ack))
			err = errors.Join(err, failed)
		}
	}
	return frame, err
}

// everySeat returns the seats as clients see them.
func (r *room) everySeat() []*holtpb.Seat {
	seats := r.table.Seats()
	all := make([]*holtpb.Seat, len(seats))
	for i := range seats {
		all[i] = wire.Seat(&seats[i], r.presence(seats[i].Seat))
	}
	return all
}
