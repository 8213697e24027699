package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"holt/server/id"
	"holt/server/tables/room"
)

// A table is deleted in three steps. Discard is one commit: after it the table does not exist, and
// the database knows what is left of it. SweepTable deletes the log in slices; other writes go on
// in between. Forget removes the note that something was left to do. If the process is killed in
// between, the next start continues where it stopped.

// sweepRows and sweepBytes bound what one slice of a log deletes. Larger slices would keep other
// writes waiting.
const (
	sweepRows  = 1024
	sweepBytes = 1 << 20
)

// DeleteTable deletes a table. It returns ErrNoTable if there is none, ErrGone if it was deleted
// before, and ErrFenced if the length of its log is not d.Expect. It returns ErrDamaged if the
// table is damaged and d does not say so, or if its number is not certain.
func (db *DB) DeleteTable(ctx context.Context, d room.Deletion) error {
	size := 0
	for _, o := range d.Owed {
		size += len(o.Doc)
	}
	err := db.write(ctx, size, func(t *tx) error { return t.delete(d, true) })
	if errors.Is(err, errSpared) {
		err = db.write(ctx, size, func(t *tx) error { return t.delete(d, false) })
	}
	return err
}

// delete is DeleteTable. Unless whole is set it leaves save points and texts of the chat to
// SweepTable: pages of the file that have them are damaged. It returns errSpared if it meets such a
// page.
func (t *tx) delete(d room.Deletion, whole bool) error {
	if d.Damaged {
		num, err := t.damagedTable(d.Table)
		if err == nil {
			err = t.deleteTable(num, d, whole)
		}
		return doing(readFault(err), "throw damaged table %s away", d.Table)
	}
	k, err := t.tableOfLength(d.Table, d.Expect)
	if err != nil {
		return err
	}
	return doing(t.deleteTable(k.num, d, whole), "throw table %s away", d.Table)
}

// beside are what DeleteTable can leave to SweepTable: save points and texts of the chat.
var beside = []string{
	`DELETE FROM saves WHERE table_num = ?`, `DELETE FROM chats WHERE table_num = ?`,
}

// deleteBeside runs some of beside for a table.
func (t *tx) deleteBeside(num int64, queries ...string) error {
	for _, query := range queries {
		switch err := t.exec(query, num); {
		case isCorrupt(err):
			return fmt.Errorf("%w: %w", errSpared, err)
		case err != nil:
			return err
		}
	}
	return nil
}

// damagedTable returns the number of a table whose row may be damaged. Everything with this number
// is about to be deleted, so the number must not belong to another table. The queries use no index,
// because an index may be damaged, too.
func (t *tx) damagedTable(table id.OID) (num int64, err error) {
	const find = `SELECT num FROM tables NOT INDEXED WHERE oid = ?`
	const others = `
		SELECT (SELECT count(*) FROM tables NOT INDEXED WHERE +num = ?1 AND oid <> ?2) +
			(SELECT count(*) FROM discards NOT INDEXED WHERE +num = ?1)`
	err = t.scan(find, []any{table[:]}, &num)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, refuse(tableMissing(t.ctx, t.conn, table))
	}
	if err != nil {
		return 0, err
	}
	var n int
	if err := t.scan(others, []any{num, table[:]}, &n); err != nil {
		return 0, err
	}
	if n > 0 {
		return 0, refuse(damage("another table has its number %d", num))
	}
	return num, nil
}

