package storage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/tables/room"
)

// limit sets the limits at which entries move from recent. If alone is unset it is 0, because tests
// append one entry after another.
func limit(db *DB, l limits) error {
	return db.write(context.Background(), 0,
		func(t *tx) error { t.limits = l; return nil })
}

// rowsOf counts the rows of an SQL table.
func rowsOf(t testing.TB, db *DB, table string) (n int) {
	t.Helper()
	if err := db.read.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRecent(t *testing.T) {
	t.Run("few entries stay, many move to their place with those", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 1_000, bytes: 1 << 20, few: 4}); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 1, "a")
		mustCreate(t, db, 2, "1", "2", "3", "4")
		if moved := rowsOf(t, db, "entries"); moved != 4 {
			t.Errorf("%d rows in entries, want 4", moved)
		}
		if err := appendTo(t, db, 1, 1, "b", "c", "d"); err != nil {
			t.Fatal(err)
		}
		if moved := rowsOf(t, db, "entries"); moved != 8 {
			t.Errorf("%d rows in entries, want 8", moved)
		}
		wantLogs(t, db, map[int][]string{1: {"a", "b", "c", "d"}, 2: {"1", "2", "3", "4"}})
	})
	t.Run("a single one in its transaction moves to its place with those", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustCreate(t, db, 1, "a")
		if stay := rowsOf(t, db, "recent"); stay != 0 {
			t.Errorf("%d rows in recent, want none", stay)
		}
		release := holdWriter(t, db)
		defer release()
		var wg sync.WaitGroup
		for n := range 5 {
			wg.Go(func() {
				if err := db.CreateTable(context.Background(),
					room.NewTable{Row: rowOf(2 + n), Entries: raw("b", "c")}); err != nil {
					t.Error(err)
				}
			})
		}
		waitQueued(db, 5)
		release()
		wg.Wait()
		if moved, stay := rowsOf(t, db, "entries"), rowsOf(t, db, "recent"); moved != 1 ||
			stay != 10 {
			t.Errorf("%d rows in entries, %d in recent", moved, stay)
		}
		if err := appendTo(t, db, 3, 2, "d"); err != nil {
			t.Fatal(err)
		}
		if moved := rowsOf(t, db, "entries"); moved != 4 {
			t.Errorf("%d rows in entries, want 4", moved)
		}
		wantLogs(t, db, map[int][]string{1: {"a"}, 2: {"b", "c"}, 3: {"b", "c", "d"}})
	})
	t.Run("a large entry does not stay", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 1_000, bytes: 10_000, few: 1_000}); err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("x", 3_000)
		for n := range 6 {
			mustCreate(t, db, n, body)
		}
		if err := checkRecent(db); err != nil {
			t.Error(err)
		}
		if moved := rowsOf(t, db, "entries"); moved != 3 {
			t.Errorf("%d rows in entries, want 3", moved)
		}
	})
	t.Run("moved rows are deleted, also after a table that rests", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 40, bytes: 1 << 20, few: 3}); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 1, "rests")
		mustCreate(t, db, 2)
		for at := 0; at < 300; at += 3 {
			if err := errors.Join(appendTo(t, db, 2, room.Position(at), "a"),
				appendTo(t, db, 2, room.Position(at+1), "b", "c")); err != nil {
				t.Fatal(err)
			}
			if rows := rowsOf(t, db, "recent"); rows > 2*40 {
				t.Fatalf("%d rows in recent", rows)
			}
		}
		if moved := rowsOf(t, db, "entries"); moved != 301 {
			t.Errorf("%d rows in entries, want 301", moved)
		}
	})
	t.Run("a requested length counts them", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 1, "a", "b")
		if err := db.write(t.Context(), 0,
			func(tx *tx) error { clear(tx.known); return nil }); err != nil {
			t.Fatal(err)
		}
		wantErr(t, appendTo(t, db, 1, 0, "x"), room.ErrFenced)
		if err := appendTo(t, db, 1, 2, "c"); err != nil {
			t.Error(err)
		}
		wantLogs(t, db, map[int][]string{1: {"a", "b", "c"}})
	})
	t.Run("a snapshot may lie after all that has moved", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 1, "a", "b", "c")
		if err := db.SaveSnapshot(t.Context(), tableID(1), 2, []byte("S"), 0); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if log, l := mustLoad(t, db, 1); l.At != 2 || !cmp.Equal(log, []string{"c"}) {
				t.Errorf("loaded %q after %d", log, l.At)
			}
			if err := db.write(t.Context(), 0, func(tx *tx) error {
				return tx.moveRecent(1)
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Run("the caller's bytes may be reused", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, db, 1)
		body := []byte("a")
		if err := db.Append(t.Context(),
			room.Append{Table: tableID(1), Entries: [][]byte{body}}); err != nil {
			t.Fatal(err)
		}
		body[0] = 'x'
		if err := db.write(t.Context(), 0,
			func(tx *tx) error { return tx.moveRecent(1) }); err != nil {
			t.Fatal(err)
		}
		wantLogs(t, db, map[int][]string{1: {"a"}})
	})
}

