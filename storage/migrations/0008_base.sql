-- The log begins behind this position: what was before it was dropped (T48), and is deleted by and by.
ALTER TABLE tables ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
