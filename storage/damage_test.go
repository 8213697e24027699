package storage

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/federation/object"
	"holt/server/id"
	"holt/server/tables/room"
)

var (
	damageSeed = flag.Uint64("damageseed", 0,
		"seed of TestFindingR10RandomDamage; 0 takes 1, or draws one if there is -damages")
	damageRuns = flag.Int("damages", 0, "how often TestFindingR10RandomDamage damages a database; "+
		"0 means 60, or 20 with -short")
)

// harm changes rows of the database without the program's knowledge.
func harm(t testing.TB, db *DB, query string, args ...any) {
	t.Helper()
	err := db.write(context.Background(), 0, func(tx *tx) error {
		res, err := tx.conn.ExecContext(tx.ctx, query, args...)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return fmt.Errorf("%d rows, %w", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// Clauses: T58.1, T58.3
func TestFindingR10DamagedEntry(t *testing.T) {
	for name, c := range map[string]struct {
		moved bool
		query string
	}{
		"a changed bit": {
			true, `UPDATE entries SET body = x'63' WHERE table_num = 1 AND position = 2`,
		},
		"a changed bit, not moved": {
			false, `UPDATE recent SET body = x'63' WHERE table_num = 1 AND position = 2`,
		},
		"cut off": {
			true, `UPDATE entries SET body = x'' WHERE table_num = 1 AND position = 2`,
		},
		"a changed checksum": {
			true, `UPDATE entries SET sum = sum + 1 WHERE table_num = 1 AND position = 2`,
		},
		"no checksum": {
			true, `UPDATE entries SET sum = NULL WHERE table_num = 1 AND position = 2`,
		},
		"another entry's": {
			true,
			`UPDATE entries SET (body, sum) =
				(SELECT body, sum FROM entries WHERE table_num = 1 AND position = 1)
				WHERE table_num = 1 AND position = 2`,
		},
		"another table's": {
			true,
			`UPDATE entries SET (body, sum) =
				(SELECT body, sum FROM entries WHERE table_num = 2 AND position = 2)
				WHERE table_num = 1 AND position = 2`,
		},
		"another table's number": {
			true, `UPDATE tables SET bound = (SELECT bound FROM tables WHERE num = 2) WHERE num = 1`,
		},
		"a place that was missing":  {true, `DELETE FROM entries WHERE table_num = 1 AND position = 2`},
		"the end, after a snapshot": {true, `DELETE FROM entries WHERE table_num = 1 AND position >= 2`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := openDir(t, t.TempDir())
			if err := limit(db, limits{rows: 100, bytes: 10_000, few: 10}); err != nil {
				t.Fatal(err)
			}
			mustCreate(t, db, 1, "a", "b", "c")
			mustCreate(t, db, 2, "a", "x", "c")
			if name == "the end, after a snapshot" {
				if err := db.SaveSnapshot(t.Context(), tableID(1), 3, []byte("S"), 0); err != nil {
					t.Fatal(err)
				}
			}
			if c.moved {
				db = reopen(t, db)
				if err := appendTo(t, db, 2, 3, "d"); err != nil { // moves all recent entries
					t.Fatal(err)
				}
			}
			harm(t, db, c.query)
			if got, err := db.Load(t.Context(), tableID(1), 0); !errors.Is(err, room.ErrDamaged) {
				t.Errorf("loaded %q, %v", got.Entries, err)
			}
			if name != "the end, after a snapshot" {
				_, err := db.Entries(t.Context(), tableID(1), 0, 10,
					func([]byte) error { return nil })
				wantErr(t, err, room.ErrDamaged)
			}
			if got, _ := mustLoad(t, db, 2); len(got) < 3 {
				t.Errorf("the other table is %q", got)
			}
			if err := appendTo(t, db, 2,
				room.Position(len(wholeLog(t, db, 2))), "more"); err != nil {
				t.Errorf("the other table: %v", err)
			}
		})
	}
}

// Clauses: T58.1
func TestFindingR10DamagedSnapshot(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "a", "b", "c", "d")
	for _, at := range []room.Position{1, 2, 3} {
		if err := db.SaveSnapshot(t.Context(), tableID(1), at,
			fmt.Appendf(nil, "S%d", at), int64(at)*100); err != nil {
			t.Fatal(err)
		}
	}
	want := func(snapshot string, logged int64, skipped []room.Position, entries ...string) {
		t.Helper()
		got, l := mustLoad(t, db, 1)
		if string(l.Snapshot) != snapshot || !cmp.Equal(got, entries) || l.Logged != logged ||
			!cmp.Equal(l.Skipped, skipped) {
			t.Errorf("loaded %q, then %q, with %d bytes, without %v", l.Snapshot, got,
				l.Logged, l.Skipped)
		}
	}
	want("S3", 300, nil, "d")
	harm(t, db, `UPDATE snapshots SET body = x'00' WHERE position = 3`)
	want("S2", 200, []room.Position{3}, "c", "d")
	// Clauses: T58.2
	t.Run("a table that cannot be opened is skipped like a damaged one", func(t *testing.T) {
		l, err := db.Load(t.Context(), tableID(1), 2)
		if err != nil || l.Snapshot != nil || len(l.Entries) != 4 {
			t.Errorf("loaded %q, then %q, %v", l.Snapshot, l.Entries, err)
		}
	})
	harm(t, db, `UPDATE snapshots SET sum = NULL WHERE position = 2`)
	want("", 0, []room.Position{3, 2}, "a", "b", "c", "d")
	harm(t, db, `UPDATE snapshots SET logged = logged + 1 WHERE position = 2`)
	want("", 0, []room.Position{3, 2}, "a", "b", "c", "d")
	if err := db.SaveSnapshot(t.Context(), tableID(1), 4, []byte("S4"), 400); err != nil {
		t.Fatal(err)
	}
	want("S4", 400, nil)
	// Clauses: T58.3
	t.Run("with a dropped history only a snapshot is left", func(t *testing.T) {
		if err := appendTo(t, db, 1, 4, "e", "f"); err != nil {
			t.Fatal(err)
		}
		if err := db.DropHistory(t.Context(), room.Dropping{Table: tableID(1), Expect: 6, Base: 5,
			Snapshot: []byte("B")}); err != nil {
			t.Fatal(err)
		}
		want("B", 0, nil, "f")
		if err := db.SaveSnapshot(t.Context(), tableID(1), 6, []byte("S6"), 60); err != nil {
			t.Fatal(err)
		}
		want("S6", 60, nil)
		harm(t, db, `UPDATE snapshots SET body = substr(body, 1, 1) WHERE position = 6`)
		want("B", 0, []room.Position{6}, "f")
		harm(t, db, `UPDATE snapshots SET body = x'4200' WHERE position = 5`)
		_, err := db.Load(t.Context(), tableID(1), 0)
		wantErr(t, err, room.ErrDamaged)
	})
}

func TestFindingR10DamagedObject(t *testing.T) {
	db := openDir(t, t.TempDir())
	art := blobOf("art")
	values := []object.Write{{Space: 1, OID: tableID(1), Value: []byte("one")},
		{Space: 1, OID: tableID(2), Value: []byte{}}}
	if err := db.KeepObjects(t.Context(), values, []room.Blob{art}); err != nil {
		t.Fatal(err)
	}
	for i := range values {
		if got, err := db.ObjectValue(t.Context(), 1, values[i].OID); err != nil ||
			!bytes.Equal(got, values[i].Value) {
			t.Errorf("object is %q, %v", got, err)
		}
	}
	oid := tableID(1)
	harm(t, db, `UPDATE objects SET value = x'6f6e64' WHERE oid = ?`, oid[:])
	_, err := db.ObjectValue(t.Context(), 1, oid)
	wantErr(t, err, room.ErrDamaged)
	_, err = db.ObjectValues(t.Context(), 1, id.OID{}, 10)
	wantErr(t, err, room.ErrDamaged)
	if _, err := db.ObjectValue(t.Context(), 1, tableID(2)); err != nil {
		t.Errorf("another object: %v", err)
	}
	harm(t, db, `UPDATE blobs SET data = x'00'`)
	_, err = db.Blob(t.Context(), art.Hash)
	wantErr(t, err, room.ErrDamaged)
}

// stock is the content of a database before it is damaged.
type stock struct {
	logs      map[int][]string
	snapshots map[int]map[room.Position]string
	objects   map[id.OID]string
}

// stockUp makes a database with rows in every SQL table.
func stockUp(t testing.TB, db *DB, rnd *rand.Rand) stock {
	t.Helper()
	s := stock{map[int][]string{}, map[int]map[room.Position]string{}, map[id.OID]string{}}
	for n := 1; n <= 5; n++ {
		for range 20 + rnd.IntN(60) {
			s.logs[n] = append(s.logs[n], string(noiseOf(rnd, 1+rnd.IntN(200))))
		}
		half := len(s.logs[n]) / 2
		if err := db.CreateTable(t.Context(), rowsOfStock(n, s.logs[n][:half])); err != nil {
			t.Fatal(err)
		}
		if err := appendTo(t, db, n, room.Position(half), s.logs[n][half:]...); err != nil {
			t.Fatal(err)
		}
		s.snapshots[n] = map[room.Position]string{}
		for _, at := range []int{half / 2, half} {
			body := string(noiseOf(rnd, 1000+rnd.IntN(9000)))
			s.snapshots[n][room.Position(at)] = body
			if err := db.SaveSnapshot(t.Context(), tableID(n), room.Position(at),
				[]byte(body), int64(at)); err != nil {
				t.Fatal(err)
			}
		}
		value := string(noiseOf(rnd, 1+rnd.IntN(5000)))
		s.objects[tableID(n)] = value
		if err := db.KeepObjects(t.Context(),
			[]object.Write{{Space: 1, OID: tableID(n), Value: []byte(value)}},
			[]room.Blob{blobOf(value)}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// rowsOfStock returns table n with two seats and an invite.
func rowsOfStock(n int, entries []string) room.NewTable {
	row := rowOf(n)
	row.Catalog = token("catalogue", n)
	return room.NewTable{
		Row: row, Entries: raw(entries...),
		Seats: []room.SeatRow{{Token: token(n, "one"), Seat: 1},
			{Token: token(n, "two"), Seat: 2}},
		Invites: []room.InviteRow{{Token: token(n, "player"), Table: tableID(n), Role: 2}},
	}
}

// servedRows checks the seats and invites of table n, and returns how many damages were reported.
func servedRows(t testing.TB, db *DB, n int) (faults int) {
	t.Helper()
	want := rowsOfStock(n, nil)
	row, err := db.Table(context.Background(), want.Row.Table)
	if err == nil && row.Password == room.LostPassword { // nobody knows whether it has one
		faults++
		row.Password = ""
	}
	if err == nil && row != want.Row {
		t.Errorf("the row of table %d is %+v", n, row)
	}
	for _, s := range want.Seats {
		if got, err := db.SeatByToken(context.Background(), want.Row.Table, s.Token); err != nil {
			faults++
		} else if got != s {
			t.Errorf("a token of table %d leads to %+v", n, got)
		}
	}
	got, err := db.InviteByToken(context.Background(), want.Invites[0].Token)
	switch {
	case isDamage(err): // the damage is of this table
	case err != nil:
		faults++
	case got != want.Invites[0]:
		t.Errorf("an invite of table %d leads to %+v", n, got)
	}
	return faults
}

// served checks that all that can be read is unchanged, and returns how many damages were reported.
func (s *stock) served(t testing.TB, db *DB) (faults int) {
	t.Helper()
	for n, log := range s.logs {
		faults += servedRows(t, db, n)
		got, l, err := loadLog(db, n)
		snapshot, known := s.snapshots[n][l.At]
		switch {
		case err != nil:
			faults++
		case l.At > 0 && (!known || string(l.Snapshot) != snapshot), l.At == 0 && l.Snapshot != nil,
			!cmp.Equal(got, log[l.At:]):
			t.Errorf("table %d is served wrong: %d entries after entry %d, of %d", n,
				len(got), l.At, len(log))
		default:
			faults += len(l.Skipped)
		}
	}
	for oid, value := range s.objects {
		if got, err := db.ObjectValue(context.Background(), 1, oid); err != nil || got == nil {
			faults++ // a missing value is not a wrong one
		} else if string(got) != value {
			t.Errorf("object %s is served wrong", oid)
		}
		if got, err := db.Blob(context.Background(), blobOf(value).Hash); err != nil {
			faults++
		} else if string(got.Data) != value {
			t.Error("a blob is served wrong")
		}
	}
	return faults
}

// Bits flip and ends are cut off at random places of rows and of the file. Whatever the database
// serves then is right.
func TestFindingR10RandomDamage(t *testing.T) {
	t.Parallel()
	seed, runs := *damageSeed, *damageRuns
	if seed == 0 && runs > 0 {
		seed = rand.Uint64()
	}
	seed = max(seed, 1)
	if runs == 0 {
		runs = 60
		if testing.Short() {
			runs = 20
		}
	}
	t.Logf("go test ./storage -run TestFindingR10RandomDamage -args -damageseed %d -damages %d",
		seed, runs)
	rnd := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	db, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	had := stockUp(t, db, rnd)
	if n := had.served(t, db); n != 0 {
		t.Fatalf("%d faults before anything was damaged", n)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	whole := readFile(t, filepath.Join(dir, fileName))
	noticed := 0
	for range runs {
		dir := t.TempDir()
		path := filepath.Join(dir, fileName)
		b := bytes.Clone(whole)
		inFile := rnd.IntN(2) == 0
		if inFile {
			b = damageBytes(b, rnd)
		}
		writeFile(t, path, b)
		if !inFile {
			damageRow(t, path, rnd)
		}
		db, err := Open(t.Context(), dir, Options{})
		if err != nil {
			noticed++
			continue
		}
		n := had.served(t, db)
		if n > 0 {
			noticed++
		}
		if !inFile && n != 1 {
			t.Errorf("one row was damaged, and %d faults were found", n)
		}
		if err := db.Close(); err != nil {
			t.Logf("close: %v", err)
		}
		_ = os.RemoveAll(dir)
	}
	if noticed < runs/3 {
		t.Errorf("of %d damaged databases only %d were noticed", runs, noticed)
	}
}

// noiseOf returns size random bytes from rnd.
func noiseOf(rnd *rand.Rand, size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

// damageBytes flips bits, overwrites a page, or cuts off the end.
func damageBytes(b []byte, rnd *rand.Rand) []byte {
	switch at := rnd.IntN(len(b)); rnd.IntN(4) {
	case 0:
		return b[:at]
	case 1:
		page := at &^ 4095
		copy(b[page:min(page+4096, len(b))], noiseOf(rnd, 4096))
	default:
		for range 1 + rnd.IntN(8) {
			b[rnd.IntN(len(b))] ^= 1 << rnd.IntN(8)
		}
	}
	return b
}

// damageRow flips a bit of one row, or cuts off its end, so that SQLite does not notice it.
func damageRow(t testing.TB, path string, rnd *rand.Rand) {
	t.Helper()
	where := []struct{ table, column, only string }{
		{"entries", "body", `position >
			(SELECT max(position) FROM snapshots AS s WHERE s.table_num = entries.table_num)`},
		{"snapshots", "body", `position =
			(SELECT max(position) FROM snapshots AS s WHERE s.table_num = snapshots.table_num)`},
		{"objects", "value", "true"},
		{"blobs", "data", "true"},
		{"tables", "catalog", "true"},
		{"seats", "token", "true"},
		{"invites", "token", "true"},
	}[rnd.IntN(7)]
	err := withConn(t.Context(), path, writing, func(conn *sql.Conn) error {
		// Recent entries are moved first, so that each entry has one place.
		if _, err := conn.ExecContext(t.Context(), `
			INSERT INTO entries SELECT table_num, position, body, sum FROM recent AS r
			WHERE NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.table_num = r.table_num
				AND e.position = r.position);
			DELETE FROM recent`); err != nil {
			return err
		}
		var body []byte
		pick := fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT 1 OFFSET ?", where.column,
			where.table, where.only, where.column)
		if err := conn.QueryRowContext(t.Context(), pick, rnd.IntN(5)).Scan(&body); err != nil {
			return err
		}
		worse := bytes.Clone(body)
		if rnd.IntN(3) == 0 && len(body) != len(room.Hash{}) { // hashes keep their length
			worse = worse[:rnd.IntN(len(worse))]
		} else {
			worse[rnd.IntN(len(worse))] ^= 1 << rnd.IntN(8)
		}
		_, err := conn.ExecContext(t.Context(), fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s = ?",
			where.table, where.column, where.column), worse, body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFindingR10Check(t *testing.T) {
	db := openDir(t, t.TempDir())
	art := blobOf("catalogue")
	row := rowOf(1)
	row.Catalog = art.Hash
	if err := db.CreateTable(t.Context(), room.NewTable{Row: row, Entries: raw("a", "b", "c", "d"),
		Blobs: []room.Blob{art}}); err != nil {
		t.Fatal(err)
	}
	replay := func(l *room.Loaded, catalog []byte) (room.Position, error) {
		if string(catalog) != "catalogue" {
			t.Errorf("the catalogue is %q", catalog)
		}
		for _, e := range l.Entries {
			if string(e) == "X" {
				return 0, errors.New("what is X?")
			}
		}
		return l.At + room.Position(len(l.Entries)), nil
	}
	want := func(dir string, lost int, what ...string) {
		t.Helper()
		r, err := Check(t.Context(), dir, replay)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range r.Damage {
			got = append(got, d.What)
			if d.Lost {
				lost--
			}
		}
		if !cmp.Equal(got, what) || lost != 0 {
			t.Errorf("found %q, want %q, %d more lost", got, what, lost)
		}
	}
	want(db.dir, 0)
	copied := func() string {
		dir := t.TempDir()
		if err := db.Backup(t.Context(), filepath.Join(dir, fileName)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := copied()
	for name, c := range map[string]struct {
		query string
		lost  int
		what  []string
	}{
		"an entry": {
			`UPDATE entries SET body = x'00' WHERE position = 3`, 1,
			[]string{
				"entry 3 is not what was written",
				"it cannot be opened: log: what is stored is damaged: entry 3 does not have its checksum",
			},
		},
		"a gap": {
			`DELETE FROM entries WHERE position IN (2, 3)`, 1,
			[]string{
				"entries 2 to 3 are missing",
				"it cannot be opened: log: what is stored is damaged: entry 2 is missing",
			},
		},
		"an entry of no sense": {
			fmt.Sprintf(
				`UPDATE entries SET body = x'58', sum = %d WHERE position = 2`, sumOf([]byte("X"), 1, 2),
			),
			1,
			[]string{"it cannot be rebuilt from entry 0 on: what is X?", "it cannot be opened: what is X?"},
		},
		"a catalogue": {
			`UPDATE blobs SET data = x'00'`, 1,
			[]string{
				fmt.Sprintf(
					"it cannot be opened, because of its catalogue: "+
						"what is stored is damaged: blob %x has other content than its hash says",
					art.Hash,
				),
				fmt.Sprintf("the picture or catalogue %x (text/plain) is not what was written", art.Hash[:]),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, fileName), readFile(t, filepath.Join(whole, fileName)))
			hurt := openDir(t, dir)
			if err := appendTo(t, hurt, 1, 4, "e"); err != nil { // recent entries have moved
				t.Fatal(err)
			}
			harm(t, hurt, c.query)
			want(dir, c.lost, c.what...)
			if err := hurt.Close(); err != nil {
				t.Fatal(err)
			}
			before := readFile(t, filepath.Join(dir, fileName))
			want(dir, c.lost, c.what...)
			if files, err := os.ReadDir(dir); err != nil || len(files) > 2 ||
				!bytes.Equal(before, readFile(t, filepath.Join(dir, fileName))) {
				t.Errorf("something was written: %v, %v", files, err)
			}
			r, err := Backup(t.Context(), dir, filepath.Join(dir, "saved"))
			if err != nil || len(r.Damage) != len(c.what) && name != "an entry of no sense" {
				t.Errorf("a backup reports %v, %v", r.Damage, err)
			}
			r, err = Restore(t.Context(), t.TempDir(), filepath.Join(dir, "saved"), "old.db")
			if err != nil || len(r.Damage) != len(c.what) && name != "an entry of no sense" {
				t.Errorf("a restore reports %v, %v", r.Damage, err)
			}
		})
	}
	t.Run("a killed server's data", func(t *testing.T) {
		dir := t.TempDir()
		for _, name := range []string{fileName, fileName + "-wal"} {
			writeFile(t, filepath.Join(dir, name), readFile(t, filepath.Join(db.dir, name)))
		}
		want(dir, 0)
		if got := readFile(t, filepath.Join(dir, fileName+"-wal")); len(got) == 0 {
			t.Error("the log was brought in")
		}
	})
	t.Run("nothing of that name", func(t *testing.T) {
		_, err := Check(t.Context(), t.TempDir(), nil)
		wantErr(t, err, os.ErrNotExist)
	})
}
