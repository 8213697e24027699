package storage

import (
	"context"
	"database/sql"
	"errors"

	"holt/server/id"
	"holt/server/tables/library"
	"holt/server/tables/room"
)

var _ library.Store = (*DB)(nil)

// sumOfGame is the checksum of a row of library_games, in SQL.
const sumOfGame = `checksum(library, game, about, bytes, added)`

// sumOfVersion is the checksum of a row of library_versions, in SQL.
const sumOfVersion = `checksum(v.library, v.game, v.line, v.who, v.note)`

// versions joins the rows of library_versions, as v, to games as g.
const versions = ` library_games AS g LEFT JOIN library_versions AS v
	ON v.library = g.library AND v.game = g.game AND v.sum IS ` + sumOfVersion + ` `

// KeepGame stores a game in a library, and its blobs, all or nothing. It reports whether the game
// was not in the library before. It takes the oldest versions of the same game away if there is no
// room, or if there are too many. Errors: library.ErrFull, library.ErrServerFull.
func (db *DB) KeepGame(
	ctx context.Context, row library.Row, blobs []room.Blob, q library.Quota,
) (added bool, err error) {
	const known = `
		SELECT 1 FROM library_games WHERE library = ? AND game = ? AND sum IS ` + sumOfGame + `
	`
	size := 0
	for i := range blobs {
		if err := checkBlob(blobs[i]); err != nil {
			return false, err
		}
		size += len(blobs[i].Data)
	}
	err = db.write(ctx, size, func(t *tx) error {
		line, err := lineOf(t, &row)
		if err != nil {
			return err
		}
		if err := makeRoom(t, &row, line, q); err != nil {
			return err
		}
		err = t.scan(known, []any{row.Library[:], row.Game[:]}, new(int))
		if added = errors.Is(err, sql.ErrNoRows); err != nil && !added {
			return err
		}
		if err := insertGame(t, &row, line); err != nil {
			return err
		}
		return t.insertBlobs(blobs)
	})
	return added, doing(err, "keep game %x", row.Game)
}

// lineOf returns the line of a game that is to be kept: that of the game which it follows, if the
// library has that, or else the one that it has, or a new one.
func lineOf(t *tx, row *library.Row) (line room.Hash, err error) {
	const query = `
		SELECT coalesce(v.line, g.game) FROM` + versions + `
		WHERE g.library = ? AND g.game = ?`
	for _, game := range []room.Hash{row.Of, row.Game} {
		var b []byte
		err := t.scan(query, []any{row.Library[:], game[:]}, &b)
		if err == nil {
			return room.Hash(b), nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return line, err
		}
	}
	return row.Game, nil
}

// makeRoom takes the oldest versions of a game away until another one may be kept, or returns why
// it may not. Then nothing is changed.
func makeRoom(t *tx, row *library.Row, line room.Hash, q library.Quota) error {
	// Of the others: games, and bytes; versions of this one, and bytes.
	const ofLibrary = `
		SELECT count(DISTINCT coalesce(v.line, g.game)), coalesce(sum(g.bytes), 0) FROM` + versions + `
		WHERE g.library = ?1 AND coalesce(v.line, g.game) <> ?3 AND g.game <> ?2`
	const ofLine = `
		SELECT count(*), coalesce(sum(g.bytes), 0) FROM` + versions + `
		WHERE g.library = ?1 AND coalesce(v.line, g.game) = ?3 AND g.game <> ?2`
	const ofAll = `
		SELECT coalesce(sum(bytes), 0)
		FROM (SELECT DISTINCT game, bytes FROM library_games WHERE game <> ?)`
	const oldest = `
		SELECT g.game, g.bytes FROM` + versions + `
		WHERE g.library = ?1 AND coalesce(v.line, g.game) = ?3 AND g.game <> ?2
		ORDER BY g.added, g.game LIMIT 1`
	key := []any{row.Library[:], row.Game[:], line[:]}
	var games, bytes, others, older, all int64
	if err := t.scan(ofLibrary, key, &games, &bytes); err != nil {
		return err
	}
	if err := t.scan(ofLine, key, &others, &older); err != nil {
		return err
	}
	if err := t.scan(ofAll, key[1:2], &all); err != nil {
		return err
	}
	switch bytes += row.Bytes; {
	case games >= library.MaxGames, bytes > q.Library:
		return refuse(library.ErrFull)
	case all+row.Bytes > q.All:
		return refuse(library.ErrServerFull)
	}
	for ; bytes+older > q.Library || others >= library.MaxVersions; others-- {
		var game []byte
		var size int64
		if err := t.scan(oldest, key, &game, &size); err != nil {
			return err
		}
		if err := forget(t, row.Library, room.Hash(game)); err != nil {
			return err
		}
		older -= size
	}
	return nil
}

