package storage

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// The last entries of a log vanish, as when SQLite loses the last rows of a page. No snapshot is
// newer than they are. The database reports the loss.
// Clauses: T58.6
func TestFindingR10LostEnd(t *testing.T) {
	const lastTwo = ` WHERE table_num = 1 AND position > 2`
	for name, c := range map[string]struct {
		moved bool
		query string
		when  string
	}{
		"moved, while the server runs":     {true, `DELETE FROM entries` + lastTwo, "at once"},
		"not moved, while the server runs": {false, `DELETE FROM recent` + lastTwo, "at once"},
		"moved, after a restart":           {true, `DELETE FROM entries` + lastTwo, "restarted"},
		"moved, after two restarts":        {true, `DELETE FROM entries` + lastTwo, "restarted twice"},
		"moved, after a kill":              {true, `DELETE FROM entries` + lastTwo, "killed"},
		"not moved, after a kill":          {false, `DELETE FROM recent` + lastTwo, "killed"},
		"all": {
			true, `DELETE FROM entries WHERE table_num = 1`, "restarted",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := openDir(t, t.TempDir())
			if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
				t.Fatal(err)
			}
			mustCreate(t, db, 1, "a", "b")
			mustCreate(t, db, 2, "x")
			if err := errors.Join(appendTo(t, db, 1, 2, "c", "d"),
				appendTo(t, db, 2, 1, "y")); err != nil {
				t.Fatal(err)
			}
			if c.moved {
				if err := db.write(t.Context(), 0, func(tx *tx) error {
					return tx.moveRecent(1)
				}); err != nil {
					t.Fatal(err)
				}
				harm(t, db, `DELETE FROM recent WHERE table_num = 1`)
			}
			bringNotes(t, db)
			switch c.when {
			case "restarted twice":
				db = reopen(t, db)
				mustCreate(t, db, 3, "later")
				db = reopen(t, db)
			case "restarted":
				db = reopen(t, db)
			}
			harm(t, db, c.query)
			if c.when == "killed" {
				db = copied(t, db)
			}
			if got, err := db.Load(t.Context(), tableID(1), 0); !errors.Is(err, room.ErrDamaged) {
				t.Errorf("loaded %q, %v", got.Entries, err)
			}
			if err := appendTo(t, db, 2, 2, "z"); err != nil {
				t.Errorf("the other table: %v", err)
			}
			wantLogs(t, db, map[int][]string{2: {"x", "y", "z"}})
			db = reopen(t, db)
			if got, err := db.Load(t.Context(), tableID(1), 0); !errors.Is(err, room.ErrDamaged) {
				t.Errorf("after a restart it loads %q, %v", got.Entries, err)
			}
			r, err := Check(t.Context(), db.dir, nil)
			if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
				return d.Table == tableID(1) && strings.HasPrefix(d.What, "its log ends with entry")
			}) {
				t.Errorf("check finds %+v, %v", r.Damage, err)
			}
		})
	}
}

// bringNotes writes to the disk the notes that no commit has written.
func bringNotes(t *testing.T, db *DB) {
	t.Helper()
	if err := db.write(t.Context(), 0,
		func(tx *tx) error { return tx.writeEnds(false) }); err != nil {
		t.Fatal(err)
	}
}

