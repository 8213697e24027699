-- Games that people have brought, by who did: a library is the SHA-256 of the secret of a browser or a program.
-- The blob about says what a game is, and names all of its files.
CREATE TABLE library_games (
	library BLOB NOT NULL CHECK (length(library) = 32),
	game    BLOB NOT NULL CHECK (length(game) = 32), -- its identity (G2)
	about   BLOB NOT NULL CHECK (length(about) = 32),
	bytes   INTEGER NOT NULL CHECK (bytes > 0), -- of all its files
	added   INTEGER NOT NULL, -- milliseconds since 1970
	sum     INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (library, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX library_games_of_game ON library_games (game);
