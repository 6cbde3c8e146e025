-- Times are ms since the Unix epoch on Discord's clock. Users, guilds, channels and messages are snowflakes.

CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: old messages carry it in their buttons
    game TEXT NOT NULL,
    rules INTEGER NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    seed TEXT NOT NULL,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    host INTEGER NOT NULL,
    phase TEXT NOT NULL DEFAULT 'lobby' CHECK (phase IN ('lobby', 'play', 'over', 'closed')),
    opened INTEGER NOT NULL,
    started INTEGER,
    ended INTEGER,
    place INTEGER,
    card INTEGER,
    board INTEGER,
    published INTEGER NOT NULL DEFAULT 0 CHECK (published >= 0)
) STRICT;

CREATE INDEX open_matches ON matches (id) WHERE phase IN ('lobby', 'play');

CREATE TABLE log (
    match INTEGER NOT NULL REFERENCES matches,
    n INTEGER NOT NULL CHECK (n >= 1),
    kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 20),
    seat INTEGER,
    user INTEGER,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (match, n)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_has_no_gap BEFORE INSERT ON log
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM log WHERE match = NEW.match)
BEGIN
    SELECT RAISE(ABORT, 'the entry does not follow the last one of this match');
END;

CREATE TABLE clocks (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL CHECK (seat >= -1), -- -1 is the table itself
    due INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    placing INTEGER NOT NULL CHECK (placing BETWEEN 1 AND players),
    score INTEGER NOT NULL,
    players INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_by_guild ON results (guild, game);

CREATE TABLE preferences (
    user INTEGER PRIMARY KEY,
    hand TEXT NOT NULL CHECK (hand IN ('ephemeral', 'dm'))
) STRICT;

CREATE TABLE alive (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE facts (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
