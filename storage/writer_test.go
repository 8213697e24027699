package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"modernc.org/sqlite"

	"holt/server/tables/room"
)

// holdWriter keeps the writer busy until the returned function is called.
func holdWriter(t *testing.T, db *DB) (release func()) {
	t.Helper()
	held, free := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := db.write(context.Background(), 0, func(*tx) error {
			once.Do(func() { close(held) })
			<-free
			return nil
		}); err != nil {
			t.Error(err)
		}
	})
	<-held
	return sync.OnceFunc(func() { close(free); wg.Wait() })
}

// waitQueued returns when n jobs wait behind the job that holds the writer.
func waitQueued(db *DB, n int) {
	for len(db.writer.queue) < n {
		runtime.Gosched()
	}
}

func TestGroupCommit(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	mustCreate(t, db, 2)
	taken := room.SeatRow{Token: token("taken"), Seat: 1}
	if err := db.Append(t.Context(),
		room.Append{Table: tableID(2), Seats: []room.SeatRow{taken}}); err != nil {
		t.Fatal(err)
	}
	release := holdWriter(t, db)
	defer release()
	jobs := []struct {
		name string
		do   func() error
		want func(error) bool
	}{
		{"first", func() error { return appendTo(t, db, 1, 0, "a") }, isNil},
		{"after the first, in the same group",
			func() error { return appendTo(t, db, 1, 1, "b") }, isNil},
		{"fenced", func() error { return appendTo(t, db, 1, 1, "x") }, is(room.ErrFenced)},
		{"no table", func() error { return appendTo(t, db, 9, 0, "x") }, is(room.ErrNoTable)},
		{"impossible in its second half", func() error {
			return db.Append(context.Background(), room.Append{
				Table: tableID(2), Entries: raw("x"),
				Seats: []room.SeatRow{{Token: token("new"), Seat: 1}, taken},
			})
		}, func(err error) bool { return err != nil }},
		{"another table", func() error { return appendTo(t, db, 2, 0, "c") }, isNil},
		{"snapshot", func() error {
			return db.SaveSnapshot(context.Background(), tableID(1), 2, []byte("S"), 0)
		}, isNil},
	}
	results := make([]chan error, len(jobs))
	for i, j := range jobs {
		results[i] = make(chan error, 1)
		go func() { results[i] <- j.do() }()
		waitQueued(db, i+1) // in this order
	}
	release()
	for i, j := range jobs {
		if err := <-results[i]; !j.want(err) {
			t.Errorf("%s: error is %v", j.name, err)
		}
	}
	one, l := mustLoad(t, db, 1)
	two, _ := mustLoad(t, db, 2)
	if len(one) != 0 || l.At != 2 || !cmp.Equal(two, []string{"c"}) {
		t.Errorf("logs are %q after %d, %q", one, l.At, two)
	}
	if log := wholeLog(t, db, 1); !cmp.Equal(log, []string{"a", "b"}) {
		t.Errorf("log is %q", log)
	}
	_, err := db.SeatByToken(t.Context(), tableID(2), token("new"))
	wantErr(t, err, room.ErrNoSeat)
}

