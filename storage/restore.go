package storage

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"holt/server/id"
)

// Restore replaces the database in dir by the backup in file. It gives every table a new epoch, so
// that no client takes the restored history for the one that it knew (T19). The replaced database
// stays in dir under the name keep. The identifiers that it had given out stay reserved, if it can
// still be read (O1).
//
// The backup is first checked and finished under another name. So after an error or a crash either
// the old or the new database is in place, complete. Then keep may already be a second name of the
// old one. Restore returns ErrInUse while a server has dir open, ErrForeign, ErrNewer or another
// error if file is not a usable backup, and an error if keep exists. It only reads file. The report
// says which rows of the backup are damaged: the rest is restored anyway.
func Restore(ctx context.Context, dir, file, keep string) (r Report, err error) {
	if filepath.Base(keep) != keep || !filepath.IsLocal(keep) || isOwnName(keep) {
		return r, fmt.Errorf("restore: %q is not a name for the replaced database", keep)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return r, fmt.Errorf("restore: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return r, fmt.Errorf("create data directory: %w", err)
	}
	lock, err := lockDirectory(dir)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()

	path, fresh := filepath.Join(dir, fileName), filepath.Join(dir, newName)
	err = copyBackup(file, fresh)
	if err == nil {
		err = renew(ctx, fresh, checkpointReplaced(ctx, path))
	}
	if err == nil {
		r, err = CheckFile(ctx, fresh, nil)
	}
	if err == nil {
		err = keepReplaced(path, filepath.Join(dir, keep))
	}
	if err == nil {
		err = moveIn(fresh, path)
	}
	if err != nil {
		return r, errors.Join(fmt.Errorf("restore %s: %w", file, err), removeFile(fresh))
	}
	return r, nil
}

// copyBackup copies the backup at file to the new file at fresh.
func copyBackup(file, fresh string) error {
	if err := checkHeader(file); err != nil {
		return err
	}
	if info, err := os.Stat(file + "-wal"); err == nil && info.Size() > 0 {
		return errors.New(
			"it is a database that was in use: part of it is in the write-ahead log beside it")
	}
	if err := newFile(fresh); err != nil {
		return err
	}
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // only read
	to, err := os.OpenFile(fresh, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// checkpointReplaced copies the log of the database at path into its file, and returns the time up
// to which identifiers are reserved. If it cannot, or if there is no database, it returns 0: a
// damaged database is a reason to restore.
func checkpointReplaced(ctx context.Context, path string) (reserved id.Millis) {
	if _, err := readHeader(path); err != nil {
		return 0
	}
	_ = withConn(ctx, path, writing, func(conn *sql.Conn) error {
		err := conn.QueryRowContext(ctx, `SELECT oid_ceiling FROM meta`).Scan(&reserved)
		_, errLog := conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
		return errors.Join(err, errLog)
	})
	return reserved
}

// renew checks the database at path and makes it ready for use: with the latest version, new
// epochs, and a reservation that excludes every identifier that may have been given out before.
func renew(ctx context.Context, path string, reserved id.Millis) error {
	return withConn(ctx, path, alone, func(conn *sql.Conn) error {
		err := check(ctx, conn)
		if err == nil {
			err = migrate(ctx, conn, migrations, slog.New(slog.DiscardHandler))
		}
		if err == nil {
			err = inTx(ctx, conn, func(ctx context.Context, tx *sql.Tx) error {
				return renewRows(ctx, tx, reserved)
			})
		}
		return err
	})
}

func renewRows(ctx context.Context, tx *sql.Tx, reserved id.Millis) error {
	const raise = `UPDATE meta SET oid_ceiling = ? WHERE oid_ceiling < ?`
	if _, err := tx.ExecContext(ctx, raise, reserved, reserved); err != nil {
		return fmt.Errorf("reserve object ids: %w", err)
	}
	// an invitation that was accepted since would be valid again
	const forget = `DELETE FROM peer_invitations`
	if _, err := tx.ExecContext(ctx, forget); err != nil {
		return fmt.Errorf("forget invitations of servers: %w", err)
	}
	if err := restartObjects(ctx, tx); err != nil {
		return fmt.Errorf("note that this was restored: %w", err)
	}
	nums, err := numsOf(ctx, tx, allTables)
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	// a damaged row stays as it is
	const update = `UPDATE tables SET epoch = ? WHERE num = ? AND ` + soundTable
	for _, num := range nums {
		res, err := tx.ExecContext(ctx, update, newEpoch(), num)
		if err != nil {
			return fmt.Errorf("renew epoch: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, sumTable, num); err != nil {
			return fmt.Errorf("renew epoch: %w", err)
		}
	}
	return nil
}

// newEpoch returns a random number from 1 to 2^53-1. The chance that a table had this epoch before
// is negligible.
func newEpoch() id.Epoch {
	for {
		var b [8]byte
		_, _ = rand.Read(b[:]) // it never fails
		if e := id.Epoch(binary.BigEndian.Uint64(b[:]) >> 11); e != 0 {
			return e
		}
	}
}

// keepReplaced gives the database at path the second name keep. If it still has a log, because
// settle could not copy it into the file, the log is renamed with it. The log must not stay, or
// SQLite would take it for the log of the new database.
func keepReplaced(path, keep string) error {
	for _, suffix := range []string{"", "-wal"} {
		if _, err := os.Lstat(keep + suffix); err == nil {
			return fmt.Errorf("keep the replaced database: %w: %s", fs.ErrExist, keep+suffix)
		}
	}
	if err := os.Link(path, keep); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep the replaced database: %w", err)
	}
	if err := os.Rename(path+"-wal", keep+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep the log of the replaced database: %w", err)
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the index of the replaced log: %w", err)
	}
	return syncDirectory(filepath.Dir(path))
}
