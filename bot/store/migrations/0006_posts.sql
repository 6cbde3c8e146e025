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
    copies INTEGER NOT NULL DEFAULT 0, -- how often it was posted anew
    PRIMARY KEY (match, kind, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX unfinished_moves ON posts (match) WHERE old IS NOT NULL;

-- The boards of matches in play go on as pages that begin with what is not told yet: number 0 says so.
INSERT INTO posts (match, kind, number, channel, message, old)
SELECT id, 'page', 0, place, board, more FROM matches
WHERE board IS NOT NULL AND place IS NOT NULL
AND (phase = 'play' OR published < (SELECT max(n) FROM log WHERE match = id));

ALTER TABLE matches DROP COLUMN board;

ALTER TABLE matches DROP COLUMN more;
