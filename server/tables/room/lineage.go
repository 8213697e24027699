package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// To the server, a folder that was put back to an older state looks like any other; only its
// clients know better. So clients say in which server life they got the version that they have
// (S21). A version that the history does not have shows that the history went back.

// Told says what a client was sent last. Life is zero if the client does not name it.
type Told struct {
	Epoch id.Epoch
	Life  Life
	Mark  id.Mark
}

// errRenewed ends a room whose table has got another epoch. Callers that come meanwhile have to
// come again.
var errRenewed = fmt.Errorf("%w this table: its history went back to an older state", ErrStopping)

// isLost reports whether a client was sent something that the history of the table does not have.
// The room's own life is never lost: nothing goes back while the server runs.
func (r *room) isLost(ctx context.Context, seat id.Seat, t Told) (bool, error) {
	if t.Life == (Life{}) || t.Mark == 0 || t.Life == r.life || t.Epoch != r.row.Epoch {
		return false, nil
	}
	l, err := r.cfg.Store.Lineage(ctx, r.row.Table, t.Life)
	if err != nil {
		return false, failed(err)
	}
	if l.Forged {
		return false, nil
	}
	if !l.Known {
		return true, nil
	}
	answer := make(chan bool, 1) // the room answers once
	if err := r.do(ctx, func() { answer <- r.beyond(seat, t.Mark, l.Last) }); err != nil {
		return false, err
	}
	select {
	case beyond := <-answer:
		return beyond, nil
	case <-r.gone:
		return false, r.ending
	}
}

// beyond reports whether a version lies above all that a view was shown up to a position. It
// reports false where the numbering of the view is no longer exact.
func (r *room) beyond(seat id.Seat, mark id.Mark, last Position) bool {
	g := min(id.Generation(last), r.table.Gen()) // the entry at a position has its number
	highest, exact := r.table.HighestMark(seat, g)
	return exact && mark > highest
}

// lost handles a client that was sent what the history of its table does not have. The table takes
// another epoch, unless it got one in this server life: then the client is merely from before that.
func (rs *Rooms) lost(ctx context.Context, r *room, s Session) error {
	if s.Role == table.RoleSpectator || r.renewed {
		return nil
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	answer := make(chan error, 1) // the room answers once
	if err := r.do(ctx, func() { r.renewals = append(r.renewals, answer) }); err != nil {
		return err
	}
	err := r.await(ctx, answer)
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if s := rs.loaded[s.Table]; s != nil && s.room == r { // the next caller gets another room
		delete(rs.loaded, r.row.Table)
	}
	return err
}

// renew gives the table another epoch and ends the room. All pending updates, and the seeds of its
// draws, belong to a history that is lost.
func (r *room) renew() {
	r.drain()
	r.settle()
	r.settleCalls()
	if r.broken != nil {
		r.answerRenewals(ErrStorage)
		return // other callers get their answer when the room ends
	}
	r.snapshots.wait()
	epoch, err := newEpoch(r.cfg.Random)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
		defer cancel()
		err = r.cfg.Store.Renew(ctx, r.row.Table, epoch)
	}
	if err != nil {
		r.broken = err
		r.answerRenewals(fmt.Errorf("%w: %w", ErrStorage, err))
		return
	}
	r.log.Warn("the history of this table went back to an older state: it goes on in another epoch")
	r.ending = errRenewed
	r.flush()
	for _, a := range r.clients {
		after := id.Millis(r.rand.IntN(500))
		last, err := wire.AppendEvent(
			wire.AppendHead(nil, r.nowFor(a.seat), r.table.MarkAt(a.seat, r.shown)),
			wire.GoingEvent(after, false))
		if err != nil {
			r.log.Error("frame not encoded", "error", err)
		}
		a.stream.Close(last, stream.CodeGoingAway, "the table goes on from an older state")
	}
	r.waitStreams()
	r.answerRenewals(errRenewed)
}

func (r *room) answerRenewals(err error) {
	for _, a := range r.renewals {
		a <- err
	}
	r.renewals = nil
}

// notLost returns an error if a client was sent what the history of the table does not have. That
// is ErrEpoch, because what the client sends belongs to another history.
func (rs *Rooms) notLost(ctx context.Context, r *room, s Session, t Told) error {
	lost, err := r.isLost(ctx, s.Seat, t)
	if err != nil || !lost {
		return err
	}
	if err := rs.lost(ctx, r, s); err != nil && !errors.Is(err, errRenewed) {
		return err
	}
	return ErrEpoch
}
