package storage

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"holt/server/room"
)

func TestOpenCreates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "a b?c=%41#d")
	db := openDir(t, dir)
	wantMode(t, dir, 0o700)
	for _, name := range []string{fileName, lockName} {
		wantMode(t, filepath.Join(dir, name), 0o600)
	}
	mustCreate(t, db, 1, "a")
	wantMode(t, filepath.Join(dir, fileName+"-wal"), 0o600)
	var journal, synchronous string
	if err := db.write(t.Context(), 0, func(ctx context.Context, tx *tx) error {
		if err := tx.scan(ctx, "PRAGMA journal_mode", nil, &journal); err != nil {
			return err
		}
		return tx.scan(ctx, "PRAGMA synchronous", nil, &synchronous)
	}); err != nil || journal != "wal" || synchronous != "2" {
		t.Errorf("the writer has journal_mode %s and synchronous %s, %v", journal, synchronous, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left := slices.Sorted(maps.Keys(readDir(t, dir)))
	if d := cmp.Diff([]string{fileName, lockName}, left); d != "" {
		t.Errorf("after Close there is %s", d)
	}
}

func TestClosed(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
	wantErr(t, appendTo(t, db, 1, 0, "a"), ErrClosed)
	_, err := db.Load(t.Context(), tableID(1))
	wantErr(t, err, ErrClosed)
	wantErr(t, db.Backup(t.Context(), filepath.Join(t.TempDir(), "b")), ErrClosed)
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	_, err := Open(t.Context(), dir, Options{})
	wantErr(t, err, ErrInUse)
	if want := "is another holt serving " + dir + "?"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q in it", err, want)
	}
	wantErr(t, Restore(t.Context(), dir, "whatever", "old"), ErrInUse)
	mustCreate(t, db, 1)
	reopen(t, db)
}

// What is not ours is left as it is, byte for byte, and nothing is put beside it but the lock.
func TestForeignFile(t *testing.T) {
	for name, write := range map[string]func(t *testing.T, path string){
		"empty":   func(t *testing.T, path string) { writeFile(t, path, nil) },
		"text":    func(t *testing.T, path string) { writeFile(t, path, bytes.Repeat([]byte("hello "), 100)) },
		"cut off": func(t *testing.T, path string) { writeFile(t, path, []byte("SQLite format 3\x00")) },
		"another's database": func(t *testing.T, path string) {
			makeDatabase(t, path, "PRAGMA journal_mode = WAL; CREATE TABLE x (y)")
		},
		"another's mark": func(t *testing.T, path string) {
			makeDatabase(t, path, "PRAGMA application_id = 7; CREATE TABLE x (y)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, fileName))
			wantUntouched(t, dir, ErrForeign)
		})
	}
	t.Run("a newer version", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, fileName)
		makeDatabase(t, path, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 900; CREATE TABLE x (y)", applicationID))
		err := wantUntouched(t, dir, ErrNewer)
		if want := fmt.Sprintf("it has version 900, this program knows versions up to %d", latest); !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q in it", err, want)
		}
	})
	t.Run("a log without its database", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, fileName+"-wal"), noise(5_000))
		wantUntouched(t, dir, nil)
	})
}

func wantUntouched(t *testing.T, dir string, want error) error {
	t.Helper()
	before := readDir(t, dir)
	_, err := Open(t.Context(), dir, Options{})
	if want != nil {
		wantErr(t, err, want)
	}
	if err == nil {
		t.Fatal("no error")
	}
	before[lockName] = ""
	if d := cmp.Diff(before, readDir(t, dir)); d != "" {
		t.Error(d)
	}
	return err
}

func readDir(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	content := make(map[string]string)
	for _, e := range entries {
		content[e.Name()] = string(readFile(t, filepath.Join(dir, e.Name())))
	}
	return content
}

