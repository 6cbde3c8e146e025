"""The tables `log` and `packed_logs`: rows, which are packed into one value (`packing`) a day after a match's end."""

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from typing import Any, Final, TypeAlias

from bot.store.rows import LogRow
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.packing import pack, unpack

Change: TypeAlias = Callable[[Sequence[LogRow]], Sequence[LogRow]]
"""Function that returns a log with other users and bodies."""

AT_ONCE: Final = 8
"""Maximum number of logs that are packed in one transaction."""
BUDGET: Final = 0.01
"""Usual seconds of such a transaction."""

_COLUMNS: Final = "n, kind, seat, user, body, at, click"
_ROWS: Final = "FROM log WHERE match = ?1 AND n > ?2"
# One query, as the log may be packed between two.
ENTRIES: Final = (
    f"SELECT {_COLUMNS}, NULL {_ROWS} UNION ALL"  # noqa: S608 - our own text
    " SELECT 0, '', NULL, NULL, '', 0, NULL, log FROM packed_logs WHERE match = ?1 ORDER BY 1"
)
"""Query for the log of match ?1 after entry ?2, packed or not (see `entries`)."""

# Not of an open match, whose players would wait.
_HOLD: Final = "UPDATE matches SET published = published WHERE id = ? AND phase IN ('over', 'closed')"
"""Statement after which no other process packs or rewrites the log of a match until the transaction ends."""

_INSERT: Final = (
    "INSERT INTO log (match, n, kind, seat, user, body, at, click) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)

TO_PACK: Final = (
    # Steps from match to match by the primary key: only matches with rows of `log` are looked at.
    "WITH RECURSIVE logged(id) AS (SELECT min(match) FROM log WHERE match > ?1 UNION ALL"
    " SELECT (SELECT min(match) FROM log WHERE match > logged.id) FROM logged WHERE logged.id IS NOT NULL)"
    # CROSS JOIN keeps that order, so the steps end with the last match that is wanted, not with the last of all.
    " SELECT id FROM logged CROSS JOIN matches USING (id)"
    " WHERE phase IN ('over', 'closed') AND coalesce(ended, opened) <= ?2"
    " AND (channel = 0 OR published >= (SELECT max(n) FROM log WHERE match = id))"
    " AND NOT EXISTS (SELECT 1 FROM posts WHERE match = id AND old IS NOT NULL)"
    " LIMIT ?3"
)
"""Query for ?3 matches after match ?1 that ended at ?2 or earlier, and whose messages show their whole log."""

# A table that is loaded needs its last page only. A search for lost messages deletes those of the bot that are newer
# than the oldest page it knows, so the newest message stays, too.
_OLD_PAGES: Final = (
    "DELETE FROM posts WHERE match = ?1 AND kind = 'page' AND final = 1"
    " AND number < (SELECT max(number) FROM posts WHERE match = ?1 AND kind = 'page')"
    " AND message < (SELECT max(message) FROM posts WHERE match = ?1 AND kind = 'page')"
)

_OFFERED_TO: Final = re.compile(r"\d+")


class LogStore(Connections):
    """Logs of matches."""

    async def log(self, match: int, after: int = 0) -> list[LogRow]:
        """Return the entries of a match after number `after`, in order."""
        return entries(match, await self._read(ENTRIES, match, after), after)

    async def lengths(self, matches: Iterable[int]) -> dict[int, int]:
        """Return the number of the last entry of each of these matches that has a log as rows."""
        rows = await self._read(
            "SELECT match, max(n) FROM log WHERE match IN (SELECT value FROM json_each(?)) GROUP BY match",
            json.dumps([*matches]),
        )
        return dict(rows)

    async def pack_logs(self, until: int, after: int = 0) -> int | None:
        """Compress the logs of the next few matches: those after match `after` that ended at `until` or earlier, and
        whose messages show the whole log. Return the last of them, from which the next call goes on; None when there
        are no more.

        The logs read as before, but nothing can be appended. Of the messages of their pages only the last page's and
        the newest are kept. Other writes wait for some ms only."""
        matches = [match for (match,) in await self._read(TO_PACK, after, until, AT_ONCE)]
        return await self._writer.write(lambda db: pack_some(db, matches)) if matches else None


def entries(match: int, rows: Iterable[Any], after: int = 0) -> list[LogRow]:
    """Return the entries in the rows of ENTRIES. Raises Unreadable for a damaged packed log."""
    found = [*rows]
    if found and found[0][0] == 0:
        return unpack(match, found[0][7])[after:]
    return [LogRow(*row) for *row, _ in found]


async def add_entries(db: Database, match: int, entries: Iterable[LogRow]) -> None:
    """Append entries to a log, in the transaction that is open."""
    await db.execute_many(_INSERT, [(match, *astuple(entry)) for entry in entries])


async def pack_some(db: Database, matches: Sequence[int], budget: float = BUDGET) -> int:
    """Pack the logs of these matches, and forget their older pages, for about `budget` seconds. Return the last match
    that was packed. Call it in a transaction."""
    begun = time.monotonic()
    for match in matches:
        await pack_rows(db, match)
        await db.execute(_OLD_PAGES, (match,))
        # A click may wait for this transaction.
        if time.monotonic() - begun > budget:
            break
    return match


async def pack_rows(db: Database, match: int) -> None:
    """Replace the rows of a log by a packed one, in the transaction that is open. Leave a log with a gap as it is."""
    await db.execute(_HOLD, (match,))
    rows = await db.fetch(f"SELECT {_COLUMNS} {_ROWS} ORDER BY n", (match, 0))
    log = [LogRow(*row) for row in rows]
    if not log or [row.n for row in log] != [*range(1, len(log) + 1)]:
        return
    await db.execute("DELETE FROM log WHERE match = ?", (match,))
    await db.execute("INSERT INTO packed_logs VALUES (?, ?)", (match, pack(log)))
    await db.execute_many("INSERT INTO packed_people VALUES (?, ?)", [(user, match) for user in people(log)])


async def rewrite(db: Database, match: int, change: Change) -> None:
    """Change entries of a log, packed or not, in the transaction that is open. `change` keeps their number and order.
    Raises Unreadable for a damaged log."""
    await db.execute(_HOLD, (match,))
    rows = [*await db.fetch(ENTRIES, (match, 0))]
    before = entries(match, rows)
    after = change(before)
    if before == after:
        return
    if rows[0][0] == 0:
        await db.execute("UPDATE packed_logs SET log = ? WHERE match = ?", (pack(after), match))
    else:
        changed = [
            (row.user, row.body, match, row.n) for old, row in zip(before, after, strict=True) if old != row
        ]
        await db.execute_many("UPDATE log SET user = ?, body = ? WHERE match = ? AND n = ?", changed)


def people(log: Sequence[LogRow]) -> set[int]:
    """Return the users whose ids are in a log: those who acted, and those who were offered a seat."""
    users = {row.user for row in log if row.user is not None}
    offers = [_OFFERED_TO.match(row.body) for row in log if row.kind == "offer"]
    return users | {user for user in (int(offer[0]) for offer in offers if offer) if user < 2**63}
