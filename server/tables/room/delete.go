package room

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// One commit deletes a table (T42), and everybody is notified. A sweeper deletes the data that is
// left, and gives guest sets back. It does not belong to a room, and goes on after a restart.

// Delete deletes the table of s (T42). It returns when that is durable. ErrRole unless s is a
// host's; ErrBusy if something is just becoming a set; ErrGone if the table was deleted before.
func (rs *Rooms) Delete(ctx context.Context, s Session) error {
	if s.Role != table.RoleHost {
		return ErrRole
	}
	return rs.deleteIf(ctx, s.Table, s.Seat, func(r *room) error {
		return r.admitSession(s)
	})
}

// DeleteTable is Delete for the operator. It also deletes a table that is damaged, and reports
// whether it was: then nobody knows how guest sets lay there, and they go back as they were before
// they came.
func (rs *Rooms) DeleteTable(ctx context.Context, t id.OID) (damaged bool, err error) {
	if err = rs.deleteFor(ctx, t, 0); !errors.Is(err, ErrDamaged) {
		return false, err
	}
	if err := rs.cfg.Store.DeleteTable(ctx,
		Deletion{Table: t, Damaged: true, At: rs.cfg.Now()}); err != nil {
		return true, storeError(err)
	}
	rs.cfg.Log.Info("a damaged table was thrown away", "table", t.String())
	rs.forgetTable(t)
	rs.Sweep()
	return true, nil
}

func (rs *Rooms) deleteFor(ctx context.Context, t id.OID, by id.Seat) error {
	return rs.deleteIf(ctx, t, by, func(*room) error { return nil })
}

// deleteIf deletes a table unless against returns a reason not to.
func (rs *Rooms) deleteIf(
	ctx context.Context, t id.OID, by id.Seat, against func(*room) error,
) error {
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	r, release, err := rs.acquire(ctx, t)
	if err != nil {
		return err
	}
	defer release()
	_, err = ask(ctx, r, func(answer func(none, error)) {
		if err := against(r); err != nil {
			answer(none{}, err)
			return
		}
		r.deleteRequests = append(r.deleteRequests, request{by, answer})
	})
	if err != nil {
		return err
	}
	rs.forgetTable(t)
	return nil
}

// forgetTable forgets what memory has of a deleted table.
func (rs *Rooms) forgetTable(t id.OID) {
	rs.mu.Lock()
	maps.DeleteFunc(rs.sessions, func(_ Hash, s Session) bool { return s.Table == t })
	delete(rs.damaged, t)
	rs.mu.Unlock()
	rs.journals.forget(t)
}

// deleteTable deletes the table, notifies everybody, and reports whether it succeeded. If not, it
// answers why, and everything is as before.
func (r *room) deleteTable() bool {
	r.drain()
	r.settle()
	r.settleCalls()
	if r.broken != nil {
		return false // callers get their answer when the room ends
	}
	r.snapshots.wait()
	by, err := r.deleteRequests[0].by, r.storeDeletion()
	r.deleteRequests.answer(err)
	if err != nil {
		return false
	}
	r.ending = ErrGone
	r.flush()
	for _, a := range r.clients {
		r.end(a, stream.CodeTableClosed, "the table was thrown away", wire.DeletedEvent(by))
	}
	r.waitStreams()
	r.log.Info("table was thrown away", "by", by.String())
	return true
}

// storeDeletion makes the store delete the table and keep the sets that it owes.
func (r *room) storeDeletion() error {
	leaving, ok := r.table.Leaving()
	if !ok {
		return ErrBusy
	}
	d := Deletion{Table: r.row.Table, Expect: r.position, At: r.now()}
	for i := range leaving {
		doc, err := wire.EncodeEntry(
			&table.Entry{Gen: 1, Op: table.OpErrand, Server: true, Set: &leaving[i]})
		if err != nil {
			return fmt.Errorf("throw table %s away: set %s: %w", r.row.Table, leaving[i].Set, err)
		}
		d.Owed = append(d.Owed, Owed{Set: leaving[i].Set, Doc: doc})
	}
	ctx, cancel := storeContext()
	defer cancel()
	err := r.cfg.Store.DeleteTable(ctx, d)
	if errors.Is(err, ErrDamaged) { // it was damaged after the room was opened
		d.Damaged = true
		err = r.cfg.Store.DeleteTable(ctx, d)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrFenced), errors.Is(err, ErrNoTable), errors.Is(err, ErrGone):
		r.broken = err // somebody else has the table
	case errors.Is(err, context.DeadlineExceeded):
		r.broken = err // the store may still carry it out
	}
	return fmt.Errorf("%w: throw table %s away: %w", ErrStorage, r.row.Table, err)
}
