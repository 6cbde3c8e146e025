-- How people like to see their hands.

ALTER TABLE preferences ADD COLUMN pictures TEXT NOT NULL DEFAULT 'pictures'
    CHECK (pictures IN ('pictures', 'text only'));

ALTER TABLE preferences ADD COLUMN cards TEXT NOT NULL DEFAULT 'usual' CHECK (cards IN ('usual', 'large'));

ALTER TABLE preferences ADD COLUMN card_order TEXT NOT NULL DEFAULT 'suit' CHECK (card_order IN ('suit', 'rank'));
