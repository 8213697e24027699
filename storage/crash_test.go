package storage

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"holt/server/tables/room"
)

const crashTables = 8

// randomSeed has the same value in each run, so that no run fails by chance.
var randomSeed = flag.Uint64("seed", 1, "seed of TestKillUnderLoad and TestRecentMoves")

// batchText is the entry of table n at position. An Append of size entries, of which the first was
// at position first, added it. The text says all that, so a reader can tell whether anything is
// lost, doubled or torn.
func batchText(n, position, first, size int) string {
	return fmt.Sprintf("table %d entry %d of %d+%d %s", n, position, first, size,
		strings.Repeat("x", position*37%900))
}

func batchOf(n, first, size int) room.Append {
	a := room.Append{
		Table: tableID(n), Expect: room.Position(first - 1),
		Seats: []room.SeatRow{{Token: token(n, "+", first), Seat: 1}},
	}
	for i := range size {
		a.Entries = append(a.Entries, []byte(batchText(n, first+i, first, size)))
	}
	return a
}

// loadChild writes to all tables at once until it is killed. It prints the positions that were
// acknowledged.
func loadChild(dir string, out io.Writer) error {
	db, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return err
	}
	// With these limits entries move all the time.
	if err := limit(db, limits{rows: 64, bytes: 20_000, few: 8}); err != nil {
		return err
	}
	errs := make(chan error, crashTables)
	for n := range crashTables {
		go func() { errs <- loadTable(db, n, out) }()
	}
	return <-errs
}

func loadTable(db *DB, n int, out io.Writer) error {
	ctx := context.Background()
	err := db.CreateTable(ctx, room.NewTable{Row: rowOf(n)})
	if _, known := db.Table(ctx, tableID(n)); known != nil {
		return errors.Join(err, known)
	}
	l, err := db.Load(ctx, tableID(n), 0)
	if err != nil {
		return err
	}
	at := int(l.At) + len(l.Entries)
	for {
		size := 1 + rand.IntN(5)
		if err := db.Append(ctx, batchOf(n, at+1, size)); err != nil {
			return err
		}
		at += size
		if _, err := fmt.Fprintf(out, "%d %d\n", n, at); err != nil { // one write
			return err
		}
		if size == 5 {
			if err := db.SaveSnapshot(ctx, tableID(n), room.Position(at),
				[]byte(batchText(n, at, 0, 0)), 0); err != nil {
				return err
			}
		}
	}
}

