package room

import (
	"context"
	"fmt"

	"holt/server/fair"
	"holt/server/game"
	"holt/server/id"
	"holt/server/table"
	"holt/server/wire"
)

// loadRoom brings a table back: snapshot and the entries after it (T3).
func loadRoom(ctx context.Context, cfg Config, oid id.OID, spent *spending) (*room, error) {
	l, err := cfg.Store.Load(ctx, oid)
	if err != nil {
		return nil, failed(err)
	}
	doc, err := cfg.Store.Blob(ctx, l.Row.Catalog)
	if err != nil {
		return nil, fmt.Errorf("%w: catalogue of table %v: %w", ErrStorage, oid, err)
	}
	setting, err := game.ParseCatalog(doc.Data)
	if err != nil {
		return nil, fmt.Errorf("%w: catalogue of table %v: %w", ErrStorage, oid, err)
	}
	lots, err := seeded(cfg.Random)
	if err != nil {
		return nil, err
	}
	tc := table.Config{Kinds: kinds(setting), Width: l.Row.Width, Height: l.Row.Height, Lots: lots, Sets: cfg.Sets != nil}
	t := table.New(tc)
	var state *fair.State
	p, err := openParts(t, nil, nil)
	if err != nil {
		return nil, err
	}
	if l.Snapshot != nil {
		image, err := wire.DecodeImage(l.Snapshot)
		if err == nil && image.Fair != nil {
			state, err = fair.DecodeState(image.Fair)
		}
		if err == nil {
			t, err = table.Open(tc, image)
		}
		if err == nil {
			p, err = openParts(t, image.Components, image.Writers)
		}
		if err == nil && image.Epoch != 0 && image.Epoch != l.Row.Epoch {
			p = p.living()
		}
		if err != nil {
			return nil, fmt.Errorf("%w: table %v: %w", ErrStorage, oid, err)
		}
	}
	if state == nil {
		state = fair.NewState(oid)
	}
	told := make([]table.Entry, 0, len(l.Entries))
	for _, b := range l.Entries {
		e, err := wire.DecodeEntry(b)
		if err == nil {
			err = t.Replay(&e)
		}
		if err == nil && e.Fact != nil {
			err = replay(state, &e)
		}
		if err == nil {
			err = p.follow(t, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: table %v: %w", ErrStorage, oid, err)
		}
		told = append(told, e)
	}
	t.Loaded()
	return newRoom(cfg, l, opened{
		table: t, kinds: setting, chances: newChances(cfg.InviteKey, &l.Row, t, state), parts: p, told: told,
	}, spent)
}

// opened is a table that was brought back from its log.
type opened struct {
	table   *table.Table
	kinds   []game.Kind
	chances *chances
	parts   *parts
	told    []table.Entry // those of the log behind the snapshot
}

// replay carries a fact out that was recorded.
func replay(s *fair.State, e *table.Entry) error {
	f, err := fair.DecodeFact(e.Fact)
	if err != nil {
		return err
	}
	return s.Apply(e.At, f)
}
