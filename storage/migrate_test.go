package storage

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"holt/server/tables/room"
)

// A database of every released version is migrated to the latest version and keeps its content.
func TestMigrateFromEachVersion(t *testing.T) {
	for from := 1; from <= latest; from++ {
		t.Run(fmt.Sprintf("version %d", from), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			writeFile(t, path, nil)
			if err := withConn(t.Context(), path, alone, func(conn *sql.Conn) error {
				if _, err := conn.ExecContext(t.Context(),
					fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
					return err
				}
				if err := migrate(t.Context(), conn, migrations[:from],
					slog.New(slog.DiscardHandler)); err != nil {
					return err
				}
				// These are the columns of version 1.
				if _, err := conn.ExecContext(t.Context(), `
					INSERT INTO tables (num, oid, epoch, game, title, width, height, surface, catalog, created,
						invite_version)
					VALUES (1, x'00000000000000000000000000000001', 5, 'chess', 'Old', 1, 1, 'felt',
						zeroblob(32), 9, 1);
					INSERT INTO entries (table_num, position, body) VALUES (1, 1, x'61'), (1, 2, x'62');
					INSERT INTO seats (table_num, token, seat) VALUES (1, zeroblob(32), 4);
					INSERT INTO invites (table_num, token, role) VALUES (1, zeroblob(32), 2);
					UPDATE meta SET oid_ceiling = 77`); err != nil || from < 2 {
					return err
				}
				// Version 2 may have ended in the middle of its work: two entries have moved and
				// are still in recent, others have not moved.
				_, err := conn.ExecContext(t.Context(), `
					INSERT INTO recent (seq, table_num, position, body)
					VALUES (7, 1, 1, x'61'), (8, 1, 2, x'62'), (9, 2, 1, x'7a'), (10, 1, 3, x'63');
					INSERT INTO tables (num, oid, epoch, game, title, width, height, surface, catalog, created,
						invite_version)
					VALUES (2, x'00000000000000000000000000000002', 6, 'chess', 'Other', 1, 1, 'felt',
						zeroblob(32), 9, 1)`)
				if err == nil && from >= 12 { // its rows are older than checksums
					_, err = conn.ExecContext(t.Context(), `UPDATE tables SET unsummed = 3`)
				}
				if err == nil && from >= 15 {
					_, err = conn.ExecContext(t.Context(),
						`UPDATE tables SET sum = `+sumOfTable+`; UPDATE seats SET sum = `+
							sumOfSeat+`; UPDATE invites SET sum = `+sumOfInvite)
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			db := openDir(t, dir)
			want := []string{"a", "b"}
			if from >= 2 {
				want = append(want, "c")
			}
			if from < 14 {
				if least, err := recordedLength(t.Context(), db.read, 1); err != nil ||
					int(least) != len(want) {
					t.Errorf("it is noted that the log has %d entries, %v", least, err)
				}
			}
			if s, err := db.SeatByToken(t.Context(), tableID(1), room.Hash{}); err != nil ||
				s.Seat != 4 {
				t.Errorf("the seat is %+v, %v", s, err)
			}
			if i, err := db.InviteByToken(t.Context(), room.Hash{}); err != nil ||
				i.Table != tableID(1) || i.Role != 2 {
				t.Errorf("the invite is %+v, %v", i, err)
			}
			for range 2 { // as found, and after the writer has worked on it
				if got, l := mustLoad(t, db, 1); !cmp.Equal(got, want) || l.Row.Epoch != 5 {
					t.Errorf("loaded %q %+v, want %q", got, l, want)
				}
				if err := appendTo(t, db, 1, room.Position(len(want)), "next"); err != nil {
					t.Fatal(err)
				}
				want = append(want, "next")
			}
			if log := wholeLog(t, db, 2); from >= 2 && !cmp.Equal(log, []string{"z"}) {
				t.Errorf("the other log is %q", log)
			}
			if floor, err := db.OIDFloor(t.Context()); err != nil || floor != 77 {
				t.Errorf("floor is %d, %v", floor, err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if got := binary.BigEndian.Uint32(readFile(t, path)[60:]); int(got) != latest {
				t.Errorf("version is %d, want %d", got, latest)
			}
		})
	}
}

func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), fileName)
	makeDatabase(t, path, "CREATE TABLE t (a)")
	list := mustReadMigrations(fstest.MapFS{
		"migrations/0001_a.sql": {Data: []byte("INSERT INTO t VALUES (1)")},
		"migrations/0002_b.sql": {Data: []byte("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")},
		"migrations/0003_c.sql": {
			Data: []byte("INSERT INTO t VALUES (4); INSERT INTO nowhere VALUES (5)"),
		},
	})
	ctx := context.Background()
	state := func(conn *sql.Conn) (v, sum int) {
		t.Helper()
		if err := conn.QueryRowContext(ctx,
			"SELECT user_version, (SELECT sum(a) FROM t) FROM pragma_user_version").Scan(
			&v, &sum); err != nil {
			t.Fatal(err)
		}
		return v, sum
	}
	if err := withConn(ctx, path, alone, func(conn *sql.Conn) error {
		log := slog.New(slog.DiscardHandler)
		if err := migrate(ctx, conn, list[:1], log); err != nil {
			return err
		}
		err := migrate(ctx, conn, list, log)
		if err == nil || !strings.Contains(err.Error(), "0003_c.sql") {
			t.Errorf("error is %v", err)
		}
		if v, sum := state(conn); v != 2 || sum != 6 {
			t.Errorf("version %d with %d: each migration happens once and whole", v, sum)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Run("a gap in the numbers is noticed when the program starts", func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		mustReadMigrations(fstest.MapFS{"migrations/0002_b.sql": {}})
	})
}
