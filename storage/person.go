package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
)

var _ people.Store = (*DB)(nil)

// Person returns a person of this server. It returns people.ErrNoPerson if there is none.
func (db *DB) Person(ctx context.Context, oid id.OID) (people.Person, error) {
	return db.person(ctx, `SELECT oid, nick, colour FROM persons WHERE oid = ?`, oid[:])
}

func (db *DB) person(ctx context.Context, query string, args ...any) (p people.Person, err error) {
	var oid []byte
	err = db.row(ctx, query, args, &oid, &p.Nick, &p.Colour)
	if errors.Is(err, sql.ErrNoRows) {
		return p, people.ErrNoPerson
	}
	if err != nil {
		return p, fmt.Errorf("find person: %w", err)
	}
	p.OID = id.OID(oid)
	return p, nil
}

// PutSeatedPerson records which person has a seat.
func (db *DB) PutSeatedPerson(ctx context.Context, s people.SeatedPerson) error {
	const replace = `INSERT OR REPLACE INTO sitters (table_oid, seat, person, home) VALUES (?, ?, ?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, replace, s.Table[:], int64(s.Seat), s.Person[:], s.Home); err != nil {
			return fmt.Errorf("say who sits at seat %s of table %s: %w", s.Seat, s.Table, err)
		}
		return nil
	})
}

// SeatedPerson returns which person has a seat. It returns people.ErrNoPerson if that is not known.
func (db *DB) SeatedPerson(ctx context.Context, table id.OID, seat id.Seat) (people.SeatedPerson, error) {
	const query = `SELECT person, home FROM sitters WHERE table_oid = ? AND seat = ?`
	s := people.SeatedPerson{Table: table, Seat: seat}
	var person []byte
	err := db.row(ctx, query, []any{table[:], int64(seat)}, &person, &s.Home)
	if errors.Is(err, sql.ErrNoRows) {
		return s, people.ErrNoPerson
	}
	if err != nil {
		return s, fmt.Errorf("find who sits at seat %s of table %s: %w", seat, table, err)
	}
	s.Person = id.OID(person)
	return s, nil
}

// UseVoucher records that a voucher was used, and deletes those that have expired at now. It
// returns people.ErrUsed if the voucher was used before.
func (db *DB) UseVoucher(ctx context.Context, hash room.Hash, until, now id.Millis) error {
	const forget = `DELETE FROM vouchers WHERE until <= ?`
	const find = `SELECT 1 FROM vouchers WHERE hash = ?`
	const insert = `INSERT INTO vouchers (hash, until) VALUES (?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, forget, int64(now)); err != nil {
			return fmt.Errorf("forget old vouchers: %w", err)
		}
		var one int
		err := t.scan(ctx, find, []any{hash[:]}, &one)
		if err == nil {
			return refuse(people.ErrUsed)
		}
		if errors.Is(err, sql.ErrNoRows) {
			err = t.exec(ctx, insert, hash[:], int64(until))
		}
		if err != nil {
			return fmt.Errorf("use voucher: %w", err)
		}
		return nil
	})
}

// AddVisit records that a person of this server visits another one.
func (db *DB) AddVisit(ctx context.Context, person id.OID, host id.HostID, now id.Millis) error {
	const replace = `INSERT OR REPLACE INTO visits (person, host, last) VALUES (?, ?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, replace, person[:], host[:], int64(now)); err != nil {
			return fmt.Errorf("note visit of person %s to host %s: %w", person, host, err)
		}
		return nil
	})
}

// Visited returns when a person of this server last visited another one; 0 means never.
func (db *DB) Visited(
	ctx context.Context, person id.OID, host id.HostID,
) (last id.Millis, err error) {
	err = db.row(ctx, `SELECT last FROM visits WHERE person = ? AND host = ?`,
		[]any{person[:], host[:]}, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find visit of person %s to host %s: %w", person, host, err)
	}
	return last, nil
}

// NameSet records the name of a set.
func (db *DB) NameSet(ctx context.Context, set id.OID, name string) error {
	const replace = `INSERT OR REPLACE INTO set_names (oid, name) VALUES (?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, replace, set[:], name); err != nil {
			return fmt.Errorf("name set %s: %w", set, err)
		}
		return nil
	})
}

// SetName returns the name of a set that was recorded last, or an empty string if there is none.
func (db *DB) SetName(ctx context.Context, set id.OID) (name string, err error) {
	err = db.row(ctx, `SELECT name FROM set_names WHERE oid = ?`, []any{set[:]}, &name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find name of set %s: %w", set, err)
	}
	return name, nil
}

// row reads one row into dest. It returns sql.ErrNoRows if there is none.
func (db *DB) row(ctx context.Context, query string, args []any, dest ...any) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	return db.read.QueryRowContext(ctx, query, args...).Scan(dest...)
}
