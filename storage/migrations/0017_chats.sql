-- The texts of the lines of chats (T64). The log has the rest of a line, at the same position. A text that is deleted is deleted here.
CREATE TABLE chats (
	table_num INTEGER NOT NULL,
	position  INTEGER NOT NULL CHECK (position > 0),
	line      INTEGER NOT NULL, -- the number of the line
	seat      INTEGER NOT NULL, -- who wrote it
	at        INTEGER NOT NULL, -- milliseconds since 1970
	total     INTEGER NOT NULL, -- bytes of all texts of the table up to this one
	text      BLOB NOT NULL,    -- UTF-8
	sum       INTEGER NOT NULL, -- a checksum of the rest
	PRIMARY KEY (table_num, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX chats_by_line ON chats (table_num, line);
