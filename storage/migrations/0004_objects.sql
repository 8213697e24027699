-- What the machine of objects keeps (O3 to O29), by space and object. Only server/federation/object knows what is in a value.
CREATE TABLE objects (
	space INTEGER NOT NULL CHECK (space BETWEEN 1 AND 255),
	oid   BLOB NOT NULL CHECK (length(oid) = 16),
	value BLOB NOT NULL,
	PRIMARY KEY (space, oid)
) STRICT, WITHOUT ROWID;

-- 1 from a restore until the machine has begun its next life (O11).
ALTER TABLE meta ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
