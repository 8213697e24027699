package storage

import (
	"context"
	"fmt"

	"holt/server/id"
	"holt/server/room"
)

// SaveSnapshot stores the state after the entry at position, up to which the log has so many bytes, and forgets older snapshots;
// if there is a later one already, it does nothing. ErrNoTable if there is no such table. A position at which the log
// has no entry is an error.
func (db *DB) SaveSnapshot(ctx context.Context, table id.OID, at room.Position, snapshot []byte, logged int64) error {
	const upsert = `
		INSERT INTO snapshots (table_num, position, body, logged) VALUES (?, ?, ?, ?)
		ON CONFLICT (table_num) DO UPDATE SET position = excluded.position, body = excluded.body, logged = excluded.logged
		WHERE excluded.position >= snapshots.position`
	return db.write(ctx, len(snapshot), func(ctx context.Context, t *tx) error {
		k, err := t.table(ctx, table)
		if err != nil {
			return err
		}
		if at == 0 || at > k.length {
			return refuse(fmt.Errorf("save snapshot of table %s: no entry %d in a log of %d", table, at, k.length))
		}
		if err := t.exec(ctx, upsert, k.num, int64(at), blob(snapshot), logged); err != nil { //nolint:gosec // at most k.length
			return fmt.Errorf("save snapshot of table %s: %w", table, err)
		}
		return nil
	})
}
