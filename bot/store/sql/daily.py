"""The table `daily_attempts`."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any, Final

from bot.store.rows import Attempt, Finished, LogRow, NewMatch
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.matches import create_match

_ATTEMPT: Final = "SELECT * FROM daily_attempts WHERE user = ? AND day = ?"


class DailyStore(Connections):
    """Attempts at daily deals."""

    async def begin_attempt(
        self, day: int, guild: int, name: str, match: NewMatch, entries: Sequence[LogRow]
    ) -> Attempt:
        """Keep an attempt of the match's host at the deal of a day, and its match as a lobby with its first entries:
        both or nothing. A person who has an attempt at that day gets that one, and nothing changes."""

        async def work(db: Database) -> Attempt:
            rows = await db.fetch(_ATTEMPT, (match.host, day))
            if known := _first(rows):
                return known
            created = await create_match(db, match, entries)
            attempt = Attempt(match.host, day, created.id, guild, name)
            await db.execute("INSERT INTO daily_attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(attempt))
            return attempt

        return await self._writer.write(work)

    async def attempt(self, user: int, day: int) -> Attempt | None:
        """Return a person's attempt at the deal of a day."""
        return _first(await self._read(_ATTEMPT, user, day))

    async def attempt_of(self, match: int) -> Attempt | None:
        """Return the attempt that a match belongs to; None for other matches."""
        return _first(await self._read("SELECT * FROM daily_attempts WHERE match = ?", match))

    async def attempts(self, day: int) -> list[Attempt]:
        """Return all attempts at the deal of a day, by user."""
        rows = await self._read("SELECT * FROM daily_attempts WHERE day = ? ORDER BY user", day)
        return [Attempt(*row) for row in rows]

    async def finished_days(self, user: int) -> list[int]:
        """Return the days whose deals the person has finished, ascending."""
        rows = await self._read(
            "SELECT day FROM daily_attempts WHERE user = ? AND placing IS NOT NULL ORDER BY day", user
        )
        return [day for (day,) in rows]

    async def unfinished_attempts(self, before: int, after: int, limit: int) -> list[Attempt]:
        """Return the attempts at deals of days before `before` whose match is open and comes after `after`: oldest
        first, `limit` at most."""
        rows = await self._read(
            "SELECT a.* FROM matches JOIN daily_attempts AS a ON a.match = id"
            " WHERE phase IN ('lobby', 'play') AND day < ? AND id > ? ORDER BY id LIMIT ?",
            before,
            after,
            limit,
        )
        return [Attempt(*row) for row in rows]


def _first(rows: Iterable[Any]) -> Attempt | None:
    """Return the first of these rows as an attempt."""
    return next((Attempt(*row) for row in rows), None)


async def finish_attempt(db: Database, match: int, finished: Finished) -> None:
    """Keep the result of a match that is an attempt; do nothing for other matches."""
    if finished.alone is not None:
        await db.execute(
            "UPDATE daily_attempts SET placing = ?, score = ?, ended = ? WHERE match = ?",
            (*finished.alone, match),
        )
