package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"holt/server/federation/node"
	"holt/server/federation/object"
	"holt/server/federation/people"
	"holt/server/tables/room"
)

// full stores table n with rows in every SQL table that can have rows of a table.
func full(t *testing.T, db *DB, n, entries int) {
	t.Helper()
	ctx := t.Context()
	catalog := blobOf(fmt.Sprintf("catalogue of %d", n))
	row := rowOf(n)
	row.Catalog, row.Title = catalog.Hash, fmt.Sprintf("Title %d", n)
	if err := db.CreateTable(ctx, room.NewTable{
		Row: row, Entries: raw("first"), Blobs: []room.Blob{catalog},
		Seats: []room.SeatRow{{Token: token("host", n), Seat: 1},
			{Token: token("player", n), Seat: 2}},
		Invites: []room.InviteRow{{Token: token("invite", n), Table: row.Table, Role: 2}},
	}); err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		if err := appendTo(t, db, n, room.Position(i+1),
			fmt.Sprintf("entry %d of %d %s", i, n, strings.Repeat("x", 100))); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		db.SaveSnapshot(ctx, row.Table, 1, fmt.Appendf(nil, "snapshot of %d", n), 0),
		db.PutSeatedPerson(ctx, people.SeatedPerson{Table: row.Table, Seat: 1, Person: tableID(1000)}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// everything returns all rows of all SQL tables in the schema, as text. So nobody can add an SQL
// table that it does not cover.
func everything(t *testing.T, db *DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	names := texts(t, db,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
	for _, name := range names {
		columns := texts(t, db, `SELECT name FROM pragma_table_info(?)`, name)
		for i, c := range columns {
			columns[i] = strings.ReplaceAll(
				`'NAME=' || CASE typeof(NAME) WHEN 'blob' THEN hex(NAME) ELSE coalesce(NAME, '') END`, "NAME",
				c,
			)
		}
		all[name] = texts(t, db,
			"SELECT "+strings.Join(columns, ` || ' ' || `)+" FROM "+name+" ORDER BY 1")
	}
	return all
}

func texts(t *testing.T, db *DB, query string, args ...any) (all []string) {
	t.Helper()
	rows, err := db.read.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// lengthOf returns the length of the log of table n.
func lengthOf(t *testing.T, db *DB, n int) room.Position {
	t.Helper()
	l, err := db.Load(t.Context(), tableID(n), 0)
	if err != nil {
		t.Fatal(err)
	}
	return l.At + room.Position(len(l.Entries))
}

func deleteNow(t *testing.T, db *DB, n int, owed ...room.Owed) {
	t.Helper()
	if err := db.DeleteTable(t.Context(), room.Deletion{Table: tableID(n), Expect: lengthOf(t, db, n),
		At: 5, Owed: owed}); err != nil {
		t.Fatal(err)
	}
}

// finish does what the sweeper does for a table without owners of sets. It returns the number of
// slices.
func finish(t *testing.T, db *DB, n int) (slices int) {
	t.Helper()
	for more := true; more; slices++ {
		var err error
		if more, err = db.SweepTable(t.Context(), tableID(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.FinishDeletion(t.Context(), tableID(n)); err != nil {
		t.Fatal(err)
	}
	return slices
}

// refs returns references in the forms of these tests: a blob names others by 64 hexadecimal
// digits, and the values of objects are such digits.
func refs(roots ...room.Hash) node.BlobRefs {
	find := func(text []byte) (all []room.Hash) {
		for _, digits := range regexp.MustCompile(`[0-9a-f]{64}`).FindAll(text, -1) {
			h, _ := hex.DecodeString(string(digits))
			all = append(all, room.Hash(h))
		}
		return all
	}
	return node.BlobRefs{
		Spaces: []object.Space{object.Bodies},
		Value:  func(w object.Write) ([]room.Hash, error) { return find(w.Value), nil },
		Blob:   func(b room.Blob) []room.Hash { return find(b.Data) },
		Roots:  func() ([]room.Hash, error) { return roots, nil },
	}
}

func TestDiscard(t *testing.T) {
	t.Run("T42.8 a deleted table leaves only tombstones in the SQL tables", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 20)
		bringNotes(t, db)
		before := everything(t, db)
		full(t, db, 2, 20)
		set := tableID(77)
		deleteNow(t, db, 2, room.Owed{Set: set, Doc: []byte("as it lay")})
		if err := db.FinishDeletion(t.Context(), tableID(2)); !errors.Is(err, errLeft) {
			t.Errorf("it is forgotten with all its remains: %v", err)
		}
		if all, err := db.DeletedTables(t.Context()); err != nil || len(all) != 1 ||
			all[0].Table != tableID(2) || all[0].At != 5 ||
			len(all[0].Owed) != 1 || all[0].Owed[0].Set != set ||
			string(all[0].Owed[0].Doc) != "as it lay" {
			t.Errorf("left is %+v, %v", all, err)
		}
		if err := db.SetReturned(t.Context(), tableID(2), set); err != nil {
			t.Error(err)
		}
		finish(t, db, 2)
		if _, err := db.SweepBlobs(t.Context(), refs()); err != nil {
			t.Error(err)
		}
		bringNotes(t, db)
		after := everything(t, db)
		gone := tableID(2)
		tomb := sha256.Sum256(gone[:])
		want := []string{strings.ToUpper(hex.EncodeToString(tomb[:])),
			strings.ToUpper(fmt.Sprintf("%x", token("invite", 2)))}
		if len(after["tombstones"]) != 2 {
			t.Errorf("tombstones are %v", after["tombstones"])
		}
		for _, w := range want {
			if !slices.Contains(after["tombstones"], "hash="+w) {
				t.Errorf("no tombstone %s", w)
			}
		}
		delete(before, "tombstones")
		delete(after, "tombstones")
		// The recent entries of table 1 may have moved to entries by now.
		for _, all := range []map[string][]string{before, after} {
			delete(all, "recent")
			delete(all, "entries")
		}
		for name := range after {
			if !slices.Equal(before[name], after[name]) {
				t.Errorf("%s has %v, before table 2 was there %v", name, after[name], before[name])
			}
		}
		if n := len(texts(t, db, `
			SELECT body FROM entries WHERE CAST(body AS TEXT) LIKE '% of 2 %'
			UNION ALL SELECT body FROM recent WHERE CAST(body AS TEXT) LIKE '% of 2 %'`)); n != 0 {
			t.Errorf("%d entries are left", n)
		}
		if got := lengthOf(t, db, 1); got != 21 {
			t.Errorf("the log of the other table has %d entries", got)
		}
	})
	// Clauses: T42.7
	t.Run("T42 every request about it is answered as gone, also after a restart", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 3)
		deleteNow(t, db, 1)
		for range 2 {
			ctx := t.Context()
			_, table := db.Table(ctx, tableID(1))
			_, load := db.Load(ctx, tableID(1), 0)
			_, entries := db.Entries(ctx, tableID(1), 0, 1, func([]byte) error { return nil })
			_, invite := db.InviteByToken(ctx, token("invite", 1))
			for what, err := range map[string]error{
				"Table": table, "Load": load, "Entries": entries, "InviteByToken": invite,
				"Append":          appendTo(t, db, 1, 4, "late"),
				"SaveSnapshot":    db.SaveSnapshot(ctx, tableID(1), 1, nil, 0),
				"renewed invites": renewInvites(ctx, db, tableID(1), 2, nil),
				"Discard":         db.DeleteTable(ctx, room.Deletion{Table: tableID(1), Expect: 4}),
			} {
				if !errors.Is(err, room.ErrGone) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if _, err := db.Table(ctx, tableID(2)); !errors.Is(err, room.ErrNoTable) {
				t.Errorf("an unknown table: %v", err)
			}
			finish(t, db, 1)
			db = reopen(t, db)
		}
	})
	t.Run("T42.3 only a caller who knows the whole log deletes it", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 3)
		if err := db.DeleteTable(t.Context(),
			room.Deletion{Table: tableID(1), Expect: 3}); !errors.Is(err, room.ErrFenced) {
			t.Error(err)
		}
		if got := lengthOf(t, db, 1); got != 4 {
			t.Errorf("the log has %d entries", got)
		}
	})
	t.Run("T42 a new table gets nothing of one that is being deleted", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 0)
		deleteNow(t, db, 1) // it had the greatest number
		full(t, db, 2, 5)
		finish(t, db, 1)
		if got := lengthOf(t, db, 2); got != 6 {
			t.Errorf("the log of the new table has %d entries", got)
		}
	})
	t.Run("T42.12 a long log is deleted in slices", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 0)
		large := strings.Repeat("x", sweepBytes/2)
		for i := range 4 {
			if err := appendTo(t, db, 1, room.Position(i+1), large); err != nil {
				t.Fatal(err)
			}
		}
		deleteNow(t, db, 1)
		if n := finish(t, db, 1); n < 2 || n > 5 {
			t.Errorf("it went in %d slices", n)
		}
	})
	t.Run("T42.12 a process killed at any moment goes on where it was", func(t *testing.T) {
		dir := t.TempDir()
		db := openDir(t, dir)
		full(t, db, 1, 30)
		full(t, db, 2, 30)
		set := tableID(77)
		steps := []func(*DB) error{
			func(db *DB) error {
				return db.DeleteTable(context.Background(),
					room.Deletion{Table: tableID(1), Expect: 31, Owed: []room.Owed{{Set: set}}})
			},
			func(db *DB) error { _, err := db.SweepTable(context.Background(), tableID(1)); return err },
			func(db *DB) error { return db.SetReturned(context.Background(), tableID(1), set) },
			func(db *DB) error { return db.FinishDeletion(context.Background(), tableID(1)) },
		}
		for i, step := range steps {
			for range 2 { // a repetition changes nothing, except of the first step
				if err := step(db); err != nil && (i > 0 || !errors.Is(err, room.ErrGone)) {
					t.Fatalf("step %d: %v", i, err)
				}
				db = copied(t, db)
				if got := lengthOf(t, db, 2); got != 31 {
					t.Fatalf("after step %d the other log has %d entries", i, got)
				}
			}
		}
		if all, err := db.DeletedTables(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("left is %+v, %v", all, err)
		}
		if n := len(texts(t, db, `SELECT position FROM entries WHERE table_num = 1`)); n != 0 {
			t.Errorf("%d entries are left", n)
		}
	})
	t.Run("T42.14 deleted data is not in the file any more", func(t *testing.T) {
		dir := t.TempDir()
		db := openDir(t, dir)
		full(t, db, 1, 300)
		full(t, db, 2, 300)
		deleteNow(t, db, 1)
		finish(t, db, 1)
		if _, err := db.SweepBlobs(t.Context(), refs()); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil { // checkpoints the write-ahead log
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, fileName))
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{" of 1 x", "snapshot of 1", "catalogue of 1", "Title 1"} {
			if bytes.Contains(text, []byte(left)) {
				t.Errorf("%q is in the file", left)
			}
		}
		if !bytes.Contains(text, []byte("catalogue of 2")) {
			t.Error("the file has nothing of the other table")
		}
	})
}

