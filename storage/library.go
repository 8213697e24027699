package storage

import (
	"context"
	"database/sql"
	"errors"

	"holt/server/tables/library"
	"holt/server/tables/room"
)

var _ library.Store = (*DB)(nil)

// sumOfGame is the checksum of a row of library_games, in SQL.
const sumOfGame = `checksum(library, game, about, bytes, added)`

// KeepGame stores a game in a library, and its blobs, all or nothing. It reports whether the game
// was not in the library before. Errors: library.ErrFull, library.ErrServerFull.
func (db *DB) KeepGame(
	ctx context.Context, row library.Row, blobs []room.Blob, q library.Quota,
) (added bool, err error) {
	const known = `
		SELECT 1 FROM library_games WHERE library = ? AND game = ? AND sum IS ` + sumOfGame + `
	`
	const insert = `
		INSERT OR REPLACE INTO library_games (library, game, about, bytes, added, sum)
		VALUES (?1, ?2, ?3, ?4, ?5, checksum(?1, ?2, ?3, ?4, ?5))`
	const ofLibrary = `
		SELECT count(*), coalesce(sum(bytes), 0) FROM library_games WHERE library = ? AND game <> ?`
	const ofAll = `
		SELECT coalesce(sum(bytes), 0)
		FROM (SELECT DISTINCT game, bytes FROM library_games WHERE game <> ?)`
	size := 0
	for i := range blobs {
		if err := checkBlob(blobs[i]); err != nil {
			return false, err
		}
		size += len(blobs[i].Data)
	}
	err = db.write(ctx, size, func(t *tx) error {
		var games, bytes, all int64
		if err := t.scan(ofLibrary, []any{row.Library[:], row.Game[:]}, &games, &bytes); err != nil {
			return err
		}
		if err := t.scan(ofAll, []any{row.Game[:]}, &all); err != nil {
			return err
		}
		switch {
		case games >= library.MaxGames, bytes+row.Bytes > q.Library:
			return refuse(library.ErrFull)
		case all+row.Bytes > q.All:
			return refuse(library.ErrServerFull)
		}
		err := t.scan(known, []any{row.Library[:], row.Game[:]}, new(int))
		if added = errors.Is(err, sql.ErrNoRows); err != nil && !added {
			return err
		}
		if err := t.exec(insert, row.Library[:], row.Game[:], row.About[:], row.Bytes,
			int64(row.Added)); err != nil {
			return err
		}
		return t.insertBlobs(blobs)
	})
	return added, doing(err, "keep game %x", row.Game)
}

// LibraryGames returns the games of a library, the newest first. Rows that are damaged are left
// out.
func (db *DB) LibraryGames(ctx context.Context, of room.Hash) ([]library.Row, error) {
	const query = `
		SELECT game, about, bytes, added FROM library_games
		WHERE library = ? AND sum IS ` + sumOfGame + ` ORDER BY added DESC, game`
	all, err := list(ctx, db, query, []any{of[:]}, func(rows *sql.Rows) (library.Row, error) {
		var game, about []byte
		row := library.Row{Library: of}
		err := rows.Scan(&game, &about, &row.Bytes, &row.Added)
		if err == nil {
			row.Game, row.About = room.Hash(game), room.Hash(about)
		}
		return row, err
	})
	return all, doing(err, "list the games of a library")
}

// KeptGame returns the blob that says what a game is. It returns room.ErrNoGame if no library
// has the game.
func (db *DB) KeptGame(ctx context.Context, game room.Hash) (about room.Hash, err error) {
	const query = `
		SELECT about FROM library_games WHERE game = ? AND sum IS ` + sumOfGame + ` LIMIT 1`
	var b []byte
	if err := db.row(ctx, query, []any{game[:]}, &b); err != nil {
		return about, finding(err, room.ErrNoGame, "find game %x", game)
	}
	return room.Hash(b), nil
}

// ForgetGame takes a game out of a library. It reports whether it was there. What nothing needs any
// more is deleted by a sweep.
func (db *DB) ForgetGame(ctx context.Context, of, game room.Hash) (was bool, err error) {
	err = db.write(ctx, 0, func(t *tx) error {
		err := t.scan(`DELETE FROM library_games WHERE library = ? AND game = ? RETURNING 1`,
			[]any{of[:], game[:]}, new(int))
		if was = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return was, doing(err, "forget game %x", game)
}
