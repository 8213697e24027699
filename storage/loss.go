package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"holt/server/id"
)

// A database that was rebuilt from a damaged one says so: in the SQL table losses, which no other
// database has. So nobody takes it for a complete one, neither as a backup nor while it is served.

// words name the rows of SQL tables in plain words. A table is listed if nothing else shows that
// rows of it are lost.
var words = map[string]string{ //nolint:gosec // no secrets
	"tables":           "tables",
	"entries":          "entries",
	"recent":           "the latest entries of tables",
	"snapshots":        "snapshots",
	"motions":          "recorded motion of tables",
	"saves":            "save points of tables",
	"open_items":       "open questions and rounds of tables",
	"chats":            "texts of the chat of tables",
	"erasures":         "notes of what is to be erased",
	"passwords":        "passwords of tables",
	"supplements":      "rules, languages and credits of the games of tables",
	"seats":            "tokens of seats",
	"invites":          "links to tables",
	"sitters":          "who sits where",
	"ends":             "notes of how long logs are",
	"lives":            "starts of the server",
	"reigns":           "in which start entries were written",
	"library_games":    "games that people have brought",
	"library_versions": "which games of people are versions of one",
	"blobs":            "pictures and catalogues",
	"objects":          "records of objects",
	"set_names":        "names of sets",
	"peer_links":       "links with other servers",
	"peer_cards":       "cards of other servers",
	"peer_invitations": "invitations of servers",
	"persons":          "persons",
	"person_tokens":    "browsers of persons",
	"person_keys":      "keys of persons",
	"visits":           "visits of persons",
	"vouchers":         "vouchers that were used",
	"discards":         "tables that were thrown away",
	"owed_sets":        "sets to be given back",
	"tombstones":       "links to tables that were thrown away",
	"meta":             "the keys of this server",
}

func wordsFor(name string) string {
	if w, ok := words[name]; ok {
		return w
	}
	return name
}

// lose records a loss. Beyond maxDamage it only counts.
func (s *salvager) lose(d Damage) {
	if len(s.lost) == maxDamage {
		s.more++
		return
	}
	s.lost = append(s.lost, d)
}

// missing records that a part, or a group of it, could not be copied completely.
func (s *salvager) missing(ctx context.Context, p *part, group int64) error {
	switch {
	case p.name == "tables":
		return s.missingTables(ctx)
	case p.name == "meta": // see checkKeys
	case p.group == "table_num":
		var oid []byte
		// a deleted table has none
		_ = s.to.QueryRowContext(ctx, `SELECT oid FROM tables WHERE num = ?`, group).Scan(&oid)
		s.lose(Damage{
			Table: oidOf(oid), What: "some of its rows could not be read: " + wordsFor(p.name),
		})
	default:
		s.lose(Damage{What: "some rows could not be read: " + wordsFor(p.name)})
	}
	switch p.name {
	case "lives":
		return s.lostLives(ctx)
	case "objects":
		return restartObjects(ctx, s.to)
	case "passwords":
		return losePasswords(ctx, s.to)
	case "motions":
		return s.dropBeforeGap(ctx, group)
	}
	return nil
}

// dropBeforeGap removes the recorded motion of a table before the last chunk that is lost: readers
// stop at a gap.
func (s *salvager) dropBeforeGap(ctx context.Context, num int64) error {
	_, err := s.to.ExecContext(ctx, `
		DELETE FROM motions WHERE table_num = ?1 AND position < (
			SELECT max(position) FROM motions m WHERE table_num = ?1 AND NOT EXISTS (
				SELECT 1 FROM motions WHERE table_num = ?1 AND position = m.position - 1))`, num)
	return err
}

// missingTables makes rows for tables of which only an index is left. These rows have no checksum,
// so they count as damaged: whoever asks for such a table learns that, and no other table gets its
// number.
func (s *salvager) missingTables(ctx context.Context) error {
	const known = `
		SELECT rowid, oid FROM tables INDEXED BY sqlite_autoindex_tables_1 WHERE oid > x'' ORDER BY oid`
	const insert = `
		INSERT OR IGNORE INTO tables (num, oid, epoch, game, title, width, height, surface, catalog,
			created, invite_version)
		VALUES (?, ?, 1, '', '', 1, 1, '', zeroblob(32), 0, 0)`
	s.lose(Damage{What: "the rows of some tables could not be read"})
	for _, query := range []string{known, known + ` DESC`} {
		err := eachOf(ctx, s.from, query, nil, func(rows *sql.Rows) error {
			var num int64
			var oid []byte
			if err := rows.Scan(&num, &oid); err != nil {
				return err
			}
			if len(oid) != len(id.OID{}) || num <= 0 {
				return damage("a table has no identifier")
			}
			res, err := s.to.ExecContext(ctx, insert, num, oid)
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err == nil && n > 0 {
				s.lose(Damage{Table: oidOf(oid), What: "its row could not be read"})
			}
			return nil
		})
		if err != nil && !isDamage(readFault(err)) {
			return err
		}
	}
	return nil
}

