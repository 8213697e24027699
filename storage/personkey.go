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

// AddPerson stores a new person and the hash of a token. If the hash is zero the person has no
// token yet.
func (db *DB) AddPerson(
	ctx context.Context, p people.Person, token room.Hash, now id.Millis,
) error {
	const insert = `INSERT INTO persons (oid, nick, colour) VALUES (?, ?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		err := t.exec(ctx, insert, p.OID[:], p.Nick, int64(p.Colour))
		if err == nil && token != (room.Hash{}) {
			err = t.addToken(ctx, p.OID, token, now)
		}
		if err != nil {
			return fmt.Errorf("add person %s: %w", p.OID, err)
		}
		return nil
	})
}

// addToken gives a person one more token. A person keeps the newest people.MaxBrowsers tokens only.
func (t *tx) addToken(ctx context.Context, person id.OID, token room.Hash, now id.Millis) error {
	const insert = `INSERT INTO person_tokens (token, person, since) VALUES (?, ?, ?)`
	const keep = `DELETE FROM person_tokens WHERE person = ?1 AND token NOT IN
		(SELECT token FROM person_tokens WHERE person = ?1 ORDER BY since DESC LIMIT ?2)`
	err := t.exec(ctx, insert, token[:], person[:], int64(now))
	if err == nil {
		err = t.exec(ctx, keep, person[:], int64(people.MaxBrowsers))
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
	done, err := db.use()
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := db.read.QueryContext(ctx, `SELECT oid, nick, colour FROM persons ORDER BY oid`)
	if err != nil {
		return nil, fmt.Errorf("list persons: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p people.Person
		var oid []byte
		if err := rows.Scan(&oid, &p.Nick, &p.Colour); err != nil {
			return nil, fmt.Errorf("list persons: %w", err)
		}
		p.OID = id.OID(oid)
		all = append(all, p)
	}
	return all, rows.Err()
}

// SetKey stores the hash of a key with which one more browser can get a token of the person, until
// the time until. It replaces an older key.
func (db *DB) SetKey(ctx context.Context, person id.OID, key room.Hash, until id.Millis) error {
	const replace = `INSERT OR REPLACE INTO person_keys (person, key, until) VALUES (?, ?, ?)`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		if err := t.exec(ctx, replace, person[:], key[:], int64(until)); err != nil {
			return fmt.Errorf("make key of person %s: %w", person, err)
		}
		return nil
	})
}

// PersonByKey returns the person with that key. It returns people.ErrNoPerson if there is none, or
// if the key has expired.
func (db *DB) PersonByKey(
	ctx context.Context, key room.Hash, now id.Millis,
) (people.Person, error) {
	return db.person(ctx,
		`SELECT oid, nick, colour FROM persons JOIN person_keys ON person = oid WHERE key = ? AND until > ?`,
		key[:], int64(now))
}

// UseKey deletes a key, and stores the hash of a token for its person. It returns
// people.ErrNoPerson as PersonByKey does. Of two simultaneous calls one succeeds.
func (db *DB) UseKey(ctx context.Context, key, token room.Hash, now id.Millis) error {
	const find = `SELECT person FROM person_keys WHERE key = ? AND until > ?`
	const forget = `DELETE FROM person_keys WHERE person = ?`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		var person []byte
		err := t.scan(ctx, find, []any{key[:], int64(now)}, &person)
		if errors.Is(err, sql.ErrNoRows) {
			return refuse(people.ErrNoPerson)
		}
		if err == nil {
			err = t.exec(ctx, forget, person)
		}
		if err == nil {
			err = t.addToken(ctx, id.OID(person), token, now)
		}
		if err != nil {
			return fmt.Errorf("use key: %w", err)
		}
		return nil
	})
}

// KeepToken deletes all tokens of a person but one, and their key.
func (db *DB) KeepToken(ctx context.Context, person id.OID, token room.Hash) error {
	const forget = `DELETE FROM person_tokens WHERE person = ? AND token <> ?`
	const forgetKey = `DELETE FROM person_keys WHERE person = ?`
	return db.write(ctx, 0, func(ctx context.Context, t *tx) error {
		err := t.exec(ctx, forget, person[:], token[:])
		if err == nil {
			err = t.exec(ctx, forgetKey, person[:])
		}
		if err != nil {
			return fmt.Errorf("forget browsers of person %s: %w", person, err)
		}
		return nil
	})
}
