package storage

import (
	"context"
	"database/sql"

	"holt/server/federation/people"
	"holt/server/id"
	"holt/server/tables/room"
)

// AddPerson stores a new person and the hash of a token. If the hash is zero the person has no
// token yet.
func (db *DB) AddPerson(
	ctx context.Context, p people.Person, token room.Hash, now id.Millis,
) error {
	const insert = `INSERT INTO persons (oid, nick, colour) VALUES (?, ?, ?)`
	return db.write(ctx, 0, func(t *tx) error {
		err := t.exec(insert, p.OID[:], p.Nick, p.Colour)
		if err == nil && token != (room.Hash{}) {
			err = t.addToken(p.OID, token, now)
		}
		return doing(err, "add person %s", p.OID)
	})
}

// addToken gives a person one more token. A person keeps the newest people.MaxBrowsers tokens only.
func (t *tx) addToken(person id.OID, token room.Hash, now id.Millis) error {
	const insert = `INSERT INTO person_tokens (token, person, since) VALUES (?, ?, ?)`
	const keep = `DELETE FROM person_tokens WHERE person = ?1 AND token NOT IN
		(SELECT token FROM person_tokens WHERE person = ?1 ORDER BY since DESC LIMIT ?2)`
	err := t.exec(insert, token[:], person[:], now)
	if err == nil {
		err = t.exec(keep, person[:], people.MaxBrowsers)
	}
	return err
}

// PersonByToken returns the person with that token. It returns people.ErrNoPerson if there is none.
func (db *DB) PersonByToken(ctx context.Context, token room.Hash) (people.Person, error) {
	return db.person(ctx,
		`SELECT oid, nick, colour FROM persons JOIN person_tokens ON person = oid WHERE token = ?`,
		token[:])
}

// Persons returns all persons whose home is this server, ordered by their identifiers.
func (db *DB) Persons(ctx context.Context) (all []people.Person, err error) {
	const query = `SELECT oid, nick, colour FROM persons ORDER BY oid`
	all, err = list(ctx, db, query, nil, func(rows *sql.Rows) (p people.Person, err error) {
		var oid []byte
		if err := rows.Scan(&oid, &p.Nick, &p.Colour); err != nil {
			return p, err
		}
		p.OID = id.OID(oid)
		return p, nil
	})
	return all, doing(err, "list persons")
}

// SetKey stores the hash of a key with which one more browser can get a token of the person, until
// the time until. It replaces an older key.
func (db *DB) SetKey(ctx context.Context, person id.OID, key room.Hash, until id.Millis) error {
	const replace = `INSERT OR REPLACE INTO person_keys (person, key, until) VALUES (?, ?, ?)`
	err := db.exec(ctx, replace, person[:], key[:], until)
	return doing(err, "make key of person %s", person)
}

// PersonByKey returns the person with that key. It returns people.ErrNoPerson if there is none, or
// if the key has expired.
func (db *DB) PersonByKey(
	ctx context.Context, key room.Hash, now id.Millis,
) (people.Person, error) {
	return db.person(ctx,
		`SELECT oid, nick, colour FROM persons JOIN person_keys ON person = oid WHERE key = ?
			AND until > ?`,
		key[:], now)
}

// UseKey deletes a key, and stores the hash of a token for its person. It returns
// people.ErrNoPerson as PersonByKey does. Of two simultaneous calls one succeeds.
func (db *DB) UseKey(ctx context.Context, key, token room.Hash, now id.Millis) error {
	const take = `DELETE FROM person_keys WHERE key = ? AND until > ? RETURNING person`
	return db.write(ctx, 0, func(t *tx) error {
		var person []byte
		err := t.scan(take, []any{key[:], now}, &person)
		if err == nil {
			err = t.addToken(id.OID(person), token, now)
		}
		return finding(err, refuse(people.ErrNoPerson), "use key")
	})
}

// KeepToken deletes all tokens of a person but one, and their key.
func (db *DB) KeepToken(ctx context.Context, person id.OID, token room.Hash) error {
	const forget = `DELETE FROM person_tokens WHERE person = ? AND token <> ?`
	const forgetKey = `DELETE FROM person_keys WHERE person = ?`
	return db.write(ctx, 0, func(t *tx) error {
		err := t.exec(forget, person[:], token[:])
		if err == nil {
			err = t.exec(forgetKey, person[:])
		}
		return doing(err, "forget browsers of person %s", person)
	})
}
