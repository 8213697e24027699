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
	return db.write(ctx, 0, func(t *tx) error {
		k, err := t.table(table)
		if err != nil {
			return err
		}
		err = t.changeTable(k.num, `used = ?`, at)
		return doing(err, "note that table %s is in use", table)
	})
}

// Unused returns the tables that were last in use before a time, the oldest table first. A table
// from an older version has no such time: Unused records that it is in use now.
func (db *DB) Unused(ctx context.Context, before, now id.Millis) (all []id.OID, err error) {
	const query = `SELECT oid FROM tables WHERE used < ? AND ` + soundTable + ` ORDER BY num`
	set := `UPDATE tables SET used = ?1, sum = ` + strings.Replace(sumOfTable, "used", "?1", 1) +
		` WHERE used IS NULL AND ` + soundTable
	if err := db.exec(ctx, set, now); err != nil {
		return nil, fmt.Errorf("note which tables are in use: %w", err)
	}
	all, err = list(ctx, db, query, []any{before}, takeOID)
	return all, doing(err, "list tables that are not used")
}
