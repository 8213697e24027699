package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/id"
	"holt/server/tables/room"
)

func mustBackup(t *testing.T, db *DB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's a backup?.holt")
	if err := db.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBackup(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	path := mustBackup(t, db)
	wantMode(t, path, 0o600)
	t.Run("it is one file, and is not overwritten", func(t *testing.T) {
		before := readDir(t, filepath.Dir(path))
		if len(before) != 1 {
			t.Errorf("there are %d files", len(before))
		}
		wantErr(t, db.Backup(t.Context(), path), fs.ErrExist)
		if !cmp.Equal(before, readDir(t, filepath.Dir(path))) {
			t.Error("it was touched")
		}
	})
	t.Run("it takes no name that the data directory needs", func(t *testing.T) {
		before := readDir(t, db.dir)
		for _, name := range []string{"-wal", "-shm", "-journal", ".new"} {
			if err := backup(t.Context(), db.dir, filepath.Join(db.dir, fileName+
				name)); err == nil || !strings.Contains(err.Error(), "own file") {
				t.Errorf("%s: error is %v", name, err)
			}
		}
		if !cmp.Equal(before, readDir(t, db.dir)) {
			t.Error("something was written")
		}
	})
	t.Run("after an error there is nothing new", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		dir := t.TempDir()
		wantErr(t, db.Backup(ctx, filepath.Join(dir, "b")), context.Canceled)
		wantErr(t, db.Backup(t.Context(), filepath.Join(dir, "no", "b")), fs.ErrNotExist)
		if left := readDir(t, dir); len(left) != 0 {
			t.Errorf("left is %v", left)
		}
	})
	t.Run("under load it has complete appends", func(t *testing.T) {
		var wg sync.WaitGroup
		var enough atomic.Bool
		begun := make(chan struct{})
		wg.Go(func() {
			for at, size := 0, 1; !enough.Load(); at, size = at+size, size%5+1 {
				if err := db.Append(t.Context(), batchOf(1, at+1, size)); err != nil {
					t.Error(err)
				}
				if at == 30 {
					close(begun)
				}
			}
		})
		<-begun
		path := mustBackup(t, db)
		enough.Store(true)
		wg.Wait()
		dir := t.TempDir()
		if err := restore(t.Context(), dir, path, "old"); err != nil {
			t.Fatal(err)
		}
		if n := checkBatches(t, openDir(t, dir), 1, 30); n < 30 {
			t.Errorf("%d entries", n)
		}
	})
}

