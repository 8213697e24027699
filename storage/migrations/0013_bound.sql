-- A checksum that binds the number of a table to its identifier: the index that leads from one to the other may be damaged, too, and
-- then a table would be shown as another one. NULL: the table is older.
ALTER TABLE tables ADD COLUMN bound INTEGER;
