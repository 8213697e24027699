package storage

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"holt/server/tables/room"
)

const (
	// queueLength bounds the jobs that wait. When it is full, callers wait with their context.
	queueLength = 256
	// groupBytes bounds what one transaction writes, give or take one job.
	groupBytes = 4 << 20
)

// writer owns the only connection that writes, and commits in groups: whatever waits while one transaction
// is flushed to the disk goes into the next.
type writer struct {
	// Set at construction.
	queue     chan *job
	done      chan struct{}
	condition *condition
	place     *place
	clock     clock

	// Owned by run.
	tx      *tx
	failing bool
	placed  time.Time // when the files were seen where they were
	closing bool      // this is the last transaction
	noted   time.Time // when a transaction brought the notes of how long logs are
	due     timer     // set for the time at which the notes must be brought
	armed   bool      // due will fire, or has fired and nobody has seen it
}

// job is one change, all or nothing.
type job struct {
	// Set at construction.
	size int
	// run makes the change. It may be called again after a transaction that failed, so it has no effect but
	// by tx and by results that it sets anew. If it changes nothing it returns a refusal.
	run   func(context.Context, *tx) error
	state atomic.Int32
	done  chan error // one answer; never blocks the writer
}

// States of a job. The caller may withdraw it as long as it waits; the writer takes it then.
//
//	waiting ──▶ taken (answered on done)
//	   └──────▶ withdrawn
const (
	waiting int32 = iota
	taken
	withdrawn
)

// refusal answers a job that has changed nothing. The other jobs of its group do not suffer from it.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }

