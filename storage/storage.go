// Package storage keeps tables in one SQLite database file, holt.db in the data directory. It
// implements room.Store. It also keeps what the server needs for itself: its keys and the
// reservation of identifiers (O1).
//
// All jobs that wait to be written go into one transaction (group commit). So many tables share the
// cost of one flush to the disk. The package does not read what entries, snapshots and blobs
// contain. It stores no times of its own: the caller passes them.
package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"holt/server/tables/room"
)

// ErrClosed is returned by every method after Close.
var ErrClosed = errors.New("the storage is closed")

// readers is how many reads may run at once.
const readers = 4

// Options adjust Open. The zero value is valid.
type Options struct {
	// Log receives what no caller learns: migrations, and when the disk begins and stops failing.
	// nil discards it.
	Log *slog.Logger

	clock clock // nil: the clock of the machine
}

// DB is an open data directory. It is safe for concurrent use.
type DB struct {
	// Set at construction.
	dir        string
	lock       *lock
	condition  *condition
	clock      clock
	stopWatch  chan struct{} // closed to end tend
	watchEnded chan struct{} // closed when tend has ended
	stop       func()        // closes halt; the second and later calls do nothing
	losses     atomic.Int64  // see Losses

	// Every call holds mu for reading while it runs. Close and startWriting take it for writing,
	// and so wait for those calls.
	mu     sync.RWMutex
	closed bool // Guarded by mu.
	// Guarded by mu.
	read       *sql.DB
	serverLife room.ServerLife // of this start; zero while there is no writer
	lifeNum    int64
	writer     *writer // nil while the disk is too full to write
	// anchor is an idle connection that stays open. While one is open, SQLite knows where the
	// write-ahead log ends. Without one, the first new connection would search for the end, and
	// would find what a failed commit has left behind it.
	anchor *sql.Conn
}

var _ room.Store = (*DB)(nil)

// Open opens the data directory dir for this process alone. If they do not exist, it creates the
// directory (mode 0700) and the database (mode 0600). It applies the migrations that the database
// lacks.
//
// If the disk is full, Open opens a database of this version for reading. Writable says why, and
// the database becomes writable when there is room.
//
// If a page that all tables need is damaged, Open copies what can be read into a new database and
// keeps the damaged one beside it. If too little can be read, it changes nothing and returns
// ErrBroken.
//
// Open returns ErrInUse if another process has the directory open, ErrForeign if holt.db is
// something else, and ErrNewer if a newer Holt has written it. In these cases it writes nothing to
// the database.
func Open(ctx context.Context, dir string, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.clock == nil {
		o.clock = machineClock{}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open data directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create data directory: %w", err)
	}
	lock, err := lockDirectory(dir)
	if err != nil {
		return nil, err
	}
	halt := make(chan struct{})
	db := &DB{
		dir: dir, lock: lock, condition: &condition{log: o.Log}, clock: o.clock,
		stopWatch: halt, watchEnded: make(chan struct{}), stop: sync.OnceFunc(func() { close(halt) }),
	}
	if err := db.start(ctx, o.Log); err != nil {
		return nil, errors.Join(err, db.release())
	}
	go db.watch() //nolint:gosec,contextcheck // it outlives the call; Close ends it
	return db, nil
}

// start opens the connections. After an error, release undoes what start has done.
func (db *DB) start(ctx context.Context, log *slog.Logger) error {
	path := filepath.Join(db.dir, fileName)
	if err := prepareFile(ctx, path); err != nil {
		return err
	}
	err := db.begin(ctx, log, true)
	if isCorrupt(err) {
		err = db.rebuildAndBegin(ctx, log, err)
	}
	if err == nil || !mayRead(err) || db.openForReading(ctx) != nil {
		return err
	}
	db.condition.fails(troubleOf(err))
	return nil
}

// begin brings the database up to date and connects. If checked is true it first checks what all
// tables need.
func (db *DB) begin(ctx context.Context, log *slog.Logger, checked bool) error {
	path := filepath.Join(db.dir, fileName)
	err := upgrade(ctx, path, log)
	if err == nil && checked {
		err = checkShared(ctx, path)
	}
	if err == nil {
		err = db.connect(ctx)
	}
	return err
}

