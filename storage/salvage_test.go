package storage

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/object"
	"holt/server/tables/room"
)

// Each page of a database is damaged in turn. A backup has everything that is not on that page, and
// reports what is missing. There is no backup if nothing can be read.
func TestFindingR10BackupOfBrokenPage(t *testing.T) {
	whole := killedWithPages(t)
	sound := t.TempDir()
	writeFile(t, filepath.Join(sound, fileName), whole.file)
	before, err := Check(t.Context(), sound, nil)
	if err != nil || before.Losses > 0 {
		t.Fatalf("before anything is damaged a check finds %v, %v", before.Damage, err)
	}
	owners := []string{"recent", "entries", "sqlite_schema"}
	if !testing.Short() { // with -short TestFindingR10SalvageBetween damages objects
		owners = append(owners, "objects")
	}
	for _, number := range whole.pages(owners...) {
		owner := whole.owners[number-1]
		t.Run(fmt.Sprintf("page %d of %s", number, owner), func(t *testing.T) {
			t.Parallel()
			dir, to := t.TempDir(), t.TempDir()
			file := bytes.Clone(whole.file)
			copy(page(file, number), bytes.Repeat([]byte{0xff}, pageSize))
			writeFile(t, filepath.Join(dir, fileName), file)
			r, err := Backup(t.Context(), dir, filepath.Join(to, fileName))
			if owner == "sqlite_schema" {
				if _, none := os.Stat(filepath.Join(to, fileName)); err == nil || none == nil {
					t.Errorf("a backup of nothing is made, and says %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			held := slices.Contains(append([]string{"entries", "snapshots", "objects",
				"blobs", "meta"}, holders...), owner)
			// SQLite does not notice damage in one page of a long row.
			if held && r.Losses == 0 && len(r.Damage) == len(before.Damage) {
				t.Errorf("it claims to be complete: %v", r.Damage)
			}
			if !bytes.Equal(file, readFile(t, filepath.Join(dir, fileName))) {
				t.Error("the database was changed")
			}
			whole.served(t, openDir(t, to), whole.sound(number), 0)
		})
	}
}

// Several pages of an SQL table are damaged, with sound ones in between. The rows before, between
// and behind them are copied.
func TestFindingR10SalvageBetween(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	var entries []string
	var objects []object.Write
	for n := range 300 {
		entries = append(entries, string(noiseOf(rnd, 200)))
		oid := tableID(n)
		copy(oid[:8], noiseOf(rnd, 8))
		objects = append(objects, object.Write{Space: 1, OID: oid, Value: noiseOf(rnd, 300)})
	}
	if err := errors.Join(appendTo(t, db, 1, 0, entries...),
		db.KeepObjects(t.Context(), objects, nil), db.Close()); err != nil {
		t.Fatal(err)
	}
	file := readFile(t, filepath.Join(db.dir, fileName))
	lost := map[string]bool{}
	spoil := func(value string) {
		for n := 1; n <= len(file)/pageSize; n++ {
			if p := page(file, n); bytes.Contains(p, []byte(value)) && p[0] == leafPage {
				for _, e := range entries {
					lost[e] = lost[e] || bytes.Contains(p, []byte(e))
				}
				for _, o := range objects {
					lost[string(o.Value)] = lost[string(o.Value)] || bytes.Contains(p, o.Value)
				}
				copy(p, bytes.Repeat([]byte{0xff}, pageSize))
			}
		}
	}
	slices.SortFunc(objects,
		func(a, b object.Write) int { return bytes.Compare(a.OID[:], b.OID[:]) })
	places := []int{0, 60, 61, 150, 240, 299}
	if testing.Short() {
		places = []int{60, 240}
	}
	for _, at := range places {
		spoil(entries[at])
		spoil(string(objects[at].Value))
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, fileName), file)
	r, err := Backup(t.Context(), dir, filepath.Join(dir, "saved.db"))
	if err != nil || r.Losses == 0 {
		t.Fatalf("a backup reports %v, %v", r.Damage, err)
	}
	want := slices.Clone(entries)
	for _, o := range objects {
		want = append(want, string(o.Value))
	}
	want = slices.DeleteFunc(want, func(v string) bool { return lost[v] })
	if len(want) < 300 || len(want) > 550 {
		t.Fatalf("%d of 600 rows can be found", len(want))
	}
	var got []string
	err = withConn(t.Context(), filepath.Join(dir, "saved.db"), reading, func(conn *sql.Conn) error {
		const all = `SELECT body FROM entries UNION ALL SELECT value FROM objects`
		return eachOf(t.Context(), conn, all, nil, func(rows *sql.Rows) error {
			var value []byte
			err := rows.Scan(&value)
			got = append(got, string(value))
			return err
		})
	})
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%d rows are there, want %d, %v", len(got), len(want), err)
	}
}

// A database whose end is cut off can be read up to there.
func TestFindingR10BackupOfCutOffFile(t *testing.T) {
	whole := killedWithPages(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, fileName), whole.file[:len(whole.file)*3/4])
	saved := t.TempDir()
	r, err := Backup(t.Context(), dir, filepath.Join(saved, fileName))
	if err != nil || r.Losses == 0 {
		t.Fatalf("a backup reports %v, %v", r.Damage, err)
	}
	db := openDir(t, saved)
	for n, log := range whole.logs {
		got, l, err := loadLog(db, n)
		if err == nil && !cmp.Equal(got, log[l.At:]) {
			t.Errorf("table %d is served wrong", n)
		}
		if err != nil && !errors.Is(err, room.ErrDamaged) {
			t.Errorf("table %d: %v", n, err)
		}
	}
}
