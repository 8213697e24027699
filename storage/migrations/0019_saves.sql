-- Save points (T70): the pieces of a table as they were after an entry of its log.
CREATE TABLE saves (
	table_num INTEGER NOT NULL,
	num       INTEGER NOT NULL CHECK (num > 0), -- of the save point
	kind      INTEGER NOT NULL, -- 1: by a host, 2: the set-up, 3: every so often, 4: before a rewind
	name      TEXT NOT NULL,
	at        INTEGER NOT NULL, -- milliseconds since 1970
	seat      INTEGER NOT NULL, -- who made it; 0: the server
	position  INTEGER NOT NULL, -- of the entry
	moves     INTEGER NOT NULL, -- how many everybody had seen
	round     INTEGER NOT NULL, -- of randomness
	sealed    INTEGER NOT NULL, -- the first round whose seed was not published, if anything was hidden
	token     TEXT NOT NULL,    -- of the request
	to_num    INTEGER NOT NULL, -- for kind 4: the save point to which the table went
	to_kind   INTEGER NOT NULL,
	to_name   TEXT NOT NULL,
	to_at     INTEGER NOT NULL,
	to_seat   INTEGER NOT NULL,
	body      BLOB NOT NULL,    -- the pieces
	sum       INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (table_num, num)
) STRICT, WITHOUT ROWID;
