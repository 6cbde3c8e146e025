-- Tables that a server offers first, with their options.
CREATE TABLE presets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: messages carry it in their buttons
    guild INTEGER NOT NULL,
    name TEXT NOT NULL,
    game TEXT NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    pace TEXT NOT NULL CHECK (pace IN ('live', 'relaxed', 'correspondence')),
    UNIQUE (guild, name)
) STRICT;

-- JSON list of the games that the menus of a server leave out.
ALTER TABLE guild_settings ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]' CHECK (json_type(left_out) = 'array');
