package storage

import (
	"context"

	"holt/server/id"
)

// ReserveOIDs stores the time below which identifiers may have been given out (O1). It never goes
// down.
func (db *DB) ReserveOIDs(ctx context.Context, until id.Millis) error {
	const update = `UPDATE meta SET oid_ceiling = ? WHERE oid_ceiling < ?`
	return doing(db.exec(ctx, update, until, until), "reserve object ids")
}

// OIDFloor returns the greatest time that has been reserved, or 0 if there is none. Identifiers
// from that time on are new.
func (db *DB) OIDFloor(ctx context.Context) (floor id.Millis, err error) {
	err = db.row(ctx, `SELECT oid_ceiling FROM meta`, nil, &floor)
	return floor, doing(err, "read reserved object ids")
}
