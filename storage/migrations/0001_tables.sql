-- What one host keeps for itself. One row.
CREATE TABLE meta (
	one         INTEGER PRIMARY KEY CHECK (one = 1),
	host_key    BLOB CHECK (length(host_key) = 32),   -- Ed25519 seed, drawn at first use
	invite_key  BLOB CHECK (length(invite_key) = 32), -- drawn at first use
	oid_ceiling INTEGER NOT NULL DEFAULT 0            -- milliseconds; identifiers below it may have been given out (O1)
) STRICT;
INSERT INTO meta (one) VALUES (1);

-- What is known of a table outside its log. num is short and stands for the table in every other place.
CREATE TABLE tables (
	num            INTEGER PRIMARY KEY,
	oid            BLOB NOT NULL UNIQUE CHECK (length(oid) = 16),
	epoch          INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 9007199254740991), -- T19
	game           TEXT NOT NULL,
	title          TEXT NOT NULL,
	width          INTEGER NOT NULL CHECK (width > 0),  -- table units of 0.1 mm
	height         INTEGER NOT NULL CHECK (height > 0),
	surface        TEXT NOT NULL,
	catalog        BLOB NOT NULL CHECK (length(catalog) = 32),
	created        INTEGER NOT NULL, -- milliseconds since 1970
	invite_version INTEGER NOT NULL
) STRICT;

-- The log. Rows are added and never changed; positions of a table are 1, 2, 3, … without a gap.
CREATE TABLE entries (
	table_num INTEGER NOT NULL,
	position  INTEGER NOT NULL CHECK (position > 0),
	body      BLOB NOT NULL,
	PRIMARY KEY (table_num, position)
) STRICT, WITHOUT ROWID;

-- The latest snapshot of a table: the state after the entry at position.
CREATE TABLE snapshots (
	table_num INTEGER PRIMARY KEY REFERENCES tables (num),
	position  INTEGER NOT NULL CHECK (position > 0),
	body      BLOB NOT NULL
) STRICT;

-- Seat tokens, by their SHA-256 only.
CREATE TABLE seats (
	table_num INTEGER NOT NULL REFERENCES tables (num),
	token     BLOB NOT NULL CHECK (length(token) = 32),
	seat      INTEGER NOT NULL CHECK (seat > 0),
	PRIMARY KEY (table_num, token)
) STRICT, WITHOUT ROWID;

-- Invites, by their SHA-256 only.
CREATE TABLE invites (
	token     BLOB NOT NULL PRIMARY KEY CHECK (length(token) = 32),
	table_num INTEGER NOT NULL REFERENCES tables (num),
	role      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_of_table ON invites (table_num);

-- Art and catalogues, by the SHA-256 of their content.
CREATE TABLE blobs (
	hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
	type TEXT NOT NULL,
	data BLOB NOT NULL
) STRICT;
