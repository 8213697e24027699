package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/room"
)

// Load returns the latest snapshot of a table and the entries after it, as they were at one moment.
// ErrNoTable if there is no such table.
func (db *DB) Load(ctx context.Context, table id.OID) (l room.Loaded, err error) {
	done, err := db.use()
	if err != nil {
		return room.Loaded{}, err
	}
	defer done()
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return room.Loaded{}, fmt.Errorf("load table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	row, num, err := selectTable(ctx, tx, table)
	if err != nil {
		return room.Loaded{}, err
	}
	l.Row = row
	if l.Snapshot, l.At, err = selectSnapshot(ctx, tx, num); err != nil {
		return room.Loaded{}, fmt.Errorf("load snapshot of table %s: %w", table, err)
	}
	if l.Entries, err = selectEntries(ctx, tx, num, l.At); err != nil {
		return room.Loaded{}, fmt.Errorf("load log of table %s: %w", table, err)
	}
	return l, nil
}

// selectSnapshot returns nil and 0 if there is none.
func selectSnapshot(ctx context.Context, tx *sql.Tx, num int64) (body []byte, at room.Position, err error) {
	const query = `SELECT position, body FROM snapshots WHERE table_num = ?`
	err = tx.QueryRowContext(ctx, query, num).Scan(&at, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, nil
	}
	return blob(body), at, err
}

// selectEntries returns the entries after position at. One that is missing is an error: a log with a hole
// would be replayed into a state that never was.
func selectEntries(ctx context.Context, tx *sql.Tx, num int64, at room.Position) (entries [][]byte, err error) {
	const moved = `SELECT position, body FROM entries WHERE table_num = ? AND position > ? ORDER BY position`
	const recent = `SELECT position, body FROM recent WHERE table_num = ? AND position > ? ORDER BY seq`
	if entries, err = appendRows(ctx, tx, moved, num, at, nil); err != nil {
		return nil, err
	}
	return appendRows(ctx, tx, recent, num, at+room.Position(len(entries)), entries)
}

// appendRows appends to entries those that the query finds after position at.
func appendRows(ctx context.Context, tx *sql.Tx, query string, num int64, at room.Position, entries [][]byte) ([][]byte, error) {
	rows, err := tx.QueryContext(ctx, query, num, int64(at)) //nolint:gosec // it comes from the same column type
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells
	for rows.Next() {
		var position room.Position
		var body []byte
		if err := rows.Scan(&position, &body); err != nil {
			return nil, err
		}
		if at++; position != at {
			return nil, fmt.Errorf("entry %d is missing: the database is damaged", at)
		}
		entries = append(entries, body)
	}
	return entries, rows.Err()
}
