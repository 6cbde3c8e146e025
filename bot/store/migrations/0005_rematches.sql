-- A rematch that closed before it began leaves room for another one.

DROP INDEX rematches;

CREATE UNIQUE INDEX rematches ON matches (rematch_of)
    WHERE rematch_of IS NOT NULL AND (phase <> 'closed' OR started IS NOT NULL);
