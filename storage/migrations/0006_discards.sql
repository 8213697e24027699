-- Tables that were thrown away (T42) and of which something is left: to be deleted, by num, or to be given back. No other table gets the
-- num before all of it is gone.
CREATE TABLE discards (
	num    INTEGER PRIMARY KEY,
	oid    BLOB NOT NULL UNIQUE CHECK (length(oid) = 16),
	thrown INTEGER NOT NULL -- milliseconds since 1970
) STRICT;

-- The sets that lay on them and were not given back yet. Only server/tables/room knows what is in doc.
CREATE TABLE owed_sets (
	table_oid BLOB NOT NULL CHECK (length(table_oid) = 16),
	set_oid   BLOB NOT NULL CHECK (length(set_oid) = 16),
	doc       BLOB NOT NULL,
	PRIMARY KEY (table_oid, set_oid)
) STRICT, WITHOUT ROWID;

-- All that stays of a table that was thrown away: the SHA-256 of its identifier and of its invites, so that who follows an old link is told.
CREATE TABLE tombstones (
	hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32)
) STRICT, WITHOUT ROWID;
