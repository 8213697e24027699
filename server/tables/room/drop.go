package room

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// The log of a table begins with a snapshot once its history was dropped (T48). A round of
// randomness ends before that, and the next one begins with the first entry that stays. So an
// export begins with a round. The sweeper deletes what was dropped.

// DropHistory drops what was logged at the table of s until now (T48). It returns when that is
// durable. ErrRole unless s is a host's; ErrRounds if too many rounds of randomness are sealed;
// *TooSoon if the table has opened too many within the hour.
func (rs *Rooms) DropHistory(ctx context.Context, s Session) error {
	if s.Role != table.RoleHost {
		return ErrRole
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	r, release, err := rs.acquire(ctx, s.Table)
	if err != nil {
		return err
	}
	defer release()
	_, err = ask(ctx, r, func(answer func(none, error)) {
		if refused := r.admitSession(s); refused != nil {
			r.whenDurable(func(err error) { answer(none{}, cmp.Or(err, refused)) })
			return
		}
		r.dropRequests = append(r.dropRequests, request{s.Seat, answer})
	})
	if err != nil {
		return err
	}
	rs.Sweep()
	return nil
}

// dropHistory fulfils the requests. All that came at the same time want the same.
func (r *room) dropHistory() {
	r.settle()
	if r.broken != nil {
		return // callers that wait get their answer when the room ends
	}
	r.snapshots.wait()
	r.dropRequests.answer(r.dropLog(r.dropRequests[0].by))
}

// dropLog opens a round and lets the log begin with it.
func (r *room) dropLog(by id.Seat) error {
	if wait := r.space.spent.round(r.space.quota.Rounds, time.Now()); wait > 0 {
		return &TooSoon{After: wait}
	}
	image := r.image()
	d := Dropping{Table: r.row.Table, Base: r.position}
	logged := r.space.logged
	var err error
	if d.Snapshot, err = wire.EncodeImage(&image); err != nil {
		return fmt.Errorf("%w: drop history: %w", ErrStorage, err)
	}
	r.snapshots.since = 0 // no other snapshot now
	if _, err := r.openRound(); err != nil {
		return err
	}
	r.settle()
	if r.broken != nil {
		return ErrStorage
	}
	d.Expect = r.position
	ctx, cancel := storeContext()
	defer cancel()
	err = r.cfg.Store.DropHistory(ctx, d)
	switch {
	case errors.Is(err, ErrFenced), errors.Is(err, ErrNoTable), errors.Is(err, ErrGone),
		errors.Is(err, context.DeadlineExceeded):
		r.broken = err // somebody else has the table, or the store may still carry it out
	case err == nil:
		r.row.Base = d.Base
		r.recorder.drop()
		r.space = newSpace(r.space.quota, r.cfg.InviteKey, &r.row,
			r.space.logged-logged, r.space.spent)
		r.recorded.queueEvent(id.Client{}, wire.DroppedEvent(r.space.level, by))
		r.dispatch()
		r.log.Info("history was dropped", "by", by.String(), "bytes", logged)
		return nil
	}
	return fmt.Errorf("%w: drop history of table %s: %w", ErrStorage, r.row.Table, err)
}

// sweepHistories deletes the dropped entries of all tables. If that fails for one table it goes on
// with the others.
func (rs *Rooms) sweepHistories(ctx context.Context) error {
	all, err := rs.cfg.Store.Dropped(ctx)
	if err != nil {
		return err
	}
	for _, t := range all {
		for more := true; more && ctx.Err() == nil; {
			var failed error
			more, failed = rs.cfg.Store.SweepHistory(ctx, t)
			if failed == nil {
				continue
			}
			more = false
			// If the table was deleted meanwhile, that is not an error.
			if !errors.Is(failed, ErrGone) && !errors.Is(failed, ErrNoTable) {
				err = errors.Join(err,
					fmt.Errorf("delete dropped history of table %s: %w", t, failed))
			}
		}
	}
	return err
}
