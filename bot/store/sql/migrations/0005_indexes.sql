-- Also finds the servers that have matches; by the first version only matches that had begun were in it.
DROP INDEX matches_by_start;

CREATE INDEX matches_by_start ON matches (guild, started);

CREATE INDEX matches_by_host ON matches (host);

CREATE INDEX matches_by_end ON matches (ended) WHERE ended IS NOT NULL;

-- Who has a seat: a few entries of each log.
CREATE INDEX seatings ON log (match, user, kind, n) WHERE kind IN ('sit', 'take', 'leave', 'give');
