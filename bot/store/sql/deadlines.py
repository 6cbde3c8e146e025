"""The table `clocks`."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.own_state import keep_heartbeat

Moves: TypeAlias = Mapping[tuple[int, int], tuple[int, int]]
"""By match and seat: when a deadline was due, and when it is now, in ms."""
NO_MOVES: Final[Moves] = MappingProxyType({})
_OPEN_ON: Final = (
    "SELECT id FROM matches WHERE phase IN ('lobby', 'play') AND guild IN (SELECT value FROM json_each(?))"
)


class DeadlineStore(Connections):
    """Deadlines of matches."""

    async def deadlines(self, match: int) -> dict[int, int]:
        """Return the deadlines of a match: seat -> due ms."""
        rows = await self._read("SELECT seat, due FROM clocks WHERE match = ? ORDER BY seat", match)
        return dict(rows)

    async def next_deadline(self, after: int) -> int | None:
        """Return the earliest deadline of any match that is later than `after`."""
        due: int | None
        ((due,),) = await self._read("SELECT min(due) FROM clocks WHERE due > ?", after)
        return due

    async def due_deadlines(self, now: int) -> list[tuple[int, int, int]]:
        """Return the deadlines up to `now` as (match, seat, due ms), earliest first."""
        rows = await self._read(
            "SELECT match, seat, due FROM clocks WHERE due <= ? ORDER BY due, match, seat", now
        )
        return [(match, seat, due) for match, seat, due in rows]

    async def with_game_deadlines(self) -> list[int]:
        """Return the matches whose game does something by itself (a deadline of seat -2), oldest first."""
        rows = await self._read("SELECT match FROM clocks WHERE seat = -2 ORDER BY match")
        return [match for (match,) in rows]

    async def with_entry(self, kind: str, matches: Iterable[int]) -> set[int]:
        """Return those of these open matches whose log has an entry of a kind."""
        rows = await self._read(
            "SELECT DISTINCT match FROM log WHERE kind = ? AND match IN (SELECT value FROM json_each(?))",
            kind,
            json.dumps([*matches]),
        )
        return {match for (match,) in rows}

    async def postpone(
        self, ms: int, guilds: Iterable[int], now: int, away: Mapping[int, int], others: Moves = NO_MOVES
    ) -> None:
        """Move the deadlines of the open matches of these servers by `ms`, except, after the lobby, those of seat -2
        (times at which a game does something by itself), and then the `others`. Keep `now` as the last heartbeat in the
        same transaction, so that no outage is counted twice. For `away` see `heartbeat`. The rounds of game nights to
        which they belong get the time back, too."""

        moved = ms, json.dumps([*guilds])

        async def work(db: Database) -> None:
            # First: it waits until deadlines that count from an earlier heartbeat are kept, and can be moved.
            await keep_heartbeat(db, now, away)
            await db.execute(
                f"UPDATE clocks SET due = due + ? WHERE match IN ({_OPEN_ON})"  # noqa: S608 - our own
                " AND (seat <> -2 OR EXISTS (SELECT 1 FROM matches WHERE id = match AND phase = 'lobby'))",
                moved,
            )
            await move_deadlines(db, others)
            await db.execute(
                "UPDATE nights SET due = due + ? WHERE phase = 'round' AND id IN"  # noqa: S608 - our own
                f" (SELECT night FROM night_tables WHERE match IN ({_OPEN_ON}))",
                moved,
            )

        await self._writer.write(work)


async def replace_deadlines(
    db: Database, match: int, deadlines: Mapping[int, int], since: int | None = None
) -> None:
    """Replace the deadlines of a match, in the transaction that is open. Those that count from `since`, a time in ms by
    the clock of a process that does not run the match, count from the last heartbeat where that is later: else they
    might have passed already for the process that runs it."""
    late = 0
    if since is not None:
        # The row stays locked, so that whoever keeps another heartbeat waits, and finds these deadlines.
        rows = await db.fetch("UPDATE alive SET at = at RETURNING at")
        late = max([0, *(at - since for (at,) in rows)])
    await db.execute("DELETE FROM clocks WHERE match = ?", (match,))
    await db.execute_many(
        "INSERT INTO clocks VALUES (?, ?, ?)", [(match, seat, due + late) for seat, due in deadlines.items()]
    )


async def move_deadlines(db: Database, moves: Moves) -> None:
    """Move deadlines, except those of a later decision, in the transaction that is open. Their matches count as not
    completely shown then: no log tells of the new times, and a kill must not hide them."""
    await db.execute_many(
        "UPDATE clocks SET due = ? WHERE match = ? AND seat = ? AND due = ?",
        [(new, match, seat, old) for (match, seat), (old, new) in moves.items()],
    )
    await db.execute_many(
        "UPDATE matches SET published = 0 WHERE id = ?", [(match,) for match in {match for match, _ in moves}]
    )
