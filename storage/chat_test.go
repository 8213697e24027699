package storage

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// mustSay appends an entry to table n with the text of a line.
func mustSay(t *testing.T, db *DB, n int, expect room.Position, at id.Millis, text string) {
	t.Helper()
	if err := db.Append(t.Context(), room.Append{
		Table: tableID(n), Expect: expect, Entries: [][]byte{[]byte("line")},
		Said: []room.ChatText{{
			Position: expect + 1, Line: 1<<50 + id.ChatLine(expect), Seat: 1, At: at, Text: text,
		}},
	}); err != nil {
		t.Fatal(err)
	}
}

// saidOf returns the texts of table n that are still stored, up to position last.
func saidOf(t *testing.T, db *DB, n int, last room.Position) string {
	t.Helper()
	var positions []room.Position
	for p := room.Position(1); p <= last; p++ {
		positions = append(positions, p)
	}
	all, err := db.Said(t.Context(), tableID(n), positions)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range all {
		if s.Lost {
			s.Text = "(lost)"
		}
		texts = append(texts, s.Text)
	}
	return strings.Join(texts, "|")
}

// changeTexts appends no entries, and changes the chat of table 1.
func changeTexts(t *testing.T, db *DB, expect room.Position, a room.Append) {
	t.Helper()
	a.Table, a.Expect = tableID(1), expect
	if err := db.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

func TestChatTexts(t *testing.T) {
	begin := func(t *testing.T) *DB {
		db := openDir(t, t.TempDir())
		mustCreate(t, db, 1, "one")
		mustCreate(t, db, 2, "another")
		mustSay(t, db, 1, 1, 10, "first")
		mustSay(t, db, 1, 2, 20, "second")
		mustSay(t, db, 1, 3, 30, "third")
		mustSay(t, db, 2, 1, 5, "of another")
		return db
	}
	t.Run("T64.1 texts come with their entries, and are there after a restart",
		func(t *testing.T) {
			db := begin(t)
			err := db.Append(t.Context(), room.Append{
				Table: tableID(1), Expect: 9, Entries: [][]byte{[]byte("late")},
				Said: []room.ChatText{{Position: 10, Line: 1 << 50, Text: "late"}},
			})
			wantErr(t, err, room.ErrFenced)
			dir := db.dir
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = openDir(t, dir)
			if got := saidOf(t, db, 1, 9); got != "first|second|third" {
				t.Errorf("they are %q", got)
			}
			if got := saidOf(t, db, 2, 9); got != "of another" {
				t.Errorf("another table has %q", got)
			}
			at, err := db.SaidAt(t.Context(), tableID(1), 1<<50+2)
			if err != nil || at != 3 {
				t.Errorf("the second line is at %d, %v", at, err)
			}
			at, err = db.SaidAt(t.Context(), tableID(2), 1<<50+2)
			if err != nil || at != 0 {
				t.Errorf("another table has it at %d, %v", at, err)
			}
		})
	t.Run("T64.17 a deleted text is gone from the file", func(t *testing.T) {
		db := begin(t)
		const secret = "what-nobody-may-find-again"
		for i := range 50 { // some among many others, on several pages
			text := strings.Repeat("x", 300)
			if i%5 == 0 {
				text = secret + text
			}
			mustSay(t, db, 1, room.Position(4+i), id.Millis(100+i), text)
		}
		inFiles := func() (n int) {
			for _, suffix := range []string{"", "-wal"} {
				b, err := os.ReadFile(filepath.Join(db.dir, fileName+suffix))
				if err == nil {
					n += bytes.Count(b, []byte(secret))
				}
			}
			return n
		}
		if inFiles() == 0 {
			t.Fatal("the test does not find a text that is there")
		}
		for i := 0; i < 50; i += 5 {
			changeTexts(t, db, 54, room.Append{Unsaid: []room.Position{room.Position(5 + i)}})
		}
		if err := db.Close(); err != nil { // writes the log into the file, and deletes it
			t.Fatal(err)
		}
		if n := inFiles(); n != 0 {
			t.Errorf("the files have it %d times", n)
		}
	})
	t.Run("T64.14 old texts are deleted", func(t *testing.T) {
		db := begin(t)
		changeTexts(t, db, 4, room.Append{SaidBefore: 21})
		if got := saidOf(t, db, 1, 9); got != "third" {
			t.Errorf("left are %q", got)
		}
		if got := saidOf(t, db, 2, 9); got != "of another" {
			t.Errorf("another table has %q", got)
		}
	})
	t.Run("T64.18 they go with the history and with the table", func(t *testing.T) {
		db := begin(t)
		if err := db.DropHistory(t.Context(), room.Dropping{
			Table: tableID(1), Expect: 4, Base: 3, Snapshot: []byte("S"),
		}); err != nil {
			t.Fatal(err)
		}
		if got := saidOf(t, db, 1, 9); got != "third" {
			t.Errorf("after the base there are %q", got)
		}
		if err := db.DeleteTable(t.Context(), room.Deletion{
			Table: tableID(1), Expect: 4, At: 1,
		}); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := db.read.QueryRowContext(t.Context(),
			`SELECT count(*) FROM chats`).Scan(&left); err != nil || left != 1 {
			t.Errorf("%d texts are left of two tables, %v", left, err)
		}
	})
	t.Run("T64.19 the oldest beyond 4 MiB are deleted", func(t *testing.T) {
		db := begin(t)
		const size = 1 << 20
		for i := range 5 {
			mustSay(t, db, 1, room.Position(4+i), id.Millis(100+i),
				strings.Repeat(string(rune('a'+i)), size))
		}
		got := strings.Split(saidOf(t, db, 1, 20), "|")
		if len(got) != 4 || got[0][0] != 'b' || got[3][0] != 'e' {
			t.Errorf("%d texts are left", len(got))
		}
	})
	t.Run("T64.20, T58 a damaged text is lost, and nothing else is", func(t *testing.T) {
		db := begin(t)
		harm(t, db, `UPDATE chats SET text = x'63' WHERE table_num = 1 AND position = 3`)
		if got := saidOf(t, db, 1, 9); got != "first|(lost)|third" {
			t.Errorf("the texts are %q", got)
		}
		if entries, _ := mustLoad(t, db, 1); len(entries) != 4 {
			t.Errorf("the table has the entries %q", entries)
		}
		dir := db.dir
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		report, err := Check(t.Context(), dir, nil)
		if err != nil || report.Damage[0].Lost ||
			!strings.Contains(report.Damage[0].What, "chat at entry 3") {
			t.Errorf("the check finds %+v, %v", report.Damage, err)
		}
	})
}
