-- How long logs are at least, in other pages than those of the last entries: so it is noticed when these are lost.
ALTER TABLE tables ADD COLUMN last INTEGER NOT NULL DEFAULT 0; -- storage/migrate.go counts what is there

-- Where logs end that have become longer since last was set. A row stands for several tables: so it costs little to
-- change it with each commit (storage/ends.go).
CREATE TABLE ends (
	block INTEGER PRIMARY KEY,
	body  BLOB NOT NULL,
	sum   INTEGER NOT NULL
) STRICT;
