package storage

import (
	"context"
	"database/sql"
	"fmt"

	"holt/server/tables/room"
)

// sumOfOpenItem is the checksum of a row of open_items, in SQL.
const sumOfOpenItem = `checksum(table_num, kind, body)`

// changeOpenItems replaces what is open at a table; what has no body is deleted. Where the file is
// damaged it returns errSpared.
func (t *tx) changeOpenItems(num int64, items []room.OpenItem) error {
	const insert = `INSERT OR REPLACE INTO open_items (table_num, kind, body, sum)
		VALUES (?1, ?2, ?3, checksum(?1, ?2, ?3))`
	var err error
	for i := range items {
		of := &items[i]
		switch {
		case err != nil:
		case len(of.Body) == 0:
			err = t.exec(`DELETE FROM open_items WHERE table_num = ? AND kind = ?`, num,
				int64(of.Kind))
		default:
			err = t.exec(insert, num, int64(of.Kind), of.Body)
		}
	}
	if isCorrupt(err) {
		return fmt.Errorf("%w: %w", errSpared, err)
	}
	return err
}

// selectOpenItems returns what is open at a table. What is damaged is not open any more.
func selectOpenItems(
	ctx context.Context, q querier, num int64,
) (items []room.OpenItem, err error) {
	const query = `SELECT kind, body, sum IS ` + sumOfOpenItem + ` FROM open_items
		WHERE table_num = ? ORDER BY kind`
	err = eachOf(ctx, q, query, []any{num}, func(rows *sql.Rows) error {
		var of room.OpenItem
		var sound bool
		if err := rows.Scan(&of.Kind, &of.Body, &sound); err != nil {
			return err
		}
		if sound {
			items = append(items, of)
		}
		return nil
	})
	if isDamage(readFault(err)) {
		return nil, nil
	}
	return items, err
}

// checkOpenItems looks for damage to what is open at a table, and calls found for each.
func checkOpenItems(
	ctx context.Context, tx *sql.Tx, num int64, found func(what string),
) error {
	const query = `SELECT kind, sum IS ` + sumOfOpenItem + ` FROM open_items WHERE table_num = ?`
	return eachOf(ctx, tx, query, []any{num}, func(rows *sql.Rows) error {
		var kind int64
		var sound bool
		if err := rows.Scan(&kind, &sound); err != nil {
			return err
		}
		if !sound {
			found("an open question or round is not what was written")
		}
		return nil
	})
}
