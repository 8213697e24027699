package room

import (
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// The length of a tick (S10): up to 62 clients a table writes at most 2,500 frames a second, and
// beyond that 40 a second to each client. With few clients a tick is too short to be noticed; with
// many it saves most of the work.
const (
	tickEach = 400 * time.Microsecond
	tickMost = 25 * time.Millisecond
)

// tickState says when frames are published next.
type tickState struct {
	flushed  time.Time // when everybody last got something
	timerFor timerFor  // what the timer of the tick is set for
}

// timerFor says what the timer of the tick is set for.
type timerFor uint8

// The reasons to set the timer.
const (
	notTicking timerFor = iota
	forAll              // something that everybody gets is ready
	forSome             // only what some get is ready
)

// publishSoon queues what w holds for the next tick, and answers the callers that wait for it.
func (r *room) publishSoon(w *work) {
	if len(w.items) > 0 {
		w.forEverybody = r.isForEverybody(w)
		r.durable.join(w)
		r.publishInTick(w.forEverybody)
	}
	w.answer(nil)
}

// join puts what o publishes behind what w publishes.
func (w *work) join(o *work) {
	w.forEverybody = w.forEverybody || o.forEverybody
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

// isForEverybody reports whether w has something that everybody gets. What happens in a hand, and
// what is for one client, is not that.
func (r *room) isForEverybody(w *work) bool {
	for i := range w.items {
		it := &w.items[i]
		if it.event != nil && it.to == (id.Client{}) {
			return true
		}
		of := it.concerns(w)
		for k := range of {
			if it.shuffled > 0 && r.table.SeesAfter(&of[k], 0) ||
				it.shuffled == 0 && commonEntry(r.table, &of[k]) {
				return true
			}
		}
	}
	return false
}

// commonEntry reports whether everybody gets something of an entry: then spectators do.
func commonEntry(t *table.Table, e *table.Entry) bool {
	switch {
	case e.Fact != nil, e.Ops != nil, e.Chat != nil:
		return t.IsSentTo(e, 0)
	case e.Set != nil:
		return e.Op == table.OpGuest
	case e.Who != nil, e.Rewound != nil, e.Notice, e.Left.Piece != 0, e.Entered.Piece != 0:
		return true
	}
	_, _, shown := t.Shows(e, 0)
	return shown
}

// publishInTick makes sure that what is ready is published. What everybody gets is published at
// once, with all the rest, if nothing of that sort was published in the last tick; otherwise when
// that tick is over. What only some get waits for the next tick of the clock. So nobody else can
// learn of it by when it is published, or by what it delays (S10, T21).
func (r *room) publishInTick(common bool) {
	switch {
	case r.tickState.timerFor == forAll, r.tickState.timerFor == forSome && !common:
		return
	case !common:
		r.tickState.timerFor = forSome
		r.timers.tick.Reset(r.tickLeft())
		return
	}
	if wait := r.tickLength() - time.Since(r.tickState.flushed); wait > 0 {
		r.tickState.timerFor = forAll
		r.timers.tick.Reset(wait)
		return
	}
	r.flush()
}

// tickLength returns the length of a tick.
func (r *room) tickLength() time.Duration {
	return min(time.Duration(len(r.clients))*tickEach, tickMost)
}

// tickLeft returns how much is left of the tick of the clock. Ticks count from when the room began;
// they get another length when streams come and go.
func (r *room) tickLeft() time.Duration {
	length := r.tickLength()
	if length == 0 {
		return 0
	}
	return length - time.Since(r.begun)%length
}

// resetTick sets the timer again after a stream has come or gone. What waits for the tick must not
// show the others, by the time of its publication, since when it has waited.
func (r *room) resetTick() {
	if r.tickState.timerFor == forSome {
		r.timers.tick.Reset(r.tickLeft())
	}
}

// flush publishes what is ready, and motion, to every stream.
func (r *room) flush() {
	r.tickState.timerFor = notTicking
	r.timers.tick.Stop()
	w := r.durable
	r.durable = work{}
	if n := len(w.entries); n > 0 {
		r.publishedGen = w.entries[n-1].Gen
		r.history.add(r.table, w.entries)
		r.history.forgetDeleted(w.entries)
	}
	p := publication{
		room: r, work: &w, now: r.nowAfter(r.motions.sent), counts: r.applyCounts(w.entries),
	}
	p.gatherMotion()
	if w.forEverybody || len(p.motion) > 0 {
		r.tickState.flushed = time.Now()
	}
	if len(w.items) > 0 || p.moves() {
		p.publish()
	}
}

// now returns the server's time (K1): it does not go back when the machine's clock does. Any
// goroutine may call it.
func (r *room) now() id.Millis { return r.nowAfter(0) }

// nowAfter is now, but later than t. A frame of a tick is later than the last one that brought its
// client motion. So no two segments of a path have the same version (K2), and what ends motion is
// later than that motion (K12).
func (r *room) nowAfter(t id.Millis) id.Millis {
	for {
		last := r.latest.Load()
		now := max(last, int64(r.cfg.Now()+r.ahead), int64(t+1))
		if now == last || r.latest.CompareAndSwap(last, now) {
			return id.Millis(now)
		}
	}
}

// nowFor is now, but not before the time of motion that only this seat was sent.
func (r *room) nowFor(seat id.Seat) id.Millis { return max(r.now(), r.motions.sentTo[seat]) }
