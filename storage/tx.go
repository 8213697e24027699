package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"

	"holt/server/id"
	"holt/server/tables/room"
)

// knownTables bounds how many tables that were written to are remembered, at about 64 bytes each.
const knownTables = 1 << 16

// tx is the connection of the writer, and the transaction that is open on it. It serves one
// transaction after another.
type tx struct {
	// Set at construction.
	// ctx never ends: a caller that gives up never interrupts a transaction that has begun.
	ctx    context.Context //nolint:containedctx // it lasts as long as this
	db     *sql.DB
	log    *slog.Logger
	limits limits

	// Owned by the writer.
	life    int64     // the number of the server life of this start
	conn    *sql.Conn // nil until begin, and after abandon
	stmts   map[string]*sql.Stmt
	known   map[id.OID]known
	recent  *recent     // nil until catchUp, and after abandon
	ends    *ends       // nil like recent
	carried []logLength // the log lengths that were recorded before abandon
	jobs    int         // of the transaction
	// replacedCatalogs are catalogues that tables have replaced since the process began. A client
	// that was sent one of them may be about to fetch it.
	replacedCatalogs map[room.Hash]id.OID
	sweep            *sweep // under way; nil if there is none
}

// known is what the writer remembers of a table, so that it can compare a.Expect without a search.
// It stays correct because nobody else writes, and it is forgotten when a transaction fails.
type known struct {
	num          int64
	length       room.Position
	lifeRecorded bool // reigns has a row of this table and server life
}

func newTx(ctx context.Context, path string, log *slog.Logger) *tx {
	return &tx{
		ctx: context.WithoutCancel(ctx),
		db:  open(path, 1, writing), log: log, limits: usual, replacedCatalogs: map[room.Hash]id.OID{},
	}
}

// probe makes a change and takes it back. Only the change shows whether the file is writable:
// SQLite opens a read-only file for reading, and begins a transaction on it without an error.
func (t *tx) probe() error {
	const change = `UPDATE meta SET oid_ceiling = oid_ceiling`
	// The new table takes several free pages: the list of free pages may be damaged.
	const grow = `CREATE TABLE probe (x); INSERT INTO probe VALUES (zeroblob(20000))`
	err := t.begin()
	if err == nil {
		err = t.exec(change)
	}
	if err == nil {
		_, err = t.conn.ExecContext(t.ctx, grow)
	}
	if err == nil {
		err = t.exec("ROLLBACK")
	}
	if err != nil {
		return t.abandon(err)
	}
	return nil
}

func (t *tx) begin() error {
	if t.conn == nil {
		conn, err := t.db.Conn(t.ctx)
		if err != nil {
			return err
		}
		t.conn = conn
		t.stmts = make(map[string]*sql.Stmt)
		t.known = make(map[id.OID]known)
	}
	if len(t.known) >= knownTables {
		clear(t.known)
	}
	return t.exec("BEGIN IMMEDIATE")
}

func (t *tx) commit() error { return t.exec("COMMIT") }

// abandon gives up the transaction and its connection, and returns err. The next begin connects
// again. Nothing that SQLite or this package remembers outlives a failure, so the writer works
// again as soon as the disk does.
//
// If COMMIT itself has failed, the write-ahead log may hold the whole transaction behind its end.
// Nobody sees it there (DB.anchor), and the next commit overwrites it. Only if the process ends
// before that, the next process may find the whole transaction, although its callers got an error.
func (t *tx) abandon(err error) error {
	if t.conn == nil {
		return err
	}
	// The error of ROLLBACK does not matter: SQLite may have rolled back by itself, and closing the
	// connection does it in any case.
	_, _ = t.conn.ExecContext(t.ctx, "ROLLBACK")
	_ = t.disconnect()
	return err
}

func (t *tx) close() error {
	var err error
	if t.conn != nil {
		err = t.disconnect()
	}
	return errors.Join(err, t.db.Close())
}

// disconnect closes the connection. It closes the statements first: SQLite keeps the connection
// open, with its locks, while one of its statements is open.
func (t *tx) disconnect() error {
	var errs []error
	for _, s := range t.stmts {
		errs = append(errs, s.Close())
	}
	err := t.conn.Raw(func(any) error { return driver.ErrBadConn }) // keeps it out of the pool
	if !errors.Is(err, driver.ErrBadConn) {
		errs = append(errs, err)
	}
	if err := t.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		errs = append(errs, err)
	}
	if t.ends != nil {
		t.carried = t.ends.committed()
	}
	t.conn, t.stmts, t.known, t.recent, t.ends = nil, nil, nil, nil, nil
	return errors.Join(errs...)
}

// exec runs a statement, which is prepared once for each connection.
func (t *tx) exec(query string, args ...any) error {
	s, err := t.prepare(query) //nolint:sqlclosecheck // disconnect closes it
	if err != nil {
		return err
	}
	_, err = s.ExecContext(t.ctx, args...)
	return err
}

// scan reads one row into dest. It returns sql.ErrNoRows if there is none.
func (t *tx) scan(query string, args []any, dest ...any) error {
	s, err := t.prepare(query) //nolint:sqlclosecheck // disconnect closes it
	if err != nil {
		return err
	}
	return s.QueryRowContext(t.ctx, args...).Scan(dest...)
}

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if s, ok := t.stmts[query]; ok {
		return s, nil
	}
	s, err := t.conn.PrepareContext(t.ctx, query)
	if err != nil {
		return nil, err
	}
	t.stmts[query] = s
	return s, nil
}

// table returns the number and the log length of a table. It refuses with ErrNoTable, with ErrGone
// if the table was deleted, and with ErrDamaged if its row is damaged.
func (t *tx) table(oid id.OID) (known, error) {
	if k, ok := t.known[oid]; ok {
		return k, nil
	}
	const query = `
		SELECT num, coalesce((SELECT max(position) FROM entries WHERE table_num = num), 0),
			` + soundTable + `
		FROM tables WHERE oid = ?`
	var k known
	var length int64
	var sound bool
	err := t.scan(query, []any{oid[:]}, &k.num, &length, &sound)
	if errors.Is(err, sql.ErrNoRows) {
		err = tableMissing(t.ctx, t.conn, oid)
		if errors.Is(err, room.ErrNoTable) || errors.Is(err, room.ErrGone) {
			err = refuse(err)
		}
		return known{}, err
	}
	if err != nil {
		return known{}, fmt.Errorf("find table %s: %w", oid, err)
	}
	if !sound {
		return known{}, refuse(damage("the row of table %s is not what was written", oid))
	}
	//nolint:gosec // positions are above zero
	k.length = room.Position(length + int64(t.recent.count(k.num)))
	t.known[oid] = k
	return k, nil
}

// tableOfLength is the same as table, but refuses with ErrFenced if the log has not that length.
func (t *tx) tableOfLength(oid id.OID, length room.Position) (known, error) {
	k, err := t.table(oid)
	if err == nil && k.length != length {
		err = refuse(room.ErrFenced)
	}
	return k, err
}
