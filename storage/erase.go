package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// What identifies a person is erased in two steps (T80). The commit that ends or erases the seat
// deletes the texts of its lines of chat, and notes what is left to do. SweepErasure rewrites the
// entries and snapshots that have the name, in slices; other writes go on in between. If the
// process is killed in between, the next start continues where it stopped. Bytes that are replaced
// are overwritten in the file (secure_delete).

// sumOfErasure is the checksum of a row of erasures, in SQL.
const sumOfErasure = `checksum(table_num, seat, number, position, done)`

// erase deletes the texts that a seat has written, and notes that the entries up to a position, and
// the snapshots of them, may have its name. Without chats it leaves the texts.
func (t *tx) erase(num int64, e *room.Erasing, position room.Position, chats bool) (err error) {
	const note = `
		INSERT OR REPLACE INTO erasures (table_num, seat, number, position, done, sum)
		VALUES (?1, ?2, ?3, ?4, 0, checksum(?1, ?2, ?3, ?4, 0))`
	if chats {
		err = t.exec(`DELETE FROM chats WHERE table_num = ? AND seat = ?`, num, int64(e.Seat))
	}
	if isCorrupt(err) {
		return fmt.Errorf("%w: %w", errSpared, err)
	}
	if err == nil {
		//nolint:gosec // no log is that long
		err = t.exec(note, num, int64(e.Seat), int64(e.Number), int64(position))
	}
	return err
}

// Erasures returns what is left to erase, of all tables.
func (db *DB) Erasures(ctx context.Context) (all []room.Erasure, err error) {
	const query = `
		SELECT oid, e.seat, e.number FROM erasures AS e JOIN tables AS t ON t.num = e.table_num
		WHERE e.sum IS checksum(e.table_num, e.seat, e.number, e.position, e.done)
		ORDER BY e.table_num, e.seat`
	all, err = list(ctx, db, query, nil, func(rows *sql.Rows) (e room.Erasure, err error) {
		var oid []byte
		err = rows.Scan(&oid, &e.Seat, &e.Number)
		e.Table = id.OID(oid)
		return e, err
	})
	return all, doing(err, "list what is left to erase")
}

// SweepErasure rewrites a slice of what has the name of a seat: entries first, and snapshots with
// the last slice. It reports whether there is more. rewrite returns what stands instead of a body,
// nil if that stays. What is damaged stays if it is an entry, and is deleted if it is a snapshot.
func (db *DB) SweepErasure(
	ctx context.Context, e room.Erasure, rewrite room.Rewriter,
) (more bool, err error) {
	err = db.write(ctx, sweepBytes, func(t *tx) error {
		more = false
		k, err := t.table(e.Table)
		if err == nil {
			more, err = t.sweepErasure(k.num, e.Seat, rewrite)
		}
		return doing(err, "erase seat %s of table %s", e.Seat, e.Table)
	})
	return more, err
}

func (t *tx) sweepErasure(num int64, seat id.Seat, rewrite room.Rewriter) (more bool, err error) {
	const find = `SELECT position, done FROM erasures WHERE table_num = ? AND seat = ? AND sum IS ` +
		sumOfErasure
	const went = `
		UPDATE erasures SET done = ?3, sum = checksum(table_num, seat, number, position, ?3)
		WHERE table_num = ?1 AND seat = ?2`
	var last, done int64
	err = t.scan(find, []any{num, int64(seat)}, &last, &done)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = t.moveRecent(num)
	}
	if err == nil { // these rows were copied
		err = t.exec(`DELETE FROM recent WHERE table_num = ?`, num)
	}
	if err != nil {
		return false, err
	}
	if done, err = t.rewriteEntries(num, done, last, rewrite); err != nil {
		return false, err
	}
	if done < last {
		return true, t.exec(went, num, int64(seat), done)
	}
	if err := t.rewriteSnapshots(num, rewrite); err != nil {
		return false, err
	}
	return false, t.exec(`DELETE FROM erasures WHERE table_num = ? AND seat = ?`, num, int64(seat))
}

