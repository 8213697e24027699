package node

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"holt/server/federation/object"
	"holt/server/id"
)

// roundEvery is how often what nobody needs any more is collected, in milliseconds (O24).
const roundEvery id.Millis = 24 * 60 * 60_000

// rounds is when the collection runs, and who waits for the end of a round. It is owned by run.
type rounds struct {
	last    id.Millis // when a round ended, or was begun
	waiting []func(object.Rounded, error)
	// After a slice of a round the machine does nothing of it for as long as that took: at least half of its time is for what is asked.
	sliced time.Time
	rest   time.Duration
}

func (w *World) loadRounds(ctx context.Context) error {
	b, err := w.cfg.Store.ObjectValue(ctx, roundSpace, id.OID{15: 1})
	if err != nil {
		return err
	}
	w.last = w.cfg.Now()
	if len(b) == 8 {
		w.last = min(w.last, id.Millis(binary.BigEndian.Uint64(b))) //nolint:gosec // as it was written
	} else {
		w.noteRound() // the first one is a day after the first start
	}
	return nil
}

// noteRound writes down that a round was now.
func (w *World) noteRound() {
	w.last = w.cfg.Now()
	w.write(object.Write{Space: roundSpace, OID: id.OID{15: 1}, Value: binary.BigEndian.AppendUint64(nil, uint64(w.last))}) //nolint:gosec // after 1970
}

// untilRound returns for how long no round is due.
func (w *World) untilRound() time.Duration {
	if w.host != nil && w.host.Hearing() {
		return time.Second
	}
	return time.Duration(max(0, w.last+roundEvery-w.cfg.Now())) * time.Millisecond
}

// collect begins a round. What a restored host does not know yet it does not collect (O11).
func (w *World) collect() {
	w.last = w.cfg.Now()
	for host := range w.up {
		w.hear(host)
	}
	_ = w.work(w.host.Collect) // the log has it
	if w.host != nil && !w.host.Collecting() {
		w.endRound(object.Rounded{}, fmt.Errorf("nothing is collected yet: not all linked servers have said what they know of this one"))
	}
}

// endRound tells those who wait.
func (w *World) endRound(r object.Rounded, err error) {
	waiting := w.waiting
	w.waiting = nil
	for _, f := range waiting {
		f(r, err)
	}
	if err == nil {
		w.noteRound()
		w.cfg.Log.Info("objects that nobody needs were collected", "round", r.Number, "objects", r.Objects, "deleted", r.Deleted, "nimby", r.Nimby,
			"released", r.Released)
		w.meet(r.Strangers)
		w.sweepSoon()
	}
}

// Collect runs a round of the collection now, and returns what it has found.
func (w *World) Collect(ctx context.Context) (object.Rounded, error) {
	type end struct {
		object.Rounded
		err error
	}
	done := make(chan end, 1) // it is answered once
	err := w.put(ctx, func() {
		if w.host == nil {
			done <- end{err: ErrStorage}
			return
		}
		w.waiting = append(w.waiting, func(r object.Rounded, err error) { done <- end{r, err} })
		if !w.host.Collecting() {
			w.collect()
		}
	})
	if err != nil {
		return object.Rounded{}, err
	}
	select {
	case e := <-done:
		return e.Rounded, e.err
	case <-ctx.Done():
		return object.Rounded{}, ctx.Err()
	case <-w.over:
		return object.Rounded{}, ErrClosed
	}
}
