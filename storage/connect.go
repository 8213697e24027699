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

// common are the settings of every connection. A connection waits up to 10 s for a lock, which a
// backup or a checkpoint may hold, instead of failing. It trusts nothing that a damaged file says.
var common = pragmas{"busy_timeout(10000)", "trusted_schema(0)", "cell_size_check(1)"}

// writing are the settings of the connection that writes. synchronous(FULL) flushes the write-ahead
// log at every commit, before readers see it.
//
// A checkpoint runs every 250 pages (1 MB). The commit that runs it keeps everybody waiting. With
// 1,000 pages the wait is 6 ms, and the disk has to write only 4 % less. Until the first checkpoint
// the log grows, and it takes twice as long to flush a file that grows as one that is overwritten.
// Checkpoints in another goroutine would gain little, since both flush the same disk, and the log
// would never restart while commits go on. A long reader, such as a backup, makes the log grow
// beyond that. Afterwards the log shrinks to 64 MiB.
//
// Deleted data is overwritten, so nothing of a deleted table (T42) can be read in the file. That
// costs a write for each page that becomes free. These pages are few beside those that are filled.
var writing = pragmas{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	"wal_autocheckpoint(250)", "journal_size_limit(67108864)", "secure_delete(1)"}

// alone are the settings while one connection makes, changes or checks a file alone. There is no
// log beside the file, and foreign keys are not enforced in the middle of a migration.
var alone = pragmas{"journal_mode(DELETE)", "synchronous(FULL)", "foreign_keys(0)"}

// draft are the settings while a file is made that is worthless after a crash. The file is flushed
// before it gets its name.
var draft = pragmas{"journal_mode(MEMORY)", "synchronous(OFF)", "foreign_keys(0)"}

var reading = pragmas{"query_only(1)"}

// single are the settings of the only connection to a database on a full disk. In exclusive mode it
// keeps the index of the log in memory.
var single = pragmas{"locking_mode(EXCLUSIVE)", "query_only(1)"}

// open prepares connections to the file at path, at most conns at once. It does not connect yet.
// The file must exist.
func open(path string, conns int, settings pragmas) *sql.DB {
	return openAs(path, conns, settings, url.Values{"mode": {"rw"}})
}

// openToCheck prepares one connection that only reads. still promises that nobody writes to the
// file. Then SQLite ignores locks and logs, and creates no file.
func openToCheck(path string, still bool) *sql.DB {
	mode := url.Values{"mode": {"ro"}}
	if still {
		mode.Set("immutable", "1")
	}
	return openAs(path, 1, reading, mode)
}

// openToSalvage prepares one connection that reads what it can, even from a truncated file. SQLite
// needs the setting writable_schema for that, which also allows changes to sqlite_schema. The
// connection changes nothing.
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
		panic(fmt.Sprintf("storage: the driver is not linked: %v", err)) // the only possible error
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db
}
