-- Versions of games in libraries (T107). Games of one library and line are versions of one game; the
-- line is the first of them. A game without a row is its only version.
CREATE TABLE library_versions (
	library BLOB NOT NULL CHECK (length(library) = 32),
	game    BLOB NOT NULL CHECK (length(game) = 32),
	line    BLOB NOT NULL CHECK (length(line) = 32),
	who     TEXT NOT NULL, -- who has saved it
	note    TEXT NOT NULL, -- what they say of it
	sum     INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (library, game)
) STRICT, WITHOUT ROWID;
