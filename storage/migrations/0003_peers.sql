-- Linked hosts (O32, O34 to O36), by the first eight bytes of the SHA-256 of their keys.
CREATE TABLE peer_links (
	host       BLOB NOT NULL PRIMARY KEY CHECK (length(host) = 8),
	key        BLOB NOT NULL CHECK (length(key) = 32), -- Ed25519, public
	state      INTEGER NOT NULL CHECK (state BETWEEN 1 AND 3), -- pending, active, paused
	why        TEXT NOT NULL,     -- it is paused
	gives      INTEGER NOT NULL,  -- rights here, as bits
	given      INTEGER NOT NULL,  -- rights there
	at_once    INTEGER NOT NULL,  -- requests
	per_second INTEGER NOT NULL,  -- requests
	objects    INTEGER NOT NULL,  -- that it may keep here
	bytes      INTEGER NOT NULL,  -- that they may have
	since      INTEGER NOT NULL,  -- milliseconds since 1970
	refused    INTEGER NOT NULL   -- requests that nobody in order could have made
) STRICT, WITHOUT ROWID;

-- What hosts say of themselves, signed (O31): of this one, of linked ones, and of those that objects need.
CREATE TABLE peer_cards (
	host BLOB NOT NULL PRIMARY KEY CHECK (length(host) = 8),
	card BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Invitations that nobody has accepted yet, by the SHA-256 of their secret only.
CREATE TABLE peer_invitations (
	hash       BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
	gives      INTEGER NOT NULL,
	at_once    INTEGER NOT NULL,
	per_second INTEGER NOT NULL,
	objects    INTEGER NOT NULL,
	bytes      INTEGER NOT NULL,
	confirm    INTEGER NOT NULL CHECK (confirm IN (0, 1)),
	until      INTEGER NOT NULL -- milliseconds since 1970
) STRICT, WITHOUT ROWID;
