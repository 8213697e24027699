package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/play/table"
)

// setUpAgain asks for a rematch with the set-up that a press names (T93). The press is a commit of
// its own: the rewind follows it. If the rewind is refused, the press says that its step was not
// done.
func (r *room) setUpAgain(asks *table.SettingUp) {
	row := r.saves.setUp()
	if asks.Name != "" {
		row = r.saves.setUpNamed(asks.Name)
	}
	refused := func() {
		r.table.NotSetUp(asks, table.Inputs{Now: r.now()})
		r.record()
	}
	if row == nil {
		refused()
		return
	}
	q := rewindRequest{
		Rewind: Rewind{
			Save: row.ID, Token: fmt.Sprintf("press %d", r.table.Gen()), Epoch: r.row.Epoch,
			Rematch: true,
		},
		s: Session{Table: r.row.Table, Seat: asks.By.Seat, Role: asks.By.Role}, to: *row,
	}
	q.answer = func(_ uint32, err error) {
		// After another rewind this room ends, and nothing of it is published any more.
		if err != nil && !errors.Is(err, ErrEpoch) && r.broken == nil {
			r.log.Info("a press did not set the table up", "err", err)
			refused()
			r.dispatch()
		}
	}
	r.callsRunning.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), busyAfter)
		defer cancel()
		body, err := r.cfg.Store.SavedPosition(ctx, q.s.Table, q.to.ID)
		if err == nil {
			q.image, err = decodePosition(body)
		}
		// Nothing is owed to a room that ends: the press is recorded, and the host presses again.
		_ = r.enqueue(ctx, func() {
			if err != nil {
				q.answer(0, err)
				return
			}
			r.rewinds = append(r.rewinds, q)
		})
	})
}
