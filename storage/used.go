package storage

import (
	"context"
	"fmt"
	"strings"

	"holt/server/id"
)

// Touch records that a table was in use at a time. It returns ErrNoTable or ErrGone if there is no
// such table.
func (db *DB) Touch(ctx context.Context, table id.OID, at id.Millis) error {
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		k, err := t.table(ctx, table)
		if err != nil {
			return err
		}
		if err := t.changeTable(ctx, k.num, `used = ?`, int64(at)); err != nil {
			return fmt.Errorf("note that table %s is in use: %w", table, err)
		}
		return nil
	})
}

// Unused returns the tables that were last in use before a time, the oldest table first. A table
// from an older version has no such time: Unused records that it is in use now.
func (db *DB) Unused(ctx context.Context, before, now id.Millis) (all []id.OID, err error) {
	set := `UPDATE tables SET used = ?1, sum = ` + strings.Replace(sumOfTable, "used", "?1", 1) +
		` WHERE used IS NULL AND ` + soundTable
	err = db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		return t.exec(ctx, set, int64(now))
	})
	if err != nil {
		return nil, fmt.Errorf("note which tables are in use: %w", err)
	}
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := db.read.QueryContext(ctx,
		`SELECT oid FROM tables WHERE used < ? AND `+soundTable+` ORDER BY num`, int64(before))
	if err != nil {
		return nil, fmt.Errorf("list tables that are not used: %w", err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	for rows.Next() {
		var oid []byte
		if err := rows.Scan(&oid); err != nil {
			return nil, fmt.Errorf("list tables that are not used: %w", err)
		}
		all = append(all, id.OID(oid))
	}
	return all, rows.Err()
}
