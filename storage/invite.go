package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/room"
)

// InviteByToken returns where the invite leads. ErrNoInvite if nowhere, ErrGone if to a table that was thrown away.
func (db *DB) InviteByToken(ctx context.Context, token room.Hash) (room.InviteRow, error) {
	const query = `SELECT oid, role FROM invites JOIN tables ON num = table_num WHERE token = ?`
	done, err := db.use()
	if err != nil {
		return room.InviteRow{}, err
	}
	defer done()
	r := room.InviteRow{Token: token}
	var oid []byte
	err = db.read.QueryRowContext(ctx, query, token[:]).Scan(&oid, &r.Role)
	if errors.Is(err, sql.ErrNoRows) {
		return room.InviteRow{}, missing(ctx, db.read, token, room.ErrNoInvite)
	}
	if err != nil {
		return room.InviteRow{}, fmt.Errorf("find invite: %w", err)
	}
	r.Table = id.OID(oid)
	return r, nil
}

// ReplaceInvites makes the given invites the only ones of the table and stores the version that they are
// derived from. ErrNoTable if there is no such table; an invite to another table is an error.
func (db *DB) ReplaceInvites(ctx context.Context, table id.OID, version uint32, invites []room.InviteRow) error {
	const remove = `DELETE FROM invites WHERE table_num = ?`
	const update = `UPDATE tables SET invite_version = ? WHERE num = ?`
	if err := checkInvites(table, invites); err != nil {
		return err
	}
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		k, err := t.table(ctx, table)
		if err != nil {
			return err
		}
		if err := t.exec(ctx, remove, k.num); err != nil {
			return fmt.Errorf("remove invites of table %s: %w", table, err)
		}
		if err := t.exec(ctx, update, version, k.num); err != nil {
			return fmt.Errorf("renew invites of table %s: %w", table, err)
		}
		return t.insertInvites(ctx, k.num, invites)
	})
}

// The token is not in the error: it opens the table to whoever reads the log.
func (t *tx) insertInvites(ctx context.Context, num int64, invites []room.InviteRow) error {
	const insert = `INSERT INTO invites (token, table_num, role) VALUES (?, ?, ?)`
	for _, i := range invites {
		if err := t.exec(ctx, insert, i.Token[:], num, int64(i.Role)); err != nil {
			return fmt.Errorf("add invite to table %s: %w", i.Table, err)
		}
	}
	return nil
}

func checkInvites(table id.OID, invites []room.InviteRow) error {
	for _, i := range invites {
		if i.Table != table {
			return fmt.Errorf("add invite to table %s: it leads to table %s", table, i.Table)
		}
	}
	return nil
}
