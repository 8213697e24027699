package room

import (
	"context"
	"errors"
	"fmt"

	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// Fairness returns what anybody at a table may have of its rounds of randomness, for verification
// (F14), and its version: equal versions mean equal exports. It reads what was recorded since the
// last call, or all of it; the room does not wait for that. ErrBusy if other exports take too long.
// Nothing changes the returned export later.
func (rs *Rooms) Fairness(
	ctx context.Context, s Session,
) (e *fairness.Export, version string, err error) {
	row, err := rs.About(ctx, s.Table)
	if err != nil {
		return nil, "", err
	}
	j := rs.journals.of(row.Table)
	if err := offer(ctx, nil, j.turn, struct{}{}, busyAfter); err != nil {
		return nil, "", err
	}
	defer func() {
		rs.journals.keep(j)
		<-j.turn
	}()
	if j.epoch != row.Epoch || j.base != row.Base { // another history
		seats, err := rs.seatsBefore(ctx, &row)
		if err != nil {
			return nil, "", err
		}
		j.begin(&row, seats)
	}
	if err := j.read(ctx, rs.cfg.Store, rs.journals.places); err != nil {
		if errors.Is(err, ErrDropped) { // dropped just now: the next call begins where the log does
			err = ErrBusy
		}
		if errors.Is(err, ErrBusy) {
			return nil, "", err
		}
		return nil, "", storeError(fmt.Errorf("export rounds: %w", err))
	}
	catalog := row.Catalog
	if bound, is := j.facts.Catalog(); is { // it may have grown since (T37)
		catalog = Hash(bound)
	}
	if j.kinds == nil || j.catalog != catalog {
		if j.kinds, err = rs.kindNames(ctx, catalog); err != nil {
			return nil, "", err
		}
		j.catalog = catalog
	}
	e, version = j.export()
	return e, version, nil
}

// seatsBefore returns the seats that a table had where its log begins, or a little later.
func (rs *Rooms) seatsBefore(ctx context.Context, row *TableRow) ([]table.SeatInfo, error) {
	if row.Base == 0 {
		return nil, nil
	}
	l, err := rs.cfg.Store.Load(ctx, row.Table, 0)
	if err != nil {
		return nil, storeError(err)
	}
	image, err := wire.DecodeImage(l.Snapshot)
	if err != nil {
		return nil, fmt.Errorf("%w: table %v: %w", ErrDamaged, row.Table, err)
	}
	return image.Seats, nil
}

// kindNames returns the names of the kinds of a catalogue.
func (rs *Rooms) kindNames(ctx context.Context, catalog Hash) (map[uint32]string, error) {
	doc, err := rs.Blob(ctx, catalog)
	if err != nil {
		return nil, err
	}
	setting, err := game.ParseCatalog(doc.Data)
	if err != nil {
		return nil, inStorage(err)
	}
	names := map[uint32]string{}
	for i := range setting {
		names[uint32(i)] = setting[i].Name
	}
	return names, nil
}

// OpenRound ends the round of randomness of a table and opens the next one (F10). ErrRole unless s
// is a host's; ErrRounds if too many are still sealed, ErrLogFull, or *TooSoon if the table has
// opened too many within the hour.
func (rs *Rooms) OpenRound(ctx context.Context, s Session) (fairness.Round, error) {
	if !s.Role.Hosts() {
		return 0, ErrRole
	}
	return change(ctx, rs, s, func(r *room) (fairness.Round, error) {
		if err := r.mayOpenRound(); err != nil {
			return 0, err
		}
		return r.openRound()
	})
}
