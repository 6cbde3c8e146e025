-- Tables that a server offers first, with their options.
CREATE TABLE presets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: messages carry it in their buttons
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    pace TEXT NOT NULL CHECK (pace IN ('live', 'relaxed', 'correspondence')),
    UNIQUE (guild, name)
) STRICT;

-- JSON list of the games that the menus of a server leave out.
ALTER TABLE guild_settings ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]' CHECK (json_type(left_out) = 'array');

-- Of a call: bits of the people who slept, to be called when they wake.
ALTER TABLE posts ADD COLUMN asleep INTEGER NOT NULL DEFAULT 0;

-- When people are awake, at relaxed tables and by correspondence.
CREATE TABLE hours (
    user INTEGER PRIMARY KEY,
    zone TEXT NOT NULL, -- its clocks may change, so no offset is stored
    begins INTEGER CHECK (begins BETWEEN 0 AND 23), -- hours of their own day; the next one if `ends` is smaller
    ends INTEGER CHECK (ends BETWEEN 0 AND 23 AND ends <> begins),
    away_until INTEGER NOT NULL DEFAULT 0,
    digest INTEGER CHECK (digest BETWEEN 0 AND 23), -- hour of one message a day instead of calls
    digested INTEGER NOT NULL DEFAULT 0, -- number of the day of the last one
    undelivered INTEGER NOT NULL DEFAULT 0, -- when one could not be sent, since when they are called again
    acts TEXT CHECK (json_array_length(acts) = 24), -- how often they act by hour, if they want it counted
    CHECK ((begins IS NULL) = (ends IS NULL))
) STRICT;

-- The posts beside the board: the deal of a day, and what happened in a week.
CREATE TABLE bulletins (
    guild INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('daily', 'weekly')),
    wanted INTEGER NOT NULL CHECK (wanted IN (0, 1)),
    number INTEGER NOT NULL DEFAULT 0, -- the day or week of the last one
    channel INTEGER NOT NULL DEFAULT 0,
    message INTEGER DEFAULT 0, -- NULL while it is being posted, 0 when there was nothing to post
    PRIMARY KEY (guild, kind)
) STRICT, WITHOUT ROWID;

-- Who looks for a game on a server, and wants to be called to tables of it.
CREATE TABLE seeks (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    games TEXT NOT NULL CHECK (json_type(games) = 'array'), -- slugs
    pace TEXT NOT NULL CHECK (pace IN ('any', 'live', 'relaxed', 'correspondence')),
    until INTEGER, -- NULL: always
    most INTEGER NOT NULL, -- calls a day
    at INTEGER NOT NULL, -- when it was made
    called INTEGER NOT NULL DEFAULT 0, -- time of the last call
    calls INTEGER NOT NULL DEFAULT 0, -- on the day of the last call
    turn INTEGER NOT NULL DEFAULT 0, -- when it was their turn last: they were called, or did not see the channel
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX seeks_by_turn ON seeks (guild, turn, at);

-- Messages that call people to a table before it begins.
CREATE TABLE summons (
    match INTEGER PRIMARY KEY REFERENCES matches (id),
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER, -- NULL: not posted yet; 0: taken away
    user INTEGER, -- who is challenged; NULL: people who look for a game
    at INTEGER NOT NULL
) STRICT;

ALTER TABLE preferences ADD COLUMN challenges TEXT NOT NULL DEFAULT 'from everybody'
    CHECK (challenges IN ('from everybody', 'from nobody'));

-- Game nights: one evening of several rounds each.
CREATE TABLE nights (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: messages carry it in their buttons
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    host INTEGER NOT NULL,
    starts INTEGER NOT NULL,
    weekly INTEGER NOT NULL CHECK (weekly IN (0, 1)),
    games TEXT NOT NULL CHECK (json_type(games) = 'array'), -- slug and options of each, played by turns
    rounds INTEGER NOT NULL CHECK (rounds BETWEEN 1 AND 5),
    secret TEXT NOT NULL, -- the seeds of all rounds follow from it
    phase TEXT NOT NULL DEFAULT 'planned' CHECK (phase IN ('planned', 'round', 'pause', 'over', 'off')),
    round INTEGER NOT NULL DEFAULT 0, -- the one that is played, or was played last
    due INTEGER NOT NULL, -- when it goes on by itself at the latest
    reason TEXT NOT NULL DEFAULT '', -- why it is off
    told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)) -- 1 once nothing is left to do
) STRICT;

CREATE INDEX nights_to_do ON nights (phase, due) WHERE told = 0;
CREATE INDEX nights_of_guilds ON nights (guild, phase, due);

CREATE TABLE night_people (
    night INTEGER NOT NULL REFERENCES nights,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1, 2)),
    PRIMARY KEY (night, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE night_tables (
    night INTEGER NOT NULL REFERENCES nights,
    round INTEGER NOT NULL,
    number INTEGER NOT NULL,
    why TEXT NOT NULL,
    match INTEGER REFERENCES matches,
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)), -- 1 once its result, if any, is kept
    rated TEXT CHECK (rated IS NULL OR json_valid(rated)),
    PRIMARY KEY (night, round, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX matches_of_nights ON night_tables (match) WHERE match IS NOT NULL;

CREATE TABLE night_seats (
    night INTEGER NOT NULL,
    round INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user INTEGER, -- who was seated; NULL for a computer
    part INTEGER, -- their number in the result, as in results.seat
    merit INTEGER, -- of the seat: its score, the greater the better
    PRIMARY KEY (night, round, number, seat),
    FOREIGN KEY (night, round, number) REFERENCES night_tables
) STRICT, WITHOUT ROWID;

-- Messages of a night: 0 the announcement, then one for each round, and the last one.
CREATE TABLE night_posts (
    night INTEGER NOT NULL REFERENCES nights,
    number INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (night, number)
) STRICT, WITHOUT ROWID;

-- Roles of winners, until they are taken away.
CREATE TABLE night_roles (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    role INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (guild, user, role)
) STRICT, WITHOUT ROWID;

ALTER TABLE guild_settings ADD COLUMN night_role INTEGER;
