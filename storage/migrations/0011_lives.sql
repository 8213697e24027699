-- Every start of the server has a life, 64 random bits with a mark of this host behind them, which is stored before
-- anything of it is told (S21). A client that has been told something in a life that is not here has seen a later state of this folder.
CREATE TABLE lives (
	num  INTEGER PRIMARY KEY,
	life BLOB NOT NULL UNIQUE CHECK (length(life) = 16)
) STRICT;

-- From which position on the log of a table was written in a life.
CREATE TABLE reigns (
	table_num INTEGER NOT NULL,
	life_num  INTEGER NOT NULL,
	first     INTEGER NOT NULL,
	PRIMARY KEY (table_num, life_num)
) STRICT, WITHOUT ROWID;

-- The life in which the epoch of a table was drawn; 0: before there were any.
ALTER TABLE tables ADD COLUMN renewed INTEGER NOT NULL DEFAULT 0;