// forget takes one version out of a library.
func forget(t *tx, of, game room.Hash) error {
	for _, table := range []string{"library_games", "library_versions"} {
		if err := t.exec(`DELETE FROM `+table+` WHERE library = ? AND game = ?`, of[:],
			game[:]); err != nil {
			return err
		}
	}
	return nil
}

// insertGame stores a game as the newest one of its line.
func insertGame(t *tx, row *library.Row, line room.Hash) error {
	const newest = `
		SELECT coalesce(max(g.added), 0) FROM` + versions + `
		WHERE g.library = ?1 AND g.game <> ?2 AND coalesce(v.line, g.game) = ?3`
	const insert = `
		INSERT OR REPLACE INTO library_games (library, game, about, bytes, added, sum)
		VALUES (?1, ?2, ?3, ?4, ?5, checksum(?1, ?2, ?3, ?4, ?5))`
	const version = `
		INSERT OR REPLACE INTO library_versions (library, game, line, who, note, sum)
		VALUES (?1, ?2, ?3, ?4, ?5, checksum(?1, ?2, ?3, ?4, ?5))`
	var last int64
	if err := t.scan(newest, []any{row.Library[:], row.Game[:], line[:]}, &last); err != nil {
		return err
	}
	if err := t.exec(insert, row.Library[:], row.Game[:], row.About[:], row.Bytes,
		max(int64(row.Added), last+1)); err != nil {
		return err
	}
	if row.Of == (room.Hash{}) && row.Who == "" && row.Note == "" {
		return nil
	}
	return t.exec(version, row.Library[:], row.Game[:], line[:], row.Who, row.Note)
}

// LibraryGames returns the games of a library with all their versions, the newest first. Rows that
// are damaged are left out.
func (db *DB) LibraryGames(ctx context.Context, of room.Hash) ([]library.Row, error) {
	const query = `
		SELECT g.game, g.about, g.bytes, g.added, coalesce(v.line, zeroblob(32)), coalesce(v.who, ''),
			coalesce(v.note, '')
		FROM` + versions + `
		WHERE g.library = ? AND g.sum IS checksum(g.library, g.game, g.about, g.bytes, g.added)
		ORDER BY g.added DESC, g.game`
	all, err := list(ctx, db, query, []any{of[:]}, func(rows *sql.Rows) (library.Row, error) {
		var game, about, line []byte
		row := library.Row{Library: of}
		err := rows.Scan(&game, &about, &row.Bytes, &row.Added, &line, &row.Who, &row.Note)
		if err == nil {
			row.Game, row.About, row.Line = room.Hash(game), room.Hash(about), room.Hash(line)
		}
		return row, err
	})
	return all, doing(err, "list the games of a library")
}

// BringBack makes a version of a game the newest one. It reports whether it was there.
func (db *DB) BringBack(
	ctx context.Context, of, game room.Hash, now id.Millis,
) (was bool, err error) {
	const query = `SELECT g.about, g.bytes FROM` + versions + `WHERE g.library = ? AND g.game = ? AND
		g.sum IS checksum(g.library, g.game, g.about, g.bytes, g.added)`
	err = db.write(ctx, 0, func(t *tx) error {
		row := library.Row{Library: of, Game: game, Added: now}
		var about []byte
		err := t.scan(query, []any{of[:], game[:]}, &about, &row.Bytes)
		if was = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		row.About = room.Hash(about)
		line, err := lineOf(t, &row)
		if err != nil {
			return err
		}
		return insertGame(t, &row, line)
	})
	return was, doing(err, "bring game %x back", game)
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

// ForgetGame takes a game with all its versions out of a library. It reports whether it was there.
// What nothing needs any more is deleted by a sweep.
func (db *DB) ForgetGame(ctx context.Context, of, game room.Hash) (was bool, err error) {
	const query = `
		SELECT g.game FROM` + versions + `
		WHERE g.library = ?1 AND coalesce(v.line, g.game) = ?2 LIMIT 1`
	err = db.write(ctx, 0, func(t *tx) error {
		var b []byte
		err := t.scan(`SELECT game FROM library_games WHERE library = ? AND game = ?`,
			[]any{of[:], game[:]}, &b)
		if was = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		line, err := lineOf(t, &library.Row{Library: of, Game: game})
		for err == nil {
			if err = t.scan(query, []any{of[:], line[:]}, &b); err == nil {
				err = forget(t, of, room.Hash(b))
			}
		}
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return was, doing(err, "forget game %x", game)
}
