package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"holt/server/id"
	"holt/server/tables/library"
	"holt/server/tables/room"
)

// plenty is a quota that is never reached.
var plenty = library.Quota{Library: 1 << 30, All: 1 << 30}

// gameOf returns a row for a game in a library, and its blobs: a picture of its own, one that all
// games have, and what names both.
func gameOf(of, game byte, bytes int64) (library.Row, []room.Blob) {
	text := func(s string) room.Blob {
		return room.Blob{Hash: sha256.Sum256([]byte(s)), Type: "text/plain", Data: []byte(s)}
	}
	own, common := text(fmt.Sprint("picture ", game)), text("a picture of all")
	about := text(hex.EncodeToString(own.Hash[:]) + " " + hex.EncodeToString(common.Hash[:]))
	return library.Row{
		Library: room.Hash{of}, Game: room.Hash{game}, About: about.Hash, Bytes: bytes,
		Added: id.Millis(game),
	}, []room.Blob{own, common, about}
}

func mustKeep(t *testing.T, db *DB, of, game byte, bytes int64) library.Row {
	t.Helper()
	row, blobs := gameOf(of, game, bytes)
	if added, err := db.KeepGame(t.Context(), row, blobs, plenty); err != nil || !added {
		t.Fatalf("game %d in library %d: added %t, %v", game, of, added, err)
	}
	return row
}

// games returns the first bytes of the games in a library.
func games(t *testing.T, db *DB, of byte) (all []byte) {
	t.Helper()
	rows, err := db.LibraryGames(t.Context(), room.Hash{of})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		all = append(all, row.Game[0])
	}
	return all
}

