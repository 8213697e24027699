package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// InviteByToken returns where an invite leads. It returns ErrNoInvite if there is no such invite or
// its row is damaged, ErrRenewed if it was replaced, ErrGone if its table was deleted, and
// ErrDamaged if the row of its table is damaged.
func (db *DB) InviteByToken(ctx context.Context, token room.Hash) (room.InviteRow, error) {
	const query = `
		SELECT (SELECT oid FROM tables WHERE num = table_num AND ` + soundTable + `), role
		FROM invites WHERE token = ? AND ` + soundInvite
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
		return room.InviteRow{}, fmt.Errorf("find invite: %w", readFault(err))
	}
	if len(oid) != len(r.Table) {
		return room.InviteRow{},
			damage("the row of the table to which an invite leads is not what was written")
	}
	r.Table = id.OID(oid)
	if r.Role == renewed {
		return room.InviteRow{}, room.ErrRenewed
	}
	return r, nil
}

// renewed is the role of invites that were replaced. They are kept so that whoever uses an old link
// learns that there is a new one.
const renewed = 0

// renewedKept is how many replaced invites of a table are kept.
const renewedKept = 32

// replaceInvites makes the given invites the only ones of a table, and stores the version from
// which they are derived.
func (t *tx) replaceInvites(table id.OID, num int64, n *room.NewInvites) error {
	const (
		// Tokens are hashes, so these are any of the table.
		shrink = `DELETE FROM invites WHERE table_num = ?1 AND role = 0 AND token IN (
			SELECT token FROM invites WHERE table_num = ?1 AND role = 0 LIMIT -1 OFFSET ?2)`
		replace = `UPDATE invites SET role = 0, sum = checksum(token, table_num, 0)
			WHERE table_num = ? AND role <> 0`
	)
	if err := t.exec(shrink, num, renewedKept); err != nil {
		return fmt.Errorf("remove invites of table %s: %w", table, err)
	}
	if err := t.exec(replace, num); err != nil {
		return fmt.Errorf("replace invites of table %s: %w", table, err)
	}
	if err := t.changeTable(num, `invite_version = ?`, n.Version); err != nil {
		return fmt.Errorf("renew invites of table %s: %w", table, err)
	}
	return t.insertInvites(num, n.Rows)
}

// insertInvites adds invites. Its errors do not contain the token: a token would let everybody who
// reads the log into the table.
func (t *tx) insertInvites(num int64, invites []room.InviteRow) error {
	const insert = `INSERT INTO invites (token, table_num, role, sum)
		VALUES (?1, ?2, ?3, checksum(?1, ?2, ?3))`
	const again = `DELETE FROM invites WHERE token = ? AND role = 0` // it was replaced before
	for _, i := range invites {
		if err := t.exec(again, i.Token[:]); err != nil {
			return fmt.Errorf("add invite to table %s: %w", i.Table, err)
		}
		if err := t.exec(insert, i.Token[:], num, i.Role); err != nil {
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
