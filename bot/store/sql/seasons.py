"""SQL of seasons."""

from dataclasses import astuple
from typing import Final

from bot.store.rows import Season, SeasonResult, Tabulate
from bot.store.sql.database import Database

_STARTED: Final = "m.guild = s.guild AND m.started >= s.starts AND m.started < s.ends"
"""Condition for the matches of a season."""

RESULTS: Final = (
    "SELECT r.match, r.seat, r.user, r.name, r.ended, m.rated FROM seasons AS s"  # noqa: S608 - our own text
    f" CROSS JOIN matches AS m INDEXED BY matches_by_start ON {_STARTED} CROSS JOIN results AS r ON r.match = m.id"
    " WHERE s.id = ? AND m.rated IS NOT NULL ORDER BY m.counted, r.seat"
)
"""Query for the results in the rated matches of a season."""

CLOSE: Final = (
    "UPDATE seasons AS s SET closed = ?1 WHERE id = ?2 AND closed IS NULL AND ends <= ?1"  # noqa: S608
    f" AND NOT (?3 AND EXISTS (SELECT 1 FROM matches AS m WHERE phase = 'play' AND {_STARTED}))"
)
"""Statement that closes a season, with ?3 only if none of its matches is in play."""

CANCEL: Final = (
    "DELETE FROM seasons AS s WHERE id = ?1 AND starts > ?2"  # noqa: S608 - our own text
    f" AND NOT EXISTS (SELECT 1 FROM matches AS m WHERE {_STARTED})"
)
"""Statement that deletes a season that has not begun."""

COUNTS: Final = (
    "EXISTS (SELECT 1 FROM matches AS m JOIN seasons AS s ON s.id = ?"  # noqa: S608
    f" WHERE m.id = r.match AND m.rated IS NOT NULL AND {_STARTED} AND (s.closed IS NULL OR r.ended <= s.closed))"
)
"""Condition for a result r that the table of a season counts."""

TABLE: Final = (
    "SELECT user, name, place, points, wins, matches FROM season_tables WHERE season = ? ORDER BY place, user"
)
"""Query for the final table of a season."""


async def add(db: Database, guild: int, channel: int, name: str, starts: int, ends: int) -> Season | None:
    """Add a season. Return None when it overlaps another one of the guild, or has its name."""
    rows = await db.fetch(
        "INSERT INTO seasons (guild, channel, name, starts, ends) SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS"
        " (SELECT 1 FROM seasons WHERE guild = ?1 AND (name = ?3 OR (starts < ?5 AND ends > ?4))) RETURNING *",
        (guild, channel, name, starts, ends),
    )
    return next((Season(*row) for row in rows), None)


async def close(db: Database, season: int, at: int, tabulate: Tabulate, *, unless_playing: bool) -> bool:
    """Close a season and store its final table. Return False when it stays as it is."""
    if not await db.change(CLOSE, (at, season, unless_playing)):
        return False
    results = [SeasonResult(*row) for row in await db.fetch(RESULTS, (season,))]
    await db.execute_many(
        "INSERT INTO season_tables (season, user, name, place, points, wins, matches) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(season, *astuple(row)) for row in tabulate(results)],
    )
    return True
