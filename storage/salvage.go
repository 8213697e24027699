package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite cannot copy a database with damaged pages, and cannot change all of it. So everything that
// can be read of it is copied row by row into a new one. Where a page cannot be read the copy
// continues behind it.

// ErrBroken says that a database is damaged in an essential place: on page 1, on another page of
// sqlite_schema, or on the page of meta, which has the keys of the server.
var ErrBroken = errors.New("the database is damaged at a place without which it cannot be used")

// salvage copies what can be read of the database at path into the empty file at fresh, and records
// there what it could not copy. keyless says that this includes the keys of the server. It returns
// ErrBroken if nothing can be read.
func salvage(ctx context.Context, path, fresh string) (lost []Damage, keyless bool, err error) {
	s := &salvager{}
	err = withConnOf(ctx, openToSalvage(path), path, func(from *sql.Conn) error {
		s.from = from
		return withConn(ctx, fresh, draft, func(to *sql.Conn) error {
			s.to = to
			return s.run(ctx)
		})
	})
	if err != nil {
		return nil, false, fmt.Errorf("copy what can be read: %w", err)
	}
	return s.lost, s.keyless, nil
}

// salvager is one copy that is being made.
type salvager struct {
	// Set at construction.
	from, to *sql.Conn

	lost    []Damage
	more    int // further losses, beyond those in lost
	keyless bool
}

