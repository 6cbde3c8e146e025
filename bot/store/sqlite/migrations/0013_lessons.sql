-- Lessons that a person was offered or has begun, and the number of steps done. With a row a lesson is not offered again.
CREATE TABLE lessons (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    steps INTEGER NOT NULL CHECK (steps >= 0),
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;
