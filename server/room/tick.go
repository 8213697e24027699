package room

import (
	"time"

	"holt/server/id"
)

// The length of a tick (S10): so long that a table writes 2,500 frames a second at most up to 62 clients, and 40 to each
// of more. Among few a tick is too short to be noticed, among many it saves most of the work.
const (
	tickEach = 400 * time.Microsecond
	tickMost = 25 * time.Millisecond
)

// tell queues what w holds for the next tick, and answers those who wait for it.
func (r *room) tell(w *work) {
	if len(w.items) > 0 {
		r.ready.join(w)
		r.flushSoon()
	}
	w.answer(nil)
}

// join puts what is told in o behind what is told in w.
func (w *work) join(o *work) {
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

// flushSoon lets what is ready be told: at once if there was nothing in the last tick, else when that is over (S10).
func (r *room) flushSoon() {
	if r.ticking {
		return
	}
	length := min(time.Duration(len(r.clients))*tickEach, tickMost)
	if wait := length - time.Since(r.flushed); wait > 0 {
		r.ticking = true
		r.tick.Reset(wait)
		return
	}
	r.flush()
}

// flush tells every stream what is ready, and what moves.
func (r *room) flush() {
	w := r.ready
	r.ready = work{}
	if n := len(w.entries); n > 0 {
		r.shown = w.entries[n-1].Gen
		r.keep(w.entries)
	}
	p := publication{room: r, work: &w, now: r.nowAfter(r.moved), holds: r.tally(w.entries)}
	p.gatherMotion()
	if len(w.items) > 0 || p.moves() {
		r.flushed = time.Now()
		p.publish()
	}
}

// now returns the server's time (K1): it does not go back when the clock of the machine does. Any goroutine may call it.
func (r *room) now() id.Millis { return r.nowAfter(0) }

// nowAfter is now, but later than t. A frame of a tick is later than the one before it that told motion: so no two
// segments of a path have one version (K2), and what ends motion is not as old as that (K12).
func (r *room) nowAfter(t id.Millis) id.Millis {
	for {
		last := r.latest.Load()
		now := max(last, int64(r.cfg.Now()+r.ahead), int64(t+1))
		if now == last || r.latest.CompareAndSwap(last, now) {
			return id.Millis(now)
		}
	}
}
