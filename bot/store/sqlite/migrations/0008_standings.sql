-- Facts about each result, and ratings.

ALTER TABLE matches ADD COLUMN counted INTEGER; -- order in which finished matches were counted, from 1

ALTER TABLE matches ADD COLUMN rated TEXT CHECK (rated IS NULL OR json_valid(rated)); -- input of the rating; NULL when not rated

UPDATE matches SET counted = place.n
FROM (SELECT id, row_number() OVER (ORDER BY ended, id) AS n FROM matches WHERE phase = 'over') AS place
WHERE matches.id = place.id;

CREATE UNIQUE INDEX counted_matches ON matches (counted) WHERE counted IS NOT NULL;

ALTER TABLE results ADD COLUMN facts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(facts));

-- Reliability, the preference for ratings, and milestones.

ALTER TABLE results ADD COLUMN finished INTEGER NOT NULL DEFAULT 1 CHECK (finished IN (0, 1)); -- 0: left the match

ALTER TABLE preferences ADD COLUMN ratings TEXT NOT NULL DEFAULT 'shown'
    CHECK (ratings IN ('shown', 'after the match', 'never'));

-- Present state of each person's milestones. It follows from the counted matches, in their order.
CREATE TABLE progress (
    user INTEGER PRIMARY KEY,
    counts TEXT NOT NULL CHECK (json_valid(counts)), -- running values by key
    earned TEXT NOT NULL CHECK (json_valid(earned)) -- by milestone: the match that earned it
) STRICT;

-- Has all columns that select a person's matches, so that counting them reads nothing else.
CREATE INDEX results_by_user ON results (user, ended, match, guild, game, placing);

-- All that a leaderboard reads. A person's matches in one game lie side by side.
DROP INDEX results_by_guild;

CREATE INDEX results_by_guild ON results (guild, game, user, ended, placing, name);

-- Erasures of people that were carried out in this file, by the hash in the ledger beside it. One that is not scrubbed
-- may have left bytes in the file.
CREATE TABLE erasures (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    scrubbed INTEGER NOT NULL CHECK (scrubbed IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Servers that removed the bot, and when. Their matches are purged later.
CREATE TABLE guilds_left (
    guild INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

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

-- Seasons.

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

CREATE INDEX matches_by_start ON matches (guild, started) WHERE started IS NOT NULL;
