package storage

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"holt/server/tables/library"
	"holt/server/tables/room"
)

// keepVersion keeps a game as the next version of another one.
func keepVersion(t *testing.T, db *DB, game, of byte, bytes int64, q library.Quota) error {
	t.Helper()
	row, blobs := gameOf(1, game, bytes)
	row.Of, row.Who, row.Note = room.Hash{of}, "Ada", fmt.Sprint("Note ", game)
	_, err := db.KeepGame(t.Context(), row, blobs, q)
	return err
}

// lines returns the games of a library, each with the first byte of its line.
func lines(t *testing.T, db *DB) (all []string) {
	t.Helper()
	rows, err := db.LibraryGames(t.Context(), room.Hash{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		all = append(all, fmt.Sprint(row.Game[0], " of ", row.Line[0], " ", row.Who, " ", row.Note))
	}
	return all
}

// TestT107Versions shows what is stored of the versions of games, and what becomes of them.
// Clauses: T107.1, T107.3, T107.4, T107.5
func TestT107Versions(t *testing.T) {
	t.Run("T107.1, T107.3 versions have one line, and an older one becomes the newest",
		func(t *testing.T) {
			dir := t.TempDir()
			db := openDir(t, dir)
			mustKeep(t, db, 1, 7, 10)
			mustKeep(t, db, 1, 9, 10)
			for game, of := range map[byte]byte{8: 7, 6: 9} {
				if err := keepVersion(t, db, game, of, 10, plenty); err != nil {
					t.Fatal(err)
				}
			}
			if err := keepVersion(t, db, 5, 8, 10, plenty); err != nil {
				t.Fatal(err)
			}
			db = reopen(t, db)
			want := []string{
				"6 of 9 Ada Note 6", "5 of 7 Ada Note 5", "9 of 0  ", "8 of 7 Ada Note 8", "7 of 0  ",
			}
			if got := lines(t, db); !slices.Equal(got, want) {
				t.Errorf("T107.1 the library has %q, want %q", got, want)
			}
			was, err := db.BringBack(t.Context(), room.Hash{1}, room.Hash{7}, 1)
			if got := lines(t, db); err != nil || !was || got[0] != "7 of 0  " && got[1] != "7 of 0  " {
				t.Errorf("T107.3 the library has %q, %t, %v", got, was, err)
			}
			if was, err := db.BringBack(t.Context(), room.Hash{2}, room.Hash{7}, 1); was || err != nil {
				t.Errorf("T107.3 of another library: %t, %v", was, err)
			}
			if was, err := db.ForgetGame(t.Context(), room.Hash{1}, room.Hash{8}); !was || err != nil {
				t.Errorf("forgotten: %t, %v", was, err)
			}
			if got := lines(t, db); !slices.Equal(got, []string{"6 of 9 Ada Note 6", "9 of 0  "}) {
				t.Errorf("T107.5 the library has %q", got)
			}
			if swept, err := db.SweepBlobs(t.Context(), refs()); err != nil || swept.Blobs != 6 {
				t.Errorf("T107.5 %d blobs are deleted, %v", swept.Blobs, err)
			}
		})
	t.Run("T107.4 the oldest versions make room, and nothing else", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustKeep(t, db, 1, 2, 10)
		mustKeep(t, db, 1, 7, 10)
		q := library.Quota{Library: 40, All: 100}
		for game := byte(8); game < 11; game++ {
			if err := keepVersion(t, db, game, game-1, 10, q); err != nil {
				t.Fatal(err)
			}
		}
		if got := games(t, db, 1); !slices.Equal(got, []byte{10, 9, 8, 2}) {
			t.Errorf("the library has %v", got)
		}
		if err := keepVersion(t, db, 11, 10, 31, q); !errors.Is(err, library.ErrFull) {
			t.Errorf("a version that is too large: %v", err)
		}
		if got := games(t, db, 1); !slices.Equal(got, []byte{10, 9, 8, 2}) {
			t.Errorf("after that the library has %v", got)
		}
		for game := byte(20); game < 20+library.MaxVersions; game++ {
			if err := keepVersion(t, db, game, 10, 1, plenty); err != nil {
				t.Fatal(err)
			}
		}
		if got := games(t, db, 1); len(got) != library.MaxVersions+1 || slices.Contains(got, 9) {
			t.Errorf("there are %d games: %v", len(got), got)
		}
	})
}
