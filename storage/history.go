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
// deletes the recorded motion (K17) and the texts of the chat before it, too. It returns ErrFenced
// if the length of the log is not d.Expect. The log must have an entry behind the base, and no
// snapshot behind it.
func (db *DB) DropHistory(ctx context.Context, d room.Dropping) error {
	const older = `DELETE FROM snapshots WHERE table_num = ?`
	const later = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ?`
	return db.write(ctx, len(d.Snapshot), func(t *tx) error {
		k, err := t.tableOfLength(d.Table, d.Expect)
		if err != nil {
			return err
		}
		var saved room.Position
		err = t.scan(later, []any{k.num}, &saved)
		if err == nil && (d.Base == 0 || d.Base >= k.length || saved > d.Base) {
			return refuse(fmt.Errorf(
				"drop history of table %s: up to %d of %d, with a snapshot of %d", d.Table, d.Base,
				k.length, saved))
		}
		if err == nil {
			// A restart would move the rows in recent again.
			err = t.moveRecent(k.num)
		}
		if err == nil {
			err = t.exec(older, k.num)
		}
		if err == nil {
			err = t.dropMotion(k.num)
		}
		if err == nil {
			err = t.dropChat(k.num, d.Base)
		}
		if err == nil {
			err = t.insertSnapshot(k.num, d.Base, d.Snapshot, 0)
		}
		if err == nil {
			err = t.changeTable(k.num, `base = ?`, d.Base)
		}
		return doing(err, "drop history of table %s", d.Table)
	})
}

// Dropped returns the tables that have dropped entries to delete.
func (db *DB) Dropped(ctx context.Context) (all []id.OID, err error) {
	const query = `
		SELECT oid FROM tables
		WHERE base > 0 AND ` + soundTable + `
			AND EXISTS (SELECT 1 FROM entries WHERE table_num = num AND position <= base)
		ORDER BY num`
	all, err = list(ctx, db, query, nil, takeOID)
	return all, doing(err, "list tables with dropped history")
}

// SweepHistory deletes a slice of the dropped entries of a table. It reports whether there is more.
func (db *DB) SweepHistory(ctx context.Context, table id.OID) (more bool, err error) {
	err = db.write(ctx, sweepBytes, func(t *tx) error {
		more = false
		k, err := t.table(table)
		if err != nil {
			return err
		}
		var base int64
		err = t.scan(`SELECT base FROM tables WHERE num = ?`, []any{k.num}, &base)
		if err == nil {
			more, err = t.sweepEntries(k.num, base)
		}
		return doing(err, "delete dropped history of table %s", table)
	})
	return more, err
}
