-- The second message of a table whose board has not room for everything.

ALTER TABLE matches ADD COLUMN more INTEGER;
