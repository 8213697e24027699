-- How many bytes the log of a table has up to the entry of its snapshot (T44). NULL where nobody has counted them yet.
ALTER TABLE snapshots ADD COLUMN logged INTEGER;
