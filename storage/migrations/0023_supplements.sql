-- What the games of tables have beside their catalogues: the blob supplement names the rules and the
-- languages (G12). A table whose game has neither has no row.
CREATE TABLE supplements (
	table_num  INTEGER PRIMARY KEY,
	supplement BLOB NOT NULL CHECK (length(supplement) = 32),
	sum        INTEGER NOT NULL -- a checksum of the rest
) STRICT;
