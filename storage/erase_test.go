package storage

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"holt/server/tables/room"
)

// withoutAnn is a Rewriter that replaces a name.
func withoutAnn(body []byte, _ bool) ([]byte, error) {
	if !bytes.Contains(body, []byte("Ann-Marie")) {
		return nil, nil
	}
	return bytes.ReplaceAll(body, []byte("Ann-Marie"), []byte("Somebody")), nil
}

// mostSlices is more than any of these tables needs.
const mostSlices = 50

// sweepNames rewrites a table to the end, and returns how many slices that took.
func sweepNames(t *testing.T, db *DB) (slices int) {
	t.Helper()
	for more := true; more; slices++ {
		if slices > mostSlices {
			t.Fatal("T80.7 it does not go on after a slice")
		}
		all, err := db.Erasures(t.Context())
		if err != nil || len(all) != 1 || all[0].Seat != 2 || all[0].Number != 3 ||
			all[0].Table != tableID(1) {
			t.Fatalf("T80.7 what is left is %+v, %v", all, err)
		}
		if more, err = db.SweepErasure(t.Context(), all[0], withoutAnn); err != nil {
			t.Fatal(err)
		}
	}
	return slices
}

// Clauses: T80.5, T80.6, T80.7
func TestErasure(t *testing.T) {
	const length = 2501
	var long []string
	for i := range length {
		long = append(long, strings.Repeat(string(rune('a'+i%26)), 1000))
	}
	long[3], long[2000] = "here sits Ann-Marie", "Ann-Marie has another colour"
	first := openDir(t, t.TempDir())
	mustCreate(t, first, 1, long...)
	mustCreate(t, first, 2, "Ann-Marie of another table")
	ctx := t.Context()
	for _, at := range []room.Position{1000, 2400} {
		body := []byte("seats: Ann-Marie, Ben")
		if err := first.SaveSnapshot(ctx, tableID(1), at, body, 7); err != nil {
			t.Fatal(err)
		}
	}
	said := func(position room.Position, text string) room.ChatText {
		return room.ChatText{Position: position, Line: 1, Seat: 2, At: 5, Text: text}
	}
	lines := []room.ChatText{said(length+1, "what she said"), said(length+2, "what he said")}
	lines[1].Seat = 1
	if err := first.Append(ctx, room.Append{
		Table: tableID(1), Expect: length, Entries: raw("line", "line"), Said: lines,
	}); err != nil {
		t.Fatal(err)
	}
	// Ann-Marie writes another line in the commit that erases her.
	if err := first.Append(ctx, room.Append{
		Table: tableID(1), Expect: length + 2, Entries: raw("recent Ann-Marie", "gone"),
		Said:    []room.ChatText{said(length+3, "her last words")},
		Erasing: []room.Erasing{{Seat: 2, Number: 3}},
	}); err != nil {
		t.Fatal(err)
	}
	if got := saidOf(t, first, 1, length+4); got != "what he said" {
		t.Errorf("T80.5 the texts are %q", got)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	file := readFile(t, filepath.Join(first.dir, fileName))
	begin := func(t *testing.T) *DB {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, fileName), file)
		return openDir(t, dir)
	}
	check := func(t *testing.T, db *DB) {
		t.Helper()
		if all, err := db.Erasures(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("T80.7 %+v is left, %v", all, err)
		}
		got, err := logAfter(t, db, 1, 0)
		if err != nil || len(got) != length+4 || got[3] != "here sits Somebody" ||
			got[2000] != "Somebody has another colour" || got[length+2] != "recent Somebody" ||
			got[5] != long[5] {
			t.Errorf("T80.6 the log has %d entries, %v: %.40q", len(got), err, got)
		}
		for _, below := range []room.Position{0, 2400} {
			l, err := db.Load(t.Context(), tableID(1), below)
			if err != nil || string(l.Snapshot) != "seats: Somebody, Ben" || l.Logged != 7 {
				t.Errorf("T80.6 the snapshot below %d is %q with %d bytes, %v", below, l.Snapshot,
					l.Logged, err)
			}
		}
		if got, err := logAfter(t, db, 2, 0); err != nil || got[0] != "Ann-Marie of another table" {
			t.Errorf("T80.6 another table has %q, %v", got, err)
		}
		dir := db.dir
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		left := bytes.ReplaceAll(readFile(t, filepath.Join(dir, fileName)),
			[]byte("Ann-Marie of another table"), nil)
		for _, words := range []string{"Ann-Marie", "she said", "her last words"} {
			if bytes.Contains(left, []byte(words)) {
				t.Errorf("T80.6 the file has %q", words)
			}
		}
	}
	t.Run("T80.6 entries and snapshots lose the name, in slices", func(t *testing.T) {
		db := begin(t)
		if slices := sweepNames(t, db); slices < 3 {
			t.Errorf("it took %d slices", slices)
		}
		check(t, db)
	})
	t.Run("T80.7 after a restart in between it goes on where it stopped", func(t *testing.T) {
		db := begin(t)
		all, err := db.Erasures(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		if more, err := db.SweepErasure(t.Context(), all[0], withoutAnn); err != nil || !more {
			t.Fatal(more, err)
		}
		db = reopen(t, db)
		calls := 0
		for more, slices := true, 0; more; slices++ {
			if slices > mostSlices {
				t.Fatal("T80.7 it does not go on after a slice")
			}
			more, err = db.SweepErasure(t.Context(), all[0], func(b []byte, s bool) ([]byte, error) {
				calls++
				return withoutAnn(b, s)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if calls > length { // the first slice is not done again
			t.Errorf("%d bodies are looked at again", calls)
		}
		check(t, db)
	})
	t.Run("T80.6 a damaged snapshot goes, and a damaged entry stays", func(t *testing.T) {
		db := begin(t)
		if err := db.exec(t.Context(),
			`UPDATE snapshots SET body = CAST('Ann-Marie' AS BLOB) WHERE position = 2400`); err != nil {
			t.Fatal(err)
		}
		if err := db.exec(t.Context(),
			`UPDATE entries SET body = x'00' WHERE table_num = 1 AND position = 9`); err != nil {
			t.Fatal(err)
		}
		sweepNames(t, db)
		l, err := db.Load(t.Context(), tableID(1), 1001)
		if err == nil { // entry 9 is before the snapshot
			if string(l.Snapshot) != "seats: Somebody, Ben" || len(l.Skipped) != 0 {
				t.Errorf("the snapshot is %q, skipped %v", l.Snapshot, l.Skipped)
			}
		} else {
			t.Error(err)
		}
		if rows := rowsOf(t, db, "snapshots"); rows != 1 {
			t.Errorf("%d snapshots are left", rows)
		}
	})
	t.Run("T80.7 a table that is deleted needs no erasure", func(t *testing.T) {
		db := begin(t)
		if err := db.DeleteTable(t.Context(), room.Deletion{
			Table: tableID(1), Expect: length + 4,
		}); err != nil {
			t.Fatal(err)
		}
		if all, err := db.Erasures(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%+v is left, %v", all, err)
		}
	})
}
