package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/stream"
	"holt/server/tables/wire"
)

// To the server, a folder that was put back to an older state looks like any other; only its
// clients know better. So clients say in which server life they got the version that they have
// (S21). A version that the history does not have shows that the history went back.

// LastSent says what a client was sent last. Life is zero if the client does not name it.
type LastSent struct {
	Epoch   id.Epoch
	Life    ServerLife
	Version id.Version
}

// errRenewed ends a room whose table has got another epoch. Callers that come meanwhile have to
// come again.
var errRenewed = fmt.Errorf("%w this table: its history went back to an older state", ErrStopping)

// isFromLostHistory reports whether a client was sent something that the history of the table does
// not have. The room's own life is never lost: nothing goes back while the server runs.
func (r *room) isFromLostHistory(ctx context.Context, seat id.Seat, t LastSent) (bool, error) {
	if t.Life == (ServerLife{}) || t.Version == 0 || t.Life == r.serverLife || t.Epoch != r.row.Epoch {
		return false, nil
	}
	l, err := r.cfg.Store.Lineage(ctx, r.row.Table, t.Life)
	if err != nil {
		return false, storeError(err)
	}
	if l.Forged {
		return false, nil
	}
	if !l.Known {
		return true, nil
	}
	return ask(ctx, r, func(answer func(bool, error)) {
		answer(r.isAboveView(seat, t.Version, l.Last), nil)
	})
}

// isAboveView reports whether a version lies above all that a view was shown up to a position. It
// reports false where the numbering of the view is no longer exact.
func (r *room) isAboveView(seat id.Seat, version id.Version, last Position) bool {
	g := min(id.Generation(last), r.table.Gen()) // the entry at a position has its number
	highest, exact := r.table.HighestVersion(seat, g)
	return exact && version > highest
}

// requestEpoch handles a client that was sent what the history of its table does not have. The
// table takes another epoch, unless it got one in this server life: then the client is merely from
// before that.
func (rs *Rooms) requestEpoch(ctx context.Context, r *room, s Session) error {
	if !s.Role.Plays() || r.epochIsNew {
		return nil
	}
	if err := rs.cfg.Store.Writable(); err != nil {
		return err
	}
	_, err := ask(ctx, r, func(answer func(none, error)) {
		r.epochRequests = append(r.epochRequests, request{s.Seat, answer})
	})
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
		r.epochRequests.answer(ErrStorage)
		return // other callers get their answer when the room ends
	}
	r.snapshots.wait()
	epoch, err := newEpoch(r.cfg.Random)
	if err == nil {
		ctx, cancel := storeContext()
		defer cancel()
		err = r.cfg.Store.Renew(ctx, r.row.Table, epoch)
	}
	if err != nil {
		r.broken = err
		r.epochRequests.answer(inStorage(err))
		return
	}
	r.log.Warn("the history of this table went back to an older state: it goes on in another epoch")
	r.ending = errRenewed
	r.flush()
	for _, a := range r.clients {
		r.end(a, stream.CodeGoingAway, "the table goes on from an older state",
			wire.GoingEvent(id.Millis(r.rand.IntN(500)), false))
	}
	r.waitStreams()
	r.epochRequests.answer(errRenewed)
}

// checkHistory returns an error if a client was sent what the history of the table does not have.
// That is ErrEpoch, because what the client sends belongs to another history.
func (rs *Rooms) checkHistory(ctx context.Context, r *room, s Session, t LastSent) error {
	lost, err := r.isFromLostHistory(ctx, s.Seat, t)
	if err != nil || !lost {
		return err
	}
	if err := rs.requestEpoch(ctx, r, s); err != nil && !errors.Is(err, errRenewed) {
		return err
	}
	return ErrEpoch
}
