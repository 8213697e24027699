package storage

import (
	"fmt"
	"testing"

	"holt/server/tables/room"
)

// Clauses: T44.3
func TestT44LoggedBytes(t *testing.T) {
	db := openDir(t, t.TempDir())
	mustCreate(t, db, 1, "one", "three")
	if err := appendTo(t, db, 1, 2, "fourth", "a fifth"); err != nil {
		t.Fatal(err)
	}
	const upTo3 = int64(len("one"+"three"+"fourth")) + 3*room.EntryCost
	if _, l := mustLoad(t, db, 1); l.Logged != 0 || len(l.Entries) != 4 {
		t.Errorf("without a snapshot %d bytes are counted, and there are %d entries",
			l.Logged, len(l.Entries))
	}
	if err := db.SaveSnapshot(t.Context(), tableID(1), 3, []byte("S"), upTo3); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"at once", "after a restart"} {
		if _, l := mustLoad(t, db, 1); l.Logged != upTo3 {
			t.Errorf("%s %d bytes are counted, want %d", when, l.Logged, upTo3)
		}
		db = reopen(t, db)
	}
	// A database of an older version has no count.
	err := db.write(t.Context(), 0, func(t *tx) error {
		if err := t.exec(`UPDATE snapshots SET logged = NULL, sum = NULL`); err != nil {
			return err
		}
		return t.changeTable(1, `unsummed = 4`)
	})
	if err != nil {
		t.Fatal(err)
	}
	db = reopen(t, db) // counting also moves all entries
	if err := appendTo(t, db, 1, 4, "sixth"); err != nil {
		t.Fatal(err)
	}
	if _, l := mustLoad(t, db, 1); l.Logged != upTo3 {
		t.Errorf("of old data %d bytes are counted, want %d", l.Logged, upTo3)
	}
	all, err := db.Tables(t.Context())
	if want := upTo3 + int64(len("a fifth"+"sixth")) + 2*room.EntryCost; err != nil ||
		len(all) != 1 || all[0].Log != want || all[0].State != 1 {
		t.Errorf("the table is listed as %+v, want a log of %d; %v", all, want, fmt.Sprint(err))
	}
}
