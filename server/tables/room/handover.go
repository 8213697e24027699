package room

import (
	"time"

	"holt/server/tables/stream"
)

// handoverTimeout is how long a stream may take to write what it has, when another one goes on with it.
const handoverTimeout = 2 * time.Second

// mayGoOver reports whether another stream can go on where this one is (D37): it is there, it is whole, and it is not about to get a
// full state.
func (a *attached) mayGoOver() bool {
	return a != nil && a.stream.State() == stream.OK && !a.asking.Load()
}

// letGoOver closes a stream, behind what it has to write, so that another one can go on with it: all that has been told is in there,
// and what is told from now on the other one gets.
func (r *room) letGoOver(a *attached) {
	const why = "the stream goes on elsewhere"
	a.stream.Close(nil, stream.CodeTakenOver, why)
	time.AfterFunc(handoverTimeout, func() { a.stream.Abort(stream.CodeTakenOver, why) }) // it does nothing any more if it has ended
	r.detach(a)
}

// inherit takes over what a client has said by the stream with which this one goes on.
func (a *attached) inherit(old *attached) {
	a.away, a.resynced = old.away, old.resynced
}
