"""The tables `seeks` and `summons`: who looks for a game, and which messages call people to a table."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from bot.store.rows import Match, Seek, Summons
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database

DAY: Final = 86_400_000
"""Ms of a day, in which a person is called so often at most."""
_LOOKING: Final = "FROM seeks WHERE guild = :guild AND (until IS NULL OR until > :now)"
_FREE: Final = "(calls < most OR called < :today) AND user NOT IN (SELECT value FROM json_each(:without))"
"""Condition for seeks of people who can be called."""
_MATCHING: Final = "(pace = 'any' OR pace = :pace) AND games LIKE :game"
"""Condition for seeks that match a table."""
_LATELY: Final = "SELECT 1 FROM summons WHERE guild = ? AND user IS NULL AND at > ?"
"""Query for calls of people who look for a game."""
_FIELDS: Final = "guild, user, name, games, pace, until, most, at"


class SeekStore(Connections):
    """People who look for a game, and the calls to them."""

    async def seek(self, guild: int, user: int) -> Seek | None:
        """Return what a person looks for in a guild."""
        rows = await self._read(f"SELECT {_FIELDS} FROM seeks WHERE guild = ? AND user = ?", guild, user)  # noqa: S608
        return next(map(_seek, rows), None)

    async def seeks(
        self, guild: int, now: int, limit: int, *, without: Collection[int] = ()
    ) -> tuple[int, list[Seek]]:
        """Return the number of people who look for a game at `now`, and up to `limit` of them: first those who do so
        only for some time, the newest first."""
        values = {"guild": guild, "now": now, "limit": limit, "without": json.dumps([*without])}
        looking = f"{_LOOKING} AND user NOT IN (SELECT value FROM json_each(:without))"  # noqa: S608
        ((number,),) = await self._read_values(f"SELECT count(*) {looking}", values)
        rows = await self._read_values(
            f"SELECT {_FIELDS} {looking} ORDER BY until IS NULL, at DESC, user LIMIT :limit", values
        )
        return number, [*map(_seek, rows)]

    async def set_seek(self, seek: Seek) -> None:
        """Keep what a person looks for in a guild, in place of what they looked for before."""
        await self._change(
            f"INSERT INTO seeks ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
            " ON CONFLICT (guild, user) DO UPDATE SET"
            " name = excluded.name, games = excluded.games, pace = excluded.pace, until = excluded.until,"
            " most = excluded.most, at = excluded.at",
            *seek._replace(games=json.dumps([*seek.games])),  # type: ignore[arg-type]
        )

    async def end_seek(self, guild: int, user: int) -> bool:
        """Forget what a person looks for in a guild. Return False if that is nothing."""
        return await self._change("DELETE FROM seeks WHERE guild = ? AND user = ?", guild, user)

    async def end_seeks(self, now: int) -> list[int]:
        """Forget what people looked for until `now` or earlier. Return the guilds."""
        rows = await self._read("SELECT DISTINCT guild FROM seeks WHERE until <= ?", now)
        if rows:
            await self._change("DELETE FROM seeks WHERE until <= ?", now)
        return [guild for (guild,) in rows]

    async def find_seats(self, match: int, guild: int, game: str, pace: str) -> bool:
        """Forget what people looked for, other than always, who have sat down at such a table since. Return whether
        there are any."""
        found = (
            f"FROM seeks WHERE guild = :guild AND until IS NOT NULL AND {_MATCHING} AND user IN"  # noqa: S608
            " (SELECT user FROM log WHERE match = :match AND kind = 'sit' AND log.at >= seeks.at)"
        )
        values = {"match": match, "guild": guild, "game": _containing(game), "pace": pace}
        # Nearly always nobody does, and reading costs less than writing.
        if not await self._read_values(f"SELECT 1 {found} LIMIT 1", values):
            return False
        await self._writer.write(lambda db: db.execute(f"DELETE {found}", values))
        return True

    async def callable(
        self, guild: int, game: str, pace: str, now: int, *, without: Collection[int], limit: int
    ) -> list[int]:
        """Return up to `limit` people who want to be called to such a table: first those whose turn was least lately,
        then those who have looked for longest."""
        rows = await self._read_values(
            f"SELECT user {_LOOKING} AND {_FREE} AND {_MATCHING} ORDER BY turn, at, user LIMIT :limit",
            {
                "guild": guild,
                "game": _containing(game),
                "pace": pace,
                "now": now,
                "today": now - now % DAY,
                "without": json.dumps([*without]),
                "limit": limit,
            },
        )
        return [user for (user,) in rows]

    async def wanted(
        self, guild: int, now: int, *, besides: Collection[int], without: Collection[int]
    ) -> list[tuple[tuple[str, ...], str, int, int]]:
        """Return for which games and pace people look `besides` some, and for each of these choices the number of those
        who can be called, and of those who cannot: they are in `without`, or were called often enough today."""
        rows = await self._read_values(
            f"SELECT games, pace, sum(CASE WHEN {_FREE} THEN 1 ELSE 0 END), count(*) {_LOOKING}"  # noqa: S608
            " AND user NOT IN (SELECT value FROM json_each(:besides)) GROUP BY games, pace",
            {
                "guild": guild,
                "now": now,
                "today": now - now % DAY,
                "besides": json.dumps([*besides]),
                "without": json.dumps([*without]),
            },
        )
        return [(tuple(json.loads(games)), pace, free, number - free) for games, pace, free, number in rows]

    async def pass_over(self, guild: int, users: Collection[int], at: int) -> None:
        """Keep that it was the turn of these people, who could not be called, so that others come first."""
        await self._change(
            "UPDATE seeks SET turn = ? WHERE guild = ? AND user IN (SELECT value FROM json_each(?))",
            *(at, guild, json.dumps([*users])),
        )

    async def called(self, summons: Summons, game: str, pace: str, now: int) -> list[int]:
        """Return the people who were called to such a table, and still look for one."""
        rows = await self._read_values(
            f"SELECT user {_LOOKING} AND {_MATCHING} AND called = :at ORDER BY user",
            {
                "guild": summons.guild,
                "game": _containing(game),
                "pace": pace,
                "now": now,
                "at": summons.at,
            },
        )
        return [user for (user,) in rows]

    async def call(self, summons: Summons, users: Sequence[int], since: int) -> bool:
        """Keep that these people are called to a table. Return False, and keep nothing, if people of this table were
        called before, or people of this guild since a time."""
        values = {
            "guild": summons.guild,
            "at": summons.at,
            "today": summons.at - summons.at % DAY,
            "users": json.dumps([*users]),
        }

        async def work(db: Database) -> bool:
            if await db.fetch(_LATELY, (summons.guild, since)):
                return False
            if not await db.change(
                "INSERT INTO summons VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", summons
            ):
                return False
            await db.execute(
                "UPDATE seeks SET calls = 1 + CASE WHEN called < :today THEN 0 ELSE calls END, called = :at, turn = :at"
                " WHERE guild = :guild AND user IN (SELECT value FROM json_each(:users))",
                values,
            )
            return True

        return await self._writer.write(work)

    async def summons(self, guild: int | None = None) -> list[Summons]:
        """Return the messages that call people, of a guild or of all: those that are to be posted or stand, and for
        some time those that were taken away."""
        rows = await self._read(
            "SELECT * FROM summons WHERE guild = coalesce(?, guild) ORDER BY match", guild
        )
        return [Summons(*row) for row in rows]

    async def challenges(self, by: int, to: int, since: int) -> list[tuple[int, int, int]]:
        """Return who challenged whom, and when, of one person's challenges and those to another one after a time,
        oldest first. One whose table was closed because its card could not be shown does not count."""
        return [
            (host, user, at)
            for host, user, at in await self._read(
                "SELECT host, user, at FROM summons JOIN matches ON id = match"
                " WHERE user IS NOT NULL AND at > ?3 AND (host = ?1 OR user = ?2)"
                " AND (card IS NOT NULL OR phase <> 'closed') ORDER BY at",
                *(by, to, since),
            )
        ]

    async def set_summons(self, match: int, message: int) -> None:
        """Keep which message calls people to a table; 0 once it was taken away."""
        await self._change("UPDATE summons SET message = ? WHERE match = ?", message, match)

    async def forget_summons(self, until: int) -> None:
        """Forget the messages of `until` or earlier that were taken away."""
        await self._change("DELETE FROM summons WHERE message = 0 AND at <= ?", until)


async def add_summons(db: Database, match: Match, challenged: int) -> None:
    """Keep that a person is called who is challenged to a new match, in the transaction that is open."""
    summons = Summons(match.id, match.guild, match.channel, None, challenged, match.opened)
    await db.execute("INSERT INTO summons VALUES (?, ?, ?, ?, ?, ?)", summons)


def _containing(game: str) -> str:
    """Return the pattern for lists of games in which a game is."""
    return f'%"{game}"%'


def _seek(row: Sequence[object]) -> Seek:
    found = Seek(*row)  # type: ignore[arg-type]
    return found._replace(games=tuple(json.loads(str(found.games))))
