-- Daily deals.

-- A person's only attempt at the deal of a day. Without a result it is not finished, or was given up.
CREATE TABLE daily_attempts (
    user INTEGER NOT NULL,
    day INTEGER NOT NULL, -- days since 1970-01-01, UTC
    match INTEGER NOT NULL UNIQUE REFERENCES matches,
    guild INTEGER NOT NULL, -- where it was begun; 0: not on a server with the bot
    name TEXT NOT NULL,
    placing INTEGER CHECK (placing >= 1),
    score INTEGER,
    ended INTEGER,
    PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX attempts_by_day ON daily_attempts (day);

-- Outages that make days longer.
CREATE TABLE outages (
    since INTEGER PRIMARY KEY,
    until INTEGER NOT NULL CHECK (until > since)
) STRICT;
