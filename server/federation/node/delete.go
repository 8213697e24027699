package node

import (
	"context"
	"errors"
	"slices"

	"holt/server/id"
	"holt/server/tables/room"
)

// DeleteTable ends a table of this host that was deleted (T42). It gives back the sets that lie on
// the table, and lets the table refer to nothing any more. The next round of the collection deletes
// what is left of the table's object. The pictures that nobody else needs are deleted, too.
func (w *Objects) DeleteTable(ctx context.Context, table id.OID) error {
	// After this, what was given last is durable.
	if err := w.do(ctx, func() error { return nil }); err != nil {
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
		err = w.Release(ctx, table, lie[i], nil) // nobody knows how the set lay: it lies as before
	}
	if err == nil {
		err = w.Delete(ctx, table)
	}
	if err != nil {
		return err
	}
	return w.put(ctx, w.sweepSoon)
}

// ignoreGoneCreator checks the error of a set that is given back. It returns nil if the set's
// creator has left for good (O28), because no host can take the set back then.
func (w *Objects) ignoreGoneCreator(ctx context.Context, set id.OID, err error) error {
	var absent *room.Unreachable
	if !errors.As(err, &absent) {
		return err
	}
	left := false
	if put := w.do(
		ctx, func() error { left = w.link(set.Creator()).Gone; return nil },
	); put != nil || !left {
		return err
	}
	w.cfg.Log.Warn(
		"a set is not given back: its server has left for good", "set", set,
		"host", set.Creator(),
	)
	return nil
}
