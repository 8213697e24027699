package room

import (
	"time"

	"holt/server/tables/stream"
)

// handoverTimeout is how long a stream may take to write what it has when another one continues it.
const handoverTimeout = 2 * time.Second

// canHandOver reports whether another stream can continue this one (D37): this one exists, it is
// synchronised, and it is not about to get a full state.
func (a *attached) canHandOver() bool {
	return a != nil && a.stream.State() == stream.OK && !a.fullRequested.Load()
}

// handOver closes a stream after what it still has to write, so that another one can continue it.
// What was sent so far is in there; the other stream gets everything from now on.
func (r *room) handOver(a *attached) {
	const why = "the stream goes on elsewhere"
	a.stream.Close(nil, stream.CodeTakenOver, why)
	// It does nothing if the stream has ended by then.
	time.AfterFunc(handoverTimeout, func() { a.stream.Abort(stream.CodeTakenOver, why) })
	r.detach(a)
}

// takeClientState takes over what a client has said by the stream that this one continues.
func (a *attached) takeClientState(old *attached) {
	a.away, a.resynced = old.away, old.resynced
}
