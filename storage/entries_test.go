package storage

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"holt/server/tables/room"
)

// entriesOf returns the entries that Entries passes to its callback, and the number that it
// returns.
func entriesOf(t *testing.T, db *DB, table int,
	after room.Position, limit int) (all []string, n int) {
	t.Helper()
	n, err := db.Entries(t.Context(), tableID(table), after, limit, func(body []byte) error {
		all = append(all, string(body))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, n
}

func TestEntries(t *testing.T) {
	db := openDir(t, t.TempDir())
	if err := limit(db, limits{rows: 1_000, bytes: 1 << 20, few: 4}); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, db, 1, "a", "b", "c", "d") // moved at once
	if err := appendTo(t, db, 1, 4, "e"); err != nil {
		t.Fatal(err)
	}
	if err := appendTo(t, db, 1, 5, "f", "g"); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, db, 2, "1")
	if stay := rowsOf(t, db, "recent"); stay < 3 {
		t.Fatalf("%d rows in recent: nothing is shown", stay)
	}
	whole := []string{"a", "b", "c", "d", "e", "f", "g"}
	for after := range len(whole) + 1 {
		for most := range len(whole) + 2 {
			if most == 0 {
				continue
			}
			want := whole[after:min(after+most, len(whole))]
			got, n := entriesOf(t, db, 1, room.Position(after), most)
			if n != len(want) || !slices.Equal(got, want) {
				t.Errorf("after %d, %d at most: %d, %v, want %v", after, most, n, got, want)
			}
		}
	}
	t.Run("an error ends it and is returned", func(t *testing.T) {
		enough := errors.New("enough")
		n, err := db.Entries(t.Context(), tableID(1), 1, 10, func(body []byte) error {
			if string(body) == "c" {
				return fmt.Errorf("%s: %w", body, enough)
			}
			return nil
		})
		if n != 2 || !errors.Is(err, enough) {
			t.Errorf("%d, %v", n, err)
		}
	})
	t.Run("no such table", func(t *testing.T) {
		_, err := db.Entries(t.Context(), tableID(9), 0, 1, func([]byte) error { return nil })
		wantErr(t, err, room.ErrNoTable)
	})
}
