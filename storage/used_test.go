package storage

import (
	"errors"
	"testing"

	"holt/server/id"
	"holt/server/tables/room"
)

// Clauses: T50.5
func TestT50Used(t *testing.T) {
	db := openDir(t, t.TempDir())
	for n := range 3 {
		mustCreate(t, db, n+1, "e")
	}
	err := db.write(t.Context(), 0, func(t *tx) error {
		err := t.exec(
			`UPDATE tables SET used = CASE WHEN oid = ? THEN NULL ELSE 50 END`, blobID(3))
		return errors.Join(err, t.exec(`UPDATE tables SET sum = `+sumOfTable))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Touch(t.Context(), tableID(2), 200); err != nil {
		t.Fatal(err)
	}
	wantErr(t, db.Touch(t.Context(), tableID(9), 1), room.ErrNoTable)
	unused := func(before, now id.Millis, want ...int) {
		t.Helper()
		all, err := db.Unused(t.Context(), before, now)
		if err != nil || len(all) != len(want) {
			t.Fatalf("before %d: %v, %v", before, all, err)
		}
		for i, n := range want {
			if all[i] != tableID(n) {
				t.Errorf("before %d: %v, want %v", before, all, want)
			}
		}
	}
	unused(100, 1000, 1)
	db = reopen(t, db)
	unused(300, 5000, 1, 2) // nobody knew when the third was used, so its time counts from 1000 on
	unused(1001, 5000, 1, 2, 3)
	if row, err := db.Table(t.Context(), tableID(2)); err != nil || row.Used != 200 {
		t.Errorf("the second was used at %d, %v", row.Used, err)
	}
}

func blobID(n int) []byte {
	oid := tableID(n)
	return oid[:]
}
