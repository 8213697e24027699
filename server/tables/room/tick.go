package room

import (
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// The length of a tick (S10): so long that a table writes 2,500 frames a second at most up to 62 clients, and 40 to each
// of more. Among few a tick is too short to be noticed, among many it saves most of the work.
const (
	tickEach = 400 * time.Microsecond
	tickMost = 25 * time.Millisecond
)

// pace says when frames are published next.
type pace struct {
	flushed time.Time // when everybody got something last
	ticking ticking   // for what the tick is set
}

// ticking says for what tick has been set.
type ticking uint8

// What a tick may be for.
const (
	notTicking ticking = iota
	forAll             // something that everybody is told is ready
	forSome            // nothing but what some are told
)

// tell queues what w holds for the next tick, and answers those who wait for it.
func (r *room) tell(w *work) {
	if len(w.items) > 0 {
		w.common = r.common(w)
		r.ready.join(w)
		r.flushSoon(w.common)
	}
	w.answer(nil)
}

// join puts what is told in o behind what is told in w.
func (w *work) join(o *work) {
	w.common = w.common || o.common
	if len(w.items) == 0 {
		w.entries, w.items = o.entries, o.items
		return
	}
	first := len(w.entries)
	w.entries = append(w.entries, o.entries...)
	for _, it := range o.items {
		it.first += first
		if it.entry >= 0 {
			it.entry += first
		}
		w.items = append(w.items, it)
	}
}

// common reports whether something of w is told to everybody. What is not is what happens in a hand, and what is for one
// client.
func (r *room) common(w *work) bool {
	for i := range w.items {
		it := &w.items[i]
		if it.event != nil && it.to == (id.Client{}) {
			return true
		}
		of := it.concerns(w)
		for k := range of {
			if it.shuffled > 0 && r.table.SeesAfter(&of[k], 0) || it.shuffled == 0 && commonEntry(r.table, &of[k]) {
				return true
			}
		}
	}
	return false
}

// commonEntry reports whether everybody is told something of an entry: then those are who look on.
func commonEntry(t *table.Table, e *table.Entry) bool {
	switch {
	case e.Fact != nil, e.Ops != nil:
		return t.Hears(e, 0)
	case e.Set != nil:
		return e.Op == table.OpGuest
	case e.Who != nil, e.Notice, e.Left.Piece != 0, e.Entered.Piece != 0:
		return true
	}
	_, _, shown := t.Shows(e, 0)
	return shown
}

// flushSoon lets what is ready be told. What everybody is told is told at once if there was no such thing in the last tick,
// else when that is over, and all the rest with it. What only some are told waits for the next tick of the clock: neither by
// when it is told nor by what it delays does anybody else learn of it (S10, T21).
func (r *room) flushSoon(common bool) {
	switch {
	case r.pace.ticking == forAll, r.pace.ticking == forSome && !common:
		return
	case !common:
		r.pace.ticking = forSome
		r.timers.tick.Reset(r.tickLeft())
		return
	}
	if wait := r.tickLength() - time.Since(r.pace.flushed); wait > 0 {
		r.pace.ticking = forAll
		r.timers.tick.Reset(wait)
		return
	}
	r.flush()
}

// tickLength returns the length of a tick.
func (r *room) tickLength() time.Duration {
	return min(time.Duration(len(r.clients))*tickEach, tickMost)
}

// tickLeft returns how much is left of the tick of the clock, which goes by the time since the room began. When streams
// come and go it is another one.
func (r *room) tickLeft() time.Duration {
	length := r.tickLength()
	if length == 0 {
		return 0
	}
	return length - time.Since(r.begun)%length
}

// retick takes up the tick of the clock after a stream has come or gone: what waits for it must not show the others by when
// it is told since when it has waited.
func (r *room) retick() {
	if r.pace.ticking == forSome {
		r.timers.tick.Reset(r.tickLeft())
	}
}

// flush tells every stream what is ready, and what moves.
func (r *room) flush() {
	r.pace.ticking = notTicking
	r.timers.tick.Stop()
	w := r.ready
	r.ready = work{}
	if n := len(w.entries); n > 0 {
		r.shown = w.entries[n-1].Gen
		r.history.keep(r.table, w.entries)
	}
	p := publication{room: r, work: &w, now: r.nowAfter(r.motions.sent), holds: r.tally(w.entries)}
	p.gatherMotion()
	if w.common || len(p.motion) > 0 {
		r.pace.flushed = time.Now()
	}
	if len(w.items) > 0 || p.moves() {
		p.publish()
	}
}

// now returns the server's time (K1): it does not go back when the clock of the machine does. Any goroutine may call it.
func (r *room) now() id.Millis { return r.nowAfter(0) }

// nowAfter is now, but later than t. A frame of a tick is later than the one before it that told its client of motion: so no
// two segments of a path have one version (K2), and what ends motion is not as old as that (K12).
func (r *room) nowAfter(t id.Millis) id.Millis {
	for {
		last := r.latest.Load()
		now := max(last, int64(r.cfg.Now()+r.ahead), int64(t+1))
		if now == last || r.latest.CompareAndSwap(last, now) {
			return id.Millis(now)
		}
	}
}

// nowFor is now, but not before what a seat has been told of motion that others do not see.
func (r *room) nowFor(seat id.Seat) id.Millis { return max(r.now(), r.motions.sentTo[seat]) }
