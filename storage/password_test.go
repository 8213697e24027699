package storage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// TestPasswords shows what is stored of passwords.
// Clauses: T68.3, T68.7
func TestPasswords(t *testing.T) {
	db := openDir(t, t.TempDir())
	for i, hash := range []string{"one", "two"} {
		n := i + 1
		mustCreate(t, db, n, "one")
		if err := db.Append(t.Context(), room.Append{
			Table: tableID(n), Expect: 1, Password: &hash,
		}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, n int, want string) {
		t.Helper()
		row, err := db.Table(t.Context(), tableID(n))
		if err != nil || row.Password != want {
			t.Errorf("%s: table %d has %q, %v, want %q", what, n, row.Password, err, want)
		}
	}
	want("T68.3 as it was set", 1, "one")
	harm(t, db, `UPDATE passwords SET hash = '' WHERE table_num = 1`)
	want("T68.7 a damaged one", 1, room.LostPassword)
	none := ""
	if err := db.Append(t.Context(), room.Append{
		Table: tableID(1), Expect: 1, Password: &none,
	}); err != nil {
		t.Fatal(err)
	}
	want("T68.3 removed", 1, "")
	want("T68.3 of another table", 2, "two")
	if err := db.DeleteTable(t.Context(), room.Deletion{
		Table: tableID(2), Expect: 1, At: id.Millis(1),
	}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := db.read.QueryRowContext(t.Context(),
		`SELECT count(*) FROM passwords`).Scan(&left); err != nil || left != 0 {
		t.Errorf("T68.3 %d passwords are left, %v", left, err)
	}
}

// The page with the passwords cannot be read. Tables load, with a password that nothing matches,
// before and after the file is rebuilt, and a host can set another one then.
// Clauses: T68.7
func TestPasswordsOfBrokenPage(t *testing.T) {
	db := openDir(t, t.TempDir())
	hash := "one"
	mustCreate(t, db, 1, "one")
	set := func() {
		t.Helper()
		if err := db.Append(t.Context(), room.Append{
			Table: tableID(1), Expect: 1, Password: &hash,
		}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what, want string) {
		t.Helper()
		l, err := db.Load(t.Context(), tableID(1), 0)
		if err != nil || l.Row.Password != want {
			t.Errorf("T68.7 %s: it has %q, %v, want %q", what, l.Row.Password, err, want)
		}
	}
	set()
	want("sound", hash)
	spoilPages(t, db, "passwords")
	want("in service", room.LostPassword)
	db = reopen(t, db)
	if db.Losses() == 0 {
		t.Error("T68.7 nothing is said to be lost")
	}
	want("rebuilt", room.LostPassword)
	r, err := Check(t.Context(), db.dir, nil)
	if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
		return d.Table == tableID(1) && strings.Contains(d.What, "password is not what was written")
	}) {
		t.Errorf("T68.7 a check finds %v, %v", r.Damage, err)
	}
	set()
	want("set again", hash)
}

// What is open is kept until it is replaced, and goes with its table.
// Clauses: T63.19
func TestOpenItems(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "one")
	set := func(items ...room.OpenItem) {
		t.Helper()
		err := db.Append(t.Context(), room.Append{Table: tableID(1), Expect: 1, Open: items})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(what, want string) {
		t.Helper()
		l, err := db.Load(t.Context(), tableID(1), 0)
		got := ""
		for _, item := range l.Open {
			got += fmt.Sprintf("%d %s;", item.Kind, item.Body)
		}
		if err != nil || got != want {
			t.Errorf("T63.19 %s: %q is open, %v, want %q", what, got, err, want)
		}
	}
	set(room.OpenItem{Kind: room.OpenQuestion, Body: []byte("old")})
	set(room.OpenItem{Kind: room.OpenQuestion, Body: []byte("new")},
		room.OpenItem{Kind: room.OpenRound, Body: []byte("round")})
	want("as it was set", "1 new;2 round;")
	harm(t, db, `UPDATE open_items SET body = x'00' WHERE kind = 1`)
	want("without what is damaged", "2 round;")
	r, err := Check(t.Context(), db.dir, nil)
	if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
		return d.Table == tableID(1) && strings.Contains(d.What, "an open question or round")
	}) {
		t.Errorf("a check finds %v, %v", r.Damage, err)
	}
	set(room.OpenItem{Kind: room.OpenRound})
	want("ended", "")
	set(room.OpenItem{Kind: room.OpenRound, Body: []byte("round")})
	if err := db.DeleteTable(t.Context(), room.Deletion{
		Table: tableID(1), Expect: 1, At: id.Millis(1),
	}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := db.read.QueryRowContext(t.Context(),
		`SELECT count(*) FROM open_items`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d are left of a deleted table, %v", left, err)
	}
}

