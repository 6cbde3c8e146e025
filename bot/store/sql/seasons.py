"""The tables `seasons` and `season_tables`."""

from dataclasses import astuple
from typing import Final

from bot.store.rows import Season, SeasonResult, SeasonRow, Tabulate
from bot.store.sql.connections import Connections
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

COUNTS: Final = (
    "EXISTS (SELECT 1 FROM matches AS m JOIN seasons AS s ON s.id = ?"  # noqa: S608
    f" WHERE m.id = r.match AND m.rated IS NOT NULL AND {_STARTED} AND (s.closed IS NULL OR r.ended <= s.closed))"
)
"""Condition for a result r that the table of a season counts."""

TABLE: Final = (
    "SELECT user, name, place, points, wins, matches FROM season_tables WHERE season = ? ORDER BY place, user"
)
"""Query for the final table of a season."""


class SeasonStore(Connections):
    """Seasons of guilds, and their final tables."""

    async def add_season(self, guild: int, channel: int, name: str, starts: int, ends: int) -> Season | None:
        """Add a season. Return None when it overlaps another season of the guild, or has its name.

        Raises StoreFailed for a season that does not end after its start."""

        async def work(db: Database) -> Season | None:
            rows = await db.fetch(
                "INSERT INTO seasons (guild, channel, name, starts, ends) SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS"
                " (SELECT 1 FROM seasons WHERE guild = ?1 AND (name = ?3 OR (starts < ?5 AND ends > ?4)))"
                " RETURNING *",
                (guild, channel, name, starts, ends),
            )
            return next((Season(*row) for row in rows), None)

        return await self._writer.write(work)

    async def rename_season(self, season: int, name: str) -> bool:
        """Give a season another name. Return False when another season of its guild has that name."""
        return await self._change(
            "UPDATE seasons AS s SET name = ?1 WHERE id = ?2 AND NOT EXISTS"
            " (SELECT 1 FROM seasons WHERE guild = s.guild AND name = ?1 AND id <> ?2)",
            name,
            season,
        )

    async def end_season(self, season: int, at: int) -> bool:
        """Let a season end at `at`. Return False when it is closed, has not started before `at`, or ends by then."""
        return await self._change(
            "UPDATE seasons SET ends = ?1 WHERE id = ?2 AND closed IS NULL AND starts < ?1 AND ends > ?1",
            at,
            season,
        )

    async def cancel_season(self, season: int, at: int) -> bool:
        """Delete a season that starts after `at`. Return False when it does not, or when a match has started in it."""
        return await self._change(
            "DELETE FROM seasons AS s WHERE id = ?1 AND starts > ?2"  # noqa: S608 - our own text
            f" AND NOT EXISTS (SELECT 1 FROM matches AS m WHERE {_STARTED})",
            season,
            at,
        )

    async def close_season(
        self, season: int, at: int, tabulate: Tabulate, *, unless_playing: bool = True
    ) -> bool:
        """Close a season that has ended, and store its final table: all of it or nothing.

        Return False, and change nothing, when it is closed already, when it ends after `at`, and with `unless_playing`
        while one of its matches is in play; without it, matches that ended after `at` do not count. `tabulate` must be
        quick and raise nothing."""

        async def work(db: Database) -> bool:
            await db.be_patient()
            if not await db.change(CLOSE, (at, season, unless_playing)):
                return False
            results = [SeasonResult(*row) for row in await db.fetch(RESULTS, (season,))]
            if not unless_playing:
                results = [each for each in results if each.ended <= at]
            await db.execute_many(
                "INSERT INTO season_tables (season, user, name, place, points, wins, matches)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(season, *astuple(row)) for row in tabulate(results)],
            )
            return True

        return await self._write_in_turn(work)  # else another process may erase meanwhile who is in it

    async def seasons(self, guild: int) -> list[Season]:
        """Return the seasons of a guild, the latest first."""
        rows = await self._read("SELECT * FROM seasons WHERE guild = ? ORDER BY starts DESC", guild)
        return [Season(*row) for row in rows]

    async def unfinished_seasons(self) -> list[Season]:
        """Return the seasons that are not closed or whose final table is not posted, oldest first."""
        rows = await self._read("SELECT * FROM seasons WHERE message IS NULL ORDER BY id")
        return [Season(*row) for row in rows]

    async def season_results(self, season: int) -> list[SeasonResult]:
        """Return the results in all rated matches of a season, in the order in which they were counted."""
        return [SeasonResult(*row) for row in await self._read_long(RESULTS, season)]

    async def final_table(self, season: int) -> list[SeasonRow]:
        """Return the final table of a season, best place first; nothing before it is closed."""
        return [SeasonRow(*row) for row in await self._read(TABLE, season)]

    async def keep_final_post(self, season: int, message: int) -> None:
        """Keep the message with the final table of a season."""
        await self._change("UPDATE seasons SET message = ? WHERE id = ?", message, season)