// stored is a body in the file, and at which position.
type stored struct {
	at, logged int64
	body       []byte
}

// rewriteEntries rewrites a slice of the entries after a position, and returns the position of the
// last one: last if there is none any more.
func (t *tx) rewriteEntries(num, after, last int64, rewrite room.Rewriter) (int64, error) {
	const query = `SELECT position, body, sum FROM entries
		WHERE table_num = ? AND position > ? AND position <= ? ORDER BY position LIMIT ?`
	const update = `UPDATE entries SET body = ?, sum = ? WHERE table_num = ? AND position = ?`
	unsummed, err := unsummedOf(t.ctx, t.conn, num)
	if err != nil {
		return after, err
	}
	var changed []stored
	at, rows, size := after, 0, 0
	err = eachOf(t.ctx, t.conn, query, []any{num, after, last, sweepRows}, func(r *sql.Rows) error {
		var e stored
		var sum sql.NullInt64
		if size > sweepBytes {
			return nil
		}
		if err := r.Scan(&e.at, &e.body, &sum); err != nil {
			return err
		}
		rows++
		at, size = e.at, size+len(e.body)
		if !sum.Valid && room.Position(e.at) > unsummed || //nolint:gosec // positions are above 0
			!agrees(sum, sumOf(e.body, num, e.at)) {
			return nil
		}
		is, err := rewrite(e.body, false)
		if err == nil && is != nil {
			changed = append(changed, stored{at: e.at, body: is})
		}
		return err
	})
	for i := range changed {
		if e := &changed[i]; err == nil {
			err = t.exec(update, e.body, sumOf(e.body, num, e.at), num, e.at)
		}
	}
	if rows == 0 {
		at = last
	}
	return at, err
}

// rewriteSnapshots rewrites the snapshots of a table, and deletes damaged ones.
func (t *tx) rewriteSnapshots(num int64, rewrite room.Rewriter) error {
	const query = `SELECT position, body, logged, sum FROM snapshots WHERE table_num = ?`
	const remove = `DELETE FROM snapshots WHERE table_num = ? AND position = ?`
	unsummed, err := unsummedOf(t.ctx, t.conn, num)
	if err != nil {
		return err
	}
	var changed []stored
	err = eachOf(t.ctx, t.conn, query, []any{num}, func(r *sql.Rows) error {
		var s snapshot
		if err := r.Scan(&s.at, &s.body, &s.logged, &s.sum); err != nil {
			return err
		}
		//nolint:gosec // no log is that long
		e := stored{at: int64(s.at), logged: s.logged.Int64}
		if !s.sound(num, unsummed) {
			changed = append(changed, e)
			return nil
		}
		var err error
		if e.body, err = rewrite(blob(s.body), true); err == nil && e.body != nil {
			changed = append(changed, e)
		}
		return err
	})
	for i := range changed {
		switch e := &changed[i]; {
		case err != nil:
		case e.body == nil:
			err = t.exec(remove, num, e.at)
		default:
			err = t.insertSnapshot(num, room.Position(e.at), e.body, e.logged) //nolint:gosec // as above
		}
	}
	return err
}

// checkErasures looks for damaged notes of what is to be erased, and calls found for each.
func checkErasures(ctx context.Context, tx *sql.Tx, num int64, found func(what string)) error {
	const query = `SELECT seat, sum IS ` + sumOfErasure + ` FROM erasures WHERE table_num = ?`
	return eachOf(ctx, tx, query, []any{num}, func(rows *sql.Rows) error {
		var seat int64
		var sound bool
		if err := rows.Scan(&seat, &sound); err != nil {
			return err
		}
		if !sound {
			found(fmt.Sprintf("the note that seat %d is to be erased is not what was written", seat))
		}
		return nil
	})
}
