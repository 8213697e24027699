package room

import (
	"context"
	"errors"
	"fmt"
	"time"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// sweeper deletes the data of deleted tables and gives back the guest sets that lay there (T42). It
// also deletes history that was dropped (T48), and rewrites what has the names of people
// who have erased what was kept of them (T80).
type sweeper struct {
	// Set at construction.
	wake chan struct{} // capacity 1: there may be something to do. Full: that is known already
	halt chan struct{} // closed when the rooms shut down

	running bool // Guarded by Rooms.mu.
}

// Bounds on how long the sweeper waits.
const (
	sweepAgain    = time.Second // after the first failure; it doubles after each further one
	sweepPatience = time.Hour   // at most
)

// Sweep makes the sweeper do what is to be done for deleted tables and dropped histories. It is
// called once when the server has started, and whenever there may be more to do. It returns at
// once.
func (rs *Rooms) Sweep() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.stopping {
		return
	}
	select {
	case rs.sweeper.wake <- struct{}{}:
	default:
	}
	if !rs.sweeper.running {
		rs.sweeper.running = true
		rs.running.Go(rs.sweep)
	}
}

// idle ends the sweeper if nobody has called Sweep again.
func (s *sweeper) idle(rs *Rooms) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if len(s.wake) > 0 {
		return false
	}
	s.running = false
	return true
}

// sweep works until there is nothing left to do, or the rooms shut down.
func (rs *Rooms) sweep() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rs.running.Go(func() {
		select {
		case <-rs.sweeper.halt:
			cancel()
		case <-ctx.Done():
		}
	})
	again := time.NewTimer(0)
	defer again.Stop()
	for failed := 0; ; {
		select {
		case <-rs.sweeper.wake:
		case <-again.C:
		case <-ctx.Done():
			return
		}
		left, err := rs.sweepAll(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && left == 0:
			failed = 0
			if rs.sweeper.idle(rs) {
				return
			}
			continue
		case err != nil:
			rs.cfg.Log.Warn("what is left of tables that were thrown away waits", "error", err)
		}
		failed++
		again.Reset(min(sweepAgain<<min(failed-1, 20), sweepPatience))
	}
}

// sweepAll does what can be done, and returns how many tables have to wait.
func (rs *Rooms) sweepAll(ctx context.Context) (left int, err error) {
	err = errors.Join(rs.sweepHistories(ctx), rs.sweepErasures(ctx))
	all, failed := rs.cfg.Store.DeletedTables(ctx)
	err = errors.Join(err, failed)
	for i := range all {
		done, failed := rs.sweepTable(ctx, &all[i])
		if ctx.Err() != nil {
			return left, ctx.Err()
		}
		if !done {
			left++
		}
		err = errors.Join(err, failed)
	}
	return left, err
}

// sweepTable does what can be done for one table, and reports whether that was all. The log goes
// first: what waits for owners is small. Guest sets go home even if the log cannot be deleted,
// because it is damaged.
func (rs *Rooms) sweepTable(ctx context.Context, d *DeletedTable) (done bool, err error) {
	var stuck error
	for more := true; more && stuck == nil; {
		more, stuck = rs.cfg.Store.SweepTable(ctx, d.Table)
	}
	done, err = rs.sweepGuests(ctx, d)
	if err == nil && done && stuck == nil {
		err = rs.cfg.Store.FinishDeletion(ctx, d.Table)
	}
	err = errors.Join(err, stuck)
	return done && err == nil, err
}

// sweepGuests gives back the guest sets that lay on a table, and reports whether that was all.
func (rs *Rooms) sweepGuests(ctx context.Context, d *DeletedTable) (done bool, err error) {
	done = true
	for _, o := range d.Owed {
		if err := rs.giveBack(ctx, d.Table, o); err != nil {
			done = false
			rs.cfg.Log.Info(
				"a set that lay on a table which was thrown away is not given back yet",
				"table", d.Table.String(), "set", o.Set.String(), "error", err)
			continue
		}
		if err := rs.cfg.Store.SetReturned(ctx, d.Table, o.Set); err != nil {
			return false, err
		}
	}
	if !done {
		return false, nil
	}
	if rs.cfg.SetOwners != nil {
		calling, cancel := context.WithTimeout(ctx, callTimeout)
		err = rs.cfg.SetOwners.DeleteTable(calling, d.Table)
		cancel()
	}
	var absent *Unreachable
	if errors.As(err, &absent) {
		return false, nil
	}
	return err == nil, err
}

// giveBack gives a set back to its owner.
func (rs *Rooms) giveBack(ctx context.Context, t id.OID, o Owed) error {
	e, err := wire.DecodeEntry(o.Doc)
	if err != nil {
		return fmt.Errorf("read how set %s lay: %w", o.Set, err)
	}
	if rs.cfg.SetOwners == nil || e.Set == nil {
		return &Unreachable{Reason: table.AwayOwner}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return rs.cfg.SetOwners.Release(ctx, t, o.Set, partsAsTheyLie(e.Set))
}
