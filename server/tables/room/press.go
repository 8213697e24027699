package room

import "holt/server/play/table"

// setUpAgain asks for a rematch with the set-up that a press names (T93). Both are one commit: from
// now on nothing goes to the store until run has carried the rematch out (see dispatch). If it is
// refused, the press says that its step was not done.
func (r *room) setUpAgain(asks *table.SettingUp) {
	row := r.saves.setUp()
	if asks.Name != "" {
		row = r.saves.setUpNamed(asks.Name)
	}
	refused := func() {
		r.table.NotSetUp(asks, table.Inputs{Now: r.now()})
		r.record()
	}
	if row == nil || r.setsUp() {
		refused()
		return
	}
	q := rewindRequest{
		Rewind: Rewind{Save: row.ID, Epoch: r.row.Epoch, Rematch: true},
		s:      Session{Table: r.row.Table, Seat: asks.By.Seat, Role: asks.By.Role},
		to:     *row, pressed: true,
	}
	who, _ := r.table.Seat(asks.By.Seat)
	q.s.Tokens = who.Tokens
	q.answer = func(_ uint32, err error) {
		if err != nil && r.broken == nil {
			r.log.Info("a press did not set the table up", "err", err)
			refused()
			r.dispatch()
		}
	}
	// It comes before the requests of others, which belong to the epoch that ends with it.
	r.rewinds = append([]rewindRequest{q}, r.rewinds...)
}

// setsUp reports whether a press waits to set the table up.
func (r *room) setsUp() bool { return len(r.rewinds) > 0 && r.rewinds[0].pressed }
