package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Backup writes everything, as it is at one moment, into one new file at path, which only its owner can read:
// it holds the keys of the host. The tables are served meanwhile. The file is checked and on the disk when
// Backup returns. If path exists, or is a name that the data directory needs for itself, that is an error, and
// it is left alone; after any error there is nothing new at path.
func (db *DB) Backup(ctx context.Context, path string) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if path, err = filepath.Abs(path); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if filepath.Dir(path) == db.dir && reserved(filepath.Base(path)) {
		return fmt.Errorf("back up: %s is the data directory's own file", path)
	}
	// The empty file holds the name; the backup takes it when it is whole.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	partial := path + ".partial"
	err = f.Close()
	if err == nil {
		err = db.copyInto(ctx, partial)
	}
	if err == nil {
		err = moveIn(partial, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("back up: %w", err), removeFile(partial), os.Remove(path))
	}
	return nil
}

// Backup is DB.Backup for a data directory that this process has not opened: whether a server has it open or
// not makes no difference. ErrForeign or ErrNewer if its database is not one to be read.
func Backup(ctx context.Context, dir, path string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	v, err := readHeader(filepath.Join(dir, fileName))
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if err := knownVersion(filepath.Join(dir, fileName), v); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return (&DB{dir: dir}).Backup(ctx, path)
}

func (db *DB) copyInto(ctx context.Context, path string) error {
	if err := newFile(path); err != nil {
		return err
	}
	const copyAll = `VACUUM INTO ?`
	err := withConn(ctx, filepath.Join(db.dir, fileName), pragmas{}, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, copyAll, path)
		return err
	})
	if err != nil {
		return err
	}
	return withConn(ctx, path, alone, func(conn *sql.Conn) error { return check(ctx, conn) })
}

// check reads the whole database and returns an error if it is damaged.
func check(ctx context.Context, conn *sql.Conn) error {
	var verdict string
	if err := conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("check database: it is damaged: %s", verdict)
	}
	return noRows(ctx, conn, "PRAGMA foreign_key_check")
}
