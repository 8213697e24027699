package storage

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"holt/server/id"
	"holt/server/tables/room"
)

// Entries calls each with the entries of a table's log after position after, in order, as they were
// at one moment. It stops after limit entries, or when each returns an error, which Entries
// returns. It returns how many entries each was called with: fewer than limit only at the end of
// the log. each must not keep the bytes. It returns ErrNoTable if there is no such table, and
// ErrDropped if the log begins after position after.
func (db *DB) Entries(
	ctx context.Context, table id.OID, after room.Position, limit int, each func(body []byte) error,
) (n int, err error) {
	done, err := db.use()
	if err != nil {
		return 0, err
	}
	defer done()
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, fmt.Errorf("read log of table %s: %w", table, err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	row, num, err := selectTable(ctx, tx, table)
	switch {
	case err != nil:
		return 0, err
	case after < row.Base:
		return 0, fmt.Errorf("read log of table %s after %d: %w", table, after, room.ErrDropped)
	}
	counted := func(body []byte) error {
		n++
		return each(body)
	}
	if err := eachEntry(ctx, tx, num, after, limit, counted); err != nil {
		return n, fmt.Errorf("read log of table %s: %w", table, err)
	}
	return n, nil
}

// noLimit is a limit that no log reaches.
const noLimit = math.MaxInt

// eachEntry calls each with the entries after position at, limit of them at most. It returns
// room.ErrDamaged if an entry is missing or does not match its checksum: such a log would be
// replayed into a state that never was.
func eachEntry(
	ctx context.Context, tx *sql.Tx, num int64, at room.Position, limit int,
	each func([]byte) error,
) error {
	const moved = `SELECT position, body, sum FROM entries WHERE table_num = ? AND position > ?
		ORDER BY position LIMIT ?`
	const recent = `SELECT position, body, sum FROM recent WHERE table_num = ? AND position > ?
		ORDER BY seq LIMIT ?`
	unsummed, err := unsummedOf(ctx, tx, num)
	for _, query := range []string{moved, recent} {
		if err != nil {
			break
		}
		before := at
		at, err = eachRow(ctx, tx, query, num, at, limit, unsummed, each)
		limit -= int(at - before) //nolint:gosec // no log is that long
	}
	return readFault(err)
}

// eachRow calls each with the rows that the query finds after position at, and returns the last
// position. After position unsummed every row must have a checksum.
func eachRow(
	ctx context.Context, tx *sql.Tx, query string, num int64, at room.Position, limit int,
	unsummed room.Position, each func([]byte) error,
) (room.Position, error) {
	err := eachOf(ctx, tx, query, []any{num, at, limit}, func(rows *sql.Rows) error {
		var position room.Position
		var body sql.RawBytes
		var sum sql.NullInt64
		if err := rows.Scan(&position, &body, &sum); err != nil {
			return err
		}
		if at++; position != at {
			return damage("entry %d is missing", at)
		}
		if !sum.Valid && at > unsummed ||
			!agrees(sum, sumOf(body, num, int64(at))) { //nolint:gosec // no log is that long
			return damage("entry %d does not have its checksum", at)
		}
		return each(body)
	})
	return at, err
}
