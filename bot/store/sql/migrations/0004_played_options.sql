-- The options of a match that began, as JSON; NULL where they are those with which its lobby opened.
ALTER TABLE matches ADD COLUMN played_options TEXT CHECK (played_options IS NULL OR json_valid(played_options));
