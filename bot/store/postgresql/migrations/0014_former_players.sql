-- As SQLite's migration of the same number; see there.
CREATE TABLE former_players (
    match BIGINT NOT NULL REFERENCES matches ON DELETE CASCADE,
    hash TEXT NOT NULL,
    former BIGINT NOT NULL CHECK (former < 0),
    PRIMARY KEY (match, hash)
);