// run copies all SQL tables as they are at one moment, and checks the copy.
func (s *salvager) run(ctx context.Context) error {
	if _, err := s.from.ExecContext(ctx, `BEGIN`); err != nil {
		return err
	}
	v, err := s.version(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if _, err := s.to.ExecContext(ctx,
		fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err != nil {
		return err
	}
	if err := migrate(ctx, s.to, migrations[:v], slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	if _, err := s.to.ExecContext(ctx, `BEGIN`); err != nil {
		return err
	}
	if err := s.copyAll(ctx); err != nil {
		return err
	}
	if _, err := s.to.ExecContext(ctx, `COMMIT`); err != nil {
		return err
	}
	return check(ctx, s.to)
}

// version returns the version of the database, if this program can make a database of that version
// and SQLite can read sqlite_schema.
func (s *salvager) version(ctx context.Context) (v int, err error) {
	if v, err = version(ctx, s.from); err != nil {
		return 0, err
	}
	if v < 1 || v > latest {
		return 0, fmt.Errorf("it has version %d", v)
	}
	return v, s.from.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE sql > ''`).
		Scan(new(int))
}

func (s *salvager) copyAll(ctx context.Context) error {
	all, err := s.parts(ctx)
	if err != nil {
		return err
	}
	if _, err := s.to.ExecContext(ctx, `DELETE FROM meta`); err != nil { // the copy has its own row
		return err
	}
	for _, p := range all {
		if err := s.copyPart(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if err := s.checkKeys(ctx); err != nil {
		return err
	}
	if err := s.removeOrphans(ctx, all); err != nil {
		return err
	}
	return s.noteLosses(ctx)
}

// part is an SQL table.
type part struct {
	name    string
	columns []string
	key     string // the column by which its rows are ordered
	blob    bool   // the key is a blob, otherwise an integer
	unique  bool   // no two rows have the same key
	group   string // an integer column before the key; "" for none
}

// parts returns all SQL tables of the copy. Those on which others depend come first.
func (s *salvager) parts(ctx context.Context) (all []*part, err error) {
	const list = `
		SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
		AND name NOT LIKE 'sqlite_%'
		ORDER BY name <> 'tables', name <> 'discards', name`
	err = eachOf(ctx, s.to, list, nil, func(rows *sql.Rows) error {
		p := &part{key: "rowid", unique: true}
		var keyed bool
		if err := rows.Scan(&p.name, &keyed); err != nil {
			return err
		}
		if keyed {
			p.key = ""
		}
		all = append(all, p)
		return nil
	})
	for _, p := range all {
		if err == nil {
			err = s.describe(ctx, p)
		}
	}
	return all, err
}

// describe completes a part.
func (s *salvager) describe(ctx context.Context, p *part) error {
	const list = `SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk`
	keyed := p.key == ""
	return eachOf(ctx, s.to, list, []any{p.name}, func(rows *sql.Rows) error {
		var name, kind string
		var place int
		if err := rows.Scan(&name, &kind, &place); err != nil {
			return err
		}
		p.columns = append(p.columns, name)
		switch blob := kind == "BLOB"; {
		case !keyed || place == 0:
		case place == 1:
			p.key, p.blob = name, blob
		case place == 2 && !p.blob:
			p.group, p.key, p.blob = p.key, name, blob
		default:
			p.unique = false
		}
		return nil
	})
}

// copyPart copies the rows of an SQL table that can be read.
func (s *salvager) copyPart(ctx context.Context, p *part) error {
	groups, err := s.groups(ctx, p)
	if err != nil {
		return err
	}
	//nolint:gosec // names of migrations
	query := fmt.Sprintf(`INSERT OR IGNORE INTO %s (%s) VALUES (?%s)`,
		p.name, strings.Join(p.columns, ", "), strings.Repeat(", ?", len(p.columns)-1))
	insert, err := s.to.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer insert.Close() //nolint:errcheck // nothing is lost by that
	for _, group := range groups {
		c := copier{salvager: s, part: p, group: group, insert: insert}
		if err := c.copy(ctx); err != nil {
			return err
		}
		if c.whole {
			continue
		}
		if err := s.missing(ctx, p, group); err != nil {
			return err
		}
	}
	return nil
}

// groups returns the values of the column before the key of a part. Each group of rows with the
// same value is copied separately.
func (s *salvager) groups(ctx context.Context, p *part) (all []int64, err error) {
	switch p.group {
	case "":
		return []int64{0}, nil
	case "table_num":
		return numsOf(ctx, s.to, allTables+` UNION SELECT num FROM `+s.deletionsTable(ctx))
	}
	for space := int64(1); space <= 255; space++ {
		all = append(all, space)
	}
	return all, nil
}

// deletionsTable returns the SQL table that has the numbers of deleted tables. Old databases have
// none: then it returns tables.
func (s *salvager) deletionsTable(ctx context.Context) string {
	const find = `SELECT name FROM sqlite_schema WHERE name = 'discards'`
	if s.to.QueryRowContext(ctx, find).Scan(new(string)) != nil {
		return "tables"
	}
	return "discards"
}

// checkKeys makes the row with the keys of the server if that row could not be read.
func (s *salvager) checkKeys(ctx context.Context) error {
	res, err := s.to.ExecContext(ctx, `INSERT OR IGNORE INTO meta (one) VALUES (1)`)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if s.keyless = n > 0; s.keyless {
		s.lose(Damage{
			What: "the keys of this server: " +
				"with other ones it is another server for those that it is linked with",
		})
	}
	return err
}

// removeOrphans removes rows of tables that do not exist: a later table might get their number.
func (s *salvager) removeOrphans(ctx context.Context, all []*part) error {
	for _, p := range all {
		known := map[string]string{
			"entries": `UNION SELECT num FROM ` + s.deletionsTable(ctx), "recent": "", "reigns": "",
			"snapshots": "", "seats": "", "invites": "", "motions": "",
			"chats": "", "passwords": "", "saves": "", "erasures": "", "open_items": "",
			"supplements": "",
		}
		others, has := known[p.name]
		if !has {
			continue
		}
		//nolint:gosec // as above
		remove := fmt.Sprintf(`DELETE FROM %s WHERE table_num NOT IN (SELECT num FROM tables %s)`,
			p.name, others)
		res, err := s.to.ExecContext(ctx, remove)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err == nil && n > 0 {
			s.lose(Damage{What: fmt.Sprintf("%s of tables that are lost: %d rows", wordsFor(p.name),
				n)})
		}
	}
	return nil
}

// copier copies the rows of one SQL table, or those of one group of it.
type copier struct {
	*salvager
	*part
	group  int64
	insert *sql.Stmt

	whole bool
}

// Bounds of keys: integers are above -1, and blobs have 32 bytes at most.
var (
	lowest   = map[bool]*big.Int{false: big.NewInt(-1), true: big.NewInt(0)}
	greatest = map[bool]*big.Int{false: power(63), true: power(256)}
)

// power returns 2^n - 1.
func power(n uint) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, n), one)
}

func (c *copier) copy(ctx context.Context) error {
	at, end := lowest[c.blob], greatest[c.blob]
	c.whole = true
	for at != nil {
		last, _, err := c.scan(ctx, at, end, false)
		if err == nil {
			return nil
		}
		if !isDamage(err) {
			return err
		}
		c.whole = false
		if at, err = c.skipDamage(ctx, last, end); err != nil {
			return err
		}
	}
	return nil
}

// skipDamage continues behind a page that cannot be read. It searches for a key from which the rows
// can be read, twice as far away at each step, and copies the rows in between. It returns the key
// up to which it has copied, or nil at the end.
func (c *copier) skipDamage(ctx context.Context, at, end *big.Int) (*big.Int, error) {
	for step := big.NewInt(1); ; step.Lsh(step, 1) {
		from := new(big.Int).Add(at, step)
		if from.Cmp(end) >= 0 {
			from = end
		}
		last, n, err := c.scan(ctx, from, end, false)
		switch {
		case err != nil && !isDamage(err):
			return nil, err
		case err != nil && n == 0 && from != end:
			continue
		}
		if _, _, down := c.scan(ctx, at, from, true); down != nil && !isDamage(down) {
			return nil, down
		}
		if err == nil || from == end {
			return nil, nil
		}
		return last, nil
	}
}

// scan copies the rows with keys above at and up to end, in ascending order, or descending if down
// is true. It returns the last key that it has read, or at, and the number of rows that it has
// read. It returns room.ErrDamaged if it cannot read on.
func (c *copier) scan(
	ctx context.Context, at, end *big.Int, down bool,
) (last *big.Int, n int, err error) {
	query := `SELECT ` + c.key + `, ` + strings.Join(c.columns, ", ") + ` FROM ` + c.name +
		` WHERE ` + c.key + ` > ? AND ` + c.key + ` <= ?`
	args := []any{c.bound(at), c.bound(end)}
	if c.part.group != "" {
		query, args = query+` AND `+c.part.group+` = ?`, append(args, c.group)
	}
	query += ` ORDER BY ` + c.key
	if down {
		query += ` DESC`
	}
	values := make([]any, 1+len(c.columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	last = at
	err = eachOf(ctx, c.from, query, args, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return damage("a row cannot be read: %w", err)
		}
		key, err := c.number(values[0])
		if order := key.Cmp(last); err == nil && n > 0 &&
			(order == 0 && c.unique || order > 0 == down && order != 0) {
			err = damage("rows are not in order")
		}
		if err != nil {
			return err
		}
		n++
		last = key
		return c.put(ctx, values[1:])
	})
	return last, n, readFault(err)
}

// put stores a row. It skips a row that the SQL table does not allow, and records that the copy is
// not complete.
func (c *copier) put(ctx context.Context, values []any) error {
	_, err := c.insert.ExecContext(ctx, values...)
	var fault *sqlite.Error
	if errors.As(err, &fault) && (fault.Code()&0xff == sqlite3.SQLITE_CONSTRAINT ||
		fault.Code()&0xff == sqlite3.SQLITE_MISMATCH) {
		c.whole = false
		return nil
	}
	return err
}

// bound returns a number as a key.
func (c *copier) bound(n *big.Int) any {
	switch {
	case !c.blob:
		return n.Int64()
	case n.Sign() == 0:
		return []byte{}
	}
	return n.FillBytes(make([]byte, 32))
}

// number returns a key as a number. The numbers of two keys have the same order as the keys.
func (c *copier) number(key any) (*big.Int, error) {
	switch k := key.(type) {
	case int64:
		if !c.blob {
			return big.NewInt(k), nil
		}
	case []byte:
		if c.blob && len(k) <= 32 {
			return new(big.Int).
				SetBytes(append(append(make([]byte, 0, 32), k...), make([]byte, 32-len(k))...)), nil
		}
	}
	return new(big.Int), damage("a key is not of its type")
}
