package storage

import (
	"context"
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
	if err != nil {
		return p, finding(err, people.ErrNoPerson, "find person")
	}
	p.OID = id.OID(oid)
	return p, nil
}

// PutSeatedPerson records which person has a seat.
func (db *DB) PutSeatedPerson(ctx context.Context, s people.SeatedPerson) error {
	const replace = `INSERT OR REPLACE INTO sitters (table_oid, seat, person, home)
		VALUES (?, ?, ?, ?)`
	err := db.exec(ctx, replace, s.Table[:], s.Seat, s.Person[:], s.Home)
	return doing(err, "say who sits at seat %s of table %s", s.Seat, s.Table)
}

// SeatedPerson returns which person has a seat. It returns people.ErrNoPerson if that is not known.
func (db *DB) SeatedPerson(
	ctx context.Context, table id.OID, seat id.Seat,
) (people.SeatedPerson, error) {
	const query = `SELECT person, home FROM sitters WHERE table_oid = ? AND seat = ?`
	s := people.SeatedPerson{Table: table, Seat: seat}
	var person []byte
	err := db.row(ctx, query, []any{table[:], seat}, &person, &s.Home)
	if err != nil {
		return s, finding(err, people.ErrNoPerson, "find who sits at seat %s of table %s", seat, table)
	}
	s.Person = id.OID(person)
	return s, nil
}

// UseVoucher records that a voucher was used, and deletes those that have expired at now. It
// returns people.ErrUsed if the voucher was used before.
func (db *DB) UseVoucher(ctx context.Context, hash room.Hash, until, now id.Millis) error {
	const forget = `DELETE FROM vouchers WHERE until <= ?`
	const insert = `INSERT INTO vouchers (hash, until) VALUES (?, ?)
		ON CONFLICT DO NOTHING RETURNING 1`
	return db.write(ctx, 0, func(t *tx) error {
		if err := t.exec(forget, now); err != nil {
			return fmt.Errorf("forget old vouchers: %w", err)
		}
		err := t.scan(insert, []any{hash[:], until}, new(int))
		return finding(err, refuse(people.ErrUsed), "use voucher")
	})
}

// AddVisit records that a person of this server visits another one.
func (db *DB) AddVisit(ctx context.Context, person id.OID, host id.HostID, now id.Millis) error {
	const replace = `INSERT OR REPLACE INTO visits (person, host, last) VALUES (?, ?, ?)`
	err := db.exec(ctx, replace, person[:], host[:], now)
	return doing(err, "note visit of person %s to host %s", person, host)
}

// Visited returns when a person of this server last visited another one; 0 means never.
func (db *DB) Visited(
	ctx context.Context, person id.OID, host id.HostID,
) (last id.Millis, err error) {
	err = db.row(ctx, `SELECT last FROM visits WHERE person = ? AND host = ?`,
		[]any{person[:], host[:]}, &last)
	return last, finding(err, nil, "find visit of person %s to host %s", person, host)
}

// NameSet records the name of a set.
func (db *DB) NameSet(ctx context.Context, set id.OID, name string) error {
	const replace = `INSERT OR REPLACE INTO set_names (oid, name) VALUES (?, ?)`
	return doing(db.exec(ctx, replace, set[:], name), "name set %s", set)
}

// SetName returns the name of a set that was recorded last, or an empty string if there is none.
func (db *DB) SetName(ctx context.Context, set id.OID) (name string, err error) {
	err = db.row(ctx, `SELECT name FROM set_names WHERE oid = ?`, []any{set[:]}, &name)
	return name, finding(err, nil, "find name of set %s", set)
}
