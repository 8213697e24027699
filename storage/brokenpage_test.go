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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/object"
	"holt/server/tables/room"
)

const pageSize = 4096

// pagesOf is a database with rows in every SQL table, as a kill leaves it, and the owner of each of
// its pages.
type pagesOf struct {
	file   []byte
	logs   map[int][]string
	owners []string // owners[n-1] owns page n: an SQL table or index, or "" if the page is free
}

// pagesOnce is the result of killedWithPages, which computes it once. Nobody changes it. Its
// callers run one after another, so it needs no lock.
var pagesOnce *pagesOf

// killedWithPages makes the database. All entries of tables 1 to 3 are in place. Tables 4 and 5
// have recent entries.
func killedWithPages(t *testing.T) *pagesOf {
	t.Helper()
	if pagesOnce == nil {
		pagesOnce = makePages(t)
	}
	return pagesOnce
}

func makePages(t *testing.T) *pagesOf {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	db := openDir(t, t.TempDir())
	p := &pagesOf{logs: map[int][]string{}}
	for n := 1; n <= 5; n++ {
		for range 40 {
			p.logs[n] = append(p.logs[n], string(noiseOf(rnd, 100+rnd.IntN(100))))
		}
		if err := db.CreateTable(t.Context(), rowsOfStock(n, p.logs[n][:30])); err != nil {
			t.Fatal(err)
		}
		if err := db.SaveSnapshot(t.Context(), tableID(n), 10, noiseOf(rnd, 5000), 10); err != nil {
			t.Fatal(err)
		}
		value := noiseOf(rnd, 5000)
		kept := []object.Write{{Space: 1, OID: tableID(n), Value: value}}
		if err := db.KeepObjects(t.Context(), kept,
			[]room.Blob{blobOf(string(value))}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 1; n <= 5; n++ {
		if n == 4 {
			if err := limit(db, limits{rows: 1000, bytes: 1 << 20, few: 20}); err != nil {
				t.Fatal(err)
			}
		}
		if err := appendTo(t, db, n, 30, p.logs[n][30:]...); err != nil {
			t.Fatal(err)
		}
	}
	// This frees pages, and brings the last commit into the file.
	mustCreate(t, db, 6, strings.Repeat("x", 20*pageSize))
	if err := db.DeleteTable(t.Context(), room.Deletion{Table: tableID(6), Expect: 1}); err != nil {
		t.Fatal(err)
	}
	finish(t, db, 6)
	bringNotes(t, db)
	if rowsOf(t, db, "recent") != 20 || rowsOf(t, db, "ends") == 0 {
		t.Fatalf("%d rows in recent, %d in ends", rowsOf(t, db, "recent"), rowsOf(t, db, "ends"))
	}
	p.readPages(t, db)
	return p
}

// readPages reads the database as it is on the disk, after a checkpoint of its write-ahead log.
func (p *pagesOf) readPages(t *testing.T, db *DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), fileName)
	for _, suffix := range []string{"", "-wal"} {
		writeFile(t, path+suffix, readFile(t, filepath.Join(db.dir, fileName+suffix)))
	}
	owners := map[int]string{}
	err := withConn(t.Context(), path, writing, func(conn *sql.Conn) error {
		rows, err := conn.QueryContext(t.Context(), `SELECT pageno, name FROM dbstat`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var number int
			var owner string
			if err := rows.Scan(&number, &owner); err != nil {
				return err
			}
			owners[number] = owner
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	p.file = readFile(t, path)
	for number := range len(p.file) / pageSize {
		p.owners = append(p.owners, owners[number+1])
	}
}

// pages returns the numbers of all pages. With -short it returns one page of each of the given
// owners: with the race detector SQLite is some thirty times slower.
func (p *pagesOf) pages(owners ...string) (numbers []int) {
	for n, owner := range p.owners {
		if !testing.Short() || slices.Contains(owners, owner) &&
			n == slices.Index(p.owners, owner) {
			numbers = append(numbers, n+1)
		}
	}
	return numbers
}

// page returns the bytes of page n. They share memory with file.
func page(file []byte, n int) []byte { return file[(n-1)*pageSize : n*pageSize] }

// sound returns the tables that the server must serve although page n is damaged.
func (p *pagesOf) sound(n int) (tables []int) {
	switch p.owners[n-1] {
	case "tables", "sqlite_autoindex_tables_1": // each of their pages has a row of each table
		return nil
	}
	for table := 1; table <= 5; table++ {
		has := func(entry string) bool {
			return bytes.Contains(page(p.file, n), []byte(entry[:50]))
		}
		// The root page of the entries leads to all of them.
		if !slices.ContainsFunc(p.logs[table], has) &&
			(p.owners[n-1] != "entries" || page(p.file, n)[0] == leafPage) {
			tables = append(tables, table)
		}
	}
	return tables
}

// leafPage is the first byte of a page with rows of an SQL table that has no rowid.
const leafPage = 10

// Each page of a database is damaged in turn. The server starts and serves every table that has
// nothing on that page. It refuses to start if the page says what is in the file, or holds the
// server's keys.
func TestFindingR10BrokenPage(t *testing.T) {
	whole := killedWithPages(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	for name, fill := range map[string][]byte{"zeroes": make([]byte, pageSize),
		"noise": noiseOf(rnd, pageSize)} {
		if testing.Short() && name == "noise" {
			continue
		}
		for _, number := range whole.pages("recent", "ends", "lives", "entries", "meta", "") {
			owner := whole.owners[number-1]
			t.Run(fmt.Sprintf("%s on page %d of %s", name, number, owner), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				path := filepath.Join(dir, fileName)
				file := bytes.Clone(whole.file)
				copy(page(file, number), fill)
				writeFile(t, path, file)
				db, err := Open(t.Context(), dir, Options{})
				if owner == "sqlite_schema" || owner == "meta" {
					refused(t, err, path, file)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				whole.served(t, db, whole.sound(number), 0)
				if err := db.Close(); err != nil {
					t.Error(err)
				}
				wantLossesSaid(t, dir, file, owner)
				db = openDir(t, dir)
				whole.served(t, db, whole.sound(number), 1)
			})
		}
	}
}

// refused checks that a start failed with a reason and changed nothing.
func refused(t *testing.T, err error, path string, file []byte) {
	t.Helper()
	if err == nil {
		t.Fatal("it has started")
	}
	if !errors.Is(err, ErrForeign) && !errors.Is(err, ErrBroken) {
		t.Errorf("the reason is %v", err)
	}
	if !bytes.Equal(file, readFile(t, path)) {
		t.Error("the database was changed")
	}
}

// holders are the SQL tables that a start needs as a whole. A damaged page of one of them loses
// rows.
var holders = []string{"tables", "recent", "ends", "lives", "reigns", "seats", "invites",
	"passwords"}

// wantLossesSaid checks that a check and a server name what is lost, and that the damaged database
// is where they say.
func wantLossesSaid(t *testing.T, dir string, damaged []byte, owner string) {
	t.Helper()
	r, err := Check(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	db := openDir(t, dir)
	n := db.Losses()
	if n != r.Losses || n == 0 && slices.Contains(holders, owner) ||
		n > 0 && (owner == "" || strings.Contains(owner, "index")) {
		t.Errorf("the server reports %d losses, the check %d", n, r.Losses)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "damaged-1.db"))
	if r.Losses > 0 && !bytes.Equal(kept, damaged) {
		t.Errorf("the damaged database is not kept: %v", err)
	}
}

// served checks the given tables: they have their logs, with the given number of additional
// entries, and accept appends. It checks that every other table does so, too, or is reported as
// damaged, and that tables can be created.
func (p *pagesOf) served(t *testing.T, db *DB, tables []int, more int) {
	t.Helper()
	for n := range p.logs {
		want := slices.Concat(p.logs[n], slices.Repeat([]string{"more"}, more))
		got, l, err := loadLog(db, n)
		if !slices.Contains(tables, n) && isDamage(err) {
			continue
		}
		if err != nil || !cmp.Equal(got, want[l.At:]) {
			t.Errorf("table %d is loaded with %d entries behind %d, %v", n, len(got), l.At, err)
			continue
		}
		if err := appendTo(t, db, n, room.Position(len(want)), "more"); err != nil {
			t.Errorf("table %d does not go on: %v", n, err)
		}
	}
	mustCreate(t, db, 10+more, strings.Repeat("new", 3*pageSize))
}

// A row of recent changes so that SQLite does not notice it. No other table is harmed, and the
// server starts.
func TestFindingR10DamagedRecentRow(t *testing.T) {
	for name, change := range map[string]string{
		"a body":                  `body = x'00'`,
		"the number of a table":   `table_num = 2`,
		"the position of another": `position = 2`,
		"a position far off":      `position = 1 << 40`,
	} {
		for _, position := range []int{2, 3, 4} {
			if testing.Short() && position != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%s, entry %d", name, position), func(t *testing.T) {
				db := openDir(t, t.TempDir())
				if err := limit(db, limits{rows: 1000, bytes: 1 << 20, few: 20}); err != nil {
					t.Fatal(err)
				}
				mustCreate(t, db, 1, "a", "b", "c", "d")
				mustCreate(t, db, 2, "A", "B", "C", "D", "E", "F")
				bringNotes(t, db)
				harm(t, db, `UPDATE recent SET `+change+
					` WHERE table_num = 1 AND position = ?`, position)
				db = copied(t, db)
				wantLogs(t, db, map[int][]string{2: {"A", "B", "C", "D", "E", "F"}})
				if change == "position = 2" && position == 2 {
					wantLogs(t, db, map[int][]string{1: {"a", "b", "c", "d"}}) // it is unchanged
					return
				}
				if _, err := db.Load(t.Context(), tableID(1), 0); !errors.Is(err, room.ErrDamaged) {
					t.Errorf("table 1: %v", err)
				}
				if err := appendTo(t, db, 2, 6, "G"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// spoilPages overwrites the root page of an SQL table, beside the program.
func spoilPages(t *testing.T, db *DB, name string) {
	t.Helper()
	// The database may be busy with what it does by itself.
	beside, err := sql.Open("sqlite",
		filepath.Join(db.dir, fileName)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	_, err = beside.Exec(`
		UPDATE sqlite_dbpage SET data = zeroblob(4096)
		WHERE pgno = (SELECT rootpage FROM sqlite_schema WHERE name = ?)`, name)
	if err = errors.Join(err, beside.Close()); err != nil {
		t.Fatal(err)
	}
}

// A page that all tables need breaks while the server runs. The writer restarts and meets it.
func TestFindingR10BrokenPageInService(t *testing.T) {
	db := openDir(t, t.TempDir())
	if err := limit(db, limits{rows: 1000, bytes: 1 << 20, few: 20}); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, db, 1, "a", "b")
	bringNotes(t, db)
	spoilPages(t, db, "recent")
	fault := errors.New("a fault")
	wantErr(t, db.write(t.Context(), 0, func(*tx) error { return fault }), fault)
	wantErr(t, appendTo(t, db, 1, 2, "c"), room.ErrStorage)
	wantErr(t, db.Healthy(t.Context()), room.ErrStorage)
	db = reopen(t, db)
	if _, err := db.Load(t.Context(), tableID(1), 0); !errors.Is(err, room.ErrDamaged) {
		t.Errorf("the table whose entries are lost: %v", err)
	}
	mustCreate(t, db, 2, "new")
	if err := db.Healthy(t.Context()); err != nil || db.Losses() == 0 {
		t.Errorf("after a restart: %v, and %d things are lost", err, db.Losses())
	}
}
