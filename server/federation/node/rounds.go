package node

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
)

// roundEvery is how often unneeded objects are collected, in milliseconds (O24).
const roundEvery id.Millis = 24 * 60 * 60_000

// rounds knows when the collection runs, and who waits for the end of a round. It is owned by run.
type rounds struct {
	last    id.Millis // when a round ended or began
	waiting []func(object.Rounded, error)
	// After a slice of a round the machine rests from the round for as long as the slice took. So
	// at least half of its time is left for requests.
	sliced time.Time
	rest   time.Duration
}

func (w *Objects) loadRounds(ctx context.Context) error {
	b, err := w.cfg.Store.ObjectValue(ctx, roundSpace, id.OID{15: 1})
	if err != nil {
		return err
	}
	w.last = w.cfg.Now()
	if len(b) == 8 {
		w.last = min(w.last, id.Millis(binary.BigEndian.Uint64(b))) //nolint:gosec // as written
	} else {
		w.noteRound() // the first round is a day after the first start
	}
	return nil
}

// noteRound stores that a round was now.
func (w *Objects) noteRound() {
	w.last = w.cfg.Now()
	w.writeTime(roundSpace, id.OID{15: 1}, w.last)
}

// untilRound returns for how long no round is due.
func (w *Objects) untilRound() time.Duration {
	if w.host != nil && w.host.Hearing() {
		return time.Second
	}
	return time.Duration(max(0, w.last+roundEvery-w.cfg.Now())) * time.Millisecond
}

// collect begins a round. It reports an error to those who wait if the machine cannot collect yet
// (O11, O48).
func (w *Objects) collect() {
	w.last = w.cfg.Now()
	for host := range w.up {
		w.heardFrom(host)
	}
	_ = w.work(w.host.Collect) // work has logged the error
	if w.host != nil && !w.host.Collecting() {
		w.endRound(object.Rounded{}, fmt.Errorf(
			"nothing is collected yet: not all linked servers have said what they know of this one",
		))
	}
}

// endRound reports the end of a round to those who wait. It stores the time, and begins a sweep, if
// the round has run.
func (w *Objects) endRound(r object.Rounded, err error) {
	waiting := w.waiting
	w.waiting = nil
	for _, f := range waiting {
		f(r, err)
	}
	if err == nil {
		w.noteRound()
		w.cfg.Log.Info("objects that nobody needs were collected",
			"round", r.Number, "objects", r.Objects, "deleted", r.Deleted, "nimby", r.Nimby,
			"released", r.Released)
		w.meet(r.Strangers)
		w.sweepSoon()
		w.errand(func(ctx context.Context) {
			if err := w.forgetDeclined(ctx); err != nil && ctx.Err() == nil {
				w.cfg.Log.Warn("declined versions of kinds are not forgotten", "error", err)
			}
		})
	}
}

// Collect runs a round of the collection now, and returns what it found and did. The error says
// that the machine cannot collect yet, that the store has failed, or that ctx or the world has
// ended.
func (w *Objects) Collect(ctx context.Context) (object.Rounded, error) {
	return await(ctx, w, func(end func(object.Rounded, error)) {
		if w.host == nil {
			end(object.Rounded{}, ErrStorage)
			return
		}
		w.waiting = append(w.waiting, end)
		if !w.host.Collecting() {
			w.collect()
		}
	})
}
