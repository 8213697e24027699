-- Checksums of the rows that say what a table is and who may come in (storage/rowsum.go). storage/migrate.go computes
-- them for the rows that are there: all rows have one.
ALTER TABLE tables ADD COLUMN sum INTEGER;
ALTER TABLE seats ADD COLUMN sum INTEGER;
ALTER TABLE invites ADD COLUMN sum INTEGER;