func (t *tx) deleteTable(num int64, d room.Deletion, whole bool) error {
	const owe = `INSERT INTO owed_sets (table_oid, set_oid, doc) VALUES (?, ?, ?)`
	tomb := sha256.Sum256(d.Table[:])
	for _, o := range d.Owed {
		if err := t.exec(owe, d.Table[:], o.Set[:], blob(o.Doc)); err != nil {
			return err
		}
	}
	t.forgetRecent(num)
	t.ends.forget(num)
	delete(t.known, d.Table)
	for catalog, of := range t.replacedCatalogs {
		if of == d.Table {
			delete(t.replacedCatalogs, catalog)
		}
	}
	for _, step := range []struct {
		query string
		args  []any
	}{
		{`INSERT OR IGNORE INTO tombstones (hash) VALUES (?)`, []any{tomb[:]}},
		{`INSERT OR IGNORE INTO tombstones (hash) SELECT token FROM invites WHERE table_num = ?`,
			[]any{num}},
		{`INSERT INTO discards (num, oid, thrown) VALUES (?, ?, ?)`,
			[]any{num, d.Table[:], d.At}},
		{`DELETE FROM recent WHERE table_num = ?`, []any{num}},
		{`DELETE FROM snapshots WHERE table_num = ?`, []any{num}},
		{`DELETE FROM motions WHERE table_num = ?`, []any{num}},
		{`DELETE FROM erasures WHERE table_num = ?`, []any{num}},
		{`DELETE FROM open_items WHERE table_num = ?`, []any{num}},
		{`DELETE FROM passwords WHERE table_num = ?`, []any{num}},
		{`DELETE FROM supplements WHERE table_num = ?`, []any{num}},
		{`DELETE FROM reigns WHERE table_num = ?`, []any{num}},
		{`DELETE FROM seats WHERE table_num = ?`, []any{num}},
		{`DELETE FROM invites WHERE table_num = ?`, []any{num}},
		{`DELETE FROM sitters WHERE table_oid = ?`, []any{d.Table[:]}},
		{`DELETE FROM tables WHERE num = ?`, []any{num}},
	} {
		if err := t.exec(step.query, step.args...); err != nil {
			return err
		}
	}
	if whole {
		return t.deleteBeside(num, beside...)
	}
	return nil
}

// DeletedTables returns the deleted tables of which something is left to do.
func (db *DB) DeletedTables(ctx context.Context) (all []room.DeletedTable, err error) {
	const query = `SELECT oid, thrown, set_oid, doc FROM discards
		LEFT JOIN owed_sets ON table_oid = oid ORDER BY num, set_oid`
	_, err = list(ctx, db, query, nil, func(rows *sql.Rows) (none struct{}, err error) {
		var oid, set, doc []byte
		var at id.Millis
		if err := rows.Scan(&oid, &at, &set, &doc); err != nil {
			return none, err
		}
		if len(all) == 0 || all[len(all)-1].Table != id.OID(oid) {
			all = append(all, room.DeletedTable{Table: id.OID(oid), At: at})
		}
		if set != nil {
			d := &all[len(all)-1]
			d.Owed = append(d.Owed, room.Owed{Set: id.OID(set), Doc: doc})
		}
		return none, nil
	})
	return all, doing(err, "list tables that were thrown away")
}

// SweepTable deletes a slice of the log of a deleted table, and with the last one what DeleteTable
// has left. It reports whether there is more.
func (db *DB) SweepTable(ctx context.Context, table id.OID) (more bool, err error) {
	var deleted int64
	err = db.write(ctx, sweepBytes, func(t *tx) error {
		num, found, err := t.deletedTable(table)
		if more = false; err != nil || !found {
			return err
		}
		deleted = num
		more, err = t.sweepEntries(num, math.MaxInt64)
		return doing(err, "delete the log of table %s", table)
	})
	if err != nil || more || deleted == 0 {
		return more, err
	}
	// Until this is gone, no other table gets the number.
	for _, query := range beside {
		failed := db.write(ctx, 0, func(t *tx) error { return t.deleteBeside(deleted, query) })
		err = errors.Join(err, doing(failed, "delete what is beside the log of table %s", table))
	}
	return false, err
}

// sweepEntries deletes a slice of the entries of a table up to the position last. It reports
// whether there are more.
func (t *tx) sweepEntries(num, last int64) (more bool, err error) {
	// The slice ends when its bytes are used up, but it has at least one entry.
	const remove = `
		DELETE FROM entries WHERE table_num = ?1 AND position <= (
			SELECT max(position) FROM (
				SELECT position, row_number() OVER w AS n, sum(length(body)) OVER w - length(body) AS before
				FROM (
					SELECT position, body FROM entries WHERE table_num = ?1 AND position <= ?4
					ORDER BY position LIMIT ?2
				)
				WINDOW w AS (ORDER BY position)
			) WHERE n = 1 OR before < ?3)`
	const left = `SELECT EXISTS (SELECT 1 FROM entries WHERE table_num = ? AND position <= ?)`
	if err := t.exec(remove, num, sweepRows, sweepBytes, last); err != nil {
		return false, err
	}
	err = t.scan(left, []any{num, last}, &more)
	return more, err
}