// TestLibraries shows what is stored of games that people bring.
// Clauses: G11.1, G11.2, G11.3, G11.4, G11.5, G11.6
func TestLibraries(t *testing.T) {
	t.Run("G11.2 each library has its own games, the newest first", func(t *testing.T) {
		dir := t.TempDir()
		db := openDir(t, dir)
		want := mustKeep(t, db, 1, 7, 10)
		mustKeep(t, db, 1, 8, 10)
		mustKeep(t, db, 2, 9, 10)
		db = reopen(t, db)
		if one, two := games(t, db, 1), games(t, db, 2); !slices.Equal(one, []byte{8, 7}) ||
			!slices.Equal(two, []byte{9}) || games(t, db, 3) != nil {
			t.Errorf("libraries have %v and %v", one, two)
		}
		rows, err := db.LibraryGames(t.Context(), room.Hash{1})
		if err != nil || rows[1] != want {
			t.Errorf("it is %+v, not %+v, %v", rows[1], want, err)
		}
		if about, err := db.KeptGame(t.Context(), room.Hash{7}); err != nil || about != want.About {
			t.Errorf("the game is %x, %v", about, err)
		}
		if _, err := db.KeptGame(t.Context(), room.Hash{6}); !errors.Is(err, room.ErrNoGame) {
			t.Errorf("a game that nobody has: %v", err)
		}
	})
	t.Run("G11.3 again it is the same game", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustKeep(t, db, 1, 7, 10)
		row, blobs := gameOf(1, 7, 10)
		full := library.Quota{Library: 10, All: 10}
		if added, err := db.KeepGame(t.Context(), row, blobs, full); err != nil || added {
			t.Errorf("added %t, %v", added, err)
		}
		row.Library = room.Hash{2}
		if added, err := db.KeepGame(t.Context(), row, blobs, full); err != nil || !added {
			t.Errorf("in another library, which needs no more room: added %t, %v", added, err)
		}
	})
	t.Run("G11.4 there is a bound for each library, and for all", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustKeep(t, db, 1, 7, 10)
		mustKeep(t, db, 2, 8, 10)
		for want, q := range map[error]library.Quota{
			library.ErrFull:       {Library: 19, All: 100},
			library.ErrServerFull: {Library: 100, All: 29},
		} {
			row, blobs := gameOf(1, 9, 10)
			if _, err := db.KeepGame(t.Context(), row, blobs, q); !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
			if _, err := db.Blob(t.Context(), row.About); !errors.Is(err, room.ErrNoBlob) {
				t.Errorf("something of it is kept: %v", err)
			}
		}
		row, blobs := gameOf(1, 9, 10)
		q := library.Quota{Library: 20, All: 30}
		if _, err := db.KeepGame(t.Context(), row, blobs, q); err != nil {
			t.Errorf("there is just enough room: %v", err)
		}
		for i := range byte(library.MaxGames - 2) {
			mustKeep(t, db, 1, 100+i, 1)
		}
		row, blobs = gameOf(1, 10, 1)
		if _, err := db.KeepGame(t.Context(), row, blobs, plenty); !errors.Is(err, library.ErrFull) {
			t.Errorf("one game too many: %v", err)
		}
	})
	t.Run("G11.1 a blob that is another one is refused", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		row, blobs := gameOf(1, 9, 10)
		blobs[1].Data = []byte("something else")
		if _, err := db.KeepGame(t.Context(), row, blobs, plenty); err == nil || games(t, db, 1) != nil {
			t.Errorf("error %v, the library has %v", err, games(t, db, 1))
		}
	})
	t.Run("G11.5, G11.6 what nobody has any more is deleted, and nothing else", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		ctx := t.Context()
		mustKeep(t, db, 1, 7, 10)
		mustKeep(t, db, 2, 7, 10)
		mustKeep(t, db, 2, 8, 10)
		sweep := func(want int) {
			t.Helper()
			if swept, err := db.SweepBlobs(ctx, refs()); err != nil || swept.Blobs != want {
				t.Errorf("%d are deleted, not %d, %v", swept.Blobs, want, err)
			}
		}
		forget := func(of, game byte, want bool) {
			t.Helper()
			was, err := db.ForgetGame(ctx, room.Hash{of}, room.Hash{game})
			if err != nil || was != want {
				t.Errorf("game %d was in library %d: %t, %v", game, of, was, err)
			}
		}
		sweep(0)
		forget(1, 7, true)
		forget(1, 7, false)
		sweep(0) // the other library has it
		if got := games(t, db, 2); !slices.Equal(got, []byte{8, 7}) {
			t.Errorf("the other library has %v", got)
		}
		forget(2, 7, true)
		sweep(2) // its picture, and what names it; the other game has the common picture
		forget(2, 8, true)
		sweep(3)
	})
	t.Run("a damaged row is not listed, and can be brought again", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		mustKeep(t, db, 1, 7, 10)
		mustKeep(t, db, 1, 8, 10)
		harm(t, db, `UPDATE library_games SET bytes = 1 WHERE game = x'07`+
			fmt.Sprintf("%062d", 0)+`'`)
		if got := games(t, db, 1); !slices.Equal(got, []byte{8}) {
			t.Errorf("the library has %v", got)
		}
		mustKeep(t, db, 1, 7, 10)
		if got := games(t, db, 1); !slices.Equal(got, []byte{8, 7}) {
			t.Errorf("the library has %v", got)
		}
	})
	t.Run("G11.3 brought by many at the same time, it is stored once", func(t *testing.T) {
		db := openDir(t, t.TempDir())
		var all sync.WaitGroup
		for of := range byte(8) {
			all.Go(func() {
				row, blobs := gameOf(of, 7, 10)
				q := library.Quota{Library: 10, All: 10}
				if _, err := db.KeepGame(context.Background(), row, blobs, q); err != nil {
					t.Errorf("library %d: %v", of, err)
				}
			})
		}
		all.Wait()
		var n int
		const query = `SELECT count(*) FROM blobs`
		err := db.read.QueryRowContext(t.Context(), query).Scan(&n)
		if err != nil || n != 3 {
			t.Errorf("%d blobs, %v", n, err)
		}
	})
}
