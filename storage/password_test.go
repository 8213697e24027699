package storage

import (
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// TestPasswords shows what is stored of passwords.
// Clauses: T68.3, T68.7
func TestPasswords(t *testing.T) {
	db := openDir(t, t.TempDir())
	for n, hash := range map[int]string{1: "one", 2: "two"} {
		mustCreate(t, db, n, "one")
		if err := db.Append(t.Context(), room.Append{
			Table: tableID(n), Expect: 1, Password: &hash,
		}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, n int, want string) {
		t.Helper()
		row, err := db.Table(t.Context(), tableID(n))
		if err != nil || row.Password != want {
			t.Errorf("%s: table %d has %q, %v, want %q", what, n, row.Password, err, want)
		}
	}
	want("T68.3 as it was set", 1, "one")
	harm(t, db, `UPDATE passwords SET hash = '' WHERE table_num = 1`)
	want("T68.7 a damaged one", 1, room.LostPassword)
	none := ""
	if err := db.Append(t.Context(), room.Append{
		Table: tableID(1), Expect: 1, Password: &none,
	}); err != nil {
		t.Fatal(err)
	}
	want("T68.3 removed", 1, "")
	want("T68.3 of another table", 2, "two")
	if err := db.DeleteTable(t.Context(), room.Deletion{
		Table: tableID(2), Expect: 1, At: id.Millis(1),
	}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := db.read.QueryRowContext(t.Context(),
		`SELECT count(*) FROM passwords`).Scan(&left); err != nil || left != 0 {
		t.Errorf("T68.3 %d passwords are left, %v", left, err)
	}
}
