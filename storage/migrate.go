package storage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration brings a database from version-1 to version.
type migration struct {
	version int
	name    string
	script  string
}

// migrations are in order, from version 1 without a gap. Released ones never change.
var migrations = mustReadMigrations(migrationFiles)

// latest is the version that this program writes.
var latest = len(migrations)

func mustReadMigrations(files fs.FS) []migration {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		panic(err)
	}
	var list []migration
	for i, name := range names {
		script, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		name = strings.TrimPrefix(name, "migrations/")
		number, _, _ := strings.Cut(name, "_")
		if v, err := strconv.Atoi(number); err != nil || v != i+1 {
			panic(fmt.Sprintf("storage: migration %s: its number should be %d", name, i+1))
		}
		list = append(list, migration{version: i + 1, name: name, script: string(script)})
	}
	return list
}

// knownVersion returns ErrNewer if this program does not know the version of the database at path
// yet, and room.ErrDamaged if no program does.
func knownVersion(path string, version int) error {
	if version < 0 {
		return damage("%s: no database has version %d", path, version)
	}
	if version > latest {
		return fmt.Errorf("%s: %w: it has version %d, this program knows versions up to %d", path,
			ErrNewer, version, latest)
	}
	return nil
}

// checkHeader returns the errors of readHeader, and ErrNewer.
func checkHeader(path string) error {
	v, err := readHeader(path)
	if err != nil {
		return err
	}
	return knownVersion(path, v)
}

// initialise makes the empty file at path a database of the latest version, in one transaction. The
// file is worthless until createFile has flushed it and named it.
func initialise(ctx context.Context, path string) error {
	return withConn(ctx, path, draft, func(conn *sql.Conn) error {
		return inTx(ctx, conn, func(ctx context.Context, tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx,
				fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
				return fmt.Errorf("mark database: %w", err)
			}
			for _, m := range migrations {
				if err := m.apply(ctx, tx); err != nil {
					return fmt.Errorf("apply migration %s: %w", m.name, err)
				}
			}
			return nil
		})
	})
}

// upgrade applies the migrations that the database at path lacks.
func upgrade(ctx context.Context, path string, log *slog.Logger) error {
	// The database keeps its write-ahead log: what a crash has left in it belongs to the database.
	settings := pragmas{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(0)"}
	return withConn(ctx, path, settings, func(conn *sql.Conn) error {
		v, err := version(ctx, conn)
		if err != nil {
			return err
		}
		if err := knownVersion(path, v); err != nil {
			return err
		}
		return migrate(ctx, conn, migrations, log)
	})
}

// migrate applies the migrations of list that the database lacks, each in a transaction of its own.
func migrate(ctx context.Context, conn *sql.Conn, list []migration, log *slog.Logger) error {
	v, err := version(ctx, conn)
	if err != nil {
		return err
	}
	for _, m := range list[min(v, len(list)):] {
		if err := inTx(ctx, conn, m.apply); err != nil {
			return fmt.Errorf("apply migration %s: %w", m.name, err)
		}
		log.Info("database migrated", "version", m.version, "migration", m.name)
	}
	return nil
}

func (m migration) apply(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, m.script); err != nil {
		return err
	}
	if err := noRows(ctx, tx, "PRAGMA foreign_key_check"); err != nil {
		return fmt.Errorf("a reference leads nowhere: %w", err)
	}
	if err := m.fill(ctx, tx); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", m.version))
	return err
}

// fills are the statements that migrations run for each table after their script, by version. ?1 is
// the number of the table.
var fills = map[int][]string{
	14: {`UPDATE tables SET last = max(
		coalesce((SELECT max(position) FROM entries WHERE table_num = ?1), 0),
		coalesce((SELECT max(position) FROM recent WHERE table_num = ?1), 0)) WHERE num = ?1`},
	15: {
		`UPDATE tables SET sum = ` + sumOfTable + ` WHERE num = ?1`,
		`UPDATE seats SET sum = ` + sumOfSeat + ` WHERE table_num = ?1`,
		`UPDATE invites SET sum = ` + sumOfInvite + ` WHERE table_num = ?1`,
	},
}

// fill runs these statements for each table separately, so that a damaged table does not affect the
// others.
func (m migration) fill(ctx context.Context, tx *sql.Tx) error {
	if fills[m.version] == nil {
		return nil
	}
	nums, err := numsOf(ctx, tx, allTables)
	if err != nil && !isDamage(readFault(err)) {
		return err
	}
	for _, num := range nums {
		for _, query := range fills[m.version] {
			if err := execUnlessDamaged(ctx, tx, query, num); err != nil {
				return err
			}
		}
	}
	return nil
}

// execUnlessDamaged runs a statement. If what it would have to read or change is damaged, it
// changes nothing and returns no error.
func execUnlessDamaged(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT spared`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, query, args...)
	if err != nil && isDamage(readFault(err)) {
		_, err = tx.ExecContext(ctx, `ROLLBACK TO spared`)
	}
	_, errRelease := tx.ExecContext(ctx, `RELEASE spared`)
	return errors.Join(err, errRelease)
}

func version(ctx context.Context, conn *sql.Conn) (int, error) {
	var v int
	if err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return 0, fmt.Errorf("read version of database: %w", err)
	}
	return v, nil
}

// withConn runs do on a connection of its own, and closes it.
func withConn(
	ctx context.Context, path string, settings pragmas, do func(*sql.Conn) error,
) (err error) {
	return withConnOf(ctx, open(path, 1, settings), path, do)
}

// withConnOf is withConn for the only connection of db. It closes db.
func withConnOf(
	ctx context.Context, db *sql.DB, path string, do func(*sql.Conn) error,
) (err error) {
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return do(conn)
}

// noRows returns an error if the query finds something.
func noRows(ctx context.Context, q querier, query string) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err returns the error
	if rows.Next() {
		return errors.New("a check has failed: " + query)
	}
	return rows.Err()
}
