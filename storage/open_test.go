package storage

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	if err := db.write(t.Context(), 0, func(tx *tx) error {
		if err := tx.scan("PRAGMA journal_mode", nil, &journal); err != nil {
			return err
		}
		return tx.scan("PRAGMA synchronous", nil, &synchronous)
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
	_, err := db.Load(t.Context(), tableID(1), 0)
	wantErr(t, err, ErrClosed)
	wantErr(t, db.Backup(t.Context(), filepath.Join(t.TempDir(), "b")), ErrClosed)
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	_, err := Open(t.Context(), dir, Options{})
	wantErr(t, err, ErrInUse)
	if want := "is another holt serving " + dir + "?"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q in it", err, want)
	}
	wantErr(t, restore(t.Context(), dir, "whatever", "old"), ErrInUse)
	mustCreate(t, db, 1)
	reopen(t, db)
}

func TestFindingR10SecondServerWithoutLockFile(t *testing.T) {
	db := openDir(t, t.TempDir())
	if err := os.Remove(filepath.Join(db.dir, lockName)); err != nil {
		t.Skipf("this system does not let go of a file that is open: %v", err)
	}
	_, err := Open(t.Context(), db.dir, Options{})
	wantErr(t, err, ErrInUse)
	wantErr(t, restore(t.Context(), db.dir, "whatever", "old"), ErrInUse)
	mustCreate(t, db, 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	openDir(t, db.dir)
}

// Open leaves foreign files byte for byte as they are, and puts nothing but the lock beside them.
func TestForeignFile(t *testing.T) {
	for name, write := range map[string]func(t *testing.T, path string){
		"empty": func(t *testing.T, path string) { writeFile(t, path, nil) },
		"text": func(t *testing.T, path string) {
			writeFile(t, path, bytes.Repeat([]byte("hello "), 100))
		},
		"cut off": func(t *testing.T, path string) {
			writeFile(t, path, []byte("SQLite format 3\x00"))
		},
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
		makeDatabase(t, path,
			fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 900; CREATE TABLE x (y)",
				applicationID))
		err := wantUntouched(t, dir, ErrNewer)
		if want := fmt.Sprintf("it has version 900, this program knows versions up to %d",
			latest); !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q in it", err, want)
		}
	})
	t.Run("a log without its database", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, fileName+"-wal"), noise(5_000))
		wantUntouched(t, dir, nil)
	})
}

// A database whose header gives another encoding of text than UTF-8 is refused at once. SQLite
// would open it, and fail later.
func TestEncodingOfText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := openDir(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	file := readFile(t, path)
	for _, encoding := range []byte{0, 2, 3, 77} {
		file[59] = encoding
		writeFile(t, path, file)
		wantUntouched(t, dir, ErrBroken)
		_, err := Restore(t.Context(), t.TempDir(), path, "before.holt")
		wantErr(t, err, ErrBroken)
		_, err = Check(t.Context(), dir, nil)
		wantErr(t, err, ErrBroken)
	}
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

// A damaged database gives an error when it is opened or when the damage is read. It never crashes
// the server, and never serves a state that was not stored.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
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
	step := page / 2
	// With -short every fifth page: by turns at its beginning and in its middle.
	if testing.Short() {
		step *= 5
	}
	refused, tried := 0, 0
	for from := 0; from < len(whole); from += step {
		for name, damaged := range map[string][]byte{
			"noise": append(append(append([]byte{}, whole[:from]...),
				noise(min(page, len(whole)-from))...), whole[min(from+page, len(whole)):]...),
			"cut": whole[:from],
		} {
			tried++
			after := t.TempDir()
			writeFile(t, filepath.Join(after, fileName), damaged)
			db, err := Open(t.Context(), after, Options{})
			if err != nil {
				refused++
				continue
			}
			if _, err := db.Load(t.Context(), tableID(1), 0); err != nil {
				refused++
			} else if name == "cut" {
				t.Errorf("%d of %d bytes were enough", from, len(whole))
			}
			if err := db.Close(); err != nil {
				t.Logf("%s at %d: close: %v", name, from, err)
			}
		}
	}
	if refused < tried/4 {
		t.Errorf("of %d damaged files only %d were noticed", tried, refused)
	}
}

func TestMissingEntry(t *testing.T) {
	for name, remove := range map[string]func(*tx) error{
		"before it has moved": func(tx *tx) error {
			return tx.exec("DELETE FROM recent WHERE position = 2")
		},
		"after it has moved": func(tx *tx) error {
			return errors.Join(tx.moveRecent(1),
				tx.exec("DELETE FROM entries WHERE position = 2"))
		},
		"when only the last has not moved": func(tx *tx) error {
			return errors.Join(
				tx.insertEntry(1, 1, []byte("a")),
				tx.exec("DELETE FROM recent WHERE position = 2"),
			)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
				t.Fatal(err)
			}
			mustCreate(t, db, 1, "a", "b", "c")
			if err := db.write(t.Context(), 0, remove); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Load(t.Context(), tableID(1), 0); err == nil ||
				!strings.Contains(err.Error(), "entry 2 is missing") {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// The cost of Open does not depend on the number of tables: it would allocate memory for the rows
// that it reads.
func TestOpenCost(t *testing.T) {
	db := openDir(t, t.TempDir())
	count := 0
	costs := func(tables int) float64 {
		for ; count < tables; count++ {
			mustCreate(t, db, count, "a", "b")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		allocs := testing.AllocsPerRun(5, func() {
			again, err := Open(context.Background(), db.dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		})
		db = openDir(t, db.dir)
		return allocs
	}
	tables := 1_001
	if testing.Short() {
		tables = 301
	}
	if one, many := costs(1), costs(tables); many > one+100 {
		t.Errorf("Open allocates %v times with %d tables, %v times with one", many, tables, one)
	}
}
