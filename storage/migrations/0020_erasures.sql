-- Seats of which entries and snapshots still have the names (T80). A row is deleted when they are rewritten.
CREATE TABLE erasures (
	table_num INTEGER NOT NULL,
	seat      INTEGER NOT NULL CHECK (seat > 0),
	number    INTEGER NOT NULL, -- of the name that the seat has instead
	position  INTEGER NOT NULL, -- of the last entry that may have the name
	done      INTEGER NOT NULL, -- the entries up to this position are rewritten
	sum       INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (table_num, seat)
) STRICT, WITHOUT ROWID;
