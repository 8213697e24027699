package room

import (
	"context"
	"errors"
	"slices"
	"time"

	"holt/server/id"
	"holt/server/play/table"
)

// Bounds of what a room asks the owners of sets.
const (
	maxCalls    = 512              // that wait, of a table; beyond them an owner counts as away
	callTimeout = 10 * time.Second // O19
	errandEvery = time.Minute      // at most so long after it failed an errand is tried again
	errandSoon  = time.Second      // so long after it had to wait its turn
)

// line is what is to be asked about one set, in order: one call at a time.
type line struct {
	waiting []call
	busy    bool
	reading bool        // a call waits that asks what somebody may see
	erring  bool        // a call waits that does what is to be done still
	failed  int         // errands that have failed one after the other
	again   *time.Timer // when an errand is tried again; nil: it is not
}

// call is something to be asked. Run's goroutine calls it when its turn has come; it returns what is to be done elsewhere, which
// returns what run does with the answer. Nil: there is nothing to be asked any more.
type call func() func(ctx context.Context) (done func())

// call lets c have its turn. It reports false if too much waits.
func (r *room) call(set id.OID, c call) bool {
	if r.calls >= maxCalls {
		return false
	}
	l := r.lines[set]
	if l == nil {
		l = &line{}
		r.lines[set] = l
	}
	l.waiting = append(l.waiting, c)
	r.calls++
	r.turnSoon(set)
	return true
}

// turnSoon begins the next call about a set when all that was recorded before is durable: nothing is asked of an owner, or made,
// for what may never have been.
func (r *room) turnSoon(set id.OID) {
	r.next.after = append(r.next.after, func(err error) {
		if err == nil {
			r.turn(set)
		}
	})
}

// turn begins the next call about a set, if none is on its way.
func (r *room) turn(set id.OID) {
	l := r.lines[set]
	if l != nil && !l.busy && r.halted() { // what is answered would be recorded
		l.busy = true
		time.AfterFunc(saveAgain, func() {
			r.later(func() {
				l.busy = false
				r.turn(set)
			})
		})
		return
	}
	for l != nil && !l.busy {
		if len(l.waiting) == 0 {
			if !l.reading && l.failed == 0 && l.again == nil {
				delete(r.lines, set)
			}
			return
		}
		c := l.waiting[0]
		l.waiting = l.waiting[1:]
		ask := c()
		if ask == nil {
			r.calls--
			continue
		}
		l.busy = true
		r.calling.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
			defer cancel()
			r.calling.Go(func() {
				select {
				case <-r.gone: // nobody waits for the answer any more
					cancel()
				case <-ctx.Done():
				}
			})
			done := ask(ctx)
			r.later(func() {
				l.busy = false
				r.calls--
				done()
				r.turnSoon(set)
			})
		})
	}
}

// settleCalls waits until nothing is asked any more, but not for long: what an owner has done and the table has not recorded is
// recognised when it is asked for again.
func (r *room) settleCalls() {
	patience := time.NewTimer(stopWait)
	defer patience.Stop()
	for r.calls > 0 && r.broken == nil {
		select {
		case f := <-r.inbox:
			f()
			r.settle()
		case <-patience.C:
			return
		}
	}
}

// absent records that the owner of a set cannot be reached.
func (r *room) absent(set id.OID, a *Absent) {
	if r.table.SetAway(set, a.Away, a.Until, r.now()) {
		r.record()
	}
}

// present records that the owner of a set can be reached, and asks what is not known yet.
func (r *room) present(set id.OID) {
	if r.table.SetAway(set, table.AwayNone, 0, r.now()) {
		r.record()
		r.inquire(set, false)
	}
}

// failure takes an error of an owner: what an update that has asked for it is answered, and that it cannot be reached, if so.
func (r *room) failure(set id.OID, err error) table.Reason {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Reason
	}
	absent := &Absent{Away: table.AwayOwner, Until: r.now() + id.Millis(errandEvery/time.Millisecond)}
	if !errors.As(err, &absent) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		r.log.Warn("owner of a set has failed", "set", set.String(), "error", err)
	}
	if !errors.Is(err, context.Canceled) { // it is the room that ends
		r.absent(set, absent)
	}
	return table.ReasonAway
}

