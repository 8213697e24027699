package storage

import (
	"os"
	"path/filepath"
	"testing"

	"holt/server/tables/room"
)

func mustLineage(t *testing.T, db *DB, n int, life room.ServerLife) room.Lineage {
	t.Helper()
	l, err := db.Lineage(t.Context(), tableID(n), life)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Clauses: S21.1
func TestLives(t *testing.T) {
	home := t.TempDir()
	dir, saved := filepath.Join(home, "data"), filepath.Join(home, "saved")
	db := openDir(t, dir)
	mustCreate(t, db, 1, "a", "b")
	_, one := mustLoad(t, db, 1)
	if one.Life == (room.ServerLife{}) || !one.EpochIsNew {
		t.Errorf("a new table is loaded as %v, %v", one.Life, one.EpochIsNew)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(saved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	db = openDir(t, dir)
	_, two := mustLoad(t, db, 1)
	if two.Life == one.Life || two.EpochIsNew {
		t.Errorf("in the next life it is loaded as %v, %v", two.Life, two.EpochIsNew)
	}
	if l := mustLineage(t, db, 1, one.Life); l != (room.Lineage{Known: true, Last: noPosition}) {
		t.Errorf("before anything is written the log has %+v", l)
	}
	if err := appendTo(t, db, 1, 2, "c"); err != nil {
		t.Fatal(err)
	}
	if l := mustLineage(t, db, 1, one.Life); l != (room.Lineage{Known: true, Last: 2}) {
		t.Errorf("of an unknown life it has %+v", l)
	}
	forged := one.Life
	forged[0]++
	if l := mustLineage(t, db, 1, forged); l != (room.Lineage{Forged: true}) {
		t.Errorf("of one that never was it has %+v", l)
	}
	if err := db.Renew(t.Context(), tableID(1), 77); err != nil {
		t.Fatal(err)
	}
	if _, l := mustLoad(t, db, 1); l.Row.Epoch != 77 || !l.EpochIsNew {
		t.Errorf("renewed it is loaded as %d, %v", l.Row.Epoch, l.EpochIsNew)
	}
	old := openDir(t, saved)
	if l := mustLineage(t, old, 1, two.Life); l != (room.Lineage{}) {
		t.Errorf("a copy from before has %+v of the second life", l)
	}
	if l := mustLineage(t, old, 1, one.Life); !l.Known {
		t.Errorf("and of the first %+v", l)
	}
}

// TestLivesAreStoredFirst shows that a life is on the disk when a table is loaded with it: a copy
// of the folder, made while the server runs, has it.
// Clauses: S21.2
func TestLivesAreStoredFirst(t *testing.T) {
	home := t.TempDir()
	dir, crashed := filepath.Join(home, "data"), filepath.Join(home, "crashed")
	db := openDir(t, dir)
	mustCreate(t, db, 1, "a", "b")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openDir(t, dir)
	_, l := mustLoad(t, db, 1)
	if l.Life == (room.ServerLife{}) {
		t.Fatal("it is loaded without a life")
	}
	if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	copied := openDir(t, crashed)
	if got := mustLineage(t, copied, 1, l.Life); !got.Known {
		t.Errorf("after a crash the folder has %+v of the life", got)
	}
}