// lostLives keeps the next start of the server from getting the number of a lost server life.
func (s *salvager) lostLives(ctx context.Context) error {
	const insert = `
		INSERT INTO lives (num, life) SELECT 1 + max(num), randomblob(16) FROM (
			SELECT 0 AS num UNION SELECT max(num) FROM lives UNION SELECT max(life_num) FROM reigns
			UNION SELECT max(renewed) FROM tables
		) WHERE num < 1 << 40`
	_, err := s.to.ExecContext(ctx, insert)
	return err
}

// restartObjects makes the objects of a database begin a new life, as after a restore: linked
// servers are asked what has become of objects that are no longer known (O11).
func restartObjects(ctx context.Context, e execer) error {
	_, err := e.ExecContext(ctx, `UPDATE meta SET restored = 1`)
	return err
}

// noteLosses writes into the copy what is lost now, and what was lost before.
func (s *salvager) noteLosses(ctx context.Context) error {
	before, err := lossesOf(ctx, s.from)
	if err != nil && !isDamage(readFault(err)) {
		return err
	}
	if s.more > 0 {
		s.lost = append(s.lost, Damage{What: fmt.Sprintf("and %d more like these", s.more)})
	}
	all := slices.Concat(before, s.lost)
	if len(all) == 0 {
		return nil
	}
	const create = `
		CREATE TABLE losses (num INTEGER PRIMARY KEY, oid BLOB NOT NULL, what TEXT NOT NULL) STRICT`
	if _, err := s.to.ExecContext(ctx, create); err != nil {
		return err
	}
	for _, d := range all {
		if _, err := s.to.ExecContext(ctx, `INSERT INTO losses (oid, what) VALUES (?, ?)`,
			d.Table[:], d.What); err != nil {
			return err
		}
	}
	return nil
}

// lossesOf returns what a database has lost when it was rebuilt.
func lossesOf(ctx context.Context, q fullQuerier) (all []Damage, err error) {
	switch err := q.QueryRowContext(ctx, `SELECT name FROM sqlite_schema WHERE name = 'losses'`).
		Scan(new(string)); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	}
	err = eachOf(ctx, q, `SELECT oid, what FROM losses ORDER BY num`, nil,
		func(rows *sql.Rows) error {
			var oid []byte
			var d Damage
			if err := rows.Scan(&oid, &d.What); err != nil {
				return err
			}
			d.Table = oidOf(oid)
			all = append(all, d)
			return nil
		})
	return all, err
}

// oidOf returns the identifier in a column, or zero.
func oidOf(b []byte) (oid id.OID) {
	if len(b) == len(oid) {
		oid = id.OID(b)
	}
	return oid
}

// AcceptLosses deletes the list of what the database in dir has lost when it was rebuilt, and
// removes the damaged objects. It returns ErrInUse while a server has dir open.
func AcceptLosses(ctx context.Context, dir string) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, fileName)
	if _, err := readHeader(path); err != nil {
		return err
	}
	lock, err := lockDirectory(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	err = acceptIn(ctx, path)
	if !isCorrupt(err) {
		return err
	}
	if err := rebuild(ctx, dir, err, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	return acceptIn(ctx, path)
}

// acceptIn is AcceptLosses for a database of which every page can be read.
func acceptIn(ctx context.Context, path string) error {
	return withConn(ctx, path, writing, func(conn *sql.Conn) error {
		v, err := version(ctx, conn)
		if err == nil && v == latest { // otherwise no server of this version has read the objects yet
			err = inTx(ctx, conn, removeDamagedObjects)
		}
		if err == nil {
			_, err = conn.ExecContext(ctx, `DROP TABLE IF EXISTS losses`)
		}
		return err
	})
}

// removeDamagedObjects removes the objects that do not match their checksums.
func removeDamagedObjects(ctx context.Context, tx *sql.Tx) error {
	res, err := tx.ExecContext(ctx,
		`DELETE FROM objects WHERE sum <> object_sum(space, oid, value)`)
	if err != nil {
		return fmt.Errorf("remove damaged objects: %w", err)
	}
	n, err := res.RowsAffected()
	if err == nil && n > 0 {
		err = restartObjects(ctx, tx)
	}
	return err
}
