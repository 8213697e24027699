package storage

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

// The host's machine reads no objects while some of them are damaged. An operator who accepts the
// loss gets the other objects, and they begin a new life.
func TestFindingR10AcceptDamagedObjects(t *testing.T) {
	const last = 40
	for name, damage := range map[string]func(t *testing.T, dir string, at id.OID){
		"a record": func(t *testing.T, dir string, at id.OID) {
			t.Helper()
			db := openDir(t, dir)
			harm(t, db, `UPDATE objects SET value = zeroblob(length(value)) WHERE oid = ?`, at[:])
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"a page": func(t *testing.T, dir string, at id.OID) {
			t.Helper()
			path := filepath.Join(dir, fileName)
			file := readFile(t, path)
			n := 1 + bytes.Index(file, bytes.Repeat([]byte{at[15]}, 500))/pageSize
			if n == 1 {
				t.Fatal("there is no such page")
			}
			copy(page(file, n), bytes.Repeat([]byte{0xff}, pageSize))
			writeFile(t, path, file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			mustCreate(t, db, 1, "a", "b")
			var writes []object.Write
			for n := 1; n <= last; n++ {
				writes = append(writes, object.Write{Space: 1, OID: tableID(n),
					Value: bytes.Repeat([]byte{byte(n)}, 1000)})
			}
			if err := db.KeepObjects(t.Context(), writes, nil); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			before, err := Check(t.Context(), db.dir, nil) // the table has no catalogue
			if err != nil {
				t.Fatal(err)
			}
			damage(t, db.dir, tableID(20))

			db = openDir(t, db.dir)
			_, err = db.ObjectValues(t.Context(), 1, id.OID{}, last)
			wantErr(t, err, room.ErrDamaged)
			if err := AcceptLosses(t.Context(), db.dir); err == nil {
				t.Error("it is accepted while the database is in use")
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if r, err := Check(t.Context(), db.dir, nil); err != nil ||
				cmp.Equal(r.Damage, before.Damage) {
				t.Errorf("a check finds %v, %v", r.Damage, err)
			}
			if err := AcceptLosses(t.Context(), db.dir); err != nil {
				t.Fatal(err)
			}
			if r, err := Check(t.Context(), db.dir, nil); err != nil || r.Losses > 0 ||
				!cmp.Equal(r.Damage, before.Damage) {
				t.Errorf("afterwards a check finds %v, %v", r.Damage, err)
			}

			db = openDir(t, db.dir)
			all, err := db.ObjectValues(t.Context(), 1, id.OID{}, last)
			if err != nil || len(all) >= last || len(all) < last-5 {
				t.Errorf("%d of %d objects are there, %v", len(all), last, err)
			}
			for _, x := range all {
				if want := bytes.Repeat([]byte{x.OID[15]}, 1000); x.OID == tableID(20) ||
					!bytes.Equal(x.Value, want) {
					t.Errorf("object %s is %x", x.OID, x.Value)
				}
			}
			if restored, err := db.ObjectsRestored(t.Context()); err != nil || !restored {
				t.Errorf("they begin a new life: %t, %v", restored, err)
			}
			if got := fmt.Sprint(wholeLog(t, db, 1)); got != "[a b]" {
				t.Errorf("the log of the table is %s", got)
			}
		})
	}
}

// AcceptLosses leaves the objects alone when none of them is damaged.
func TestFindingR10AcceptNothing(t *testing.T) {
	db := openDir(t, t.TempDir())
	if err := db.KeepObjects(t.Context(),
		[]object.Write{{Space: 1, OID: tableID(1), Value: []byte("one")}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := AcceptLosses(t.Context(), db.dir); err != nil {
		t.Fatal(err)
	}
	db = openDir(t, db.dir)
	if restored, err := db.ObjectsRestored(t.Context()); err != nil || restored {
		t.Errorf("they begin a new life: %t, %v", restored, err)
	}
	if got, err := db.ObjectValue(t.Context(), 1, tableID(1)); err != nil || string(got) != "one" {
		t.Errorf("the object is %q, %v", got, err)
	}
}
