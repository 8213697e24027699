package room

import (
	"time"

	"holt/server/id"
)

// resyncEvery is how often a stream gets the full state because its client asks for it (S9).
const resyncEvery = time.Second

// stateQueue has the streams that wait for the full state, and how many got it without a pause.
type stateQueue struct {
	made    int // since the room paused
	waiting []*attached
	due     time.Time // when the timer goes off, if somebody waits
}

// begin notes that the room has paused.
func (q *stateQueue) begin() { q.made = 0 }

// resync answers a client that has asked for the full state: now, or when the last one is long
// enough ago and its seat can pay for it (T49).
func (r *room) resync(a *attached) {
	if wait := max(resyncEvery-time.Since(a.resynced), r.waitForState(a.seat)); wait > 0 {
		r.queue(a, wait)
		return
	}
	a.resynced = time.Now()
	a.fullRequested.Store(false) // this does not answer what is asked from now on
	if a.stream.Desync() {
		r.resendFullState(a)
	}
}

// resynchronise synchronises a stream whose outbox has overflowed (S7), now or when its seat can
// pay for it.
func (r *room) resynchronise(a *attached) {
	if wait := r.waitForState(a.seat); wait > 0 {
		a.overflowed = true
		r.queue(a, wait)
		return
	}
	a.overflowed = false
	r.resendFullState(a)
}

// resendFullState makes a full state for a stream that was synchronised before.
func (r *room) resendFullState(a *attached) {
	if r.clients[a.id] == a {
		r.chargeState(a.seat)
		r.queueFullState(a, 1)
	}
}

// waitForState returns how long a seat has to wait for a full state: a moment if the room has made
// statesAtOnce without a pause.
func (r *room) waitForState(seat id.Seat) time.Duration {
	if r.states.made >= statesAtOnce {
		return time.Nanosecond
	}
	return r.budgets.waitOwn(seat, r.unitsOfState(seat))
}

// chargeState lets a seat pay for a full state.
func (r *room) chargeState(seat id.Seat) {
	r.states.made++
	r.budgets.spend(seat, r.unitsOfState(seat))
}

// queue lets a client wait for the full state.
func (r *room) queue(a *attached, wait time.Duration) {
	if len(r.states.waiting) == 0 || wait < time.Until(r.states.due) {
		r.states.due = time.Now().Add(wait)
		r.timers.state.Reset(wait)
	}
	r.states.waiting = append(r.states.waiting, a)
}

// serveWaiting answers those that have waited long enough; the others wait on.
func (r *room) serveWaiting() {
	waiting := r.states.waiting
	r.states.waiting = nil
	for _, a := range waiting {
		switch {
		case r.clients[a.id] != a:
		case a.overflowed:
			r.resynchronise(a)
		default:
			r.resync(a)
		}
	}
}
