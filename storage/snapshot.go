package storage

import (
	"context"
	"database/sql"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// A table keeps its latest snapshot and the one before, and that with which its log begins (T48,
// T73). If the later one is damaged the table is
// rebuilt from the other one. If that is damaged, too, it is rebuilt from the whole log, unless its
// history was dropped (T48).

// SaveSnapshot stores the state after the entry at position at. logged is how many bytes the log
// has up to there. It deletes all older snapshots but one, and but that with which the log begins.
// If a later snapshot exists it does nothing. It returns ErrNoTable if there is no such table, and
// an error if the log has no entry at that position.
func (db *DB) SaveSnapshot(
	ctx context.Context, table id.OID, at room.Position, snapshot []byte, logged int64,
) error {
	const latest = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ?`
	const forget = `
		DELETE FROM snapshots WHERE table_num = ?1 AND position <
			(SELECT position FROM snapshots WHERE table_num = ?1 ORDER BY position DESC LIMIT 1 OFFSET 1)
			AND position <> (SELECT base FROM tables WHERE num = ?1)`
	return db.write(ctx, len(snapshot), func(t *tx) error {
		k, err := t.table(table)
		if err != nil {
			return err
		}
		if at == 0 || at > k.length {
			return refuse(fmt.Errorf("save snapshot of table %s: no entry %d in a log of %d", table,
				at, k.length))
		}
		var last room.Position
		err = t.scan(latest, []any{k.num}, &last)
		if err == nil && last <= at {
			if err = t.insertSnapshot(k.num, at, snapshot, logged); err == nil {
				err = t.exec(forget, k.num)
			}
		}
		return doing(err, "save snapshot of table %s", table)
	})
}

// insertSnapshot stores a snapshot and replaces one at the same position.
func (t *tx) insertSnapshot(
	num int64, position room.Position, body []byte, logged int64,
) error {
	const upsert = `
		INSERT INTO snapshots (table_num, position, body, logged, sum) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (table_num, position) DO UPDATE SET body = excluded.body, logged = excluded.logged,
		sum = excluded.sum`
	at := int64(position) //nolint:gosec // no log is that long
	return t.exec(upsert, num, at, blob(body), logged, sumOf(body, num, at, logged))
}

// snapshot is one snapshot as it is stored.
type snapshot struct {
	at     room.Position
	body   []byte
	logged sql.NullInt64
	sum    sql.NullInt64
}

// sound reports whether a snapshot of table num matches its checksum. A snapshot at or before
// position unsummed may have no checksum, because it is from before there were any.
func (s *snapshot) sound(num int64, unsummed room.Position) bool {
	//nolint:gosec // no log is that long
	return (s.sum.Valid || s.at <= unsummed) &&
		agrees(s.sum, sumOf(s.body, num, int64(s.at), s.logged.Int64))
}

// SnapshotAt returns the snapshot of a table at a position; nil if there is none, or if it is
// damaged. It returns ErrNoTable if there is no such table.
func (db *DB) SnapshotAt(
	ctx context.Context, table id.OID, at room.Position,
) (body []byte, err error) {
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("read snapshot of table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	_, num, err := selectTable(ctx, tx, table)
	if err == nil {
		var s *snapshot
		s, _, err = selectSnapshot(ctx, tx, num, at+1)
		if err == nil && s != nil && s.at == at {
			body = s.body
		}
	}
	return body, doing(readFault(err), "read snapshot of table %s", table)
}

// selectSnapshot returns the latest sound snapshot before position below, or nil if there is none.
// It also returns the positions of damaged snapshots that are later.
func selectSnapshot(
	ctx context.Context, q rowQuerier, num int64, below room.Position,
) (found *snapshot, skipped []room.Position, err error) {
	const position = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ?
		AND position < ?`
	const query = `SELECT body, logged, sum FROM snapshots WHERE table_num = ? AND position = ?`
	unsummed, err := unsummedOf(ctx, q, num)
	if err != nil {
		return nil, nil, readFault(err)
	}
	for {
		s := &snapshot{}
		err := q.QueryRowContext(ctx, position, num, below).Scan(&s.at)
		if err != nil || s.at == 0 {
			return nil, skipped, readFault(err)
		}
		err = readFault(q.QueryRowContext(ctx, query, num, s.at).Scan(&s.body, &s.logged, &s.sum))
		s.body = blob(s.body)
		switch {
		case err == nil && s.sound(num, unsummed):
			return s, skipped, nil
		case err != nil && !isDamage(err):
			return nil, skipped, err
		}
		skipped = append(skipped, s.at)
		below = s.at
	}
}
