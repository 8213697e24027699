-- Persons whose home this host is (O37).
CREATE TABLE persons (
	oid    BLOB NOT NULL PRIMARY KEY CHECK (length(oid) = 16),
	nick   TEXT NOT NULL,
	colour INTEGER NOT NULL -- 0xRRGGBB
) STRICT, WITHOUT ROWID;

-- The browsers that know them, by the SHA-256 of the token that each of these keeps.
CREATE TABLE person_tokens (
	token  BLOB NOT NULL PRIMARY KEY CHECK (length(token) = 32),
	person BLOB NOT NULL CHECK (length(person) = 16),
	since  INTEGER NOT NULL -- milliseconds since 1970
) STRICT, WITHOUT ROWID;

CREATE INDEX person_tokens_by_person ON person_tokens (person, since);

-- Keys by which one more browser gets to know them, good once: the SHA-256 of each, one for each person.
CREATE TABLE person_keys (
	person BLOB NOT NULL PRIMARY KEY CHECK (length(person) = 16),
	key    BLOB NOT NULL UNIQUE CHECK (length(key) = 32),
	until  INTEGER NOT NULL -- milliseconds since 1970
) STRICT, WITHOUT ROWID;

-- Who sits at a seat, if that is known: a person of this host, or a visitor, with where their pages find their own server.
CREATE TABLE sitters (
	table_oid BLOB NOT NULL CHECK (length(table_oid) = 16),
	seat      INTEGER NOT NULL,
	person    BLOB NOT NULL CHECK (length(person) = 16),
	home      TEXT NOT NULL, -- an origin, empty for a person of this host
	PRIMARY KEY (table_oid, seat)
) STRICT, WITHOUT ROWID;

-- Vouchers that were used, by their SHA-256, until they are too old to be used again.
CREATE TABLE vouchers (
	hash  BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
	until INTEGER NOT NULL -- milliseconds since 1970
) STRICT, WITHOUT ROWID;

-- The hosts for which persons of this host were given vouchers: they may ask for the person's bag.
CREATE TABLE visits (
	person BLOB NOT NULL CHECK (length(person) = 16),
	host   BLOB NOT NULL CHECK (length(host) = 8),
	last   INTEGER NOT NULL, -- milliseconds since 1970
	PRIMARY KEY (person, host)
) STRICT, WITHOUT ROWID;

-- What sets were called when they were here last: one that is away has a name still.
CREATE TABLE set_names (
	oid  BLOB NOT NULL PRIMARY KEY CHECK (length(oid) = 16),
	name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
