-- Who plays again with whom, and when people want to be called.

ALTER TABLE matches ADD COLUMN rematch_of INTEGER REFERENCES matches;

CREATE UNIQUE INDEX rematches ON matches (rematch_of) WHERE rematch_of IS NOT NULL;

ALTER TABLE preferences ADD COLUMN pings TEXT NOT NULL DEFAULT 'always'
    CHECK (pings IN ('always', 'only reminders', 'never'));
