package room

import (
	"context"
	"errors"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// Bounds on what a room asks the owners of guest sets.
const (
	// How many calls of a table may wait; beyond them an owner counts as unreachable.
	maxCalls    = 512
	callTimeout = 10 * time.Second // O19
	errandEvery = time.Minute      // the longest wait before a failed errand is tried again
	errandSoon  = time.Second      // the wait of an errand that could not be queued
)

// ownerCall is a call of a room to the owner of a guest set. It goes through three steps, in this
// order:
//
//	begin  in the room: gets what the call needs; false: there is nothing to ask any more
//	ask    in a goroutine of its own, for callTimeout at most: reads only what never changes of the
//	       room, and changes nothing of it
//	end    in the room: processes the answer
type ownerCall struct {
	begin func() bool // nil: there is something to ask in any case
	ask   func(ctx context.Context)
	end   func()
}

// owners are the calls about guest sets that wait or are under way. Calls about one set are made
// one at a time, in order; calls about different sets at the same time.
type owners struct {
	queues map[id.OID]*callQueue
	calls  int // that wait or are under way, about all sets
	// Those who send a set through a door wait here until it is in its bag (O52).
	senders map[id.OID][]func(error)
}

// callQueue has the calls about one set.
type callQueue struct {
	waiting []ownerCall
	busy    bool        // one is under way
	reads   bool        // a call of askParts waits
	errands bool        // a call of errand waits
	failed  int         // errands that failed one after the other
	retry   *time.Timer // when an errand is tried again; nil: it is not
}

// of returns the queue of a set.
func (o *owners) of(set id.OID) *callQueue {
	q := o.queues[set]
	if q == nil {
		q = &callQueue{}
		o.queues[set] = q
	}
	return q
}

// idle reports whether nothing of a queue has to be kept.
func (q *callQueue) idle() bool {
	return !q.busy && len(q.waiting) == 0 && !q.reads && q.failed == 0 && q.retry == nil
}

// call queues a call about a set. It reports false if too many wait.
func (r *room) call(set id.OID, c ownerCall) bool {
	if r.owners.calls >= maxCalls {
		return false
	}
	q := r.owners.of(set)
	q.waiting = append(q.waiting, c)
	r.owners.calls++
	r.nextCallSoon(set)
	return true
}

// nextCallSoon makes the next call about a set once everything that was recorded before is durable.
// No owner is asked, and nothing is made, because of something that a crash may undo.
func (r *room) nextCallSoon(set id.OID) {
	r.whenDurable(func(err error) {
		if err == nil {
			r.nextCall(set)
		}
	})
}

// nextCall makes the next call about a set, unless one is under way.
func (r *room) nextCall(set id.OID) {
	q := r.owners.queues[set]
	if q == nil || q.busy {
		return
	}
	if r.cannotSave() { // the answer would have to be recorded
		q.busy = true
		time.AfterFunc(saveRetryDelay, func() {
			r.later(func() {
				q.busy = false
				r.nextCall(set)
			})
		})
		return
	}
	for len(q.waiting) > 0 {
		c := q.waiting[0]
		q.waiting = q.waiting[1:]
		if c.begin != nil && !c.begin() {
			r.owners.calls--
			continue
		}
		q.busy = true
		r.callsRunning.Go(func() { r.makeCall(set, q, c) })
		return
	}
	if q.idle() {
		delete(r.owners.queues, set)
	}
}

// makeCall asks an owner and hands the answer to the room. It ends early when the room ends.
func (r *room) makeCall(set id.OID, q *callQueue, c ownerCall) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	r.callsRunning.Go(func() {
		select {
		case <-r.gone:
			cancel()
		case <-ctx.Done():
		}
	})
	c.ask(ctx)
	r.later(func() {
		q.busy = false
		r.owners.calls--
		c.end()
		r.nextCallSoon(set)
	})
}

// settleCalls waits until no call is under way, for at most stopWait. What an owner has done and
// the table has not recorded is recognised when the table asks for it again.
func (r *room) settleCalls() {
	patience := time.NewTimer(stopWait)
	defer patience.Stop()
	for r.owners.calls > 0 && r.broken == nil {
		select {
		case f := <-r.inbox:
			f()
			r.settle()
		case <-patience.C:
			return
		}
	}
}

// markUnreachable records that the owner of a set cannot be reached.
func (r *room) markUnreachable(set id.OID, a *Unreachable) {
	if r.table.SetAway(set, a.Reason, a.Until, r.now()) {
		r.record()
	}
}

// markReachable records that the owner of a set can be reached, and asks for what is not known yet.
func (r *room) markReachable(set id.OID) {
	if r.table.SetAway(set, table.AwayNone, 0, r.now()) {
		r.record()
		r.askParts(set, false)
	}
}

// failure processes an error of an owner. It returns why the update that asked is rejected. If the
// owner cannot be reached it records that.
func (r *room) failure(set id.OID, err error) table.Reason {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Reason
	}
	absent := &Unreachable{
		Reason: table.AwayOwner, Until: r.now() + id.Millis(errandEvery/time.Millisecond),
	}
	if !errors.As(err, &absent) &&
		!errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		r.log.Warn("owner of a set has failed", "set", set.String(), "error", err)
	}
	if !errors.Is(err, context.Canceled) { // then the room is ending
		r.markUnreachable(set, absent)
	}
	return table.ReasonAway
}