func TestKillUnderLoad(t *testing.T) {
	t.Parallel()
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	t.Logf("seed %d", *randomSeed)
	random := rand.New(rand.NewPCG(*randomSeed, 0))
	dir := t.TempDir()
	var acknowledged [crashTables]int
	for round := range rounds {
		child := childCommand(t, "load", dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 1 + random.IntN(300) {
			readAck(t, lines, &acknowledged)
		}
		if round == 0 {
			_, err := Open(t.Context(), dir, Options{})
			wantErr(t, err, ErrInUse)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for readAck(t, lines, &acknowledged) { // printed before it was killed
		}
		if err := child.Wait(); err == nil {
			t.Fatal("the process ended by itself")
		}
		db := openDir(t, dir) // the lock ended with the process
		for n := range crashTables {
			checkBatches(t, db, n, acknowledged[n])
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("%d rounds, acknowledged up to %v", rounds, acknowledged)
}

func readAck(t *testing.T, lines *bufio.Scanner, acknowledged *[crashTables]int) bool {
	t.Helper()
	if !lines.Scan() {
		return false
	}
	var n, at int
	if _, err := fmt.Sscanf(lines.Text(), "%d %d", &n, &at); err != nil {
		t.Fatalf("%q: %v", lines.Text(), err)
	}
	acknowledged[n] = at
	return true
}

// checkBatches checks that the log of table n holds whole batches with their seats, each entry once
// and in order, at least up to the acknowledged position. It checks that the snapshot matches the
// log, and returns the length of the log.
func checkBatches(t *testing.T, db *DB, n, acknowledged int) int {
	t.Helper()
	log := wholeLog(t, db, n)
	if len(log) < acknowledged {
		t.Errorf("table %d has %d entries, %d were acknowledged", n, len(log), acknowledged)
	}
	batches := 0
	for at := 0; at < len(log); batches++ {
		var first, size int
		if _, err := fmt.Sscanf(log[at], fmt.Sprintf("table %d entry %d of %%d+%%d", n, at+1),
			&first, &size); err != nil || first != at+1 {
			t.Fatalf("entry %d of table %d is %q: %v", at+1, n, log[at], err)
		}
		if at+size > len(log) {
			t.Fatalf("table %d: half an append: %d entries from %d on, log of %d", n, size,
				first, len(log))
		}
		for ; at < first-1+size; at++ {
			if want := batchText(n, at+1, first, size); log[at] != want {
				t.Fatalf("entry %d of table %d is %q, want %q", at+1, n, log[at], want)
			}
		}
		if _, err := db.SeatByToken(t.Context(), tableID(n), token(n, "+", first)); err != nil {
			t.Fatalf("table %d: entries from %d on without their seat: %v", n, first, err)
		}
	}
	var seats int
	const count = `SELECT count(*) FROM seats JOIN tables ON num = table_num WHERE oid = ?`
	oid := tableID(n)
	if err := db.read.QueryRow(count, oid[:]).Scan(&seats); err != nil || seats != batches {
		t.Errorf("table %d has %d seats for %d appends, %v", n, seats, batches, err)
	}
	if len(log) > 0 {
		_, l := mustLoad(t, db, n)
		if at := int(l.At); at > 0 && string(l.Snapshot) != batchText(n, at, 0, 0) {
			t.Errorf("table %d: snapshot %q at %d", n, l.Snapshot, at)
		}
	}
	return len(log)
}

// logRows selects the rows of all logs: those that have moved to entries, and those that are still
// in recent.
const logRows = `
	SELECT table_num, position, body FROM entries
	UNION ALL
	SELECT table_num, position, body FROM recent AS r
	WHERE position > coalesce(
		(SELECT max(position) FROM entries AS e WHERE e.table_num = r.table_num), 0)`

// wholeLog returns the log of table n from its beginning, whatever snapshot there is. It returns
// nothing if there is no such table.
func wholeLog(t testing.TB, db *DB, n int) (log []string) {
	t.Helper()
	oid := tableID(n)
	rows, err := db.read.Query(`SELECT position, body FROM (`+logRows+
		`) JOIN tables ON num = table_num WHERE oid = ? ORDER BY position`, oid[:])
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var position int
		var body string
		if err := rows.Scan(&position, &body); err != nil {
			t.Fatal(err)
		}
		if log = append(log, body); position != len(log) {
			t.Fatalf("table %d has entry %d where %d should be", n, position, len(log))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return log
}

// A power failure keeps some beginning of what was written since the last flush. Here the
// write-ahead log is cut at any place, and the rest is lost, zero or noise.
func TestTornLog(t *testing.T) {
	dir := t.TempDir()
	db := openDir(t, dir)
	mustCreate(t, db, 1)
	total := 0
	for size := 1; total < 60; size = size%5 + 1 {
		if err := db.Append(t.Context(), batchOf(1, total+1, size)); err != nil {
			t.Fatal(err)
		}
		total += size
	}
	file, wal := readFile(t, filepath.Join(dir, fileName)),
		readFile(t, filepath.Join(dir, fileName+"-wal"))
	tails := map[string]func([]byte){
		"lost": nil, "zero": func(b []byte) { clear(b) },
		"noise": func(b []byte) { copy(b, noise(len(b))) },
	}
	step := 1
	if testing.Short() {
		step = 3
	}
	var lengths sync.Map
	t.Run("all", func(t *testing.T) { // ends when its subtests have ended
		for name, spoil := range tails {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for i := 0; i <= 39; i += step {
					cut := len(wal) * i / 39
					torn := append([]byte{}, wal[:cut]...)
					if spoil != nil {
						torn = append(torn, wal[cut:]...)
						spoil(torn[cut:])
					}
					after := t.TempDir()
					writeFile(t, filepath.Join(after, fileName), file)
					writeFile(t, filepath.Join(after, fileName+"-wal"), torn)
					length := checkBatches(t, openDir(t, after), 1, 0)
					lengths.Store(length, true)
					if cut == len(wal) && length != total {
						t.Errorf("%d entries of an undamaged log, want %d", length, total)
					}
				}
			})
		}
	})
	seen := 0
	lengths.Range(func(any, any) bool { seen++; return true })
	if seen < 10 {
		t.Errorf("only %d lengths were seen: the test cuts nothing", seen)
	}
}

// A process that is killed during a checkpoint of the write-ahead log leaves the file cut off at
// any place.
func TestInterruptedCheckpoint(t *testing.T) {
	t.Parallel()
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	total := 0
	for size := 1; total < 90; size = size%5 + 1 {
		if err := db.Append(t.Context(), batchOf(1, total+1, size)); err != nil {
			t.Fatal(err)
		}
		total += size
	}
	path := filepath.Join(db.dir, fileName)
	before, wal := readFile(t, path), readFile(t, path+"-wal")
	if _, err := db.anchor.ExecContext(t.Context(), "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		t.Fatal(err)
	}
	file := readFile(t, path)
	if len(file) <= len(before) {
		t.Fatalf("the checkpoint has made %d bytes of %d", len(file), len(before))
	}
	step := 1_000
	if testing.Short() {
		step = 5_000 // not a multiple of the page size either
	}
	for cut := len(before); cut < len(file); cut += step {
		after := t.TempDir()
		writeFile(t, filepath.Join(after, fileName), file[:cut])
		writeFile(t, filepath.Join(after, fileName+"-wal"), wal)
		if length := checkBatches(t, openDir(t, after), 1, total); length != total {
			t.Errorf("cut at %d there are %d entries, want %d", cut, length, total)
		}
	}
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
