-- What is open at a table until somebody ends it: a question about an undo (T63), a round in which
-- everybody chooses something (T76).
CREATE TABLE open_items (
	table_num INTEGER NOT NULL,
	kind      INTEGER NOT NULL, -- 1: a question, 2: a round; a table has one of each at most
	body      BLOB NOT NULL,
	sum       INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (table_num, kind)
) STRICT, WITHOUT ROWID;