func makeDatabase(t *testing.T, path, script string) {
	t.Helper()
	writeFile(t, path, nil)
	if err := withConn(t.Context(), path, pragmas{}, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(t.Context(), script)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// A damaged database is an error when it is opened or when the damage is read, never a crash and never a
// state that was not stored.
func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	mustCreate(t, db, 1)
	for n := 0; n < 300; n += 3 {
		if err := db.Append(t.Context(), batchOf(1, n+1, 3)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	whole := readFile(t, filepath.Join(dir, fileName))
	const page = 4096
	refused := 0
	for from := 0; from < len(whole); from += page / 2 {
		for name, damaged := range map[string][]byte{
			"noise": append(append(append([]byte{}, whole[:from]...), noise(min(page, len(whole)-from))...), whole[min(from+page, len(whole)):]...),
			"cut":   whole[:from],
		} {
			after := t.TempDir()
			writeFile(t, filepath.Join(after, fileName), damaged)
			db, err := Open(t.Context(), after, Options{})
			if err != nil {
				refused++
				continue
			}
			if _, err := db.Load(t.Context(), tableID(1)); err != nil {
				refused++
			} else if name == "cut" {
				t.Errorf("%d of %d bytes were enough", from, len(whole))
			}
			if err := db.Close(); err != nil {
				t.Logf("%s at %d: close: %v", name, from, err)
			}
		}
	}
	if refused < len(whole)/page {
		t.Errorf("only %d damaged files were noticed", refused)
	}
}

func TestMissingEntry(t *testing.T) {
	for name, remove := range map[string]func(context.Context, *tx) error{
		"before it has moved": func(ctx context.Context, tx *tx) error {
			return tx.exec(ctx, "DELETE FROM recent WHERE position = 2")
		},
		"after it has moved": func(ctx context.Context, tx *tx) error {
			return errors.Join(tx.moveRecent(ctx, 1), tx.exec(ctx, "DELETE FROM entries WHERE position = 2"))
		},
		"when only the last has not moved": func(ctx context.Context, tx *tx) error {
			return errors.Join(
				tx.exec(ctx, "INSERT INTO entries VALUES (1, 1, x'61')"),
				tx.exec(ctx, "DELETE FROM recent WHERE position = 2"),
			)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			mustCreate(t, db, 1, "a", "b", "c")
			if err := db.write(t.Context(), 0, remove); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Load(t.Context(), tableID(1)); err == nil || !strings.Contains(err.Error(), "entry 2 is missing") {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// Every version that was ever released leads to the latest, with what is in it.
func TestMigrateFromEachVersion(t *testing.T) {
	for from := 1; from <= latest; from++ {
		t.Run(fmt.Sprintf("version %d", from), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			writeFile(t, path, nil)
			if err := withConn(t.Context(), path, alone, func(conn *sql.Conn) error {
				if _, err := conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
					return err
				}
				if err := migrate(t.Context(), conn, migrations[:from], slog.New(slog.DiscardHandler)); err != nil {
					return err
				}
				// The columns of version 1.
				if _, err := conn.ExecContext(t.Context(), `
					INSERT INTO tables (num, oid, epoch, game, title, width, height, surface, catalog, created, invite_version)
					VALUES (1, x'00000000000000000000000000000001', 5, 'chess', 'Old', 1, 1, 'felt', zeroblob(32), 9, 1);
					INSERT INTO entries VALUES (1, 1, x'61'), (1, 2, x'62');
					UPDATE meta SET oid_ceiling = 77`); err != nil || from < 2 {
					return err
				}
				// Version 2 may have ended in the middle: two entries have moved and are still in recent, others have not.
				_, err := conn.ExecContext(t.Context(), `
					INSERT INTO recent VALUES (7, 1, 1, x'61'), (8, 1, 2, x'62'), (9, 2, 1, x'7a'), (10, 1, 3, x'63');
					INSERT INTO tables (num, oid, epoch, game, title, width, height, surface, catalog, created, invite_version)
					VALUES (2, x'00000000000000000000000000000002', 6, 'chess', 'Other', 1, 1, 'felt', zeroblob(32), 9, 1)`)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			db := openDir(t, dir)
			want := []string{"a", "b"}
			if from >= 2 {
				want = append(want, "c")
			}
			for range 2 { // as found, and when the writer has been at work
				if got, l := mustLoad(t, db, 1); !cmp.Equal(got, want) || l.Row.Epoch != 5 {
					t.Errorf("loaded %q %+v, want %q", got, l, want)
				}
				if err := appendTo(t, db, 1, room.Position(len(want)), "next"); err != nil {
					t.Fatal(err)
				}
				want = append(want, "next")
			}
			if log := wholeLog(t, db, 2); from >= 2 && !cmp.Equal(log, []string{"z"}) {
				t.Errorf("the other log is %q", log)
			}
			if floor, err := db.OIDFloor(t.Context()); err != nil || floor != 77 {
				t.Errorf("floor is %d, %v", floor, err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if got := binary.BigEndian.Uint32(readFile(t, path)[60:]); int(got) != latest {
				t.Errorf("version is %d, want %d", got, latest)
			}
		})
	}
}

func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), fileName)
	makeDatabase(t, path, "CREATE TABLE t (a)")
	list := mustReadMigrations(fstest.MapFS{
		"migrations/0001_a.sql": {Data: []byte("INSERT INTO t VALUES (1)")},
		"migrations/0002_b.sql": {Data: []byte("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")},
		"migrations/0003_c.sql": {Data: []byte("INSERT INTO t VALUES (4); INSERT INTO nowhere VALUES (5)")},
	})
	ctx := context.Background()
	state := func(conn *sql.Conn) (v, sum int) {
		t.Helper()
		if err := conn.QueryRowContext(ctx, "SELECT user_version, (SELECT sum(a) FROM t) FROM pragma_user_version").Scan(&v, &sum); err != nil {
			t.Fatal(err)
		}
		return v, sum
	}
	if err := withConn(ctx, path, alone, func(conn *sql.Conn) error {
		log := slog.New(slog.DiscardHandler)
		if err := migrate(ctx, conn, list[:1], log); err != nil {
			return err
		}
		err := migrate(ctx, conn, list, log)
		if err == nil || !strings.Contains(err.Error(), "0003_c.sql") {
			t.Errorf("error is %v", err)
		}
		if v, sum := state(conn); v != 2 || sum != 6 {
			t.Errorf("version %d with %d: each migration happens once and whole", v, sum)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Run("a gap in the numbers is noticed when the program starts", func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		mustReadMigrations(fstest.MapFS{"migrations/0002_b.sql": {}})
	})
}