// The notes of the lengths of logs are rows that stand for several tables each.
// Clauses: T58.4
func TestEnds(t *testing.T) {
	whole := t
	db := openDir(t, t.TempDir())
	if err := limit(db, limits{rows: 100, bytes: 10_000, few: 3}); err != nil {
		t.Fatal(err)
	}
	const tables = 2*endsInBlock + 5
	for n := range tables {
		mustCreate(t, db, n, "a")
	}
	bringNotes(t, db)
	if rows := rowsOf(t, db, "ends"); rows != 3 {
		t.Errorf("%d tables take %d rows", tables, rows)
	}
	for when := range 3 {
		for n := 0; n < tables; n += 7 {
			if err := appendTo(t, db, n, room.Position(1+when), "more"); err != nil {
				t.Fatal(err)
			}
		}
		if when == 1 {
			db = reopen(t, db) // writes them, too
		} else {
			bringNotes(t, db)
		}
		for n := range tables {
			want := room.Position(1)
			if n%7 == 0 {
				want += room.Position(when) + 1
			}
			if least, err := leastLength(t.Context(), db.read, int64(n+1)); err != nil ||
				least != want {
				t.Fatalf("table %d has at least %d entries, %v; want %d", n, least, err, want)
			}
		}
		db = reopen(t, db)
	}
	t.Run("they come without another commit", func(t *testing.T) {
		if err := appendTo(t, db, 1, 1, "last"); err != nil {
			t.Fatal(err)
		}
		for least := room.Position(0); least != 2; runtime.Gosched() {
			var err error
			if least, err = leastLength(t.Context(), db.read, 2); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Run("they outlive a connection that is given up", func(t *testing.T) {
		if err := appendTo(t, db, 2, 1, "last"); err != nil {
			t.Fatal(err)
		}
		fault := errors.New("a fault")
		wantErr(t, db.write(t.Context(), 0, func(tx *tx) error {
			tx.ends.record(3, 99)
			return fault
		}), fault)
		bringNotes(t, db)
		if least, err := leastLength(t.Context(), db.read, 3); err != nil || least != 2 {
			t.Errorf("the table has at least %d entries, %v", least, err)
		}
	})
	t.Run("a table that gets the number of a deleted one restarts its count", func(t *testing.T) {
		last := tableID(tables - 1)
		if err := appendTo(t, db, tables-1, 1, "more"); err != nil {
			t.Fatal(err)
		}
		bringNotes(t, db)
		if err := db.DeleteTable(t.Context(), room.Deletion{Table: last, Expect: 2}); err != nil {
			t.Fatal(err)
		}
		if _, err := db.SweepTable(t.Context(), last); err != nil {
			t.Fatal(err)
		}
		if err := db.FinishDeletion(t.Context(), last); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 500)
		wantLogs(t, db, map[int][]string{500: nil})
		db = reopen(whole, db)
		wantLogs(t, db, map[int][]string{500: nil})
	})
	t.Run("a failure is not noted", func(t *testing.T) {
		seats := []room.SeatRow{{Token: token("s"), Seat: 1}, {Token: token("s"), Seat: 2}}
		a := room.Append{Table: tableID(500), Entries: raw("e"), Seats: seats}
		if err := db.Append(t.Context(), a); err == nil {
			t.Fatal("a token was given to two seats")
		}
		wantLogs(t, db, map[int][]string{500: nil})
	})
	t.Run("a damaged note does not damage a table", func(t *testing.T) {
		if err := appendTo(t, db, 500, 0, "e"); err != nil {
			t.Fatal(err)
		}
		bringNotes(t, db)
		harm(t, db, `UPDATE ends SET body = x'ffffffffffffffffffff'`)
		wantLogs(t, db, map[int][]string{500: {"e"}})
		r, err := Check(t.Context(), db.dir, nil)
		if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
			return d.Table == id.OID{} && strings.HasPrefix(d.What,
				"nobody knows whether the last entries of all tables are there")
		}) {
			t.Errorf("check finds %v, %v", r.Damage, err)
		}
		db = reopen(whole, db)
		if err := appendTo(t, db, 500, 1, "f"); err != nil {
			t.Fatal(err)
		}
		wantLogs(t, db, map[int][]string{500: {"e", "f"}})
	})
	t.Run("so many tables that the notes go into their rows", func(t *testing.T) {
		var wg sync.WaitGroup
		for n := 1000; n < 1000+maxEnds+2; n++ {
			wg.Go(func() {
				if err := db.CreateTable(t.Context(),
					room.NewTable{Row: rowOf(n), Entries: raw(fmt.Sprint(n))}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if rows := rowsOf(t, db, "ends"); rows > maxEnds/endsInBlock {
			t.Errorf("%d rows", rows)
		}
		wantLogs(t, db, map[int][]string{500: {"e", "f"}, 1000: {"1000"},
			1000 + maxEnds: {fmt.Sprint(1000 + maxEnds)}})
	})
}
