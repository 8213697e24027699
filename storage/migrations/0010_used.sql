-- When somebody was at the table last, to about half a day, in milliseconds since 1970. NULL where nobody has looked yet.
ALTER TABLE tables ADD COLUMN used INTEGER;
