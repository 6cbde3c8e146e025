-- Version 1 of the database. Each later version is a file of its own: `migrations/0002_<subject>.sql` and so on.
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
    published INTEGER NOT NULL DEFAULT 0 CHECK (published >= 0),
    rematch_of INTEGER REFERENCES matches,
    counted INTEGER, -- order in which finished matches were counted, from 1
    rated TEXT CHECK (rated IS NULL OR json_valid(rated)), -- input of the rating; NULL when not rated
    origin TEXT -- database and number of an imported match there (docs/standings-file.md); NULL for one played here
) STRICT;

CREATE INDEX open_matches ON matches (id) WHERE phase IN ('lobby', 'play');

-- A rematch that closed before it began leaves room for another one.
CREATE UNIQUE INDEX rematches ON matches (rematch_of)
    WHERE rematch_of IS NOT NULL AND (phase <> 'closed' OR started IS NOT NULL);

CREATE UNIQUE INDEX counted_matches ON matches (counted) WHERE counted IS NOT NULL;

CREATE INDEX matches_by_start ON matches (guild, started) WHERE started IS NOT NULL;

CREATE UNIQUE INDEX imported_matches ON matches (origin) WHERE origin IS NOT NULL;

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

-- Logs of matches that are over, compressed (bot/store/sql/packing.py). A match has rows in log, or one row here.
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

-- Deadlines. What a game does by itself has its time in the match and is never put off, unlike that of a table where
-- nobody moves.
CREATE TABLE clocks (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL CHECK (seat >= -2), -- -1 is the table itself, -2 what its game does by itself
    due INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

-- The messages of a match: a page per round or deal (the last one is the live table), the call to the people awaited,
-- the end, and its result in the channel. Each is drawn from the log; here stands only where it is.
CREATE TABLE posts (
    match INTEGER NOT NULL REFERENCES matches,
    kind TEXT NOT NULL CHECK (kind IN ('page', 'call', 'end', 'result')),
    number INTEGER NOT NULL, -- of a page: its first item; of a call: the entry that made it necessary
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    old INTEGER, -- the message it replaces, until that is deleted
    final INTEGER NOT NULL DEFAULT 0 CHECK (final IN (0, 1)), -- it changes no more
    copies INTEGER NOT NULL DEFAULT 0, -- of a call: how often it was posted anew
    PRIMARY KEY (match, kind, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX unfinished_moves ON posts (match) WHERE old IS NOT NULL;

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
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)), -- 0: left the match
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

-- Has all columns that select a person's matches, so that counting them reads nothing else.
CREATE INDEX results_by_user ON results (user, ended, match, guild, game, placing);

-- All that a leaderboard reads. A person's matches in one game lie side by side.
CREATE INDEX results_by_guild ON results (guild, game, user, ended, placing, name);

-- The n-th rated match of a person in a pool, and the rating after it.
CREATE TABLE ratings (
    user INTEGER NOT NULL,
    pool TEXT NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 1),
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL CHECK (sigma > 0),
    expected REAL NOT NULL, -- mean placing that was expected
    at INTEGER NOT NULL,
    PRIMARY KEY (user, pool, n),
    UNIQUE (match, seat)
) STRICT, WITHOUT ROWID;

-- Present state of each person's milestones. It follows from the counted matches, in their order.
CREATE TABLE progress (
    user INTEGER PRIMARY KEY,
    counts TEXT NOT NULL CHECK (json_valid(counts)), -- running values by key
    earned TEXT NOT NULL CHECK (json_valid(earned)) -- by milestone: the match that earned it
) STRICT;

CREATE TABLE seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL, -- where it was started, and where its final table is posted
    name TEXT NOT NULL CHECK (name <> ''),
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > starts), -- the first ms after it
    closed INTEGER,
    message INTEGER, -- the final table; NULL until it is posted, 0 when it cannot be posted
    UNIQUE (guild, name)
) STRICT;

CREATE INDEX unfinished_seasons ON seasons (id) WHERE message IS NULL;

-- The final tables of closed seasons.
CREATE TABLE season_tables (
    season INTEGER NOT NULL REFERENCES seasons,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL CHECK (place >= 1),
    points INTEGER NOT NULL CHECK (points >= 0),
    wins INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (season, user)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE preferences (
    user INTEGER PRIMARY KEY,
    hand TEXT NOT NULL CHECK (hand IN ('ephemeral', 'dm')),
    pings TEXT NOT NULL DEFAULT 'always' CHECK (pings IN ('always', 'only reminders', 'never')),
    pictures TEXT NOT NULL DEFAULT 'pictures' CHECK (pictures IN ('pictures', 'text only')),
    cards TEXT NOT NULL DEFAULT 'usual' CHECK (cards IN ('usual', 'large')),
    card_order TEXT NOT NULL DEFAULT 'suit' CHECK (card_order IN ('suit', 'rank')),
    ratings TEXT NOT NULL DEFAULT 'shown' CHECK (ratings IN ('shown', 'after the match', 'never')),
    -- Name on leaderboards of all servers; '' for somebody who is not on them.
    alias TEXT NOT NULL DEFAULT '' CHECK (length(alias) <= 32),
    -- 'open': others may replay all hands of the person's matches when everybody who played allows it.
    replays TEXT NOT NULL DEFAULT 'private' CHECK (replays IN ('private', 'open'))
) STRICT;

CREATE INDEX preferences_by_alias ON preferences (user, alias) WHERE alias <> '';

-- Lessons that a person was offered or has begun, and the number of steps done. With a row a lesson is not offered again.
CREATE TABLE lessons (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    steps INTEGER NOT NULL CHECK (steps >= 0),
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;

-- What the people who manage a server have decided for it.
CREATE TABLE guild_settings (
    guild INTEGER PRIMARY KEY,
    season_role INTEGER, -- the role whose members may change seasons, besides people with Manage Server
    -- JSON list of the channels in which tables may be opened; empty: in all channels
    channels TEXT NOT NULL DEFAULT '[]' CHECK (json_type(channels) = 'array'),
    -- Pace of tables that are opened without one
    pace TEXT NOT NULL DEFAULT 'live' CHECK (pace IN ('live', 'relaxed', 'correspondence')),
    table_role INTEGER, -- the role whose members may close tables, besides people with Manage Server
    board INTEGER -- the channel in which the board is to stand; NULL for no board
) STRICT;

-- The boards that stand in Discord. One in another channel than the settings say is to be taken away.
CREATE TABLE boards (
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (guild, channel)
) STRICT, WITHOUT ROWID;

-- Servers that removed the bot, and when. Their matches are purged later.
CREATE TABLE guilds_left (
    guild INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Erasures of people that were carried out in this file, by the hash in the ledger beside it. One that is not scrubbed
-- may have left bytes in the file.
CREATE TABLE erasures (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    scrubbed INTEGER NOT NULL CHECK (scrubbed IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Former players who erased themselves while a deal that they had seen was not over, so that nobody sees a second hand of
-- it or plays it again. A row is deleted once the match is over, or the daily deal has closed.
CREATE TABLE former_players (
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    hash TEXT NOT NULL, -- of the person's id, with the seed of the match as the key
    former INTEGER NOT NULL CHECK (former < 0), -- what the log has in the place of the id
    PRIMARY KEY (match, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE alive (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    at INTEGER NOT NULL,
    away TEXT NOT NULL -- JSON: by server where nobody could act, as its shard was away, since when
) STRICT;

CREATE TABLE facts (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO facts VALUES ('installation', lower(hex(randomblob(16)))); -- stands in the origin of matches
