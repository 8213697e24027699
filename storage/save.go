package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// saveColumns are those of a save point without the body.
const saveColumns = `num, kind, name, at, seat, position, moves, round, sealed, token, to_num,
	to_kind, to_name, to_at, to_seat`

// sumOfSave is the checksum of a row of saves, in SQL.
const sumOfSave = `checksum(table_num, ` + saveColumns + `, body)`

// changeSaves adds and deletes save points of a table. Where the file is damaged it returns
// errSpared.
func (t *tx) changeSaves(num int64, added []room.NewSave, deleted []uint32) error {
	err := t.addSaves(num, added)
	for _, number := range deleted {
		if err == nil {
			err = t.exec(`DELETE FROM saves WHERE table_num = ? AND num = ?`, num, int64(number))
		}
	}
	if isCorrupt(err) {
		return fmt.Errorf("%w: %w", errSpared, err)
	}
	return err
}

// addSaves adds save points of a table.
func (t *tx) addSaves(num int64, added []room.NewSave) error {
	const insert = `
		INSERT INTO saves (table_num, ` + saveColumns + `, body, sum)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
			checksum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17))`
	var err error
	for i := range added {
		s := &added[i]
		if err == nil {
			//nolint:gosec // no log is that long
			err = t.exec(insert, num, int64(s.ID), int64(s.Kind), s.Name, int64(s.At), int64(s.By),
				int64(s.Position), int64(s.Moves), int64(s.Round), int64(s.Sealed), s.Token,
				int64(s.To.ID), int64(s.To.Kind), s.To.Name, int64(s.To.At), int64(s.To.By), blob(s.Body))
		}
	}
	return err
}

// bytesOfSaves returns how many bytes save points have.
func bytesOfSaves(all []room.NewSave) (n int) {
	for i := range all {
		n += len(all[i].Body)
	}
	return n
}

// selectSaves returns the sound save points of a table, ascending. A damaged one costs the table
// nothing else.
func selectSaves(ctx context.Context, q querier, num int64) (all []room.SaveRow, err error) {
	const query = `SELECT ` + saveColumns + `, sum IS ` + sumOfSave + ` FROM saves
		WHERE table_num = ? ORDER BY num`
	err = eachOf(ctx, q, query, []any{num}, func(rows *sql.Rows) error {
		var s room.SaveRow
		var sound bool
		if err := rows.Scan(&s.ID, &s.Kind, &s.Name, &s.At, &s.By, &s.Position, &s.Moves, &s.Round,
			&s.Sealed, &s.Token, &s.To.ID, &s.To.Kind, &s.To.Name, &s.To.At, &s.To.By,
			&sound); err != nil {
			return err
		}
		if sound {
			all = append(all, s)
		}
		return nil
	})
	if isDamage(readFault(err)) {
		return nil, nil
	}
	return all, err
}

// SavedPosition returns the body of a save point.
func (db *DB) SavedPosition(
	ctx context.Context, table id.OID, number uint32,
) (body []byte, err error) {
	err = db.readTable(ctx, table, func(tx *sql.Tx, num int64) error {
		const query = `SELECT body, sum IS ` + sumOfSave + ` FROM saves
			WHERE table_num = ? AND num = ?`
		var sound bool
		err := tx.QueryRowContext(ctx, query, num, int64(number)).Scan(&body, &sound)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return room.ErrNoSave
		case err == nil && !sound:
			return damage("save point %d is not what was written", number)
		}
		return err
	})
	return body, doing(err, "read a save point of table %s", table)
}

// checkSaves looks for damaged save points of a table, and calls found for each.
func checkSaves(ctx context.Context, tx *sql.Tx, num int64, found func(what string)) error {
	const query = `SELECT num, sum IS ` + sumOfSave + ` FROM saves WHERE table_num = ? ORDER BY num`
	return eachOf(ctx, tx, query, []any{num}, func(rows *sql.Rows) error {
		var number int64
		var sound bool
		if err := rows.Scan(&number, &sound); err != nil {
			return err
		}
		if !sound {
			found(fmt.Sprintf("save point %d is not what was written", number))
		}
		return nil
	})
}
