package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// fullQuerier is a connection or a transaction.
type fullQuerier interface {
	querier
	rowQuerier
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// inTx calls do in a transaction, and commits that unless do returns an error.
func inTx(
	ctx context.Context, conn *sql.Conn, do func(context.Context, *sql.Tx) error,
) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(ctx, tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// row reads one row into dest. It returns sql.ErrNoRows if there is none.
func (db *DB) row(ctx context.Context, query string, args []any, dest ...any) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	return db.read.QueryRowContext(ctx, query, args...).Scan(dest...)
}

// list returns what take reads from the rows of a query.
func list[T any](
	ctx context.Context, db *DB, query string, args []any, take func(*sql.Rows) (T, error),
) (all []T, err error) {
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	err = eachOf(ctx, db.read, query, args, func(rows *sql.Rows) error {
		one, err := take(rows)
		all = append(all, one)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// eachOf calls take for each row of a query, until it returns an error.
func eachOf(
	ctx context.Context, q querier, query string, args []any, take func(*sql.Rows) error,
) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	for rows.Next() {
		if err := take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// unsummedOf returns the position up to which rows of a table may lack a checksum, because they are
// from before there were any.
func unsummedOf(ctx context.Context, q rowQuerier, num int64) (at room.Position, err error) {
	err = q.QueryRowContext(ctx, `SELECT unsummed FROM tables WHERE num = ?`, num).Scan(&at)
	return at, err
}

const allTables = `SELECT num FROM tables`

// numsOf returns the numbers that a query finds.
func numsOf(ctx context.Context, q querier, query string) (nums []int64, err error) {
	err = eachOf(ctx, q, query, nil, func(rows *sql.Rows) error {
		var num int64
		err := rows.Scan(&num)
		nums = append(nums, num)
		return err
	})
	return nums, err
}

// takeOID reads a row with one identifier.
func takeOID(rows *sql.Rows) (id.OID, error) {
	var oid []byte
	if err := rows.Scan(&oid); err != nil {
		return id.OID{}, err
	}
	return id.OID(oid), nil
}

// doing puts what could not be done before err. It returns nil if err is nil.
func doing(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// finding returns otherwise if err is sql.ErrNoRows, and else the same as doing.
func finding(err, otherwise error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return otherwise
	}
	return doing(err, format, args...)
}
