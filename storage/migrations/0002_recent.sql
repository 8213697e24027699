-- The end of the log. Small appends come here first, those of all tables one after another, and move to entries
-- some at a time: so a commit of a hundred tables fills a few pages, where in entries it would change the last page
-- of each. Rows stay for a while after they have moved: what counts here is what lies behind the last position
-- that entries has of the table.
CREATE TABLE recent (
	seq       INTEGER PRIMARY KEY,
	table_num INTEGER NOT NULL,
	position  INTEGER NOT NULL CHECK (position > 0),
	body      BLOB NOT NULL
) STRICT;
