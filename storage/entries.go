package storage

import (
	"context"
	"database/sql"
	"fmt"

	"holt/server/id"
	"holt/server/room"
)

// Entries calls each with every entry of a table's log, from the first on, as it was at one moment, until each returns an
// error. The bytes are only lent. ErrNoTable if there is no such table.
func (db *DB) Entries(ctx context.Context, table id.OID, each func(body []byte) error) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("read log of table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	_, num, err := selectTable(ctx, tx, table)
	if err != nil {
		return err
	}
	if err := eachEntry(ctx, tx, num, 0, each); err != nil {
		return fmt.Errorf("read log of table %s: %w", table, err)
	}
	return nil
}

// eachEntry calls each with the entries after position at. One that is missing is an error: a
// log with a hole would be replayed into a state that never was.
func eachEntry(ctx context.Context, tx *sql.Tx, num int64, at room.Position, each func([]byte) error) (err error) {
	const moved = `SELECT position, body FROM entries WHERE table_num = ? AND position > ? ORDER BY position`
	const recent = `SELECT position, body FROM recent WHERE table_num = ? AND position > ? ORDER BY seq`
	for _, query := range []string{moved, recent} {
		if at, err = eachRow(ctx, tx, query, num, at, each); err != nil {
			return err
		}
	}
	return nil
}

// eachRow calls each with those that the query finds after position at, and returns the last position.
func eachRow(ctx context.Context, tx *sql.Tx, query string, num int64, at room.Position, each func([]byte) error) (room.Position, error) {
	rows, err := tx.QueryContext(ctx, query, num, int64(at)) //nolint:gosec // it comes from the same column type
	if err != nil {
		return at, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells
	for rows.Next() {
		var position room.Position
		var body sql.RawBytes
		if err := rows.Scan(&position, &body); err != nil {
			return at, err
		}
		if at++; position != at {
			return at, fmt.Errorf("entry %d is missing: the database is damaged", at)
		}
		if err := each(body); err != nil {
			return at, err
		}
	}
	return at, rows.Err()
}
