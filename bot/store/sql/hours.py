"""The table `hours`."""

import json
from collections.abc import Iterable
from dataclasses import astuple
from typing import Any, Final

from bot.store.rows import Hours
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.deadlines import NO_MOVES, Moves, move_deadlines

_COLUMNS: Final = "zone, begins, ends, away_until, digest, digested, undelivered, acts"
"""The columns of `hours`, as the fields of Hours, without the person."""


class HoursStore(Connections):
    """The hours of people."""

    async def hours(self, users: Iterable[int]) -> dict[int, Hours]:
        """Return the hours of those of `users` who have any."""
        rows = await self._read(
            f"SELECT user, {_COLUMNS} FROM hours WHERE user IN (SELECT value FROM json_each(?))",  # noqa: S608
            json.dumps([*users]),
        )
        return dict(map(_hours, rows))

    async def hours_of_lookers(self, guild: int) -> dict[int, Hours]:
        """Return the hours of those people who look for a game in a guild and have any."""
        query = f"SELECT user, {_COLUMNS} FROM hours WHERE user IN (SELECT user FROM seeks WHERE guild = ?)"  # noqa: S608
        return dict(map(_hours, await self._read(query, guild)))

    async def all_hours(self) -> dict[int, Hours]:
        """Return the hours of everybody who gets one message a day, or whose acts are counted."""
        query = f"SELECT user, {_COLUMNS} FROM hours WHERE digest IS NOT NULL OR acts IS NOT NULL"  # noqa: S608
        return dict(map(_hours, await self._read(query)))

    async def set_hours(self, user: int, hours: Hours | None, deadlines: Moves = NO_MOVES) -> None:
        """Keep the hours of a person, or forget them for None, and move deadlines with them."""

        async def work(db: Database) -> None:
            await db.execute("DELETE FROM hours WHERE user = ?", (user,))
            if hours is not None:
                acts = None if hours.acts is None else json.dumps(hours.acts)
                *values, _ = astuple(hours)
                await db.execute(
                    f"INSERT INTO hours (user, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
                    (user, *values, acts),
                )
            await move_deadlines(db, deadlines)

        await self._writer.write(work)

    async def note_digest(self, user: int, day: int) -> bool:
        """Keep that a person gets their message of a day. Return False if they had it, or want none any more."""
        return await self._change(
            "UPDATE hours SET digested = ?2 WHERE user = ?1 AND digested < ?2 AND digest IS NOT NULL",
            user,
            day,
        )

    async def set_acts(self, user: int, acts: Iterable[int]) -> bool:
        """Keep how often a person has acted by hour, if they want that counted. Return whether they do."""
        return await self._change(
            "UPDATE hours SET acts = ? WHERE user = ? AND acts IS NOT NULL", json.dumps([*acts]), user
        )


def _hours(row: tuple[Any, ...]) -> tuple[int, Hours]:
    user, *columns = row
    columns[-1] = None if columns[-1] is None else tuple(json.loads(columns[-1]))
    return user, Hours(*columns)
