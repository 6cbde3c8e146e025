-- What a game does by itself gets a seat of its own among the clocks, -2: its time stands in the match and is never put
-- off, unlike that of a table where nobody moves.

CREATE TABLE clocks_with_due (
    match INTEGER NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL CHECK (seat >= -2), -- -1 is the table itself, -2 what its game does by itself
    due INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

INSERT INTO clocks_with_due (match, seat, due)
SELECT match, CASE WHEN seat = -1 AND phase = 'play' AND game = 'twin-it' THEN -2 ELSE seat END, due
FROM clocks JOIN matches ON match = id;

DROP TABLE clocks;

ALTER TABLE clocks_with_due RENAME TO clocks;