// SetReturned records that a set was given back. It does nothing if that was recorded before.
func (db *DB) SetReturned(ctx context.Context, table, set id.OID) error {
	const remove = `DELETE FROM owed_sets WHERE table_oid = ? AND set_oid = ?`
	return doing(db.exec(ctx, remove, table[:], set[:]), "note that set %s was given back", set)
}

// errLeft says that a table cannot be forgotten yet.
var errLeft = errors.New("something of it is left")

// FinishDeletion removes the note that a table was deleted. Then only its tombstones are left. It
// returns an error if the log of the table or a set that it owes is left.
func (db *DB) FinishDeletion(ctx context.Context, table id.OID) error {
	const left = `SELECT EXISTS (SELECT 1 FROM entries WHERE table_num = ?)
		OR EXISTS (SELECT 1 FROM owed_sets WHERE table_oid = ?)`
	return db.write(ctx, 0, func(t *tx) error {
		num, found, err := t.deletedTable(table)
		if err != nil || !found {
			return err
		}
		var is bool
		err = t.scan(left, []any{num, table[:]}, &is)
		if err == nil && is {
			err = refuse(fmt.Errorf("forget table %s: %w", table, errLeft))
		}
		if err == nil {
			err = t.exec(`DELETE FROM discards WHERE num = ?`, num)
		}
		// A visitor who took a seat while the table was deleted may have been recorded later.
		if err == nil {
			err = t.exec(`DELETE FROM sitters WHERE table_oid = ?`, table[:])
		}
		return doing(err, "forget table %s", table)
	})
}

// deletedTable returns the number of a deleted table of which something is left.
func (t *tx) deletedTable(table id.OID) (num int64, found bool, err error) {
	err = t.scan(`SELECT num FROM discards WHERE oid = ?`, []any{table[:]}, &num)
	return num, err == nil, finding(err, nil, "find table %s among those that were thrown away", table)
}

// missing returns why there is no table or invite: ErrGone if it was deleted, otherwise the given
// error. hash is the hash in its tombstone.
func missing(ctx context.Context, q rowQuerier, hash [sha256.Size]byte, otherwise error) error {
	err := q.QueryRowContext(ctx, `SELECT 1 FROM tombstones WHERE hash = ?`, hash[:]).Scan(new(int))
	if err == nil {
		return room.ErrGone
	}
	return finding(err, otherwise, "look for a tombstone")
}

// tableMissing is missing for a table.
func tableMissing(ctx context.Context, q rowQuerier, table id.OID) error {
	return missing(ctx, q, sha256.Sum256(table[:]), room.ErrNoTable)
}

// Tables returns all tables, the newest first, with their seats and sizes.
func (db *DB) Tables(ctx context.Context) (all []TableSummary, err error) {
	const query = `
		SELECT oid, game, title, created, (SELECT count(*) FROM seats WHERE table_num = t.num),
			coalesce(s.logged, 0) +
			coalesce((SELECT sum(length(e.body) + ?) FROM entries AS e WHERE e.table_num = t.num
				AND e.position > iif(s.logged IS NULL, 0, s.position)), 0),
			coalesce(length(s.body), 0)
		FROM tables AS t LEFT JOIN snapshots AS s
			ON s.table_num = t.num
			AND s.position = (SELECT max(position) FROM snapshots WHERE table_num = t.num)
		ORDER BY t.num DESC`
	all, err = list(ctx, db, query, []any{room.EntryCost},
		func(rows *sql.Rows) (s TableSummary, err error) {
			var oid []byte
			if err := rows.Scan(&oid, &s.Game, &s.Title, &s.Created, &s.Seats, &s.Log,
				&s.State); err != nil {
				return s, err
			}
			s.Table = id.OID(oid)
			return s, nil
		})
	return all, doing(err, "list tables")
}

// TableSummary is what an operator sees of a table.
type TableSummary struct {
	Table   id.OID
	Game    string // id on the shelf
	Title   string
	Created id.Millis
	Seats   int
	Log     int64 // bytes of its log, without the latest few entries
	State   int64 // bytes of its snapshot
}
