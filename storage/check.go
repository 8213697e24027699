package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"holt/server/id"
	"holt/server/tables/room"
)

// Replay rebuilds a table from what is stored of it and from its catalogue, and returns how many
// entries it has then.
type Replay func(l *room.Loaded, catalog []byte) (room.Position, error)

// Report is the result of a check.
type Report struct {
	Tables, Entries, Snapshots, Objects, Blobs int // numbers of what was checked
	// Unverified is the number of entries, snapshots and objects that have no checksum, because
	// they are older than checksums.
	Unverified int
	Old        bool // the database is of an older version: only its form was checked
	// Losses is how many items of Damage say what the database has lost when it was rebuilt from a
	// damaged one. If it is above 0 the database is not complete.
	Losses int
	Damage []Damage
}

// Damage is one thing that is damaged.
type Damage struct {
	Table id.OID // zero: it belongs to no table
	What  string // in plain words
	// Lost says that the table cannot be opened.
	Lost bool
}

// maxDamage bounds how many damaged things of one table, or of another part, are reported.
const maxDamage = 20

// Check reads everything in a data directory, whether a server runs there or not, and reports what
// is damaged. It writes nothing, except SQLite's index of the log if there is a log beside the
// database. replay may be nil: then nothing is replayed. Check returns an error only if it cannot
// check at all: ErrForeign, ErrNewer, or the files cannot be read.
func Check(ctx context.Context, dir string, replay Replay) (Report, error) {
	return CheckFile(ctx, filepath.Join(dir, fileName), replay)
}

// CheckFile is Check for a database or a backup at path.
func CheckFile(ctx context.Context, path string, replay Replay) (Report, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Report{}, err
	}
	if err := checkHeader(path); err != nil {
		return Report{}, fmt.Errorf("check: %w", err)
	}
	before := stateOf(path)
	r, err := checkOpened(ctx, path, before.still(), replay)
	if after := stateOf(path); before.still() && after != before { // a server has begun to write
		r, err = checkOpened(ctx, path, false, replay)
	}
	if err != nil {
		return r, fmt.Errorf("check %s: %w", path, err)
	}
	return r, nil
}

// fileState shows whether somebody writes to a database.
type fileState struct {
	log, size int64
	changed   time.Time
}

func stateOf(path string) (s fileState) {
	if info, err := os.Stat(path + "-wal"); err == nil {
		s.log = info.Size()
	}
	if info, err := os.Stat(path); err == nil {
		s.size, s.changed = info.Size(), info.ModTime()
	}
	return s
}

// still reports whether the file has no log. A server has one while it runs, and leaves one when it
// is killed.
func (s fileState) still() bool { return s.log == 0 }

func checkOpened(
	ctx context.Context, path string, still bool, replay Replay,
) (r Report, err error) {
	db := openToCheck(path, still)
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return r, err
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	c := checker{tx: tx, report: &r, replay: replay, self: &DB{}}
	var v int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return r, err
	}
	c.losses(ctx)
	c.form(ctx)
	if r.Old = v < latest; r.Old {
		return r, ctx.Err()
	}
	if err := c.tables(ctx); err != nil {
		return r, err
	}
	if _, err := readEnds(ctx, tx); err != nil {
		r.Damage = append(r.Damage,
			Damage{What: "nobody knows whether the last entries of all tables are there: " +
				err.Error()})
	}
	c.objects(ctx)
	c.blobs(ctx)
	return r, ctx.Err()
}

// checker is one check that is under way.
type checker struct {
	// Set at construction.
	tx     *sql.Tx
	report *Report
	replay Replay
	self   *DB // without connections: what it loads belongs to no server life
}

// note records damage, unless there is a lot of that kind already.
func (c *checker) note(count *int, d Damage) {
	if *count++; *count <= maxDamage {
		c.report.Damage = append(c.report.Damage, d)
	}
}

// more reports how much damage was not recorded.
func (c *checker) more(count int, table id.OID) {
	if count > maxDamage {
		c.report.Damage = append(c.report.Damage, Damage{
			Table: table, What: fmt.Sprintf("and %d more like these", count-maxDamage),
		})
	}
}

