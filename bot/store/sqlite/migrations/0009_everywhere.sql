-- Matches that were imported from a file (see docs/standings-file.md). They have results but no log.

ALTER TABLE matches ADD COLUMN origin TEXT; -- database and number of the match there; NULL for a match played here

CREATE UNIQUE INDEX imported_matches ON matches (origin) WHERE origin IS NOT NULL;

INSERT OR IGNORE INTO facts (key, value) VALUES ('installation', lower(hex(randomblob(16)))); -- stands in the origin of matches

-- Name of a person on leaderboards of all servers; '' for somebody who is not on them.
ALTER TABLE preferences ADD COLUMN alias TEXT NOT NULL DEFAULT '' CHECK (length(alias) <= 32);

CREATE INDEX preferences_by_alias ON preferences (user, alias) WHERE alias <> '';

-- 'open': others may replay all hands of the person's matches when everybody who played allows it.
ALTER TABLE preferences ADD COLUMN replays TEXT NOT NULL DEFAULT 'private' CHECK (replays IN ('private', 'open'));

-- What the people who manage a server have decided for it.
CREATE TABLE guild_settings (
    guild INTEGER PRIMARY KEY,
    season_role INTEGER -- the role whose members may change seasons, besides people with Manage Server
) STRICT;
