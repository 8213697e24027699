package storage

import (
	"context"
	"database/sql"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// A table keeps its latest snapshot and the one before: if the later one is damaged the table is rebuilt from the other, and
// if that is damaged too from the whole log, unless its history was dropped (T48).

// SaveSnapshot stores the state after the entry at position, up to which the log has so many bytes, and forgets all older
// snapshots but one; if there is a later one already, it does nothing. ErrNoTable if there is no such table. A position at which
// the log has no entry is an error.
func (db *DB) SaveSnapshot(ctx context.Context, table id.OID, at room.Position, snapshot []byte, logged int64) error {
	const latest = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ?`
	const forget = `
		DELETE FROM snapshots WHERE table_num = ?1 AND position <
			(SELECT position FROM snapshots WHERE table_num = ?1 ORDER BY position DESC LIMIT 1 OFFSET 1)`
	return db.write(ctx, len(snapshot), func(ctx context.Context, t *tx) error {
		k, err := t.table(ctx, table)
		if err != nil {
			return err
		}
		if at == 0 || at > k.length {
			return refuse(fmt.Errorf("save snapshot of table %s: no entry %d in a log of %d", table, at, k.length))
		}
		var last room.Position
		err = t.scan(ctx, latest, []any{k.num}, &last)
		if err == nil && last <= at {
			if err = t.insertSnapshot(ctx, k.num, at, snapshot, logged); err == nil {
				err = t.exec(ctx, forget, k.num)
			}
		}
		if err != nil {
			return fmt.Errorf("save snapshot of table %s: %w", table, err)
		}
		return nil
	})
}

// insertSnapshot stores a snapshot, in place of one of the same position.
func (t *tx) insertSnapshot(ctx context.Context, num int64, position room.Position, body []byte, logged int64) error {
	const upsert = `
		INSERT INTO snapshots (table_num, position, body, logged, sum) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (table_num, position) DO UPDATE SET body = excluded.body, logged = excluded.logged, sum = excluded.sum`
	at := int64(position) //nolint:gosec // no log is that long
	return t.exec(ctx, upsert, num, at, blob(body), logged, sumOf(body, num, at, logged))
}

// snapshot is one as it is stored.
type snapshot struct {
	at     room.Position
	body   []byte
	logged sql.NullInt64
	sum    sql.NullInt64
}

// sound reports whether a snapshot of table num has its checksum. Those of entries up to unsummed, of before there were any,
// may have none.
func (s *snapshot) sound(num int64, unsummed room.Position) bool {
	return (s.sum.Valid || s.at <= unsummed) && agrees(s.sum, sumOf(s.body, num, int64(s.at), s.logged.Int64)) //nolint:gosec // no log is that long
}

// selectSnapshot returns the latest snapshot before position below that is sound, nil if there is none, and the positions of
// damaged ones that are later.
func selectSnapshot(ctx context.Context, q rowQuerier, num int64, below room.Position) (found *snapshot, skipped []room.Position, err error) {
	var unsummed room.Position
	if err := q.QueryRowContext(ctx, `SELECT unsummed FROM tables WHERE num = ?`, num).Scan(&unsummed); err != nil {
		return nil, nil, readFault(err)
	}
	const position = `SELECT coalesce(max(position), 0) FROM snapshots WHERE table_num = ? AND position < ?`
	const query = `SELECT body, logged, sum FROM snapshots WHERE table_num = ? AND position = ?`
	for {
		s := &snapshot{}
		if err := q.QueryRowContext(ctx, position, num, int64(below)).Scan(&s.at); err != nil || s.at == 0 { //nolint:gosec // no log is that long
			return nil, skipped, readFault(err)
		}
		err := readFault(q.QueryRowContext(ctx, query, num, int64(s.at)).Scan(&s.body, &s.logged, &s.sum)) //nolint:gosec // as above
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