func startWriter(ctx context.Context, path string, c *condition, of clock) (*writer, error) {
	w := &writer{
		queue:     make(chan *job, queueLength), // full: callers wait
		done:      make(chan struct{}),
		condition: c,
		tx:        newTx(path, c.log),
		clock:     of,
		due:       of.newTimer(notesEvery),
		armed:     true,
	}
	// A connection that can begin to write: a file or directory that is read-only shows itself here.
	err := w.tx.probe(ctx)
	if err == nil {
		w.place, err = placeOf(path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database for writing: %w", err), w.tx.close())
	}
	go w.run(context.WithoutCancel(ctx))
	return w, nil
}

// stop ends the writer after the jobs that it has. do must not be called any more.
func (w *writer) stop() error {
	close(w.queue)
	<-w.done
	return w.tx.close()
}

// do runs a job and returns its outcome. If ctx ends while the job still waits, it is withdrawn and nothing
// of it is ever done; once it has been taken, do waits for the outcome, whatever ctx says.
func (w *writer) do(ctx context.Context, size int, run func(context.Context, *tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{size: size, run: run, done: make(chan error, 1)}
	select {
	case w.queue <- j:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.state.CompareAndSwap(waiting, withdrawn) {
			return ctx.Err()
		}
		return <-j.done
	}
}

func (w *writer) run(ctx context.Context) {
	defer close(w.done)
	defer w.due.Stop()
	group := make([]*job, 0, queueLength)
	for {
		j, open := w.next(ctx)
		if !open {
			w.finish(ctx)
			return
		}
		group = w.gather(group[:0], j)
		w.commit(ctx, group)
	}
}

// finish puts the notes of how long logs are into the rows of the tables, which have checksums.
func (w *writer) finish(ctx context.Context) {
	if w.tx.ends != nil && len(w.tx.ends.places) > 0 {
		w.closing = true
		w.commit(ctx, nil)
	}
}

// next waits for a job. Meanwhile it brings the notes to the disk that no commit has brought for notesEvery. One timer
// serves for many waits: a new one for each is three allocations for each commit.
func (w *writer) next(ctx context.Context) (j *job, open bool) {
	for {
		if w.owesNotes() && !w.armed {
			w.due.Reset(notesEvery - min(w.since(w.noted), notesEvery))
			w.armed = true
		}
		select {
		case j, open = <-w.queue:
			return j, open
		case <-w.due.fired():
			w.armed = false
		}
		if w.owesNotes() && w.since(w.noted) >= notesEvery {
			w.commit(ctx, nil)
		}
	}
}

func (w *writer) since(t time.Time) time.Duration { return w.clock.now().Sub(t) }

// owesNotes reports whether there are notes that no commit has brought.
func (w *writer) owesNotes() bool { return w.tx.ends != nil && w.tx.ends.pending && !w.tx.ends.lame }

// gather takes first and what waits behind it.
func (w *writer) gather(group []*job, first *job) []*job {
	size := 0
	for j := first; ; {
		if j.state.CompareAndSwap(waiting, taken) {
			group = append(group, j)
			size += j.size
		}
		if len(group) == queueLength || size >= groupBytes {
			return group
		}
		select {
		case next, open := <-w.queue:
			if !open {
				return group
			}
			j = next
		default:
			return group
		}
	}
}

// commit brings a group to the disk and answers each of its jobs. If the transaction of several fails, each
// is tried in one of its own, so that a job that cannot be done fails alone. If the files are gone none is tried again.
func (w *writer) commit(ctx context.Context, group []*job) {
	answers, err := w.try(ctx, group)
	gone := w.misplaced(err != nil)
	if gone != nil {
		if err == nil { // it is in files that nobody finds again, and must not be acknowledged to who asks later
			w.condition.spoil()
		}
		err = w.tx.abandon(ctx, gone)
	}
	if err != nil && len(group) > 1 && gone == nil {
		for i := range group {
			w.commit(ctx, group[i:i+1])
		}
		return
	}
	err = troubleOf(err)
	w.report(err)
	for i, j := range group {
		if err != nil {
			j.done <- err
		} else {
			j.done <- answers[i]
		}
	}
}

// try runs the jobs in one transaction. It returns an answer for each, or the error for which nothing of any
// of them was kept.
func (w *writer) try(ctx context.Context, group []*job) ([]error, error) {
	if err := w.tx.begin(ctx); err != nil {
		return nil, w.tx.abandon(ctx, fmt.Errorf("begin transaction: %w", err))
	}
	if w.tx.recent == nil {
		if err := w.tx.catchUp(ctx); err != nil {
			if isCorrupt(err) {
				err = &room.Trouble{Reason: "its database is damaged: it must be started again", Err: err}
			}
			return nil, w.tx.abandon(ctx, err)
		}
	}
	w.tx.jobs = len(group)
	answers := make([]error, len(group))
	for i, j := range group {
		err := j.run(ctx, w.tx)
		var r refusal
		if errors.As(err, &r) {
			answers[i] = r.error
		} else if err != nil {
			return nil, w.tx.abandon(ctx, err)
		}
	}
	if err := w.tx.tidy(ctx); err != nil {
		return nil, w.tx.abandon(ctx, err)
	}
	if w.closing || w.tx.ends.pending && w.since(w.noted) >= notesEvery {
		w.noted = w.clock.now()
		if err := w.tx.writeEnds(ctx, w.closing); err != nil {
			return nil, w.tx.abandon(ctx, err)
		}
	}
	if w.condition.get() != nil { // nothing is put into files that are known to be gone
		if err := w.place.check(); err != nil {
			return nil, w.tx.abandon(ctx, err)
		}
	}
	if err := w.tx.commit(ctx); err != nil {
		return nil, w.tx.abandon(ctx, fmt.Errorf("commit: %w", err))
	}
	w.tx.ends.undo = w.tx.ends.undo[:0]
	return answers, nil
}

// placeFor is how long it counts that the files were seen where they were: to look costs two system calls.
const placeFor = 100 * time.Millisecond

// misplaced returns a *room.Trouble if the files are not where they were, as of placeFor ago at most.
// If a transaction has failed it looks in any case: that the files are gone may be why.
func (w *writer) misplaced(failed bool) error {
	if !failed && w.since(w.placed) < placeFor {
		return nil
	}
	err := w.place.check()
	if err == nil {
		w.placed = w.clock.now()
	}
	return err
}

// report notes that the disk or the folder is at fault. Of other errors it logs when they begin and when commits succeed
// again, not every one between.
func (w *writer) report(err error) {
	var trouble *room.Trouble
	if errors.As(err, &trouble) {
		w.condition.fails(err)
		return
	}
	if failing := err != nil; failing != w.failing {
		w.failing = failing
		if failing {
			w.condition.log.Error("storage fails", "error", err)
		} else {
			w.condition.log.Info("storage works again")
		}
	}
}
