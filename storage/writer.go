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
	// queueLength bounds the jobs that wait. When the queue is full, callers wait with their
	// context.
	queueLength = 256
	// groupBytes bounds what one transaction writes. The last job may exceed it.
	groupBytes = 4 << 20
)

// writer owns the only connection that writes, and commits in groups: all jobs that wait while one
// transaction is flushed to the disk go into the next one.
type writer struct {
	// Set at construction.
	queue     chan *job
	done      chan struct{}
	condition *condition
	identity  *fileIdentity
	clock     clock

	// Owned by run.
	tx         *tx
	failing    bool
	checkedAt  time.Time // when the files were last seen where they were
	closing    bool      // this is the last transaction
	recordedAt time.Time // when a transaction last recorded log lengths
	due        timer     // the time at which log lengths must be recorded
	armed      bool      // due will fire, or has fired and run has not noticed it
}

// job is one change, all or nothing.
type job struct {
	// Set at construction.
	size int
	// run makes the change. It may be called again after a failed transaction. So it has no effects
	// but through tx, and each call sets its results again. If it changes nothing it returns a
	// refusal.
	run   func(*tx) error
	state atomic.Int32
	done  chan error // one answer; buffered, so that it never blocks the writer
}

// States of a job. The caller may withdraw it while it waits. Once the writer has taken it, the
// caller cannot withdraw it.
//
//	waiting ──▶ taken (answered on done)
//	   └──────▶ withdrawn
const (
	waiting int32 = iota
	taken
	withdrawn
)

// refusal answers a job that has changed nothing. It does not affect the other jobs of its group.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }

func startWriter(ctx context.Context, path string, c *condition, of clock) (*writer, error) {
	w := &writer{
		queue:     make(chan *job, queueLength), // full: callers wait
		done:      make(chan struct{}),
		condition: c,
		tx:        newTx(ctx, path, c.log),
		clock:     of,
		due:       of.newTimer(recordEvery),
		armed:     true,
	}
	// The connection must be able to write: here a read-only file or directory causes an error.
	err := ctx.Err()
	if err == nil {
		err = w.tx.probe()
	}
	if err == nil {
		w.identity, err = fileIdentityOf(path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database for writing: %w", err), w.tx.close())
	}
	go w.run()
	return w, nil
}

// stop ends the writer after the jobs that it has. do must not be called after stop.
func (w *writer) stop() error {
	close(w.queue)
	<-w.done
	return w.tx.close()
}

// do runs a job and returns its outcome. If ctx ends while the job still waits, do withdraws it,
// and it is never done. Once the writer has taken the job, do waits for the outcome, whatever ctx
// says.
func (w *writer) do(ctx context.Context, size int, run func(*tx) error) error {
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

func (w *writer) run() {
	defer close(w.done)
	defer w.due.Stop()
	group := make([]*job, 0, queueLength)
	for {
		j, open := w.next()
		if !open {
			w.finish()
			return
		}
		group = w.gather(group[:0], j)
		w.commit(group)
	}
}

// finish moves the recorded log lengths into the rows of the tables, which have checksums.
func (w *writer) finish() {
	if w.tx.ends != nil && len(w.tx.ends.places) > 0 {
		w.closing = true
		w.commit(nil)
	}
}

// next waits for a job. Meanwhile it records the log lengths that no commit has recorded for
// recordEvery. One timer serves many waits: a new one for each wait takes three allocations for
// each commit.
func (w *writer) next() (j *job, open bool) {
	for {
		if w.owesLengths() && !w.armed {
			w.due.Reset(recordEvery - min(w.since(w.recordedAt), recordEvery))
			w.armed = true
		}
		select {
		case j, open = <-w.queue:
			return j, open
		case <-w.due.fired():
			w.armed = false
		}
		if w.owesLengths() && w.since(w.recordedAt) >= recordEvery {
			w.commit(nil)
		}
	}
}

func (w *writer) since(t time.Time) time.Duration { return w.clock.now().Sub(t) }

// owesLengths reports whether there are log lengths that no commit has recorded.
func (w *writer) owesLengths() bool {
	return w.tx.ends != nil && w.tx.ends.pending && !w.tx.ends.unwritable
}

// gather takes the first job and those that wait behind it.
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

// commit writes a group to the disk and answers each of its jobs. If the transaction of several
// jobs fails, it tries each job in a transaction of its own, so that a job that cannot be done
// fails alone. If the files are gone it does not try again.
func (w *writer) commit(group []*job) {
	answers, err := w.try(group)
	if err != nil {
		err = w.tx.abandon(err)
	}
	gone := w.checkFiles(err != nil)
	if gone != nil {
		// it is in files that nobody will find again: a later reader must not take it for durable
		if err == nil {
			w.condition.markLost()
		}
		err = w.tx.abandon(gone)
	}
	if err != nil && len(group) > 1 && gone == nil {
		for i := range group {
			w.commit(group[i : i+1])
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

// try runs the jobs in one transaction. It returns an answer for each job. If it returns an error,
// nothing of any job was kept.
func (w *writer) try(group []*job) ([]error, error) {
	if err := w.tx.begin(); err != nil {
		return nil, fmt.Errorf("begin transaction: %w", err)
	}
	if w.tx.recent == nil {
		if err := w.tx.catchUp(); err != nil {
			if isCorrupt(err) {
				err = &room.Trouble{
					Reason: "its database is damaged: it must be started again", Err: err,
				}
			}
			return nil, err
		}
	}
	w.tx.jobs = len(group)
	answers := make([]error, len(group))
	for i, j := range group {
		err := j.run(w.tx)
		var r refusal
		if errors.As(err, &r) {
			answers[i] = r.error
		} else if err != nil {
			return nil, err
		}
	}
	if err := w.tx.trimRecent(); err != nil {
		return nil, err
	}
	if w.closing || w.tx.ends.urgent ||
		w.tx.ends.pending && w.since(w.recordedAt) >= recordEvery {
		w.recordedAt = w.clock.now()
		if err := w.tx.writeEnds(w.closing); err != nil {
			return nil, err
		}
	}
	if w.condition.get() != nil { // nothing is written into files that are known to be gone
		if err := w.identity.check(); err != nil {
			return nil, err
		}
	}
	if err := w.tx.commit(); err != nil {
		return nil, fmt.Errorf("commit: %w", err)
	}
	w.tx.ends.undo = w.tx.ends.undo[:0]
	return answers, nil
}

// checkFor is how long a check of the files' place stays valid: a check costs two system calls.
const checkFor = 100 * time.Millisecond

// checkFiles returns a *room.Trouble if the files are not where they were. It relies on a check of
// at most checkFor ago, unless a transaction has failed: missing files may be the reason.
func (w *writer) checkFiles(failed bool) error {
	if !failed && w.since(w.checkedAt) < checkFor {
		return nil
	}
	err := w.identity.check()
	if err == nil {
		w.checkedAt = w.clock.now()
	}
	return err
}

// report records that the disk or the folder is at fault. Of other errors it logs the first one,
// and when commits succeed again, not every error in between.
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