// The page with the save points cannot be read or written. The table goes on without them.
// Clauses: T70.4
func TestSavesOfBrokenPage(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "one")
	save := func(number uint32, expect room.Position) error {
		return db.Append(t.Context(), room.Append{
			Table: tableID(1), Expect: expect, Entries: [][]byte{[]byte("more")},
			Saves: []room.NewSave{{SaveRow: room.SaveRow{ID: number, Token: "t"}, Body: []byte("body")}},
		})
	}
	if err := save(1, 1); err != nil {
		t.Fatal(err)
	}
	if l, err := db.Load(t.Context(), tableID(1), 0); err != nil || len(l.Saves) != 1 {
		t.Fatalf("T70.4 %d save points, %v", len(l.Saves), err)
	}
	spoilPages(t, db, "saves")
	db = reopen(t, db)
	if err := save(2, 2); err != nil {
		t.Error("T70.4 the table does not go on:", err)
	}
	l, err := db.Load(t.Context(), tableID(1), 0)
	if err != nil || len(l.Saves) != 0 || len(l.Entries) != 3 {
		t.Errorf("T70.4 %d save points and %d entries, %v", len(l.Saves), len(l.Entries), err)
	}
}

// Clauses: T42.15
func TestDeleteWithBrokenPage(t *testing.T) {
	for _, broken := range []string{"saves", "chats"} {
		t.Run("T42 a table can be deleted though a page is broken of its "+broken, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			mustCreate(t, db, 1, "one")
			if err := db.Append(t.Context(), room.Append{
				Table: tableID(1), Expect: 1, Entries: [][]byte{[]byte("line")},
				Saves: []room.NewSave{{SaveRow: room.SaveRow{ID: 1, Token: "t"}, Body: []byte("body")}},
				Said:  []room.ChatText{{Position: 2, Line: 1, Seat: 1, At: 1, Text: "hello"}},
			}); err != nil {
				t.Fatal(err)
			}
			spoilPages(t, db, broken)
			db = reopen(t, db)
			ctx, table := t.Context(), tableID(1)
			if err := db.DeleteTable(ctx, room.Deletion{Table: table, Expect: 2}); err != nil {
				t.Fatal(err)
			}
			_, err := db.Table(ctx, table)
			wantErr(t, err, room.ErrGone)
			// The log goes, and what is in the broken page keeps the number of the table from another.
			for more := true; more; {
				if more, err = db.SweepTable(ctx, table); err != nil {
					break
				}
			}
			wantErr(t, err, errSpared)
			if n := rowsOf(t, db, "entries"); n != 0 {
				t.Errorf("%d entries are left", n)
			}
			if all, err := db.DeletedTables(ctx); err != nil || len(all) != 1 {
				t.Errorf("what is left to be deleted: %v, %v", all, err)
			}
			mustCreate(t, db, 2, "another")
			if l, err := db.Load(ctx, tableID(2), 0); err != nil || len(l.Saves) != 0 {
				t.Errorf("another table has %v, %v", l.Saves, err)
			}
		})
	}
}
