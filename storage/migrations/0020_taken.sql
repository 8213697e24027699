-- Taken by another change.
SELECT 1;
