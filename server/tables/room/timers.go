package room

import "time"

// timers are the timers of a room. Each belongs to the part of the room that sets and stops it; run
// calls the function named beside it.
type timers struct {
	tick     *time.Timer // publish: flush
	absence  *time.Timer // a seat or a holder has been away for too long: endAbsences
	mix      *time.Timer // a mix has waited for shares for long enough: mix
	reveal   *time.Timer // sealed rounds may be revealed: revealSeeds
	state    *time.Timer // a stream may get the full state: serveWaiting
	question *time.Timer // nobody has answered a question in time: questionOver
	host     *time.Timer // no host has been there for long: checkSuccession
	idle     *time.Timer // nobody has used the room: it may end
}

// newTimers returns timers of which none is set.
func newTimers() timers {
	unset := func() *time.Timer {
		t := time.NewTimer(time.Hour)
		t.Stop()
		return t
	}
	return timers{
		tick: unset(), absence: unset(), mix: unset(),
		reveal: unset(), state: unset(), question: unset(), host: unset(), idle: unset(),
	}
}

// stop stops all of them.
func (t *timers) stop() {
	for _, timer := range []*time.Timer{
		t.tick, t.absence, t.mix, t.reveal, t.state, t.question, t.host, t.idle,
	} {
		timer.Stop()
	}
}
