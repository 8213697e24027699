package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"

	"holt/server/id"
	"holt/server/tables/room"
)

// The bounds of the recorded motion of a table (K17). What is beyond them is deleted, the oldest
// first.
const (
	maxMotion    = 8 << 20                  // bytes
	maxMotionAge = 30 * 24 * 60 * 60 * 1000 // milliseconds
)

// insertMotion adds a chunk to the recorded motion of a table, and deletes what is beyond the
// bounds.
func (t *tx) insertMotion(num int64, m *room.RecordedMotion) error {
	const last = `SELECT coalesce(max(position), 0), coalesce(max(total), 0) FROM motions
		WHERE table_num = ?1 AND position = (SELECT max(position) FROM motions WHERE table_num = ?1)`
	const insert = `
		INSERT INTO motions (table_num, position, at, total, sum, body) VALUES (?, ?, ?, ?, ?, ?)`
	const drop = `
		DELETE FROM motions WHERE table_num = ?1 AND (total - length(body) < ?2 OR at < ?3)
		AND position IN (
			SELECT position FROM motions WHERE table_num = ?1 ORDER BY position LIMIT 16)`
	const left = `
		SELECT EXISTS (SELECT 1 FROM (SELECT total - length(body) AS before, at FROM motions
			WHERE table_num = ?1 ORDER BY position LIMIT 1) WHERE before < ?2 OR at < ?3)`
	var position, total int64
	if err := t.scan(last, []any{num}, &position, &total); err != nil {
		return err
	}
	position, total = position+1, total+int64(len(m.Body))
	err := t.exec(insert, num, position, m.At, total,
		sumOf(m.Body, num, position, int64(m.At)), blob(m.Body))
	for more := true; more && err == nil; {
		bounds := []any{num, total - maxMotion, int64(m.At) - maxMotionAge}
		if err = t.scan(left, bounds, &more); err == nil && more {
			err = t.exec(drop, bounds...)
		}
	}
	return err
}

// dropMotion deletes the recorded motion of a table.
func (t *tx) dropMotion(num int64) error {
	return t.exec(`DELETE FROM motions WHERE table_num = ?`, num)
}

// Motion calls each with the chunks of the recorded motion of a table of which the last frame is
// later than a time, as they were at one moment. It returns room.ErrNoTable if there is no such
// table, and room.ErrDamaged behind the last sound chunk before a damaged one.
func (db *DB) Motion(
	ctx context.Context, table id.OID, after id.Millis, each func(body []byte) error,
) error {
	err := db.readTable(ctx, table, func(tx *sql.Tx, num int64) error {
		return eachMotion(ctx, tx, num, after, each)
	})
	return doing(err, "read motion of table %s", table)
}

// Motion calls each with the chunks of the recorded motion of a table, in order, until each returns
// an error. It reads the database in dir, whether a server runs there or not, and writes nothing.
// It returns room.ErrNoTable if there is no such table, ErrNewer if a newer program has written the
// database, and room.ErrDamaged behind the last sound chunk before a damaged one.
func Motion(
	ctx context.Context, dir string, table id.OID, each func(body []byte) error,
) (err error) {
	path, err := filepath.Abs(filepath.Join(dir, fileName))
	if err != nil {
		return err
	}
	if err := checkHeader(path); err != nil {
		return err
	}
	db := openToCheck(path, stateOf(path).still())
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return readFault(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	var v int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return readFault(err)
	}
	var num int64
	err = tx.QueryRowContext(ctx, `SELECT num FROM tables WHERE oid = ?`, table[:]).Scan(&num)
	if err != nil {
		return finding(err, room.ErrNoTable, "find table %s", table)
	}
	if v < motionsSince {
		return nil // nobody has recorded anything
	}
	return eachMotion(ctx, tx, num, 0, each)
}

// motionsSince is the version of the database that has recorded motion for the first time.
const motionsSince = 16

func eachMotion(
	ctx context.Context, tx *sql.Tx, num int64, after id.Millis, each func(body []byte) error,
) (err error) {
	const query = `
		SELECT position, at, sum, body FROM motions WHERE table_num = ? AND at > ? ORDER BY position`
	rows, err := tx.QueryContext(ctx, query, num, int64(after))
	if err != nil {
		return readFault(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for last := int64(0); rows.Next(); {
		var position, at, sum int64
		var body []byte
		if err := rows.Scan(&position, &at, &sum, &body); err != nil {
			return readFault(err)
		}
		if last != 0 && position != last+1 {
			return damage("chunk %d of the recorded motion is missing", last+1)
		}
		if sum != sumOf(body, num, position, at) {
			return damage("chunk %d of the recorded motion is not what was written", position)
		}
		last = position
		if err := each(body); err != nil {
			return fmt.Errorf("chunk %d of the recorded motion: %w", position, err)
		}
	}
	return readFault(rows.Err())
}
