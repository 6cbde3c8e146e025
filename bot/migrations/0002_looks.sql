-- How people like to see their hands.

CREATE TABLE looks (
    user INTEGER PRIMARY KEY,
    pictures INTEGER NOT NULL CHECK (pictures IN (0, 1)),
    large INTEGER NOT NULL CHECK (large IN (0, 1)),
    card_order TEXT NOT NULL CHECK (card_order IN ('suit', 'rank'))
) STRICT;
