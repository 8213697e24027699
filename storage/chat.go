package storage

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"holt/server/id"
	"holt/server/tables/room"
)

// maxChat is the most bytes of texts that are kept of the chat of a table (T64). What is beyond it
// is deleted, the oldest first.
const maxChat = 4 << 20

// sumOfChat is the checksum of a row of chats, in SQL.
const sumOfChat = `checksum(table_num, position, line, seat, at, total, text)`

// changeChat adds and deletes texts of the chat of a table. Deleted bytes are overwritten in the
// file (secure_delete). Where texts cannot be added because the file is damaged it returns
// errSpared.
func (t *tx) changeChat(num int64, a *room.Append) error {
	const unsay = `DELETE FROM chats WHERE table_num = ? AND position = ?`
	const sweep = `DELETE FROM chats WHERE table_num = ? AND at < ?`
	err := t.addChat(num, a.Said)
	if err == nil && a.SaidBefore != 0 {
		err = t.exec(sweep, num, int64(a.SaidBefore))
	}
	if isCorrupt(err) {
		return fmt.Errorf("%w: %w", errSpared, err)
	}
	for _, position := range a.Unsaid {
		if err == nil {
			err = t.exec(unsay, num, int64(position)) //nolint:gosec // no log is that long
		}
	}
	return err
}

// addChat adds texts, and deletes the oldest ones that are beyond the bound.
func (t *tx) addChat(num int64, said []room.ChatText) error {
	const last = `SELECT coalesce(max(total), 0) FROM chats WHERE table_num = ?1
		AND position = (SELECT max(position) FROM chats WHERE table_num = ?1)`
	const insert = `
		INSERT INTO chats (table_num, position, line, seat, at, total, text, sum)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, checksum(?1, ?2, ?3, ?4, ?5, ?6, ?7))`
	const bound = `DELETE FROM chats WHERE table_num = ? AND total - length(text) < ?`
	if len(said) == 0 {
		return nil
	}
	var total int64
	err := t.scan(last, []any{num}, &total)
	for i := range said {
		if s := &said[i]; err == nil {
			total += int64(len(s.Text))
			//nolint:gosec // no log is that long, and a line has 53 bits
			err = t.exec(insert, num, int64(s.Position), int64(s.Line), int64(s.Seat), int64(s.At),
				total, []byte(s.Text))
		}
	}
	if err == nil {
		err = t.exec(bound, num, total-maxChat)
	}
	return err
}

// dropChat deletes the texts of the chat of a table up to a position.
func (t *tx) dropChat(num int64, last room.Position) error {
	return t.exec(`DELETE FROM chats WHERE table_num = ? AND position <= ?`, num,
		int64(last)) //nolint:gosec // no log is that long
}

// Said returns the texts of lines of a chat that are still stored. positions must ascend.
func (db *DB) Said(
	ctx context.Context, table id.OID, positions []room.Position,
) (all []room.ChatText, err error) {
	if len(positions) == 0 {
		return nil, nil
	}
	err = db.readTable(ctx, table, func(tx *sql.Tx, num int64) error {
		const query = `
			SELECT position, line, seat, at, text, sum IS ` + sumOfChat + ` FROM chats
			WHERE table_num = ? AND position BETWEEN ? AND ? ORDER BY position`
		//nolint:gosec // no log is that long
		args := []any{num, int64(positions[0]), int64(positions[len(positions)-1])}
		return eachOf(ctx, tx, query, args, func(rows *sql.Rows) error {
			var s room.ChatText
			var text []byte
			var sound bool
			if err := rows.Scan(&s.Position, &s.Line, &s.Seat, &s.At, &text, &sound); err != nil {
				return err
			}
			if _, asked := slices.BinarySearch(positions, s.Position); !asked {
				return nil
			}
			if s.Text = string(text); !sound {
				s = room.ChatText{Position: s.Position, Lost: true}
			}
			all = append(all, s)
			return nil
		})
	})
	return all, doing(err, "read the chat of table %s", table)
}

// SaidAt returns the position of a line of a chat of which the text is still stored, 0 if there is
// none.
func (db *DB) SaidAt(
	ctx context.Context, table id.OID, line id.ChatLine,
) (position room.Position, err error) {
	err = db.readTable(ctx, table, func(tx *sql.Tx, num int64) error {
		const query = `SELECT position FROM chats WHERE table_num = ? AND line = ? ORDER BY position`
		//nolint:gosec // 53 bits
		return eachOf(ctx, tx, query, []any{num, int64(line)}, func(rows *sql.Rows) error {
			return rows.Scan(&position)
		})
	})
	return position, doing(err, "find a line of the chat of table %s", table)
}

// readTable calls read with the number of a table, in a transaction that reads.
func (db *DB) readTable(
	ctx context.Context, table id.OID, read func(tx *sql.Tx, num int64) error,
) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	_, num, err := selectTable(ctx, tx, table)
	if err != nil {
		return err
	}
	return readFault(read(tx, num))
}

// checkChat looks for damaged texts of the chat of a table, and calls found for each.
func checkChat(ctx context.Context, tx *sql.Tx, num int64, found func(what string)) error {
	const query = `
		SELECT position, sum IS ` + sumOfChat + ` FROM chats WHERE table_num = ? ORDER BY position`
	return eachOf(ctx, tx, query, []any{num}, func(rows *sql.Rows) error {
		var position int64
		var sound bool
		if err := rows.Scan(&position, &sound); err != nil {
			return err
		}
		if !sound {
			found(fmt.Sprintf("the text of the line of chat at entry %d is not what was written",
				position))
		}
		return nil
	})
}
