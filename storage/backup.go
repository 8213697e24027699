package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Backup writes everything, as it is at one moment, into one new file at path. Only its owner can
// read that file: it contains the keys of the server. The tables stay in use meanwhile. When Backup
// returns, the file is checked and durable. If something cannot be read, the backup has the rest
// and says what is missing (Report.Losses). Backup returns an error, and leaves path alone, if path
// exists or is a name that the data directory needs for itself. After any error there is nothing
// new at path.
func (db *DB) Backup(ctx context.Context, path string) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if path, err = filepath.Abs(path); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	if filepath.Dir(path) == db.dir && isOwnName(filepath.Base(path)) {
		return fmt.Errorf("back up: %s is the data directory's own file", path)
	}
	return doing(db.backUp(ctx, path), "back up")
}

// backUp writes the backup beside path and renames it when it is complete. So a backup that is
// killed leaves nothing at path, and the next one replaces what it has left beside path.
func (db *DB) backUp(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return &os.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	partial := path + ".partial"
	err := newFile(partial)
	if err != nil {
		return err
	}
	made, err := os.Stat(partial)
	if err == nil {
		err = db.copyInto(ctx, partial)
	}
	if err == nil {
		err = nameNew(partial, path, made)
	}
	if err != nil {
		return errors.Join(err, removeFile(partial))
	}
	return nil
}

// nameNew gives a finished file its name, durably, unless something has that name. made is the file
// as it was created: if another backup has replaced it since, nameNew fails.
func nameNew(partial, path string, made os.FileInfo) error {
	if err := syncFile(partial); err != nil {
		return fmt.Errorf("flush backup: %w", err)
	}
	if now, err := os.Stat(partial); err != nil || !os.SameFile(made, now) {
		return fmt.Errorf("another backup is being written to %s", path)
	}
	err := os.Link(partial, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return err
	case err != nil: // a file system without hard links
		err = os.Rename(partial, path)
	default:
		err = os.Remove(partial)
	}
	if err != nil {
		return fmt.Errorf("name backup: %w", err)
	}
	return doing(syncDirectory(filepath.Dir(path)), "flush directory")
}

// Backup is DB.Backup for a data directory that this process has not opened. A server may have it
// open or not. It returns ErrForeign or ErrNewer if it cannot use the database. The report says
// what in the backup is damaged, because it was damaged already in the data directory.
func Backup(ctx context.Context, dir, path string) (Report, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = checkHeader(filepath.Join(dir, fileName))
	}
	if err != nil {
		return Report{}, fmt.Errorf("back up: %w", err)
	}
	if err := (&DB{dir: dir}).Backup(ctx, path); err != nil {
		return Report{}, err
	}
	return CheckFile(ctx, path, nil)
}

// copyInto writes everything that can be read into the empty file at path and checks it.
func (db *DB) copyInto(ctx context.Context, path string) error {
	const copyAll = `VACUUM INTO ?`
	from := filepath.Join(db.dir, fileName)
	err := withConn(ctx, from, pragmas{}, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, copyAll, path)
		return err
	})
	if err == nil {
		err = withConn(ctx, path, alone, func(conn *sql.Conn) error { return check(ctx, conn) })
	}
	if !isCorrupt(err) && !isClash(err) {
		return err
	}
	if err := os.Truncate(path, 0); err != nil { // the file is not replaced: see nameNew
		return err
	}
	_, _, err = salvage(ctx, from, path)
	return err
}

// check reads the whole database and returns an error if it is damaged.
func check(ctx context.Context, conn *sql.Conn) error {
	var verdict string
	if err := conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return damage("check database: it is damaged: %s", verdict)
	}
	if err := noRows(ctx, conn, "PRAGMA foreign_key_check"); err != nil {
		return damage("check database: %w", err)
	}
	return nil
}
