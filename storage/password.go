package storage

import (
	"context"
	"database/sql"
	"errors"

	"holt/server/tables/room"
)

// sumOfPassword is the checksum of a row of passwords, in SQL.
const sumOfPassword = `checksum(table_num, hash)`

// setPassword keeps the hash of the password of a table; "": the table has none.
func (t *tx) setPassword(num int64, hash string) error {
	const insert = `
		INSERT OR REPLACE INTO passwords (table_num, hash, sum) VALUES (?1, ?2, checksum(?1, ?2))`
	if hash == "" {
		return t.exec(`DELETE FROM passwords WHERE table_num = ?`, num)
	}
	return t.exec(insert, num, hash)
}

// passwordOf returns the hash of the password of a table; "" if it has none. No text matches that
// of a row that is damaged or cannot be read: a host has to set another password.
func passwordOf(ctx context.Context, q rowQuerier, num int64) (hash string, err error) {
	const query = `SELECT hash, sum IS ` + sumOfPassword + ` FROM passwords WHERE table_num = ?`
	var sound bool
	err = q.QueryRowContext(ctx, query, num).Scan(&hash, &sound)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case isDamage(readFault(err)), err == nil && !sound:
		return room.LostPassword, nil
	case err != nil:
		return "", err
	}
	return hash, nil
}

// losePasswords gives each table that has no password in a copy a damaged one. Nobody knows which
// of them had one, and a table that had one must not become open to everybody.
func losePasswords(ctx context.Context, e execer) error {
	const insert = `
		INSERT OR IGNORE INTO passwords (table_num, hash, sum) SELECT num, '', 0 FROM tables`
	_, err := e.ExecContext(ctx, insert)
	return err
}
