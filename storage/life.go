package storage

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"holt/server/id"
	"holt/server/tables/room"
)

// markLife completes a server life whose first 8 bytes are random, with a MAC. So nobody can name a
// life that this server never had.
func markLife(l *room.ServerLife, key []byte) {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("holt life"))
	m.Write(l[:8])
	copy(l[8:], m.Sum(nil))
}

// beginLife generates the server life of this start and stores it. Until then nothing of it is sent
// or acknowledged.
func (db *DB) beginLife(ctx context.Context) error {
	var life room.ServerLife
	fresh := make([]byte, 32)
	_, _ = rand.Read(life[:8]) // it never fails
	_, _ = rand.Read(fresh)
	err := db.writer.do(ctx, 0, func(t *tx) error {
		var key []byte
		if err := t.exec(`UPDATE meta SET invite_key = ? WHERE invite_key IS NULL`,
			fresh); err != nil {
			return err
		}
		if err := t.scan(`SELECT invite_key FROM meta`, nil, &key); err != nil {
			return err
		}
		markLife(&life, key)
		return t.scan(`INSERT INTO lives (life) VALUES (?) RETURNING num`, []any{life[:]},
			&t.life)
	})
	if err != nil {
		return fmt.Errorf("begin the life of this start: %w", err)
	}
	db.serverLife, db.lifeNum = life, db.writer.tx.life
	return nil
}

// recordLife records from which position on the log of table num is written in this server life.
// Only the first call for a table counts.
func (t *tx) recordLife(num int64, first room.Position) error {
	const insert = `INSERT OR IGNORE INTO reigns (table_num, life_num, first) VALUES (?, ?, ?)`
	err := t.exec(insert, num, t.life, first)
	return doing(err, "note from where on the log is of this life")
}

// Lineage returns what the log of a table has of a server life. It says Forged if this server
// never had that life. It returns ErrNoTable if there is no such table.
func (db *DB) Lineage(
	ctx context.Context, table id.OID, life room.ServerLife,
) (room.Lineage, error) {
	const find = `SELECT num FROM lives WHERE life = ?`
	const later = `SELECT coalesce(min(first), 0) FROM reigns WHERE table_num = ? AND life_num > ?`
	done, err := db.use()
	if err != nil {
		return room.Lineage{}, err
	}
	defer done()
	var key []byte
	if err := db.read.QueryRowContext(ctx, `SELECT invite_key FROM meta`).Scan(&key); err != nil {
		return room.Lineage{}, fmt.Errorf("read invite key: %w", err)
	}
	ours := life
	markLife(&ours, key)
	if !hmac.Equal(ours[:], life[:]) {
		return room.Lineage{Forged: true}, nil
	}
	_, num, err := selectTable(ctx, db.read, table)
	if err != nil {
		return room.Lineage{}, err
	}
	var lifeNum, first int64
	err = db.read.QueryRowContext(ctx, find, life[:]).Scan(&lifeNum)
	if errors.Is(err, sql.ErrNoRows) {
		return room.Lineage{}, nil
	}
	if err == nil {
		err = db.read.QueryRowContext(ctx, later, num, lifeNum).Scan(&first)
	}
	if err != nil {
		return room.Lineage{}, fmt.Errorf("find a life of table %s: %w", table, err)
	}
	l := room.Lineage{Known: true, Last: noPosition}
	if first > 0 {
		l.Last = room.Position(first - 1)
	}
	return l, nil
}

// noPosition is a position that no log reaches.
const noPosition = room.Position(1 << 62)

// Renew gives a table another epoch, durably: its history went back (T19).
func (db *DB) Renew(ctx context.Context, table id.OID, epoch id.Epoch) error {
	return db.write(ctx, 0, func(t *tx) error {
		k, err := t.table(table)
		if err != nil {
			return err
		}
		err = t.changeTable(k.num, `epoch = ?, renewed = ?`, epoch, t.life)
		return doing(err, "renew the epoch of table %s", table)
	})
}
