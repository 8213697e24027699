package storage

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"holt/server/tables/room"
)

// Bounds for the checks of a storage that fails.
const (
	lookEvery = time.Second
	// bytes that must fit on the disk before writing counts as working again
	needRoom  = 1 << 20
	probeName = "holt.probe" // a temporary file of that size
)

// condition records whether writing works. It is safe for concurrent use.
type condition struct {
	log *slog.Logger

	mu sync.Mutex
	// Guarded by mu.
	trouble  *room.Trouble // nil: writing works
	lostData bool          // the database contains data that was not acknowledged and will be lost
	changed  func(error)
}

// get returns a *room.Trouble, or nil if writing works.
func (c *condition) get() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trouble == nil {
		return nil
	}
	return c.trouble
}

// markLost records that something was committed into files that are gone.
func (c *condition) markLost() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lostData = true
}

// readable returns a *room.Trouble if the database must not be read, because its latest content
// will be lost.
func (c *condition) readable() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.lostData || c.trouble == nil {
		return nil
	}
	return c.trouble
}

// fails records that writing fails if err contains a *room.Trouble, and logs it once.
func (c *condition) fails(err error) {
	var trouble *room.Trouble
	if !errors.As(err, &trouble) {
		return
	}
	c.mu.Lock()
	was, changed := c.trouble, c.changed
	c.trouble = trouble
	c.mu.Unlock()
	if was != nil && was.Reason == trouble.Reason {
		return
	}
	c.log.Error("nothing can be saved", "reason", trouble.Reason, "error", trouble.Err)
	if changed != nil {
		changed(trouble)
	}
}

// works records that writing works again.
func (c *condition) works() {
	c.mu.Lock()
	was, changed := c.trouble, c.changed
	c.trouble, c.lostData = nil, false
	c.mu.Unlock()
	if was == nil {
		return
	}
	c.log.Info("saving works again")
	if changed != nil {
		changed(nil)
	}
}

// troubleOf returns err as a *room.Trouble if it says that the disk or the folder is at fault,
// otherwise err unchanged.
func troubleOf(err error) error {
	var trouble *room.Trouble
	var fault *sqlite.Error
	switch {
	case err == nil, errors.As(err, &trouble):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		errors.Is(err, syscall.EFBIG):
		return &room.Trouble{Reason: diskFull, Err: err}
	case !errors.As(err, &fault):
		return err
	}
	switch code := fault.Code(); {
	case code&0xff == sqlite3.SQLITE_FULL, code == sqlite3.SQLITE_IOERR_SHMSIZE:
		return &room.Trouble{Reason: diskFull, Err: err}
	case code&0xff == sqlite3.SQLITE_IOERR, code&0xff == sqlite3.SQLITE_CANTOPEN:
		return &room.Trouble{
			Reason: "its disk does not take anything: it may be full or broken", Err: err,
		}
	case code&0xff == sqlite3.SQLITE_READONLY:
		return &room.Trouble{Reason: "its disk can only be read", Err: err}
	}
	return err
}

const diskFull = "its disk is full"

// mayRead reports whether a database that could not be opened because of err may still be readable,
// and may become writable again.
func mayRead(err error) bool {
	var fault *sqlite.Error
	if errors.As(err, &fault) {
		code := fault.Code() & 0xff
		return code == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_IOERR
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// Writable returns nil if writing works, otherwise a *room.Trouble that says why it does not.
func (db *DB) Writable() error { return db.condition.get() }

// Healthy returns nil if reading and writing work, as far as it can tell without writing.
func (db *DB) Healthy(ctx context.Context) error {
	if _, err := db.OIDFloor(ctx); err != nil {
		return err
	}
	db.gone()
	return db.condition.get()
}

// Notify sets the function that is called when writing begins to fail, with a *room.Trouble, and
// when it works again, with nil. changed must not block.
func (db *DB) Notify(changed func(error)) {
	db.condition.mu.Lock()
	defer db.condition.mu.Unlock()
	db.condition.changed = changed
}

// watch checks every second whether the files are where they were, and whether writing works again.
func (db *DB) watch() {
	defer close(db.watchEnded)
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-db.stopWatch:
			return
		case <-ticker.C:
		}
		if !db.gone() && db.condition.get() != nil {
			db.recover(context.Background())
		}
	}
}

// gone reports whether the files are not where they were, or the storage is closed. It records the
// former.
func (db *DB) gone() bool {
	done, err := db.use()
	if err != nil {
		return true
	}
	defer done()
	if db.writer == nil {
		return false
	}
	err = db.writer.identity.check()
	db.condition.fails(err)
	return err != nil
}

// recover tries whether writing works again. A small commit that succeeds is not enough: the next
// larger one would fail.
func (db *DB) recover(ctx context.Context) {
	if hasRoom(db.dir) != nil || db.startWriting(ctx) != nil {
		return
	}
	const touch = `UPDATE meta SET oid_ceiling = oid_ceiling`
	if db.write(ctx, 0, func(t *tx) error {
		return t.exec(touch)
	}) == nil {
		db.condition.works()
	}
}

// hasRoom returns an error unless needRoom bytes can be written to the directory.
func hasRoom(dir string) error {
	path := filepath.Join(dir, probeName)
	err := os.WriteFile(path, make([]byte, needRoom), 0o600)
	if err == nil {
		err = syncFile(path)
	}
	if gone := os.Remove(path); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