func TestRestore(t *testing.T) {
	db := openDir(t, t.TempDir())
	dir := db.dir
	mustCreate(t, db, 1, "a", "b")
	mustCreate(t, db, 2)
	host, err := db.HostID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.ReserveOIDs(t.Context(), 1_000); err != nil {
		t.Fatal(err)
	}
	path := mustBackup(t, db)
	backup := readFile(t, path)
	if err := errors.Join(appendTo(t, db, 1, 2, "lost"),
		db.ReserveOIDs(t.Context(), 2_000), db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := restore(t.Context(), dir, path, "holt-2026-07-01.db"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(backup, readFile(t, path)) {
		t.Error("the backup was changed")
	}
	wantMode(t, filepath.Join(dir, fileName), 0o600)
	t.Run("T19.4 every table has a new epoch, and the data of the backup", func(t *testing.T) {
		db := openDir(t, dir)
		log, one := mustLoad(t, db, 1)
		_, two := mustLoad(t, db, 2)
		if !cmp.Equal(log, []string{"a", "b"}) {
			t.Errorf("log is %q", log)
		}
		seen := map[id.Epoch]bool{0: true, rowOf(1).Epoch: true}
		for _, e := range []id.Epoch{one.Row.Epoch, two.Row.Epoch} {
			if seen[e] || e >= 1<<53 {
				t.Errorf("epoch is %d", e)
			}
			seen[e] = true
		}
		one.Row.Epoch = rowOf(1).Epoch
		if one.Row != rowOf(1) {
			t.Errorf("table is %+v", one.Row)
		}
		if again, err := db.HostID(t.Context()); err != nil || again != host {
			// Clauses: O1.1
			t.Errorf("host is %s, %v, want %s", again, err, host)
		}
	})
	t.Run("O1.5 identifiers used after the backup stay reserved", func(t *testing.T) {
		if floor, err := openDir(t, dir).OIDFloor(t.Context()); err != nil || floor != 2_000 {
			t.Errorf("floor is %d, %v", floor, err)
		}
	})
	t.Run("the replaced database is kept completely", func(t *testing.T) {
		kept := t.TempDir()
		if err := os.Rename(filepath.Join(dir, "holt-2026-07-01.db"),
			filepath.Join(kept, fileName)); err != nil {
			t.Fatal(err)
		}
		if log, l := mustLoad(t, openDir(t, kept), 1); !cmp.Equal(log,
			[]string{"a", "b", "lost"}) || l.Row != rowOf(1) {
			t.Errorf("log is %q", log)
		}
	})
}

// A restore works after a kill: a killed server leaves part of its database in the write-ahead log
// beside it.
func TestRestoreAfterCrash(t *testing.T) {
	for name, spoil := range map[string]func([]byte){
		"sound":   func([]byte) {},
		"damaged": func(file []byte) { copy(file[100:], noise(len(file)-100)) },
		// SQLite can no longer checkpoint its write-ahead log
		"destroyed": func(file []byte) { copy(file, noise(len(file))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := openDir(t, t.TempDir())
			mustCreate(t, source, 1, "a")
			path := mustBackup(t, source)
			if err := appendTo(t, source, 1, 1, "b"); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			file := readFile(t, filepath.Join(source.dir, fileName))
			spoil(file)
			writeFile(t, filepath.Join(dir, fileName), file)
			writeFile(t, filepath.Join(dir, fileName+"-wal"),
				readFile(t, filepath.Join(source.dir, fileName+"-wal")))
			if err := restore(t.Context(), dir, path, "old.db"); err != nil {
				t.Fatal(err)
			}
			if log, _ := mustLoad(t, openDir(t, dir), 1); !cmp.Equal(log, []string{"a"}) {
				t.Errorf("log is %q: the old log counts as the new one's", log)
			}
			if _, err := os.Stat(filepath.Join(dir, "old.db")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRestoreRefuses(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "a")
	for n := range 40 {
		if err := appendTo(t, db, 1, room.Position(n+1),
			strings.Repeat(fmt.Sprint(n), 500)); err != nil {
			t.Fatal(err)
		}
	}
	good := readFile(t, mustBackup(t, db))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	write := func(content []byte) string {
		path := filepath.Join(t.TempDir(), "backup")
		writeFile(t, path, content)
		return path
	}
	damaged := bytes.Clone(good)
	copy(damaged[len(damaged)/2:], noise(4096))
	newer := bytes.Clone(good)
	newer[60] = 1
	inUse := write(good)
	writeFile(t, inUse+"-wal", []byte("entries"))
	for name, c := range map[string]struct {
		file, keep string
		want       error
	}{
		"no file":              {filepath.Join(t.TempDir(), "none"), "old", fs.ErrNotExist},
		"empty":                {write(nil), "old", ErrForeign},
		"text":                 {write(bytes.Repeat([]byte("x"), 5_000)), "old", ErrForeign},
		"newer":                {write(newer), "old", ErrNewer},
		"damaged":              {write(damaged), "old", nil},
		"cut off":              {write(good[:len(good)-4096]), "old", nil},
		"database in use":      {inUse, "old", nil},
		"name with a folder":   {write(good), "../old", nil},
		"no name":              {write(good), "", nil},
		"name of the database": {write(good), fileName, nil},
		"name of its log":      {write(good), fileName + "-wal", nil},
		"name that exists":     {write(good), "existing", fs.ErrExist},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, fileName), good)
			writeFile(t, filepath.Join(dir, "existing"), []byte("other"))
			writeFile(t, filepath.Join(dir, lockName), nil)
			before := readDir(t, dir)
			err := restore(t.Context(), dir, c.file, c.keep)
			if err == nil {
				t.Fatal("no error")
			}
			if c.want != nil {
				wantErr(t, err, c.want)
			}
			log, _ := mustLoad(t, openDir(t, dir), 1)
			if len(log) != 41 {
				t.Errorf("the database has %d entries after the refusal", len(log))
			}
			for file := range readDir(t, dir) {
				if _, ok := before[file]; !ok && file != fileName+"-wal" &&
					file != fileName+"-shm" {
					t.Errorf("%s is left", file)
				}
			}
		})
	}
}
