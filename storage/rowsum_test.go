package storage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// mustSeat creates table n with tokens of seats 1 and 2 and an invite for players.
func mustSeat(t *testing.T, db *DB, n int) {
	t.Helper()
	err := db.CreateTable(t.Context(), room.NewTable{
		Row: rowOf(n), Entries: raw("a", "b"),
		Seats: []room.SeatRow{{Token: token(n, "one"), Seat: 1},
			{Token: token(n, "two"), Seat: 2}},
		Invites: []room.InviteRow{{Token: token(n, "player"), Table: tableID(n), Role: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantChecked checks that Check reports damage of table n that begins with what.
func wantChecked(t *testing.T, db *DB, n int, what string) {
	t.Helper()
	r, err := Check(t.Context(), db.dir, nil)
	if err != nil || !slices.ContainsFunc(r.Damage, func(d Damage) bool {
		return d.Table == tableID(n) && strings.HasPrefix(d.What, what)
	}) {
		t.Errorf("check finds %+v, %v; want %q", r.Damage, err, what)
	}
}

// Clauses: T58.8, T58.9
func TestFindingR10DamagedSeat(t *testing.T) {
	const ofOne = ` WHERE table_num = 1 AND seat = 1`
	hash := token(1, "one")
	for name, query := range map[string]string{
		"a changed bit of the hash": fmt.Sprintf(`UPDATE seats SET token = x'00%x'`, hash[1:]),
		"another seat's number":     `UPDATE seats SET seat = 2`,
		"a changed checksum":        `UPDATE seats SET sum = sum + 1`,
		"no checksum":               `UPDATE seats SET sum = NULL`,
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			mustSeat(t, db, 1)
			mustSeat(t, db, 2)
			harm(t, db, query+ofOne)
			for _, who := range []room.Hash{hash, room.Hash(append([]byte{0}, hash[1:]...))} {
				_, err := db.SeatByToken(t.Context(), tableID(1), who)
				wantErr(t, err, room.ErrNoSeat)
			}
			for n, who := range map[int]string{1: "two", 2: "one"} {
				if _, err := db.SeatByToken(t.Context(), tableID(n), token(n, who)); err != nil {
					t.Errorf("another seat: %v", err)
				}
			}
			_, l := mustLoad(t, db, 1)
			if want := []string{
				"1 of the tokens of its seats are not what was written"}; !slices.Equal(
				l.Faults, want) {
				t.Errorf("the table says %q", l.Faults)
			}
			if _, l := mustLoad(t, db, 2); l.Faults != nil {
				t.Errorf("the other table says %q", l.Faults)
			}
			wantChecked(t, db, 1, "the token of seat ")
			t.Run("a host makes a link back into the seat", func(t *testing.T) {
				again := room.SeatRow{Token: token(1, "again"), Seat: 1}
				if err := db.Append(t.Context(), room.Append{Table: tableID(1), Expect: 2,
					Entries: raw("c"),
					Voided:  []id.Seat{1}, Seats: []room.SeatRow{again}}); err != nil {
					t.Fatal(err)
				}
				if s, err := db.SeatByToken(t.Context(), tableID(1), again.Token); err != nil ||
					s.Seat != 1 {
					t.Errorf("it leads to %+v, %v", s, err)
				}
			})
		})
	}
}

// Clauses: T58.8, T58.9
func TestFindingR10DamagedInvite(t *testing.T) {
	for name, query := range map[string]string{
		"another role":     `UPDATE invites SET role = 1 WHERE table_num = 1`,
		"another table":    `UPDATE invites SET table_num = 2 WHERE table_num = 1`,
		"a changed hash":   `UPDATE invites SET token = zeroblob(32) WHERE table_num = 1`,
		"a false checksum": `UPDATE invites SET sum = 0 WHERE table_num = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			db := openDir(t, t.TempDir())
			mustSeat(t, db, 1)
			mustSeat(t, db, 2)
			harm(t, db, query)
			for _, secret := range []room.Hash{token(1, "player"), {}} {
				_, err := db.InviteByToken(t.Context(), secret)
				wantErr(t, err, room.ErrNoInvite)
			}
			if i, err := db.InviteByToken(t.Context(), token(2, "player")); err != nil ||
				i.Table != tableID(2) {
				t.Errorf("the other table's leads to %+v, %v", i, err)
			}
			at := 1
			if name == "another table" {
				at = 2
			}
			wantChecked(t, db, at, "the invite of role ")
			if _, l := mustLoad(t, db, at); len(l.Faults) != 1 {
				t.Errorf("the table says %q", l.Faults)
			}
			renewed := []room.InviteRow{{Token: token("new"), Table: tableID(1), Role: 2}}
			if err := renewInvites(t.Context(), db, tableID(1), 2, renewed); err != nil {
				t.Fatal(err)
			}
			if i, err := db.InviteByToken(t.Context(), token("new")); err != nil ||
				i != renewed[0] {
				t.Errorf("a new one leads to %+v, %v", i, err)
			}
		})
	}
}

// Clauses: T58.7
func TestFindingR10DamagedTableRow(t *testing.T) {
	for _, change := range []string{
		`title = 'Another'`, `title = title || char(0) || 'x'`, `title = ''`, `epoch = epoch - 1`,
		`game = 'go'`, `width = width + 1`, `surface = 'wood'`,
		`catalog = zeroblob(32)`, `created = created + 1`, `invite_version = 7`, `base = 1`,
		`used = 1`, `renewed = 0`,
		`unsummed = 1`, `bound = bound + 1`, `last = 1`, `sum = NULL`,
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			db := openDir(t, t.TempDir())
			mustSeat(t, db, 1)
			mustSeat(t, db, 2)
			harm(t, db, `UPDATE tables SET `+change+` WHERE num = 1`)
			for range 2 {
				_, err := db.Table(t.Context(), tableID(1))
				wantErr(t, err, room.ErrDamaged)
				_, err = db.Load(t.Context(), tableID(1), 0)
				wantErr(t, err, room.ErrDamaged)
				wantChecked(t, db, 1, "what is known of it cannot be read")
				db = reopen(t, db) // nothing gives it a new checksum
				wantErr(t, appendTo(t, db, 1, 2, "c"), room.ErrDamaged)
				wantErr(t, db.Touch(t.Context(), tableID(1), 9), room.ErrDamaged)
			}
			wantErr(t, db.Renew(t.Context(), tableID(1), 5), room.ErrDamaged)
			if all, err := db.Unused(t.Context(), 1<<40, 1<<41); err != nil ||
				slices.Contains(all, tableID(1)) {
				t.Errorf("it is deleted as unused: %v, %v", all, err)
			}
			if _, err := db.Table(t.Context(), tableID(2)); err != nil {
				t.Errorf("the other table: %v", err)
			}
			if err := errors.Join(appendTo(t, db, 2, 2, "c"),
				db.Touch(t.Context(), tableID(2), 9)); err != nil {
				t.Errorf("the other table: %v", err)
			}
		})
	}
}

// Every change of a table's row updates its checksum.
func TestRowSums(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustSeat(t, db, 1)
	art := blobOf("catalogue")
	steps := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			return db.Append(ctx, room.Append{
				Table: tableID(1), Expect: 2, Entries: raw("c"), Catalog: &art.Hash,
				Blobs:    []room.Blob{art},
				Settings: &room.Settings{Title: "New", Width: 5, Height: 6, Surface: "wood"},
			})
		},
		func(ctx context.Context) error { return db.Touch(ctx, tableID(1), 77) },
		func(ctx context.Context) error { return db.Renew(ctx, tableID(1), 12) },
		func(ctx context.Context) error { return renewInvites(ctx, db, tableID(1), 3, nil) },
		func(ctx context.Context) error {
			return db.DropHistory(ctx, room.Dropping{Table: tableID(1), Expect: 3, Base: 1,
				Snapshot: []byte("S")})
		},
		func(ctx context.Context) error {
			file, dir := filepath.Join(t.TempDir(), "saved"), t.TempDir()
			if err := db.Backup(ctx, file); err != nil {
				return err
			}
			if _, err := Restore(ctx, dir, file, "old.db"); err != nil {
				return err
			}
			_, err := openDir(t, dir).Table(ctx, tableID(1))
			return err
		},
	}
	for i, step := range steps {
		if err := step(t.Context()); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		db = reopen(t, db)
		if _, err := db.Table(t.Context(), tableID(1)); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
	if r, err := Check(t.Context(), db.dir, nil); err != nil || len(r.Damage) != 0 {
		t.Errorf("check finds %v, %v", r.Damage, err)
	}
}
