-- The recorded motion of tables (K17), in chunks. positions of a table ascend without a gap, behind those that were dropped.
CREATE TABLE motions (
	table_num INTEGER NOT NULL,
	position  INTEGER NOT NULL CHECK (position > 0),
	at        INTEGER NOT NULL, -- milliseconds since 1970: of its last frame
	total     INTEGER NOT NULL, -- bytes of all chunks up to this one
	sum       INTEGER NOT NULL, -- a checksum, as that of an entry
	body      BLOB NOT NULL,
	PRIMARY KEY (table_num, position)
) STRICT, WITHOUT ROWID;