// copied returns a copy of the database as it is on the disk at this moment, as after a power
// failure.
func copied(t *testing.T, db *DB) *DB {
	t.Helper()
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(db.dir, fileName+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fileName+suffix), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return openDir(t, dir)
}

func TestSweepBlobs(t *testing.T) {
	art := func(name string) room.Blob { return blobOf("art " + name) }
	naming := func(name string, of ...room.Blob) room.Blob {
		for _, b := range of {
			name += fmt.Sprintf(" %x", b.Hash)
		}
		return blobOf(name)
	}
	has := func(t *testing.T, db *DB, b room.Blob) bool {
		t.Helper()
		_, err := db.Blob(t.Context(), b.Hash)
		if err != nil && !errors.Is(err, room.ErrNoBlob) {
			t.Fatal(err)
		}
		return err == nil
	}
	t.Run("O30.7, T42.13 blobs stay exactly as long as something refers to them", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		king, queen, joker, idle := art("king"), art("queen"), art("joker"), art("idle")
		catalog, kind, kept := naming("catalogue", king), naming("kind", queen),
			naming("quarantined", joker)
		row := rowOf(1)
		row.Catalog = catalog.Hash
		if err := db.CreateTable(ctx, room.NewTable{Row: row,
			Blobs: []room.Blob{catalog, king}}); err != nil {
			t.Fatal(err)
		}
		if err := db.KeepObjects(ctx, []object.Write{
			{Space: object.Bodies, OID: tableID(5), Value: fmt.Appendf(nil, "%x", kind.Hash)},
		},
			[]room.Blob{kind, queen, kept, joker, idle}); err != nil {
			t.Fatal(err)
		}
		swept, err := db.SweepBlobs(ctx, refs(kept.Hash))
		if err != nil || swept.Blobs != 1 || swept.Bytes != int64(len(idle.Data)) ||
			has(t, db, idle) {
			t.Errorf("swept are %+v, %v", swept, err)
		}
		for _, b := range []room.Blob{king, queen, joker, catalog, kind, kept} {
			if !has(t, db, b) {
				t.Errorf("%s is gone", b.Data)
			}
		}
		deleteNow(t, db, 1)
		if err := db.KeepObjects(ctx, []object.Write{{Space: object.Bodies, OID: tableID(5)}},
			nil); err != nil {
			t.Fatal(err)
		}
		if swept, err = db.SweepBlobs(ctx, refs()); err != nil || swept.Blobs != 6 {
			t.Errorf("swept are %+v, %v", swept, err)
		}
	})
	t.Run("O30.7 blobs stored or referred to during a sweep stay", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		face := art("face")
		kind, again, idle := naming("kind", face), blobOf("again"), blobOf("idle")
		if err := db.KeepObjects(ctx, nil, []room.Blob{kind, face, again, idle}); err != nil {
			t.Fatal(err)
		}
		r := refs()
		// Everything was read: nothing refers to any of them.
		r.Roots = func() ([]room.Hash, error) {
			if _, err := db.SweepBlobs(ctx, refs()); !errors.Is(err, ErrSweeping) {
				t.Errorf("it sweeps twice at the same time: %v", err)
			}
			return nil, db.KeepObjects(ctx, []object.Write{{Space: object.Bodies, OID: tableID(5),
				Value: fmt.Appendf(nil, "%x", kind.Hash)}}, []room.Blob{again})
		}
		if swept, err := db.SweepBlobs(ctx, r); err != nil || swept.Blobs != 1 {
			t.Errorf("swept are %+v, %v", swept, err)
		}
		if !has(t, db, kind) || !has(t, db, face) || !has(t, db, again) || has(t, db, idle) {
			t.Error("the wrong ones are gone")
		}
	})
	t.Run("O30.7 nothing is deleted while its references are unknown", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		idle, wrong := blobOf("idle"), errors.New("it cannot be read")
		if err := db.KeepObjects(ctx, nil, []room.Blob{idle}); err != nil {
			t.Fatal(err)
		}
		r := refs()
		r.Value = func(object.Write) ([]room.Hash, error) { return nil, wrong }
		r.Roots = func() ([]room.Hash, error) {
			return nil, db.KeepObjects(ctx,
				[]object.Write{{Space: object.Bodies, OID: tableID(5), Value: []byte("?")}}, nil)
		}
		for range 2 { // it is written during the sweep, and is there at the next one
			if swept, err := db.SweepBlobs(ctx, r); !errors.Is(err, wrong) || swept.Blobs != 0 ||
				!has(t, db, idle) {
				t.Errorf("swept are %+v, %v", swept, err)
			}
		}
	})
	t.Run("O30 T37 a catalogue that a table has left stays for late fetches", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		first, second := blobOf("first"), blobOf("second")
		row := rowOf(1)
		row.Catalog = first.Hash
		if err := db.CreateTable(ctx, room.NewTable{Row: row,
			Blobs: []room.Blob{first}}); err != nil {
			t.Fatal(err)
		}
		if err := db.Append(ctx, room.Append{Table: row.Table, Entries: raw("grown"),
			Catalog: &second.Hash, Blobs: []room.Blob{second}}); err != nil {
			t.Fatal(err)
		}
		if _, err := db.SweepBlobs(ctx, refs()); err != nil || !has(t, db, first) ||
			!has(t, db, second) {
			t.Errorf("a catalogue is gone: %v", err)
		}
		deleteNow(t, db, 1)
		if swept, err := db.SweepBlobs(ctx, refs()); err != nil || swept.Blobs != 2 {
			t.Errorf("swept are %+v, %v", swept, err)
		}
	})
}
