-- Former players who erased themselves while a deal that they had seen was not over, so that nobody sees a second hand of
-- it or plays it again. A row is deleted once the match is over, or the daily deal has closed.
CREATE TABLE former_players (
    match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    hash TEXT NOT NULL, -- of the person's id, with the seed of the match as the key
    former INTEGER NOT NULL CHECK (former < 0), -- what the log has in the place of the id
    PRIMARY KEY (match, hash)
) STRICT, WITHOUT ROWID;
