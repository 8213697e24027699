-- The passwords of tables (T68), as hashes. A table without one has no row.
CREATE TABLE passwords (
	table_num INTEGER PRIMARY KEY,
	hash      TEXT NOT NULL,
	sum       INTEGER NOT NULL -- a checksum of the rest
) STRICT;