// rebuildAndBegin begins with a damaged database. It copies what can be read into a new database
// and begins with that. If that fails it begins with the damaged one, if possible.
func (db *DB) rebuildAndBegin(ctx context.Context, log *slog.Logger, why error) error {
	err := db.disconnect()
	if err == nil {
		err = rebuild(ctx, db.dir, why, log)
	}
	if err == nil {
		return db.begin(ctx, log, false)
	}
	if worse := db.begin(ctx, log, false); worse != nil {
		return errors.Join(err, worse)
	}
	log.Error("the database is damaged, and a new one with what can be read could not be made",
		"error", err, "damage", why)
	return nil
}

// connect opens the connections that write and read.
func (db *DB) connect(ctx context.Context) error {
	path := filepath.Join(db.dir, fileName)
	w, err := startWriter(ctx, path, db.condition, db.clock)
	if err != nil {
		return err
	}
	db.writer = w
	db.read = open(path, readers+1, reading)
	if db.anchor, err = db.read.Conn(ctx); err != nil {
		return fmt.Errorf("open database for reading: %w", err)
	}
	if _, err := version(ctx, db.anchor); err != nil { // this also opens the log
		return err
	}
	losses, err := lossesOf(ctx, db.anchor)
	if err != nil {
		return err
	}
	db.losses.Store(int64(len(losses)))
	return db.beginLife(ctx)
}

// openForReading opens one connection that reads and needs no room on the disk.
func (db *DB) openForReading(ctx context.Context) error {
	if err := db.disconnect(); err != nil {
		return err
	}
	db.read = open(filepath.Join(db.dir, fileName), 1, single)
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return errors.Join(err, db.disconnect())
	}
	v, err := version(ctx, conn)
	if err == nil && v != latest {
		err = fmt.Errorf("it has version %d, and there is no room to bring it to version %d", v,
			latest)
	}
	if err = errors.Join(err, conn.Close()); err != nil {
		return errors.Join(err, db.disconnect())
	}
	return nil
}

// startWriting opens a database for writing that was opened for reading because the disk was full.
// It does nothing if the database is already writable.
func (db *DB) startWriting(ctx context.Context) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed || db.writer != nil {
		return nil
	}
	err := db.disconnect()
	if err == nil {
		err = db.connect(ctx)
	}
	if err != nil {
		return errors.Join(err, db.openForReading(ctx))
	}
	return nil
}

// Close waits for the calls that are under way, closes the database and releases the directory.
// Later calls return ErrClosed. The second and later Close do nothing.
func (db *DB) Close() error {
	db.stop()
	<-db.watchEnded
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	return db.release()
}

func (db *DB) release() error { return errors.Join(db.disconnect(), db.lock.Close()) }

// disconnect closes all connections.
func (db *DB) disconnect() error {
	var errs []error
	if db.anchor != nil {
		errs = append(errs, db.anchor.Close())
	}
	if db.read != nil {
		errs = append(errs, db.read.Close())
	}
	// The writer comes last: the last connection copies the write-ahead log into holt.db.
	if db.writer != nil {
		errs = append(errs, db.writer.stop())
	}
	db.anchor, db.read, db.writer = nil, nil, nil
	db.serverLife, db.lifeNum = room.ServerLife{}, 0
	return errors.Join(errs...)
}

// use admits a call until the returned function is called. It returns ErrClosed after Close.
func (db *DB) use() (done func(), err error) {
	db.mu.RLock()
	if db.closed {
		db.mu.RUnlock()
		return nil, ErrClosed
	}
	return db.mu.RUnlock, nil
}

// write hands run to the writer. size is roughly how many bytes it writes.
func (db *DB) write(ctx context.Context, size int, run func(*tx) error) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if db.writer == nil {
		return db.condition.get()
	}
	return db.writer.do(ctx, size, run)
}

// exec hands one statement to the writer.
func (db *DB) exec(ctx context.Context, query string, args ...any) error {
	return db.write(ctx, 0, func(t *tx) error { return t.exec(query, args...) })
}
