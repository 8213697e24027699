package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"holt/server/id"
	"holt/server/tables/room"
)

func TestMain(m *testing.M) {
	if task := os.Getenv(childTask); task != "" {
		runChild(task, os.Getenv(childDir))
	}
	goleak.VerifyTestMain(m)
}

// madeDatabase returns the file of an empty database. It makes the file once: with the race
// detector the migrations take half a second, and most tests begin with a database of their own.
var madeDatabase = sync.OnceValues(func() (file []byte, err error) {
	dir, err := os.MkdirTemp("", "holt-storage-test-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, fileName)
	if err := newFile(path); err != nil {
		return nil, err
	}
	if err := initialise(context.Background(), path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// layDatabase copies the empty database into dir, unless there is one.
func layDatabase(t testing.TB, dir string) {
	t.Helper()
	if there, err := os.ReadDir(dir); err != nil || len(there) > 0 {
		return
	}
	file, err := madeDatabase()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, fileName), file)
}

// openDir opens dir until the end of the test. If dir is empty it gets the database that Open would
// make. If dir does not exist, Open makes it.
func openDir(t testing.TB, dir string) *DB {
	t.Helper()
	layDatabase(t, dir)
	db, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// backup and restore drop the reports, which TestFindingR10Check examines.
func backup(ctx context.Context, dir, path string) error {
	_, err := Backup(ctx, dir, path)
	return err
}

func restore(ctx context.Context, dir, file, keep string) error {
	_, err := Restore(ctx, dir, file, keep)
	return err
}

func reopen(t testing.TB, db *DB) *DB {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return openDir(t, db.dir)
}

// tableID and token return identifiers that depend on their arguments alone.
func tableID(n int) id.OID {
	var o id.OID
	binary.BigEndian.PutUint64(o[8:], uint64(n))
	return o
}

func token(parts ...any) room.Hash { return sha256.Sum256(fmt.Append(nil, parts...)) }

func blobOf(content string) room.Blob {
	return room.Blob{Hash: sha256.Sum256([]byte(content)), Type: "text/plain",
		Data: []byte(content)}
}

func rowOf(n int) room.TableRow {
	return room.TableRow{
		Table: tableID(n), Epoch: 1<<53 - 1, Game: "chess",
		Settings: room.Settings{Title: "Ada's \x00 ♞", Width: 12000, Height: 9000, Surface: "felt"},
		Catalog:  token("catalog"), Created: 1_700_000_000_123, Used: 1_700_000_000_123,
		InviteVersion: 1<<32 - 1,
	}
}

// mustCreate stores table n with the given entries and nothing else.
func mustCreate(t testing.TB, db *DB, n int, entries ...string) {
	t.Helper()
	if err := db.CreateTable(t.Context(),
		room.NewTable{Row: rowOf(n), Entries: raw(entries...)}); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t testing.TB, db *DB, n int, expect room.Position, entries ...string) error {
	t.Helper()
	return db.Append(t.Context(),
		room.Append{Table: tableID(n), Expect: expect, Entries: raw(entries...)})
}

func raw(entries ...string) [][]byte {
	var list [][]byte
	for _, e := range entries {
		list = append(list, []byte(e))
	}
	return list
}

// mustLoad returns the log of table n after its snapshot, as strings.
func mustLoad(t testing.TB, db *DB, n int) ([]string, room.Loaded) {
	t.Helper()
	entries, l, err := loadLog(db, n)
	if err != nil {
		t.Fatal(err)
	}
	return entries, l
}

func loadLog(db *DB, n int) (entries []string, l room.Loaded, err error) {
	l, err = db.Load(context.Background(), tableID(n), 0)
	for _, e := range l.Entries {
		entries = append(entries, string(e))
	}
	return entries, l, err
}

func wantErr(t interface {
	Helper()
	Errorf(string, ...any)
}, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("error is %v, want %v", got, want)
	}
}

func wantMode(t testing.TB, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("mode of %s is %o, want %o", filepath.Base(path), got, want)
	}
}