// inquire asks what the parts of a set are that somebody may see (T38); with values also what may have changed without the table.
func (r *room) inquire(set id.OID, values bool) {
	l := r.lines[set]
	if s, ok := r.table.Set(set); l != nil && l.reading || !ok || s.Stage != table.StageHere || s.IsAway(r.now()) {
		return
	}
	if r.call(set, func() func(context.Context) func() { return r.reading(set, values) }) {
		r.lines[set].reading = true
	}
}

func (r *room) reading(set id.OID, values bool) func(context.Context) func() {
	r.lines[set].reading = false
	parts := r.table.Wanted(set, values)
	if len(parts) == 0 {
		return nil
	}
	return func(ctx context.Context) func() {
		said, err := r.cfg.Sets.Reveal(ctx, r.row.Table, set, parts)
		return func() {
			if err != nil {
				r.failure(set, err)
				return
			}
			r.present(set)
			r.learn(set, parts, said)
		}
	}
}

// learn records what an owner has said. What it has not said, or what cannot be, it has lost.
func (r *room) learn(set id.OID, parts []uint32, said Revealed) {
	known := make([]table.SetPart, len(said.Parts))
	for i := range said.Parts {
		p := &said.Parts[i]
		known[i] = table.SetPart{Part: p.Number, Kind: r.kindOf(p.Kind), Value: p.Value, Text: p.Text}
	}
	fits := r.table.Learn(set, said.Shuffles, known, r.now())
	r.record()
	for _, p := range r.table.Wanted(set, false) { // what has come into sight meanwhile is asked next
		fits = fits && !slices.Contains(parts, p)
	}
	if !fits {
		r.absent(set, &Absent{Away: table.AwayLost})
	}
}

// write tells the owner of a set what was written on a part of it. It is recorded already: nobody else writes there as long as the set
// lies here, and what the owner has missed it is told when it gets the set back.
func (r *room) write(e *table.Entry) {
	req := Request{Table: r.row.Table, Set: e.After.Set, Client: e.Client, Seq: e.Seq}
	part, text := e.After.Part, e.After.Text
	r.call(req.Set, func() func(context.Context) func() {
		return func(ctx context.Context) func() {
			err := r.cfg.Sets.Write(ctx, req, part, text)
			return func() {
				if err != nil {
					r.failure(req.Set, err)
				}
			}
		}
	})
}

// errand does what is to be done for a set that has left the table, and again until it is done (T40). However often it is asked
// for, it is tried once at a time.
func (r *room) errand(set id.OID) {
	if l := r.lines[set]; l != nil && l.again != nil {
		l.again.Stop()
		l.again = nil
	}
	if l := r.lines[set]; l != nil && l.erring {
		return
	}
	asked := r.call(set, func() func(context.Context) func() {
		r.lines[set].erring = false
		s, ok := r.table.Set(set)
		if !ok || s.Stage == table.StageHere {
			return nil
		}
		who, _ := r.table.Seat(s.Seat)
		kinds, by := r.kinds, Session{Table: r.row.Table, Seat: s.Seat, Role: who.Role}
		return func(ctx context.Context) func() {
			err := r.carryOut(ctx, &s, kinds, by)
			return func() { r.errandDone(set, err) }
		}
	})
	if asked {
		r.lines[set].erring = true
	} else {
		r.errandIn(set, errandSoon) // too much is asked already
	}
}

// errandIn does an errand after a while.
func (r *room) errandIn(set id.OID, wait time.Duration) {
	l := r.lines[set]
	if l == nil {
		l = &line{}
		r.lines[set] = l
	}
	if l.again != nil {
		l.again.Stop()
	}
	l.again = time.AfterFunc(wait, func() { r.later(func() { r.errand(set) }) })
}

func (r *room) errandDone(set id.OID, err error) {
	l := r.lines[set]
	if err == nil {
		l.failed = 0
		r.table.Finish(set, r.now())
		r.record()
		return
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	l.failed++
	wait := min(time.Second<<min(l.failed, 10), errandEvery)
	var absent *Absent
	if errors.As(err, &absent) {
		if absent.Until == 0 { // it says when it is back
			l.failed = 0
			return
		}
		wait = max(wait, time.Duration(absent.Until-r.now())*time.Millisecond)
	} else {
		r.log.Warn("errand for a set has failed", "set", set.String(), "error", err)
	}
	r.errandIn(set, wait)
}
