package storage

import (
	"context"
	"database/sql"
	"errors"

	"holt/server/tables/room"
)

// sumOfSupplement is the checksum of a row of supplements, in SQL.
const sumOfSupplement = `checksum(table_num, supplement)`

// insertSupplement keeps which supplement a new table has; zero: it has none.
func (t *tx) insertSupplement(num int64, supplement room.Hash) error {
	const insert = `
		INSERT INTO supplements (table_num, supplement, sum) VALUES (?1, ?2, checksum(?1, ?2))`
	if supplement == (room.Hash{}) {
		return nil
	}
	return t.exec(insert, num, supplement[:])
}

// replaceSupplement keeps that a table has another supplement from now on. The one before is
// deleted by a sweep, unless another table has it.
func (t *tx) replaceSupplement(num int64, supplement room.Hash) error {
	if err := t.exec(`DELETE FROM supplements WHERE table_num = ?`, num); err != nil {
		return err
	}
	return t.insertSupplement(num, supplement)
}

// supplementOf returns the supplement of a table; zero if it has none. A row that is damaged or
// cannot be read counts as none: the table is played without rules. sound reports whether there is
// no such row.
func supplementOf(
	ctx context.Context, q rowQuerier, num int64,
) (supplement room.Hash, sound bool, err error) {
	const query = `SELECT supplement, sum IS ` + sumOfSupplement +
		` FROM supplements WHERE table_num = ?`
	var hash []byte
	err = q.QueryRowContext(ctx, query, num).Scan(&hash, &sound)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return supplement, true, nil
	case isDamage(readFault(err)), err == nil && (!sound || len(hash) != len(supplement)):
		return supplement, false, nil
	case err != nil:
		return supplement, false, err
	}
	return room.Hash(hash), true, nil
}
