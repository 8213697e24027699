package storage

import (
	"context"
	"fmt"

	"holt/server/id"
)

// ReserveOIDs stores the time below which identifiers may have been given out (O1). It never goes
// down.
func (db *DB) ReserveOIDs(ctx context.Context, until id.Millis) error {
	const update = `UPDATE meta SET oid_ceiling = ? WHERE oid_ceiling < ?`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, update, int64(until), int64(until)); err != nil {
			return fmt.Errorf("reserve object ids: %w", err)
		}
		return nil
	})
}

// OIDFloor returns the greatest time that has been reserved, or 0 if there is none. Identifiers
// from that time on are new.
func (db *DB) OIDFloor(ctx context.Context) (id.Millis, error) {
	const query = `SELECT oid_ceiling FROM meta`
	done, err := db.use()
	if err != nil {
		return 0, err
	}
	defer done()
	var floor id.Millis
	if err := db.read.QueryRowContext(ctx, query).Scan(&floor); err != nil {
		return 0, fmt.Errorf("read reserved object ids: %w", err)
	}
	return floor, nil
}
