package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"holt/server/tables/room"
)

// Some pages of the database serve all tables. If one of these is damaged nothing can be written,
// for any table. Then the next start copies what can be read into a new file, and keeps the damaged
// file beside it.

// shared are the small SQL tables that serve all tables. A start checks them as a whole.
var shared = []string{
	"meta", "tables", "recent", "ends", "lives", "reigns", "discards", "owed_sets", "seats",
	"invites", "sitters", "tombstones", "peer_links", "peer_cards", "peer_invitations", "persons",
	"person_tokens", "person_keys", "visits", "vouchers", "set_names", "passwords",
	"supplements", "erasures",
}

// checkShared returns room.ErrDamaged if a page that all tables need is damaged.
func checkShared(ctx context.Context, path string) error {
	return withConn(ctx, path, reading, func(conn *sql.Conn) error {
		for _, name := range shared {
			var verdict string
			if err := conn.QueryRowContext(ctx, `PRAGMA integrity_check(`+name+`)`).
				Scan(&verdict); err != nil {
				return fmt.Errorf("check %s: %w", name, err)
			}
			if verdict != "ok" {
				return damage("%s: %s", name, verdict)
			}
		}
		// Only the index of snapshots is read: the snapshots are large.
		const all = `SELECT count(table_num) FROM snapshots INDEXED BY sqlite_autoindex_snapshots_1`
		return conn.QueryRowContext(ctx, all).Scan(new(int))
	})
}

// isCorrupt reports whether an error says that a page of the database is damaged. A full disk is
// not damage.
func isCorrupt(err error) bool {
	var fault *sqlite.Error
	if !errors.As(err, &fault) {
		return errors.Is(err, room.ErrDamaged)
	}
	switch fault.Code() {
	case sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS:
		return true
	}
	return fault.Code()&0xff == sqlite3.SQLITE_CORRUPT
}

// isClash reports whether an error says that two rows have the same key. In a copy only damage can
// cause that.
func isClash(err error) bool {
	var fault *sqlite.Error
	return errors.As(err, &fault) && fault.Code()&0xff == sqlite3.SQLITE_CONSTRAINT
}

// Losses returns how many things were lost when this database was rebuilt from a damaged one.
func (db *DB) Losses() int { return int(db.losses.Load()) }

// rebuild copies what can be read of the database in dir into a new one. Nobody may have it open.
// The damaged one stays in the folder under another name. After an error or a crash it is at its
// old place. rebuild returns ErrBroken if too little can be read.
func rebuild(ctx context.Context, dir string, why error, log *slog.Logger) (err error) {
	path, fresh := filepath.Join(dir, fileName), filepath.Join(dir, newName)
	keep, err := freeName(dir)
	if err != nil {
		return err
	}
	if err := checkpoint(ctx, path); err != nil {
		return fmt.Errorf("bring in the log of a damaged database: %w", err)
	}
	if err := newFile(fresh); err != nil {
		return err
	}
	lost, keyless, err := salvage(ctx, path, fresh)
	if err == nil && keyless {
		err = fmt.Errorf("%w: the keys of the server cannot be read", ErrBroken)
	}
	if err == nil {
		err = keepReplaced(path, keep)
	}
	if err == nil {
		err = moveIn(fresh, path)
	}
	if err != nil {
		return errors.Join(err, removeFile(fresh))
	}
	log.Error("the database was damaged: what could be read of it is in a new one", "error", why,
		"lost", len(lost), "damaged", keep)
	for _, d := range lost {
		log.Error("a part of the data is lost", "table", d.Table, "what", d.What)
	}
	return nil
}

// freeName returns a path in dir under which a damaged database can be kept.
func freeName(dir string) (string, error) {
	for n := 1; n < 1000; n++ {
		path := filepath.Join(dir, fmt.Sprintf("damaged-%d.db", n))
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s has too many damaged databases: move them away", dir)
}

// checkpoint copies the whole write-ahead log of a database into its file.
func checkpoint(ctx context.Context, path string) error {
	err := withConn(ctx, path, pragmas{}, func(conn *sql.Conn) error {
		var busy, pages, moved int
		return conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).
			Scan(&busy, &pages, &moved)
	})
	if isCorrupt(err) {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if err != nil {
		return err
	}
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		return errors.New("some of it stays")
	}
	return nil
}