// losses records what the database has lost when it was rebuilt.
func (c *checker) losses(ctx context.Context) {
	all, err := lossesOf(ctx, c.tx)
	for _, d := range all {
		d.What = "lost when it was copied: " + d.What
		c.report.Damage = append(c.report.Damage, d)
	}
	c.report.Losses = len(all)
	count := 0
	c.unreadable(&count, "what was lost before", err)
}

// form checks what SQLite can check of its own file.
func (c *checker) form(ctx context.Context) {
	count := 0
	err := c.each(ctx, `PRAGMA integrity_check(100)`, nil, func(rows *sql.Rows) error {
		var verdict string
		if err := rows.Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			c.note(&count, Damage{What: "the form of the database file: " + verdict})
		}
		return nil
	})
	if err == nil {
		err = noRows(ctx, c.tx, "PRAGMA foreign_key_check")
	}
	if err != nil {
		c.note(&count, Damage{What: "the form of the database file: " + err.Error()})
	}
	c.more(count, id.OID{})
}

// each calls take for each row of a query.
func (c *checker) each(
	ctx context.Context, query string, args []any, take func(*sql.Rows) error,
) error {
	return eachOf(ctx, c.tx, query, args, take)
}

// tables checks all tables.
func (c *checker) tables(ctx context.Context) error {
	type one struct {
		num int64
		oid id.OID
	}
	var all []one
	err := c.each(ctx, `SELECT num, oid FROM tables ORDER BY num`, nil, func(rows *sql.Rows) error {
		var t one
		var oid []byte
		if err := rows.Scan(&t.num, &oid); err != nil {
			return err
		}
		if len(oid) != len(t.oid) {
			return damage("a table has an identifier of %d bytes", len(oid))
		}
		t.oid = id.OID(oid)
		all = append(all, t)
		return nil
	})
	for _, t := range all {
		c.report.Tables++
		c.table(ctx, t.oid, t.num)
	}
	return err
}

// objects checks the stored values of objects.
func (c *checker) objects(ctx context.Context) {
	count := 0
	err := c.each(ctx, `SELECT space, oid, value, sum FROM objects ORDER BY space, oid`, nil,
		func(rows *sql.Rows) error {
			var space int64
			var oid, value sql.RawBytes
			var sum sql.NullInt64
			if err := rows.Scan(&space, &oid, &value, &sum); err != nil {
				return err
			}
			c.report.Objects++
			c.verified(sum)
			if !agrees(sum, sumOfObject(space, oid, value)) {
				c.note(&count, Damage{What: fmt.Sprintf(
					"object %x, part %d, is not what was written",
					[]byte(oid), space)})
			}
			return nil
		})
	c.unreadable(&count, "the objects", err)
}

// blobs checks pictures and catalogues.
func (c *checker) blobs(ctx context.Context) {
	count := 0
	err := c.each(ctx, `SELECT hash, type, data FROM blobs ORDER BY hash`, nil,
		func(rows *sql.Rows) error {
			var hash, data sql.RawBytes
			var kind string
			if err := rows.Scan(&hash, &kind, &data); err != nil {
				return err
			}
			c.report.Blobs++
			if sum := sha256.Sum256(data); string(sum[:]) != string(hash) {
				c.note(&count, Damage{What: fmt.Sprintf(
					"the picture or catalogue %x (%s) is not what was written",
					[]byte(hash), kind)})
			}
			return nil
		})
	c.unreadable(&count, "the pictures and catalogues", err)
}

// unreadable records that a part of something could not be read at all.
func (c *checker) unreadable(count *int, what string, err error) {
	c.more(*count, id.OID{})
	if err != nil {
		*count = 0
		c.note(count, Damage{What: what + " cannot be read: " + err.Error()})
	}
}

func (c *checker) verified(sum sql.NullInt64) {
	if !sum.Valid {
		c.report.Unverified++
	}
}
