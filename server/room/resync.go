package room

import "time"

// resyncEvery is how often a stream gets the full state because its client asks for it (S9). To make one is much
// work, which is done for all on the room's own goroutine.
const resyncEvery = time.Second

// resync answers a client that has asked for the full state, now or when it may have one again.
func (r *room) resync(a *attached) {
	if wait := resyncEvery - time.Since(a.resynced); wait > 0 {
		r.waiting = append(r.waiting, a)
		if len(r.waiting) == 1 {
			r.again.Reset(wait)
		}
		return
	}
	a.resynced = time.Now()
	a.asking.Store(false) // what is asked from now on is not answered by this
	if a.stream.Desync() {
		r.makeWhole(a, 1)
	}
}

// resyncWaiting answers those who have waited long enough; the others wait on. Who waits behind somebody else may wait
// longer than need be, but not longer than resyncEvery.
func (r *room) resyncWaiting() {
	waiting := r.waiting
	r.waiting = nil
	for _, a := range waiting {
		r.resync(a)
	}
}
