-- Logs of matches that are over, compressed (bot/store/sqlite/packing.py). A match has rows in log, or one row here.
CREATE TABLE packed_logs (
    match INTEGER PRIMARY KEY REFERENCES matches,
    log BLOB NOT NULL
) STRICT;

CREATE TRIGGER packed_log_is_complete BEFORE INSERT ON log
WHEN EXISTS (SELECT 1 FROM packed_logs WHERE match = NEW.match)
BEGIN
    SELECT RAISE(ABORT, 'the log of this match is packed, so nothing can be added to it');
END;

-- Everybody whose id is in a packed log. Without a foreign key: to delete a match, SQLite would read the whole table.
CREATE TABLE packed_people (
    user INTEGER NOT NULL,
    match INTEGER NOT NULL,
    PRIMARY KEY (user, match)
) STRICT, WITHOUT ROWID;
