package room

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// A table from before there were save points has none of its set-up. It is made of the beginning of
// the log, as far as nobody has done anything, when the table is loaded (T83).

// mostSetUp is how many entries a set-up has at most: one for each piece, and some more.
const mostSetUp = 12_000

// errNoSetUp ends the reading of a log behind the set-up.
var errNoSetUp = errors.New("somebody has done something")

// setUpOf returns the save point of the set-up of a table that has none. It returns nil if the
// table has one, or if its log does not go back so far. The save point has no number yet.
func setUpOf(
	ctx context.Context, cfg Config, l *Loaded, catalog []byte,
) (*NewSave, error) {
	is := func(row SaveRow) bool { return row.Kind == table.SaveSetUp }
	if l.Row.Base > 0 || slices.ContainsFunc(l.Saves, is) {
		return nil, nil
	}
	first := Loaded{Row: l.Row}
	_, err := cfg.Store.Entries(ctx, l.Row.Table, 0, mostSetUp, func(body []byte) error {
		e, err := wire.DecodeEntry(body)
		switch {
		case err != nil:
			return err
		case e.Client != (id.Client{}), e.Ops != nil, e.Who != nil && e.Who.Seat > 1:
			return errNoSetUp
		}
		first.Entries = append(first.Entries, slices.Clone(body))
		return nil
	})
	if err == nil && len(first.Entries) == mostSetUp {
		err = errors.New("it is too long")
	}
	if err != nil && !errors.Is(err, errNoSetUp) || len(first.Entries) == 0 {
		return nil, err
	}
	names, err := seeded(cfg.Random)
	if err != nil {
		return nil, err
	}
	o, err := rebuild(&first, catalog, table.Config{RandomNames: names, Sets: cfg.SetOwners != nil})
	if err != nil {
		return nil, fmt.Errorf("replay the set-up: %w", err)
	}
	c := newRandomness(cfg.InviteKey, &l.Row, o.table, o.state)
	all, err := firstSaves(c, Position(len(first.Entries)), o.table.At(), &beginning{})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// addSetUp stores a save point of the set-up; nil: there is none to be stored.
func (r *room) addSetUp(made *NewSave) {
	if made == nil || r.cannotSave() || r.space.reserveUsed() {
		return
	}
	r.saves.last++
	made.ID = r.saves.last
	r.saves.all = append(r.saves.all, made.SaveRow)
	r.recorded.saves = append(r.recorded.saves, *made)
}
