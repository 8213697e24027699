package storage

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// mustRecord appends a chunk of motion to table n, and no entries.
func mustRecord(t *testing.T, db *DB, n int, expect room.Position, at id.Millis, body []byte) {
	t.Helper()
	if err := db.Append(t.Context(), room.Append{
		Table: tableID(n), Expect: expect, Motion: &room.RecordedMotion{At: at, Body: body},
	}); err != nil {
		t.Fatal(err)
	}
}

// motionOf returns the chunks of table n in a folder.
func motionOf(t *testing.T, dir string, n int) (all [][]byte, err error) {
	t.Helper()
	err = Motion(t.Context(), dir, tableID(n), func(body []byte) error {
		all = append(all, slices.Clone(body))
		return nil
	})
	return all, err
}

func TestMotion(t *testing.T) {
	begin := func(t *testing.T) (db *DB, dir string) {
		dir = t.TempDir()
		db = openDir(t, dir)
		mustCreate(t, db, 1, "one", "table")
		mustCreate(t, db, 2, "another")
		return db, dir
	}
	t.Run("K17.3 chunks are there after a restart, in order", func(t *testing.T) {
		db, dir := begin(t)
		if err := db.Append(t.Context(), room.Append{
			Table: tableID(1), Expect: 2, Entries: [][]byte{[]byte("third")},
			Motion: &room.RecordedMotion{At: 5, Body: []byte("first chunk")},
		}); err != nil {
			t.Fatal(err)
		}
		mustRecord(t, db, 2, 1, 6, []byte("of another"))
		mustRecord(t, db, 1, 3, 7, []byte("second chunk"))
		check := func(when string) {
			t.Helper()
			all, err := motionOf(t, dir, 1)
			if err != nil || string(bytes.Join(all, []byte("|"))) != "first chunk|second chunk" {
				t.Errorf("%s: %q, %v", when, all, err)
			}
		}
		check("while a server runs")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		check("after its end")
		db = openDir(t, dir)
		mustRecord(t, db, 1, 3, 8, nil)
		if all, err := motionOf(t, dir, 1); err != nil || len(all) != 3 {
			t.Errorf("later: %q, %v", all, err)
		}
		if _, err := motionOf(t, dir, 9); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("of a table that does not exist: %v", err)
		}
	})
	t.Run("T73.19 a server reads the chunks that end after a time", func(t *testing.T) {
		db, _ := begin(t)
		for at, body := range []string{"zero", "one", "two", "three"} {
			mustRecord(t, db, 1, 2, id.Millis(at+100), []byte(body))
		}
		mustRecord(t, db, 2, 1, 999, []byte("of another"))
		var all []string
		each := func(body []byte) error {
			all = append(all, string(body))
			return nil
		}
		if err := db.Motion(t.Context(), tableID(1), 101, each); err != nil ||
			strings.Join(all, "|") != "two|three" {
			t.Errorf("after the second chunk it reads %q, %v", all, err)
		}
		stop := errors.New("enough")
		err := db.Motion(t.Context(), tableID(1), 0, func([]byte) error { return stop })
		wantErr(t, err, stop)
		wantErr(t, db.Motion(t.Context(), tableID(9), 0, each), room.ErrNoTable)
	})
	t.Run("K17.3 a commit that fails stores none of both", func(t *testing.T) {
		db, dir := begin(t)
		err := db.Append(t.Context(), room.Append{
			Table: tableID(1), Expect: 7, Entries: [][]byte{[]byte("late")},
			Motion: &room.RecordedMotion{At: 5, Body: []byte("chunk")},
		})
		wantErr(t, err, room.ErrFenced)
		if all, err := motionOf(t, dir, 1); err != nil || len(all) != 0 {
			t.Errorf("stored are %q, %v", all, err)
		}
	})
	t.Run("K17.6 the oldest beyond 8 MiB is dropped", func(t *testing.T) {
		db, dir := begin(t)
		for i := range 50 {
			mustRecord(t, db, 1, 2, id.Millis(i+1), bytes.Repeat([]byte{byte(i)}, 100))
		}
		for i := range 9 {
			mustRecord(t, db, 1, 2, id.Millis(i+100), bytes.Repeat([]byte{byte(100 + i)}, 1<<20))
			all, err := motionOf(t, dir, 1)
			if err != nil {
				t.Fatal(err)
			}
			n, last := 0, all[len(all)-1]
			for _, body := range all {
				n += len(body)
			}
			if n > 8<<20 || last[0] != byte(100+i) || i == 6 && len(all) != 57 {
				t.Errorf("after %d: %d chunks with %d bytes", i, len(all), n)
			}
		}
		if all, _ := motionOf(t, dir, 1); len(all) != 8 {
			t.Errorf("%d chunks are left, want 8", len(all))
		}
	})
	t.Run("K17.6 at most 8 MiB are kept, of whatever chunks", func(t *testing.T) {
		db, dir := begin(t)
		const size = 3 << 20
		for i := range 5 {
			mustRecord(t, db, 1, 2, id.Millis(i+1), bytes.Repeat([]byte{byte(i)}, size))
		}
		all, err := motionOf(t, dir, 1)
		if err != nil || len(all) != 2 || all[0][0] != 3 {
			t.Errorf("%d chunks of 3 MiB are left, %v, want 2", len(all), err)
		}
	})
	t.Run("K17.7 what is older than 30 days is dropped", func(t *testing.T) {
		db, dir := begin(t)
		const age = 30 * 24 * 3_600_000 // milliseconds, as K17.7 says
		for i := range id.Millis(40) {
			mustRecord(t, db, 1, 2, i+1, []byte("old"))
		}
		mustRecord(t, db, 1, 2, age+1, []byte("new"))
		if all, err := motionOf(t, dir, 1); err != nil || len(all) != 41 {
			t.Errorf("%d chunks, %v; none is older than 30 days", len(all), err)
		}
		mustRecord(t, db, 1, 2, age+40, []byte("newer"))
		if all, err := motionOf(t, dir, 1); err != nil || len(all) != 3 {
			t.Errorf("%d chunks are left, %v, want 3", len(all), err)
		}
	})
	t.Run("K17.8 it goes with the table, and with dropped history", func(t *testing.T) {
		db, dir := begin(t)
		mustRecord(t, db, 1, 2, 5, []byte("chunk"))
		mustRecord(t, db, 2, 1, 5, []byte("of another"))
		if err := db.DropHistory(t.Context(), room.Dropping{
			Table: tableID(1), Expect: 2, Base: 1, Snapshot: []byte("S"),
		}); err != nil {
			t.Fatal(err)
		}
		if all, err := motionOf(t, dir, 1); err != nil || len(all) != 0 {
			t.Errorf("after the history was dropped: %q, %v", all, err)
		}
		mustRecord(t, db, 1, 2, 9, []byte("another chunk"))
		if err := db.DeleteTable(
			context.Background(), room.Deletion{Table: tableID(1), Expect: 2},
		); err != nil {
			t.Fatal(err)
		}
		if _, err := motionOf(t, dir, 1); !errors.Is(err, room.ErrNoTable) {
			t.Errorf("of a deleted table: %v", err)
		}
		if n := rowsOf(t, db, "motions"); n != 1 {
			t.Errorf("%d chunks are left in the database, want 1", n)
		}
		if all, err := motionOf(t, dir, 2); err != nil || len(all) != 1 {
			t.Errorf("of another table: %q, %v", all, err)
		}
	})
	t.Run("T58 a damaged first chunk is called by its position", func(t *testing.T) {
		db, dir := begin(t)
		for i := range 5 { // the first three are dropped
			mustRecord(t, db, 1, 2, id.Millis(i+1), bytes.Repeat([]byte{byte('a' + i)}, 3<<20))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		err := withConn(t.Context(), filepath.Join(dir, fileName), draft, func(c *sql.Conn) error {
			_, err := c.ExecContext(t.Context(), `UPDATE motions SET at = 99 WHERE position = 4`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = motionOf(t, dir, 1); err == nil || !strings.Contains(err.Error(), "chunk 4 ") {
			t.Errorf("it says %v", err)
		}
	})
	t.Run("T58 a copy of what can be read has the motion behind a lost chunk", func(t *testing.T) {
		db, dir := begin(t)
		for i := range 60 {
			mustRecord(t, db, 1, 2, id.Millis(i+1), bytes.Repeat([]byte{byte(100 + i)}, 400))
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fileName)
		file := readFile(t, path)
		for n := 1; n <= len(file)/pageSize; n++ {
			if p := page(file, n); bytes.Contains(p, bytes.Repeat([]byte{130}, 99)) {
				copy(p, bytes.Repeat([]byte{0xff}, pageSize))
			}
		}
		writeFile(t, path, file)
		to := t.TempDir()
		r, err := Backup(t.Context(), dir, filepath.Join(to, fileName))
		if err != nil || r.Losses == 0 {
			t.Fatalf("the backup reports %v, %v", r.Damage, err)
		}
		all, err := motionOf(t, to, 1)
		if err != nil || len(all) == 0 || all[0][0] <= 130 || all[len(all)-1][0] != 159 {
			t.Errorf("%d chunks can be read, %v", len(all), err)
		}
	})
	t.Run("T58 damaged motion is noticed, and costs nothing else", func(t *testing.T) {
		db, dir := begin(t)
		mustRecord(t, db, 1, 2, 5, []byte("a sound chunk"))
		mustRecord(t, db, 1, 2, 6, []byte("a chunk that goes bad"))
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fileName)
		file := readFile(t, path)
		i := bytes.Index(file, []byte("goes bad"))
		if i < 0 {
			t.Fatal("the chunk is not in the file")
		}
		file[i] ^= 1
		writeFile(t, path, file)
		if all, err := motionOf(t, dir, 1); !errors.Is(err, room.ErrDamaged) || len(all) != 1 {
			t.Errorf("read are %q, %v", all, err)
		}
		r, err := Check(t.Context(), dir, nil)
		if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
			return d.Table == tableID(1) && !d.Lost && strings.Contains(d.What, "recorded motion")
		}) {
			t.Errorf("the check says %+v, %v", r.Damage, err)
		}
		if entries, _ := mustLoad(t, openDir(t, dir), 1); len(entries) != 2 {
			t.Errorf("the table is %q", entries)
		}
	})
}
