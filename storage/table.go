package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// CreateTable stores a new table with its first entries, its seats, its invites and its blobs, all
// or nothing. It returns an error if the table exists already, or if an invite is to another table.
func (db *DB) CreateTable(ctx context.Context, n room.NewTable) error {
	for _, b := range n.Blobs {
		if err := checkBlob(b); err != nil {
			return err
		}
	}
	if err := checkInvites(n.Row.Table, n.Invites); err != nil {
		return err
	}
	size := bytesOf(n.Entries) + bytesOfSaves(n.Saves)
	for _, b := range n.Blobs {
		size += len(b.Data)
	}
	return db.write(ctx, size, func(t *tx) error {
		num, err := t.insertTable(n.Row)
		if err != nil {
			return err
		}
		if err := t.insertEntries(n.Row.Table, known{num: num}, n.Entries); err != nil {
			return err
		}
		if err := t.changeSaves(num, n.Saves, nil); err != nil {
			return doing(err, "add the save points of table %s", n.Row.Table)
		}
		if err := t.insertSeats(n.Row.Table, num, n.Seats); err != nil {
			return err
		}
		if err := t.insertInvites(num, n.Invites); err != nil {
			return err
		}
		if err := t.insertSupplement(num, n.Row.Supplement); err != nil {
			return doing(err, "keep what the game of table %s has", n.Row.Table)
		}
		return t.insertBlobs(n.Blobs)
	})
}

func (t *tx) insertTable(r room.TableRow) (num int64, err error) {
	const insert = `
		INSERT INTO tables (num, oid, epoch, game, title, width, height, surface, catalog, created,
			invite_version, used, renewed)
		VALUES (1 + max(coalesce((SELECT max(num) FROM tables), 0),
				coalesce((SELECT max(num) FROM discards), 0)),
			?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING num`
	args := []any{
		r.Table[:], r.Epoch, r.Game, r.Title, r.Width, r.Height, r.Surface, r.Catalog[:],
		r.Created, r.InviteVersion, r.Created, t.life,
	}
	err = t.scan(insert, args, &num)
	if err == nil {
		err = t.exec(`UPDATE tables SET bound = ? WHERE num = ?`, sumOf(r.Table[:], num), num)
	}
	if err == nil {
		err = t.exec(sumTable, num)
	}
	return num, doing(err, "create table %s", r.Table)
}

// Table returns what the database knows of a table outside its log. It returns ErrNoTable if there
// is no such table, and ErrGone if it was deleted.
func (db *DB) Table(ctx context.Context, table id.OID) (room.TableRow, error) {
	done, err := db.use()
	if err != nil {
		return room.TableRow{}, err
	}
	defer done()
	row, _, err := selectTable(ctx, db.read, table)
	return row, err
}

func selectTable(
	ctx context.Context, q rowQuerier, table id.OID,
) (r room.TableRow, num int64, err error) {
	const query = `
		SELECT num, epoch, game, title, width, height, surface, catalog, created, invite_version, base,
			coalesce(used, created), bound,
		` + soundTable + ` FROM tables WHERE oid = ?`
	var catalog []byte
	var bound sql.NullInt64
	var sound bool
	err = q.QueryRowContext(ctx, query, table[:]).
		Scan(&num, &r.Epoch, &r.Game, &r.Title, &r.Width, &r.Height, &r.Surface, &catalog,
			&r.Created, &r.InviteVersion, &r.Base, &r.Used, &bound, &sound)
	if errors.Is(err, sql.ErrNoRows) {
		return room.TableRow{}, 0, tableMissing(ctx, q, table)
	}
	if err != nil {
		return room.TableRow{}, 0, fmt.Errorf("read table %s: %w", table, readFault(err))
	}
	if !sound {
		return room.TableRow{}, 0, damage("the row of table %s is not what was written", table)
	}
	if !agrees(bound, sumOf(table[:], num)) || len(catalog) != len(r.Catalog) {
		return room.TableRow{}, 0, damage("the row of table %s is another one's", table)
	}
	r.Table, r.Catalog = table, room.Hash(catalog)
	if r.Password, err = passwordOf(ctx, q, num); err != nil {
		return room.TableRow{}, 0, fmt.Errorf("read the password of table %s: %w", table, err)
	}
	if r.Supplement, _, err = supplementOf(ctx, q, num); err != nil {
		return room.TableRow{}, 0, fmt.Errorf("read the supplement of table %s: %w", table, err)
	}
	return r, num, nil
}
