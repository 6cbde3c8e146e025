"""The tables `nights`, `night_people`, `night_tables`, `night_seats`, `night_posts` and `night_roles`.

Each step of a night is one transaction that says from where it goes: repeated, it changes nothing.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.store.errors import StoreFailed
from bot.store.rows import (
    HAS_LEFT,
    LogRow,
    Match,
    NewMatch,
    NewNight,
    Night,
    NightPerson,
    NightRole,
    NightSeat,
    NightTableRow,
)
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.deadlines import replace_deadlines
from bot.store.sql.matches import create_match

_PLAN: Final = (
    "INSERT INTO nights (guild, channel, host, starts, weekly, games, rounds, secret, due)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?4) RETURNING *"
)
_AHEAD: Final = "SELECT * FROM nights WHERE guild = ? AND phase IN ('planned', 'round', 'pause')"
# A query for each part of the index.
TO_DO: Final = (
    "SELECT * FROM nights WHERE told = 0 AND phase IN ('round', 'pause', 'over', 'off')"
    " UNION ALL SELECT * FROM nights WHERE told = 0 AND phase = 'planned' AND due <= ?1"
    " UNION ALL SELECT * FROM nights WHERE told = 0 AND phase = 'planned' AND due > ?1"
    " AND guild IN (SELECT value FROM json_each(?2)) ORDER BY id"
)
_GO: Final = "UPDATE night_people SET gone = ? WHERE night = ? AND user = ? AND gone < ?"
_WEEK: Final = 604_800_000


class NightStore(Connections):
    """Game nights of guilds, who comes, and the tables of their rounds."""

    async def plan_night(self, night: NewNight, apart: int) -> Night | None:
        """Keep a new night. Return None if another one of its guild that is not over, or one of the weeks in which the
        earlier one of both is repeated, begins less than `apart` ms before or after it."""

        return await self._writer.write(lambda db: _plan(db, night, apart))

    async def night(self, night: int) -> Night | None:
        """Return a night by its number."""
        return next(
            (Night(*row) for row in await self._read("SELECT * FROM nights WHERE id = ?", night)), None
        )

    async def nights_to_do(self) -> list[Night]:
        """Return the nights that are not over, or whose end is not told, oldest first."""
        return [Night(*row) for row in await self._read("SELECT * FROM nights WHERE told = 0 ORDER BY id")]

    async def due_nights(self, now: int, guilds: Iterable[int]) -> list[Night]:
        """Return those of `nights_to_do` that have begun, or begin at `now` or before, and all of some guilds."""
        return [Night(*row) for row in await self._read(TO_DO, now, json.dumps([*guilds]))]

    async def next_night(self, guild: int) -> Night | None:
        """Return the night of a guild that is played, else the one that is next; None without any."""
        rows = await self._read(f"{_AHEAD} ORDER BY round = 0, starts, id LIMIT 1", guild)
        return next((Night(*row) for row in rows), None)

    async def night_of(self, match: int) -> tuple[Night, int] | None:
        """Return the night that a match belongs to, and the round; None for other matches."""
        rows = await self._read(
            "SELECT n.*, t.round FROM night_tables AS t JOIN nights AS n ON n.id = t.night WHERE t.match = ?",
            match,
        )
        return next(((Night(*row[:-1]), row[-1]) for row in rows), None)

    async def pause_night(self, night: Night, due: int) -> bool:
        """End a round; the next one begins at `due`. Return False if the night is not as given any more."""
        return await self._change(
            "UPDATE nights SET phase = 'pause', due = ? WHERE id = ? AND phase = 'round' AND round = ?",
            *(due, night.id, night.round),
        )

    async def end_night(
        self, night: Night, phase: str, reason: str = "", after: NewNight | None = None
    ) -> bool:
        """End a night, and plan the next one of a series: both or nothing. Return False if it is not as given any
        more."""

        async def work(db: Database) -> bool:
            ((weekly, host),) = await db.fetch("SELECT weekly, host FROM nights WHERE id = ?", (night.id,))
            changed = await db.change(
                "UPDATE nights SET phase = ?, reason = ?, weekly = 0 WHERE id = ? AND phase = ? AND round = ?",
                (phase, reason, night.id, night.phase, night.round),
            )
            if changed and after is not None and weekly:  # it may just have been told not to repeat
                await _plan(db, after._replace(host=host), 1)  # who planned it may just have been erased
            return changed > 0

        # Without a turn another process may erase meanwhile who planned it.
        return await (self._writer.write if after is None else self._write_in_turn)(work)

    async def stop_repeating(self, night: int) -> bool:
        """Plan no further night after this one. Return False if none was to follow."""
        return await self._change("UPDATE nights SET weekly = 0 WHERE id = ? AND weekly = 1", night)

    async def night_is_told(self, night: int) -> None:
        """Keep that nothing is left to do for a night."""
        await self._change("UPDATE nights SET told = 1 WHERE id = ?", night)

    # People

    async def night_people(self, night: int) -> list[NightPerson]:
        """Return everybody who comes to a night, or came, by user."""
        rows = await self._read(
            "SELECT user, name, gone FROM night_people WHERE night = ? ORDER BY user", night
        )
        return [NightPerson(*row) for row in rows]

    async def come(self, night: int, user: int, name: str, most: int) -> bool:
        """Keep that a person comes to a night, also again. Return False if `most` others do."""
        return await self._change(
            "INSERT INTO night_people (night, user, name) SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM night_people"
            " WHERE night = ?1 AND gone = 0 AND user <> ?2) < ?4"
            " ON CONFLICT (night, user) DO UPDATE SET name = excluded.name, gone = 0",
            *(night, user, name, most),
        )

    async def go(self, night: int, user: int, gone: int = HAS_LEFT) -> bool:
        """Keep that a person does not come, or is `gone` as NightPerson has it. Return False if they did not come."""
        return await self._change(_GO, gone, night, user, gone)

    # Rounds

    async def begin_round(self, night: Night, tables: Sequence[tuple[Sequence[int | None], str]]) -> bool:
        """Begin the next round of a night with these tables: the people by seat, None for a computer, and why they
        sit together. Return False if the night is not as given any more, others come to it than are seated, or another
        one of its guild is on."""
        seated = {user for seats, _ in tables for user in seats if user is not None}

        async def work(db: Database) -> bool:
            begun = night.round + 1
            coming = await db.fetch(
                "SELECT user FROM night_people WHERE night = ? AND gone = 0 AND user > 0", (night.id,)
            )
            if {user for (user,) in coming} != seated or not await db.change(
                "UPDATE nights SET phase = 'round', round = ?1 WHERE id = ?2 AND phase = ?3 AND round = ?4"
                " AND NOT EXISTS (SELECT 1 FROM nights WHERE guild = ?5 AND id <> ?2 AND phase IN ('round', 'pause'))",
                (begun, night.id, night.phase, night.round, night.guild),
            ):
                return False
            for number, (seats, why) in enumerate(tables, start=1):
                await db.execute(
                    "INSERT INTO night_tables (night, round, number, why) VALUES (?, ?, ?, ?)",
                    (night.id, begun, number, why),
                )
                await db.execute_many(
                    "INSERT INTO night_seats (night, round, number, seat, user) VALUES (?, ?, ?, ?, ?)",
                    [(night.id, begun, number, seat, user) for seat, user in enumerate(seats)],
                )
            return True

        return await self._write_in_turn(work)  # else another process may erase meanwhile who is seated

    async def open_night_table(
        self,
        table: NightTableRow,
        match: NewMatch,
        entries: Sequence[LogRow],
        deadlines: Mapping[int, int],
        due: int,
    ) -> Match:
        """Keep the match of a night's table as a lobby, with its first entries and deadlines; the round ends at `due`.
        Raises StoreFailed if it has one, and when somebody who was to sit there was erased."""

        async def work(db: Database) -> Match:
            created = await create_match(db, match, entries)
            await replace_deadlines(db, created.id, deadlines)
            if not await db.change(
                "UPDATE night_tables SET match = ? WHERE night = ? AND round = ? AND number = ? AND match IS NULL",
                (created.id, *table.key),
            ):
                raise StoreFailed("This was not saved: the table is open already.")
            await _check_seats(db, table)
            await db.execute("UPDATE nights SET due = ? WHERE id = ?", (due, table.night))
            return created

        return await self._writer.write(work)

    async def close_night_table(
        self,
        table: NightTableRow,
        rated: str | None,
        seats: Sequence[NightSeat],
        gone: Mapping[int, int],
    ) -> bool:
        """Keep what a night's table gave, and who is not there any more: person -> `NightPerson.gone`. Return False if
        that is kept already. Raises StoreFailed when somebody who sits there was erased meanwhile."""

        async def work(db: Database) -> bool:
            if not await db.change(
                "UPDATE night_tables SET closed = 1, rated = ?"
                " WHERE night = ? AND round = ? AND number = ? AND closed = 0",
                (rated, *table.key),
            ):
                return False
            await _check_seats(db, table)  # else what they gave would be lost
            await db.execute_many(
                "UPDATE night_seats SET part = ?, merit = ? WHERE night = ? AND round = ? AND number = ? AND seat = ?",
                [(each.part, each.merit, *table.key, seat) for seat, each in enumerate(seats)],
            )
            await db.execute_many(_GO, [(why, table.night, user, why) for user, why in gone.items()])
            return True

        return await self._writer.write(work)

    async def night_tables(self, night: int) -> list[NightTableRow]:
        """Return all tables of a night, by round and number."""
        seats: dict[tuple[int, int], list[NightSeat]] = defaultdict(list)
        for begun, number, *seat in await self._read(
            "SELECT round, number, user, part, merit FROM night_seats WHERE night = ? ORDER BY round, number, seat",
            night,
        ):
            seats[begun, number].append(NightSeat(*seat))
        rows = await self._read(
            "SELECT round, number, why, match, closed, rated FROM night_tables WHERE night = ? ORDER BY round, number",
            night,
        )
        return [
            NightTableRow(night, begun, number, why, match, closed, rated, tuple(seats[begun, number]))
            for begun, number, why, match, closed, rated in rows
        ]

    async def is_round_played(self, night: int, round_: int) -> bool:
        """Return whether a table of a round is not open yet, or is not over."""
        rows = await self._read(
            "SELECT 1 FROM night_tables LEFT JOIN matches ON id = match WHERE night = ? AND round = ? AND closed = 0"
            " AND coalesce(phase IN ('lobby', 'play'), (SELECT phase = 'round' FROM nights WHERE id = ?)) LIMIT 1",
            *(night, round_, night),
        )
        return bool(rows)

    async def has_unpublished_results(self, night: Night, since: int) -> bool:
        """Return whether a match of the last round that ended after a time in ms is not shown to its end yet."""
        rows = await self._read(
            "SELECT 1 FROM night_tables JOIN matches ON id = match WHERE night = ? AND round = ? AND ended > ?"
            " AND published < (SELECT max(n) FROM log WHERE match = id) LIMIT 1",
            *(night.id, night.round, since),
        )
        return bool(rows)

    async def night_places(self, night: int) -> dict[int, int]:
        """Return where the matches of a night are played, as far as that is known: match -> thread or channel."""
        rows = await self._read(
            "SELECT id, place FROM night_tables JOIN matches ON id = match WHERE night = ? AND place IS NOT NULL",
            night,
        )
        return dict(rows)

    # Messages

    async def night_posts(self, night: int) -> dict[int, int]:
        """Return the messages of a night: number -> message, 0 for one that Discord has refused."""
        return dict(await self._read("SELECT number, message FROM night_posts WHERE night = ?", night))

    async def add_night_post(self, night: int, number: int, message: int) -> None:
        """Keep a message of a night, in place of the one with its number."""
        await self._change(
            "INSERT INTO night_posts VALUES (?, ?, ?)"
            " ON CONFLICT (night, number) DO UPDATE SET message = excluded.message",
            *(night, number, message),
        )

    async def delete_night_post(self, night: int, number: int) -> None:
        """Forget a message of a night that is gone from Discord."""
        await self._change("DELETE FROM night_posts WHERE night = ? AND number = ?", night, number)

    # Roles of winners

    async def add_night_role(self, role: NightRole) -> bool:
        """Keep that a person has a role until a time; a role that they have already ends then, too. Return False if
        they have never come to a night, as when they were erased meanwhile."""
        return await self._change(
            "INSERT INTO night_roles SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM night_people WHERE user = ?2)"
            " ON CONFLICT (guild, user, role) DO UPDATE SET until = excluded.until",
            *role,
        )

    async def night_roles(self, until: int) -> list[NightRole]:
        """Return the roles that end at a time or before."""
        rows = await self._read("SELECT * FROM night_roles WHERE until <= ? ORDER BY until, user", until)
        return [NightRole(*row) for row in rows]

    async def night_roles_of(self, user: int) -> list[NightRole]:
        """Return the roles that a person has."""
        return [NightRole(*row) for row in await self._read("SELECT * FROM night_roles WHERE user = ?", user)]

    async def delete_night_role(self, role: NightRole) -> None:
        """Forget a role that was taken away, unless it was given for longer meanwhile."""
        await self._change(
            "DELETE FROM night_roles WHERE guild = ? AND user = ? AND role = ? AND until = ?", *role
        )


async def _check_seats(db: Database, table: NightTableRow) -> None:
    """Raise StoreFailed unless the people of a table are those who are stored."""
    seats = await db.fetch(
        "SELECT user FROM night_seats WHERE night = ? AND round = ? AND number = ? ORDER BY seat", table.key
    )
    if [user for (user,) in seats] != [each.user for each in table.seats]:
        raise StoreFailed("This was not saved: somebody who sits there was erased.")


async def _plan(db: Database, night: NewNight, apart: int) -> Night | None:
    others = [Night(*row) for row in await db.fetch(_AHEAD, (night.guild,))]
    if any(_are_near(night, other, apart) for other in others):
        return None
    rows = await db.fetch(_PLAN, night)
    return next((Night(*row) for row in rows), None)


def _are_near(one: NewNight, other: Night, apart: int) -> bool:
    """Return whether two nights, repeated as they are, begin less than `apart` ms from each other at some time."""
    between = abs(one.starts - other.starts)
    if other.weekly if other.starts < one.starts else one.weekly:
        between = min(between % _WEEK, -between % _WEEK)
    return between < apart
