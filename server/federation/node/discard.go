package node

import (
	"context"
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/tables/room"
)

// Discard ends what there is of a table of this host that was thrown away (T42): whatever was given to it goes back, and it refers to
// nothing any more. What is left of its object the next round of the collection takes away, and the pictures go that nobody else needs.
func (w *World) Discard(ctx context.Context, table id.OID) error {
	if err := w.do(ctx, func() error { return nil }); err != nil { // what was given last is durable then
		return err
	}
	var lie []id.OID
	err := w.each(ctx, guestSpace, func(set id.OID, on []byte) error {
		if slices.Equal(on, table[:]) {
			lie = append(lie, set)
		}
		return nil
	})
	for i := 0; i < len(lie) && err == nil; i++ {
		err = w.LetGo(ctx, table, lie[i], nil) // how it lay nobody knows: as it did before
	}
	if err == nil {
		err = w.Throw(ctx, table)
	}
	if err != nil {
		return err
	}
	return w.put(ctx, w.sweepSoon)
}

// abandoned takes an error of a set that is given back. If its creator has left for good (O28) there is nobody to give it back to.
func (w *World) abandoned(ctx context.Context, set id.OID, err error) error {
	var absent *room.Absent
	if !errors.As(err, &absent) {
		return err
	}
	left := false
	if put := w.do(ctx, func() error { left = w.link(set.Creator()).Gone; return nil }); put != nil || !left {
		return err
	}
	w.cfg.Log.Warn("a set is not given back: its server has left for good", "set", set.String(), "host", set.Creator().String())
	return nil
}