// Tables write in any order and number, transactions fail, and the database is opened again. Every
// log holds what was appended, and the writer's memory agrees with the database.
func TestRecentMoves(t *testing.T) {
	t.Parallel()
	t.Logf("seed %d", *randomSeed)
	random := rand.New(rand.NewPCG(*randomSeed, 0))
	db := openDir(t, t.TempDir())
	few := limits{rows: 48, bytes: 600, few: 9}
	if err := limit(db, few); err != nil {
		t.Fatal(err)
	}
	const tables = 7
	logs := make(map[int][]string)
	for n := range tables {
		mustCreate(t, db, n)
	}
	steps := 600
	if testing.Short() {
		steps = 200
	}
	for step := range steps {
		n := min(random.IntN(tables), random.IntN(tables)) // some are idle longer than others
		var entries []string
		for range 1 + random.IntN(4)*random.IntN(4) {
			entries = append(entries, fmt.Sprintf("%d/%d", n, len(logs[n])+len(entries)+1))
		}
		switch random.IntN(40) {
		case 0:
			db = reopen(t, db)
			if err := limit(db, few); err != nil {
				t.Fatal(err)
			}
		case 1: // the entries are written, then the second seat fails
			seats := []room.SeatRow{{Token: token("s"), Seat: 1}, {Token: token("s"), Seat: 2}}
			a := room.Append{Table: tableID(n), Expect: room.Position(len(logs[n])),
				Entries: raw(entries...), Seats: seats}
			if err := db.Append(t.Context(), a); err == nil {
				t.Fatal("a token was given to two seats")
			}
		default:
			if err := appendTo(t, db, n, room.Position(len(logs[n])), entries...); err != nil {
				t.Fatal(err)
			}
			logs[n] = append(logs[n], entries...)
		}
		if err := checkRecent(db); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if got, _ := mustLoad(t, db, n); !cmp.Equal(got, logs[n]) {
			t.Fatalf("step %d: log is %q, want %q", step, got, logs[n])
		}
	}
	wantLogs(t, db, logs)
	if rows := rowsOf(t, db, "recent"); rows > 2*few.rows+few.rows/8 {
		t.Errorf("%d rows in recent", rows)
	}
}

func wantLogs(t *testing.T, db *DB, want map[int][]string) {
	t.Helper()
	for n, entries := range want {
		if got, _ := mustLoad(t, db, n); !cmp.Equal(got, entries) {
			t.Errorf("log of table %d is %q, want %q", n, got, entries)
		}
		if got := wholeLog(t, db, n); !cmp.Equal(got, entries) {
			t.Errorf("rows of table %d are %q, want %q", n, got, entries)
		}
	}
}

// checkRecent compares the writer's memory of recent with the database.
func checkRecent(db *DB) error {
	const query = `
		SELECT coalesce(min(seq), 0), count(*), coalesce(sum(length(body)), 0) FROM recent AS r
		WHERE position > coalesce(
			(SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)`
	return db.write(context.Background(), 0, func(tx *tx) error {
		var oldest int64
		var rows, size, count int
		if err := tx.scan(query, nil, &oldest, &rows, &size); err != nil {
			return err
		}
		for num, u := range tx.recent.tables {
			if count += len(u.bodies); len(u.bodies) == 0 || u.num != num {
				return fmt.Errorf("table %d has %+v", num, u)
			}
		}
		if count != rows || tx.recent.bytes != size {
			return fmt.Errorf("%d rows of %d bytes have not moved, the writer knows %d of %d", rows,
				size, count, tx.recent.bytes)
		}
		if u := tx.recent.oldest(); u != nil && u.seq != oldest || u == nil && rows != 0 {
			return fmt.Errorf("the first of %d rows is %d, the writer knows %+v", rows, oldest, u)
		}
		if size > tx.limits.bytes {
			return fmt.Errorf("%d bytes wait in memory, with a limit of %d", size, tx.limits.bytes)
		}
		return nil
	})
}