func isNil(err error) bool { return err == nil }

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func TestContext(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	t.Run("a waiting job is withdrawn", func(t *testing.T) {
		release := holdWriter(t, db)
		defer release()
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error, 1)
		go func() { result <- db.Append(ctx, room.Append{Table: tableID(1), Entries: raw("x")}) }()
		waitQueued(db, 1)
		cancel()
		wantErr(t, <-result, context.Canceled) // while the writer is still busy
		release()
		if err := appendTo(t, db, 1, 0, "a"); err != nil {
			t.Errorf("a withdrawn job was done: %v", err)
		}
	})
	t.Run("a job that was taken is waited for", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.write(ctx, 0, func(*tx) error { cancel(); return nil })
		if err != nil {
			t.Errorf("error is %v of a change that was made", err)
		}
	})
	t.Run("with a full queue a caller waits for its context", func(t *testing.T) {
		release := holdWriter(t, db)
		defer release()
		var wg sync.WaitGroup
		for range queueLength {
			wg.Go(func() {
				if err := db.ReserveOIDs(context.Background(), 5); err != nil {
					t.Error(err)
				}
			})
		}
		waitQueued(db, queueLength)
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error, 1)
		go func() {
			result <- db.Append(ctx, room.Append{Table: tableID(1), Expect: 1, Entries: raw("x")})
		}()
		cancel()
		wantErr(t, <-result, context.Canceled)
		release()
		wg.Wait()
	})
	t.Run("a context that has ended does nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		wantErr(t, db.Append(ctx, room.Append{Table: tableID(1), Expect: 1, Entries: raw("x")}),
			context.Canceled)
		_, err := db.Load(ctx, tableID(1), 0)
		wantErr(t, err, context.Canceled)
	})
	if log, _ := mustLoad(t, db, 1); !cmp.Equal(log, []string{"a"}) {
		t.Errorf("log is %q", log)
	}
}

// Close waits for the jobs that have begun.
func TestCloseFinishes(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1)
	release := holdWriter(t, db)
	results := make(chan error, 2)
	go func() { results <- appendTo(t, db, 1, 0, "a") }()
	waitQueued(db, 1)
	go func() { results <- db.Close() }()
	release()
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if log, _ := mustLoad(t, openDir(t, db.dir), 1); !cmp.Equal(log, []string{"a"}) {
		t.Errorf("log is %q", log)
	}
}

// A commit that fails returns the error to its callers and keeps nothing. The next commit works
// without help.
func TestFailedCommit(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	db, err := Open(t.Context(), dir, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	mustCreate(t, db, 1, "a")
	breakCommit := func(tx *tx) error {
		return tx.conn.Raw(func(c any) error {
			c.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { return 1 })
			return nil
		})
	}
	if err := db.write(t.Context(), 0, func(tx *tx) error {
		return errors.Join(breakCommit(tx), tx.exec("UPDATE meta SET oid_ceiling = 99"))
	}); err == nil {
		t.Error("a commit that failed was acknowledged")
	}
	if floor, err := db.OIDFloor(t.Context()); err != nil || floor != 0 {
		t.Errorf("floor is %d, %v", floor, err)
	}
	if err := appendTo(t, db, 1, 1, "b"); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"storage fails", "storage works again"} {
		if n := bytes.Count(log.Bytes(), []byte(want)); n != 1 {
			t.Errorf("%q is in the log %d times:\n%s", want, n, &log)
		}
	}
	if log, _ := mustLoad(t, openDir(t, dir), 1); !cmp.Equal(log, []string{"a", "b"}) {
		t.Errorf("log is %q", log)
	}
}

// Many writers and readers work at once, and every log is complete at every moment.
func TestConcurrent(t *testing.T) {
	db := openDir(t, t.TempDir())
	const tables, appends = 6, 60
	var wg sync.WaitGroup
	for n := range tables {
		mustCreate(t, db, n)
		for range 2 { // two writers fence each other
			wg.Go(func() {
				for at := room.Position(0); at < appends; {
					err := appendTo(t, db, n, at, fmt.Sprint(at+1))
					switch {
					case err == nil:
						at++
					case errors.Is(err, room.ErrFenced):
						log, _, err := loadLog(db, n)
						if err != nil {
							t.Error(err)
							return
						}
						at = room.Position(len(log))
					default:
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Go(func() {
			for length := 0; length < appends; {
				log, _, err := loadLog(db, n)
				if err != nil || len(log) < length {
					t.Errorf("the log of table %d goes from %d to %d, %v", n, length, len(log), err)
					return
				}
				length = len(log)
				for i, e := range log {
					if e != fmt.Sprint(i+1) {
						t.Errorf("entry %d is %s", i+1, e)
					}
				}
			}
		})
	}
	wg.Wait()
	for n := range tables {
		if log, _ := mustLoad(t, db, n); len(log) < appends {
			t.Errorf("table %d has %d entries", n, len(log))
		}
	}
}
