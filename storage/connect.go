package storage

import (
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// pragmas are settings of a connection.
type pragmas []string

// Settings of every connection: wait for a lock (a backup or a checkpoint holds it) instead of failing, and
// believe nothing that a damaged file says.
var common = pragmas{"busy_timeout(10000)", "trusted_schema(0)", "cell_size_check(1)"}

// Settings of the connection that writes. synchronous(FULL) flushes the write-ahead log at every commit,
// before readers see it.
//
// A checkpoint every 250 pages, 1 MB: the commit that runs it keeps everybody waiting, with 1,000 pages for 6 ms,
// and the disk would have to write only 4 % less. Until the first checkpoint the log grows, and flushing a file
// that grows takes twice as long as flushing one that is written over. Another goroutine that ran the checkpoints
// would gain little, since both flush the same disk, and while commits go on the log would never begin anew. A
// long reader, such as a backup, makes the log grow beyond that; it gives the room back afterwards, down to
// 64 MiB.
//
// What is deleted is overwritten: of a table that was thrown away (T42) nothing can be read in the file. That costs a write of each page that
// becomes free, which are few beside those that are filled.
var writing = pragmas{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "wal_autocheckpoint(250)", "journal_size_limit(67108864)", "secure_delete(1)"}

// Settings while a file is made, changed or checked alone: no log beside it, nothing enforced in mid-migration.
var alone = pragmas{"journal_mode(DELETE)", "synchronous(FULL)", "foreign_keys(0)"}

// Settings while a file is made that is worthless after a crash, and flushed before it gets its name.
var draft = pragmas{"journal_mode(MEMORY)", "synchronous(OFF)", "foreign_keys(0)"}

var reading = pragmas{"query_only(1)"}

// Settings of the only connection to a database on a full disk. Alone it keeps the index of the log in memory.
var single = pragmas{"locking_mode(EXCLUSIVE)", "query_only(1)"}

// open prepares connections to the file at path, at most conns at once. None is made yet. The file must exist.
func open(path string, conns int, settings pragmas) *sql.DB {
	return openAs(path, conns, settings, url.Values{"mode": {"rw"}})
}

// openToCheck prepares one connection that only reads. If still is true nobody writes to the file, and SQLite looks for no lock
// and no log, and creates no file.
func openToCheck(path string, still bool) *sql.DB {
	mode := url.Values{"mode": {"ro"}}
	if still {
		mode.Set("immutable", "1")
	}
	return openAs(path, 1, reading, mode)
}

// openToSalvage prepares one connection that reads what it can, also of a file that is cut off: for
// that SQLite has a setting with which one could change what is in sqlite_schema, too. It changes
// nothing.
func openToSalvage(path string) *sql.DB {
	settings := append(pragmas{"writable_schema(1)"}, reading...)
	return openAs(path, 1, settings, url.Values{"mode": {"rw"}, "_defensive": {"0"}})
}

func openAs(path string, conns int, settings pragmas, mode url.Values) *sql.DB {
	q := url.Values{
		"_error_rc": {"1"}, "_dqs": {"0"}, "_defensive": {"1"},
		"_pragma": append(append(pragmas{}, common...), settings...),
	}
	maps.Copy(q, mode)
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive letter
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		panic(fmt.Sprintf("storage: the driver is not linked: %v", err)) // the only reason
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db
}
