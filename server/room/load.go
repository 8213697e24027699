package room

import (
	"context"
	"fmt"

	"holt/server/game"
	"holt/server/id"
	"holt/server/table"
	"holt/server/wire"
)

// loadRoom brings a table back: snapshot and the entries after it (T3).
func loadRoom(ctx context.Context, cfg Config, oid id.OID) (*room, error) {
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
	tc := table.Config{Kinds: kinds(setting), Width: l.Row.Width, Height: l.Row.Height}
	t := table.New(tc)
	if l.Snapshot != nil {
		image, err := wire.DecodeImage(l.Snapshot)
		if err != nil {
			return nil, fmt.Errorf("%w: table %v: %w", ErrStorage, oid, err)
		}
		if t, err = table.Open(tc, image); err != nil {
			return nil, fmt.Errorf("%w: table %v: %w", ErrStorage, oid, err)
		}
	}
	told := make([]table.Entry, 0, len(l.Entries))
	for _, b := range l.Entries {
		e, err := wire.DecodeEntry(b)
		if err == nil {
			err = t.Replay(&e)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: table %v: %w", ErrStorage, oid, err)
		}
		told = append(told, e)
	}
	t.Loaded()
	return newRoom(cfg, l, t, told)
}

// kinds returns what the table needs to know of the kinds of a catalogue.
func kinds(of []game.Kind) []table.Kind {
	all := make([]table.Kind, len(of))
	for i, k := range of {
		all[i] = table.Kind{
			Width: k.Width, Height: k.Height, Faces: int32(len(k.Faces)), //nolint:gosec // at most 64
			Secret: k.Secret, Hand: k.Hand, Heavy: k.Weight == "heavy",
			Clock: table.ClockKind{
				Sides: uint8(k.Clock.Sides()), Up: k.Clock.Up, Initial: k.Clock.Initial, Increment: k.Clock.Increment, //nolint:gosec // at most 2
			},
		}
		if k.Secret {
			all[i].Mask = uint32(k.Mask) //nolint:gosec // a secret kind has a mask
		}
	}
	return all
}
