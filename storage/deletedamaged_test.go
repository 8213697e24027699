package storage

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"holt/server/tables/room"
)

// leftOf returns the SQL tables that have rows of table number 1.
func leftOf(t *testing.T, db *DB) (all []string) {
	t.Helper()
	for _, name := range texts(t, db, `
		SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'
		AND c.name = 'table_num'`) {
		if n := texts(t, db, `SELECT count(*) FROM `+name+` WHERE table_num = 1`); n[0] != "0" {
			all = append(all, name)
		}
	}
	return append(all, texts(t, db,
		`SELECT 'tables' FROM tables WHERE num = 1 UNION ALL SELECT 'discards' FROM discards`)...)
}

// ofTable2 returns the rows of table number 2.
func ofTable2(t *testing.T, db *DB) (rows []string) {
	t.Helper()
	for name, all := range everything(t, db) {
		for _, row := range all {
			if name != "recent" && strings.Contains(row, "num=2") {
				rows = append(rows, name+" "+row)
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// Clauses: T42.15
func TestFindingR10DiscardDamaged(t *testing.T) {
	for name, query := range map[string]string{
		"an entry":         `UPDATE entries SET body = x'00' WHERE table_num = 1 AND position = 3`,
		"a missing entry":  `DELETE FROM entries WHERE table_num = 1 AND position = 3`,
		"all entries":      `DELETE FROM entries WHERE table_num = 1`,
		"a snapshot":       `UPDATE snapshots SET body = x'00' WHERE table_num = 1`,
		"a row":            `UPDATE tables SET title = 'Other' WHERE num = 1`,
		"a row's base":     `UPDATE tables SET base = 1000 WHERE num = 1`,
		"a row's checksum": `UPDATE tables SET sum = NULL WHERE num = 1`,
		"a row's number": `UPDATE tables SET bound = (SELECT bound FROM tables WHERE num = 2)
			WHERE num = 1`,
		"a row's catalogue": `UPDATE tables SET catalog = zeroblob(32) WHERE num = 1`,
		"the catalogue": `UPDATE blobs SET data = x'00'
			WHERE hash = (SELECT catalog FROM tables WHERE num = 1)`,
		"a missing catalogue": `DELETE FROM blobs
			WHERE hash = (SELECT catalog FROM tables WHERE num = 1)`,
		"a seat":    `UPDATE seats SET sum = 0 WHERE table_num = 1`,
		"an invite": `UPDATE invites SET sum = 0 WHERE table_num = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := openDir(t, t.TempDir())
			full(t, db, 1, 20)
			full(t, db, 2, 20)
			db = reopen(t, db)
			mustCreate(t, db, 3) // moves recent entries
			harm(t, db, query)
			db = reopen(t, db)
			others := ofTable2(t, db)
			d := room.Deletion{Table: tableID(1), Damaged: true, At: 5,
				Owed: []room.Owed{{Set: tableID(77), Doc: []byte("as it lay")}}}
			if err := db.DeleteTable(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			_, err := db.Table(t.Context(), tableID(1))
			wantErr(t, err, room.ErrGone)
			wantErr(t, db.DeleteTable(t.Context(), d), room.ErrGone)
			if all, err := db.DeletedTables(t.Context()); err != nil || len(all) != 1 ||
				len(all[0].Owed) != 1 {
				t.Errorf("left to be done is %+v, %v", all, err)
			}
			if err := db.SetReturned(t.Context(), tableID(1), tableID(77)); err != nil {
				t.Fatal(err)
			}
			finish(t, db, 1)
			if left := leftOf(t, db); left != nil {
				t.Errorf("something is left in %v", left)
			}
			if diff := cmp.Diff(others, ofTable2(t, db)); len(others) < 20 || diff != "" {
				t.Errorf("the other table has changed: %s", diff)
			}
			if err := appendTo(t, db, 2, lengthOf(t, db, 2), "more"); err != nil {
				t.Errorf("the other table: %v", err)
			}
		})
	}
	t.Run("data that may be another table's is not deleted", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		full(t, db, 1, 3)
		harm(t, db, `INSERT INTO discards (num, oid, thrown) VALUES (1, zeroblob(16), 0)`)
		bringNotes(t, db)
		before := everything(t, db)
		wantErr(t, db.DeleteTable(t.Context(), room.Deletion{Table: tableID(1), Damaged: true}),
			room.ErrDamaged)
		if diff := cmp.Diff(before, everything(t, db)); diff != "" {
			t.Errorf("it has changed: %s", diff)
		}
		wantErr(t, db.DeleteTable(t.Context(), room.Deletion{Table: tableID(9), Damaged: true}),
			room.ErrNoTable)
	})
}
