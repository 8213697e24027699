package room

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"holt/server/id"
	"holt/server/play/fairness"
	"holt/server/play/game"
	"holt/server/play/table"
	"holt/server/tables/wire"
)

// loadRoom brings a table back from its snapshot and the entries after it (T3). It skips a damaged
// snapshot: the one before and a longer piece of the log give the same state, and if necessary the
// whole log does.
func loadRoom(ctx context.Context, cfg Config, oid id.OID, spent *tableSpending) (*room, error) {
	for below := Position(0); ; {
		l, err := cfg.Store.Load(ctx, oid, below)
		if err != nil {
			return nil, storeError(err)
		}
		if below == 0 {
			l = loadForQuestion(ctx, &cfg, oid, l)
		}
		for _, at := range l.Skipped {
			warnOfSnapshot(cfg, oid, at, errors.New("it does not have its checksum"))
		}
		for _, fault := range l.Faults {
			cfg.Log.Error("seats or links of a table are damaged: "+
				"who had them cannot come in until a host makes new ones; the others play on",
				"table", oid.String(), "damage", fault)
		}
		doc, err := cfg.Store.Blob(ctx, l.Row.Catalog)
		if err != nil {
			if errors.Is(err, ErrNoBlob) {
				err = ErrDamaged
			}
			return nil, fmt.Errorf("catalogue of table %v: %w", oid, storeError(err))
		}
		randomNames, err := seeded(cfg.Random)
		if err != nil {
			return nil, err
		}
		o, err := rebuild(&l, doc.Data, table.Config{
			RandomNames: randomNames, Sets: cfg.SetOwners != nil,
		})
		var bad badSnapshot
		switch {
		case errors.As(err, &bad) && l.At > 0:
			warnOfSnapshot(cfg, oid, l.At, bad.error)
			below = l.At
			continue
		case err != nil:
			return nil, fmt.Errorf("%w: table %v: %w", ErrDamaged, oid, err)
		}
		if err := restoreTexts(ctx, cfg.Store, oid, o.tail, l.At); err != nil {
			cfg.Log.Error("the texts of a chat cannot be read: their lines are shown without them",
				"table", oid.String(), "error", err)
		}
		o.randomness = newRandomness(cfg.InviteKey, &l.Row, o.table, o.state)
		if o.setUp, err = setUpOf(ctx, cfg, &l, doc.Data); err != nil {
			cfg.Log.Warn("the beginning of a log cannot be read: the table has no save point of it",
				"table", oid.String(), "error", err)
		}
		return newRoom(cfg, l, o, spent)
	}
}

func warnOfSnapshot(cfg Config, oid id.OID, at Position, err error) {
	cfg.Log.Warn("a snapshot is damaged: the table is rebuilt without it, and nothing is lost",
		"table", oid.String(), "position", uint64(at), "error", err)
}

// rebuilt is a table that was brought back from its log.
type rebuilt struct {
	table      *table.Table
	kinds      []game.Kind // of its catalogue
	rest       game.CatalogRest
	state      *fairness.State
	randomness *randomness
	components *components
	moves      moves
	tail       []table.Entry // the entries of the log after the snapshot
	setUp      *NewSave      // a save point of the set-up that is still to be stored; nil: none
}

// badSnapshot says that a snapshot cannot be opened.
type badSnapshot struct{ error }

// Verify replays what was stored of a table, with its catalogue. It returns how many entries the
// table then has, or an error if the table cannot be rebuilt from that.
func Verify(l *Loaded, catalog []byte) (Position, error) {
	o, err := rebuild(l, catalog, table.Config{Sets: true})
	if err != nil {
		return 0, err
	}
	return Position(o.table.Gen()), nil
}

// rebuild opens the snapshot and replays the entries after it. Data without a checksum may be
// anything, so a panic here becomes an error of this table, and affects no other table.
func rebuild(l *Loaded, catalog []byte, tc table.Config) (o rebuilt, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it cannot be read: %v\n%s", p, debug.Stack())
		}
	}()
	if o.kinds, o.rest, err = game.ReadCatalog(catalog); err != nil {
		return o, fmt.Errorf("catalogue: %w", err)
	}
	tc.Kinds, tc.Width, tc.Height = kinds(o.kinds), l.Row.Width, l.Row.Height
	tc.Sides, tc.Owned = handsOf(o.rest.Seats), ownedOf(o.rest.Seats)
	tc.Attached = attachedOf(o.rest.Attached)
	if err := o.open(l, tc); err != nil {
		return o, badSnapshot{fmt.Errorf("snapshot: %w", err)}
	}
	o.tail = make([]table.Entry, 0, len(l.Entries))
	for i, b := range l.Entries {
		e, err := wire.DecodeEntry(b)
		if err == nil {
			err = o.replay(&e)
		}
		if err != nil {
			return o, fmt.Errorf("entry %d: %w", l.At+Position(i)+1, err)
		}
		o.tail = append(o.tail, e)
	}
	o.table.Loaded()
	return o, nil
}

// open opens the snapshot, or an empty table if there is none.
func (o *rebuilt) open(l *Loaded, tc table.Config) (err error) {
	image := &table.Image{}
	o.table, o.state = table.New(tc), fairness.NewState(l.Row.Table)
	if l.Snapshot != nil {
		if image, err = wire.DecodeImage(l.Snapshot); err != nil {
			return err
		}
		if image.Fair != nil {
			if o.state, err = fairness.DecodeState(image.Fair); err != nil {
				return err
			}
		}
		if o.table, err = table.Open(tc, image); err != nil {
			return err
		}
	}
	o.moves.n = image.Moves
	if o.components, err = openParts(o.table, image.Components, image.Writers); err != nil {
		return err
	}
	if image.Epoch != 0 && image.Epoch != l.Row.Epoch {
		o.components = o.components.withoutTombstones()
	}
	return nil
}

// replay carries out what was recorded.
func (o *rebuilt) replay(e *table.Entry) error {
	if err := o.table.Replay(e); err != nil {
		return err
	}
	o.moves.follow(o.table, e)
	if e.Fact != nil {
		f, err := fairness.DecodeFact(e.Fact)
		if err == nil {
			err = o.state.Apply(e.At, f)
		}
		if err != nil {
			return err
		}
	}
	return o.components.follow(o.table, e)
}
