package storage

import (
	"context"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// The history of a table is dropped in two steps. DropHistory is one commit: after it the log
// begins behind the base, and a snapshot stands for what was before. SweepHistory deletes the
// dropped entries in slices; other writes go on in between. If the process is killed in between,
// the next start continues where it stopped.

// DropHistory stores a snapshot of the state after d.Base, and makes the log begin behind it. It
// returns ErrFenced if the length of the log is not d.Expect. The log must have an entry behind the
// base, and no snapshot behind it.
func (db *DB) DropHistory(ctx context.Context, d room.Dropping) error {
	const older = `DELETE FROM snapshots WHERE table_num = ?`
	const later = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ?`
	return db.write(ctx, len(d.Snapshot), func(ctx context.Context, t *tx) error {
		k, err := t.table(ctx, d.Table)
		if err != nil {
			return err
		}
		var saved room.Position
		if err := t.scan(ctx, later, []any{k.num}, &saved); err != nil {
			return fmt.Errorf("drop history of table %s: %w", d.Table, err)
		}
		switch {
		case k.length != d.Expect:
			return refuse(room.ErrFenced)
		case d.Base == 0 || d.Base >= k.length || saved > d.Base:
			return refuse(fmt.Errorf(
				"drop history of table %s: up to %d of %d, with a snapshot of %d", d.Table, d.Base,
				k.length, saved))
		}
		// A restart would move the rows in recent again.
		if err := t.moveRecent(ctx, k.num); err != nil {
			return fmt.Errorf("drop history of table %s: %w", d.Table, err)
		}
		if err := t.exec(ctx, older, k.num); err != nil {
			return fmt.Errorf("drop history of table %s: %w", d.Table, err)
		}
		if err := t.insertSnapshot(ctx, k.num, d.Base, d.Snapshot, 0); err != nil {
			return fmt.Errorf("drop history of table %s: %w", d.Table, err)
		}
		if err := t.changeTable(ctx, k.num, `base = ?`,
			int64(d.Base)); err != nil { //nolint:gosec // as above
			return fmt.Errorf("drop history of table %s: %w", d.Table, err)
		}
		return nil
	})
}

// Dropped returns the tables that have dropped entries to delete.
func (db *DB) Dropped(ctx context.Context) (all []id.OID, err error) {
	const query = `
		SELECT oid FROM tables
		WHERE base > 0 AND ` + soundTable + ` AND EXISTS (SELECT 1 FROM entries WHERE table_num = num AND position <= base) ORDER BY num`
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := db.read.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list tables with dropped history: %w", err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	for rows.Next() {
		var oid []byte
		if err := rows.Scan(&oid); err != nil {
			return nil, fmt.Errorf("list tables with dropped history: %w", err)
		}
		all = append(all, id.OID(oid))
	}
	return all, rows.Err()
}

// SweepHistory deletes a slice of the dropped entries of a table. It reports whether there is more.
func (db *DB) SweepHistory(ctx context.Context, table id.OID) (more bool, err error) {
	// The slice ends when its bytes are used up, but it has at least one entry.
	const remove = `
		DELETE FROM entries WHERE table_num = ?1 AND position <= (
			SELECT max(position) FROM (
				SELECT position, row_number() OVER w AS n, sum(length(body)) OVER w - length(body) AS before
				FROM (SELECT position, body FROM entries WHERE table_num = ?1 AND position <= ?4 ORDER BY position LIMIT ?2)
				WINDOW w AS (ORDER BY position)
			) WHERE n = 1 OR before < ?3)`
	const left = `SELECT EXISTS (SELECT 1 FROM entries WHERE table_num = ? AND position <= ?)`
	err = db.write(ctx, sweepBytes, func(ctx context.Context, t *tx) error {
		more = false
		k, err := t.table(ctx, table)
		if err != nil {
			return err
		}
		var base int64
		if err := t.scan(ctx, `SELECT base FROM tables WHERE num = ?`, []any{k.num},
			&base); err != nil {
			return fmt.Errorf("delete dropped history of table %s: %w", table, err)
		}
		if err := t.exec(ctx, remove, k.num, sweepRows, sweepBytes, base); err != nil {
			return fmt.Errorf("delete dropped history of table %s: %w", table, err)
		}
		if err := t.scan(ctx, left, []any{k.num, base}, &more); err != nil {
			return fmt.Errorf("delete dropped history of table %s: %w", table, err)
		}
		return nil
	})
	return more, err
}
