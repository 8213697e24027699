package storage

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"holt/server/tables/room"
)

// logAfter returns the entries of table n after a position.
func logAfter(t *testing.T, db *DB, n int, after room.Position) (all []string, err error) {
	t.Helper()
	_, err = db.Entries(t.Context(), tableID(n), after, noLimit, func(body []byte) error {
		all = append(all, string(body))
		return nil
	})
	return all, err
}

func TestT48DropHistory(t *testing.T) {
	long := func(n int) (entries []string) {
		for i := range n {
			entries = append(entries, strings.Repeat(string(rune('a'+i%26)), 1000))
		}
		return entries
	}
	const base = 2500
	first := openDir(t, t.TempDir())
	mustCreate(t, first, 1, long(base)...)
	mustCreate(t, first, 2, "another", "table")
	if err := errors.Join(appendTo(t, first, 1, base, "kept 1", "kept 2"),
		first.Close()); err != nil {
		t.Fatal(err)
	}
	file := readFile(t, filepath.Join(first.dir, fileName))
	begin := func(t *testing.T) *DB {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, fileName), file)
		return openDir(t, dir)
	}
	drop := func(db *DB) error {
		return db.DropHistory(context.Background(),
			room.Dropping{Table: tableID(1), Expect: base + 2, Base: base, Snapshot: []byte("S")})
	}
	check := func(t *testing.T, db *DB) {
		t.Helper()
		entries, l := mustLoad(t, db, 1)
		if strings.Join(entries, " ") != "kept 1 kept 2" || l.At != base ||
			string(l.Snapshot) != "S" || l.Logged != 0 || l.Row.Base != base {
			t.Errorf("the table is %q after %d, base %d, %d bytes", entries, l.At,
				l.Row.Base, l.Logged)
		}
		if _, err := logAfter(t, db, 1, base-1); err == nil {
			t.Error("dropped entries can be read")
		} else {
			wantErr(t, err, room.ErrDropped)
		}
		if got, err := logAfter(t, db, 1, base); err != nil || len(got) != 2 {
			t.Errorf("behind the base there is %q, %v", got, err)
		}
		if got, err := logAfter(t, db, 2, 0); err != nil || len(got) != 2 {
			t.Errorf("another table has %q, %v", got, err)
		}
	}
	sweep := func(t *testing.T, db *DB) (slices int) {
		t.Helper()
		for more := true; more; slices++ {
			var err error
			if more, err = db.SweepHistory(t.Context(), tableID(1)); err != nil {
				t.Fatal(err)
			}
		}
		return slices
	}
	t.Run("T48.7 it is one commit, deletion goes in slices, and the log goes on", func(t *testing.T) {
		t.Parallel()
		db := begin(t)
		if err := drop(db); err != nil {
			t.Fatal(err)
		}
		check(t, db)
		if all, err := db.Dropped(t.Context()); err != nil || len(all) != 1 ||
			all[0] != tableID(1) {
			t.Errorf("of %v something is to be deleted, %v", all, err)
		}
		if slices := sweep(t, db); slices < 3 {
			t.Errorf("%d slices", slices)
		}
		if all, err := db.Dropped(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("of %v something is left, %v", all, err)
		}
		check(t, db)
		if err := appendTo(t, db, 1, base+2, "kept 3"); err != nil {
			t.Error(err)
		}
		db = reopen(t, db)
		if entries, _ := mustLoad(t, db, 1); strings.Join(entries, " ") != "kept 1 kept 2 kept 3" {
			t.Errorf("after a restart there is %q", entries)
		}
	})
	t.Run("T48.7 a restart between any two slices changes nothing", func(t *testing.T) {
		t.Parallel()
		db := begin(t)
		if err := drop(db); err != nil {
			t.Fatal(err)
		}
		for more := true; more; {
			db = reopen(t, db)
			check(t, db)
			var err error
			if more, err = db.SweepHistory(t.Context(), tableID(1)); err != nil {
				t.Fatal(err)
			}
		}
		check(t, reopen(t, db))
	})
	t.Run("T48 small waiting appends of another table are not brought back", func(t *testing.T) {
		t.Parallel()
		db := openDir(t, t.TempDir())
		db.writer.tx.limits.alone = 0 // all small appends go to recent
		mustCreate(t, db, 1, "one")
		for at := range room.Position(20) {
			if err := appendTo(t, db, 1, at+1, "small"); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.DropHistory(t.Context(), room.Dropping{Table: tableID(1), Expect: 21, Base: 20,
			Snapshot: []byte("S")}); err != nil {
			t.Fatal(err)
		}
		sweep(t, db)
		db = reopen(t, db)
		if err := appendTo(t, db, 1, 21, "the first write moves what waits"); err != nil {
			t.Fatal(err)
		}
		entries, _ := mustLoad(t, db, 1)
		if all, err := db.Dropped(t.Context()); err != nil || len(all) != 0 || len(entries) != 2 {
			t.Errorf("%d entries; something of %v is to be deleted again, %v",
				len(entries), all, err)
		}
	})
	t.Run("T73.7 the snapshot with which a log begins stays", func(t *testing.T) {
		t.Parallel()
		db := begin(t)
		if err := drop(db); err != nil {
			t.Fatal(err)
		}
		for n := range room.Position(4) {
			if err := appendTo(t, db, 1, base+2+n, "more"); err != nil {
				t.Fatal(err)
			}
			if err := db.SaveSnapshot(t.Context(), tableID(1), base+3+n, []byte("later"), 1); err != nil {
				t.Fatal(err)
			}
		}
		db = reopen(t, db)
		for at, want := range map[room.Position]string{
			base: "S", base + 1: "", base + 4: "", base + 5: "later", base + 6: "later",
		} {
			got, err := db.SnapshotAt(t.Context(), tableID(1), at)
			if string(got) != want || err != nil {
				t.Errorf("at %d is %q, %v, want %q", at, got, err, want)
			}
		}
		if _, err := db.SnapshotAt(t.Context(), tableID(9), 1); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("of no table: %v", err)
		}
	})
	t.Run("T48 a backup from in between is complete", func(t *testing.T) {
		t.Parallel()
		db := begin(t)
		if err := drop(db); err != nil {
			t.Fatal(err)
		}
		if _, err := db.SweepHistory(t.Context(), tableID(1)); err != nil {
			t.Fatal(err)
		}
		file, dir := filepath.Join(t.TempDir(), "backup"), t.TempDir()
		if err := db.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if err := restore(t.Context(), dir, file, "old.db"); err != nil {
			t.Fatal(err)
		}
		restored := openDir(t, dir)
		check(t, restored)
		sweep(t, restored)
		check(t, restored)
	})
	t.Run("T48 an invalid drop is refused, and nothing is dropped", func(t *testing.T) {
		t.Parallel()
		db := begin(t)
		wantErr(t, db.DropHistory(t.Context(), room.Dropping{Table: tableID(1), Expect: base,
			Base: 10, Snapshot: []byte("S")}), room.ErrFenced)
		wantErr(t, db.DropHistory(t.Context(),
			room.Dropping{Table: tableID(9), Expect: 1, Base: 1}), room.ErrNoTable)
		if err := db.SaveSnapshot(t.Context(), tableID(1), base+1, []byte("later"), 7); err != nil {
			t.Fatal(err)
		}
		for _, at := range []room.Position{0, base, base + 2} {
			if err := db.DropHistory(t.Context(), room.Dropping{Table: tableID(1), Expect: base + 2,
				Base: at, Snapshot: []byte("S")}); err == nil {
				t.Errorf("up to %d it is dropped", at)
			}
		}
		if got, err := logAfter(t, db, 1, 0); err != nil || len(got) != base+2 ||
			!bytes.Equal([]byte(got[0]), []byte(long(1)[0])) {
			t.Errorf("%d entries are left, %v", len(got), err)
		}
	})
}
