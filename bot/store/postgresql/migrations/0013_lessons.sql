-- As SQLite's migration of the same number; see there.
CREATE TABLE lessons (
    "user" BIGINT NOT NULL,
    game TEXT NOT NULL,
    steps BIGINT NOT NULL CHECK (steps >= 0),
    PRIMARY KEY ("user", game)
);
