package storage

import (
	"bytes"
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
	if err := db.condition.unsound(); err != nil {
		return room.Loaded{}, err
	}
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return room.Loaded{}, fmt.Errorf("load table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	row, num, err := selectTable(ctx, tx, table)
	if err != nil {
		return room.Loaded{}, err
	}
	l.Row, l.Life = row, db.life
	if err := tx.QueryRowContext(ctx, `SELECT renewed = ? FROM tables WHERE num = ?`, db.lifeNum, num).Scan(&l.Renewed); err != nil {
		return room.Loaded{}, fmt.Errorf("load epoch of table %s: %w", table, err)
	}
	if l.Snapshot, l.At, err = selectSnapshot(ctx, tx, num); err != nil {
		return room.Loaded{}, fmt.Errorf("load snapshot of table %s: %w", table, err)
	}
	if l.Logged, err = loggedBy(ctx, tx, num); err != nil {
		return room.Loaded{}, fmt.Errorf("count log of table %s: %w", table, err)
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

// selectEntries returns the entries after position at.
func selectEntries(ctx context.Context, tx *sql.Tx, num int64, at room.Position) (entries [][]byte, err error) {
	err = eachEntry(ctx, tx, num, at, noLimit, func(body []byte) error {
		entries = append(entries, bytes.Clone(body))
		return nil
	})
	return entries, err
}

// loggedBy returns how many bytes the log of table num has up to its snapshot, 0 if there is none. Snapshots that are older than the
// count have it counted.
func loggedBy(ctx context.Context, q rowQuerier, num int64) (logged int64, err error) {
	const query = `
		SELECT coalesce(max(coalesce(s.logged, (
			SELECT sum(length(body) + ?) FROM entries AS e WHERE e.table_num = s.table_num AND e.position <= s.position AND e.position > (SELECT base FROM tables WHERE num = s.table_num)))), 0)
		FROM snapshots AS s WHERE s.table_num = ?`
	err = q.QueryRowContext(ctx, query, room.EntryCost, num).Scan(&logged)
	return logged, err
}
