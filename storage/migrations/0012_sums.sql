-- Checksums (storage/sum.go) find what a disk has damaged. NULL: the row is older than they are, and nobody can tell.
ALTER TABLE entries ADD COLUMN sum INTEGER;
ALTER TABLE recent ADD COLUMN sum INTEGER;
ALTER TABLE objects ADD COLUMN sum INTEGER;

-- The entries of a table up to this position have no checksum. All behind it have one.
ALTER TABLE tables ADD COLUMN unsummed INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET unsummed = coalesce((SELECT max(position) FROM entries WHERE table_num = num), 0);
UPDATE tables SET unsummed = r.last
	FROM (SELECT table_num, max(position) AS last FROM recent GROUP BY table_num) AS r
	WHERE r.table_num = num AND r.last > unsummed;

-- A table has two snapshots, so that it can be rebuilt from the older one if the later one is damaged.
ALTER TABLE snapshots RENAME TO only_snapshots;
CREATE TABLE snapshots (
	num       INTEGER PRIMARY KEY,
	table_num INTEGER NOT NULL REFERENCES tables (num),
	position  INTEGER NOT NULL CHECK (position > 0),
	body      BLOB NOT NULL,
	logged    INTEGER, -- bytes of the log up to that entry (T44). NULL: nobody has counted them yet
	sum       INTEGER, -- as above
	UNIQUE (table_num, position)
) STRICT;
INSERT INTO snapshots (table_num, position, body, logged) SELECT table_num, position, body, logged FROM only_snapshots;
DROP TABLE only_snapshots;
