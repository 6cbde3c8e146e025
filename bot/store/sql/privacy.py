"""The export and the erasing of a person, in all tables. The columns are those that `bot.store.personal` declares."""

import hashlib
import hmac
import json
import secrets
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import zip_longest
from typing import Final, NamedTuple, TypeAlias

from bot.store.personal import FORMER, TABLES, Erasing
from bot.store.rows import LATEST_DAYS, LogRow, Person
from bot.store.sql.connections import Connections
from bot.store.sql.database import Database
from bot.store.sql.logs import ENTRIES, entries, rewrite

Statement: TypeAlias = tuple[str, Mapping[str, object]]

_OF_PERSON: Final = (
    "SELECT match FROM log WHERE user = :user UNION SELECT match FROM packed_people WHERE user = :user"
    " UNION SELECT match FROM results WHERE user = :user UNION SELECT id FROM matches WHERE host = :user"
)
"""Matches in which the person did something, or whose packed log names them."""
_OFFERED: Final = "kind = 'offer' AND body || ' ' LIKE :user || ' %'"
"""Entries by which somebody offers the person a seat. The body is an id and a name."""
NAMED: Final = f"{_OF_PERSON} UNION SELECT match FROM log WHERE {_OFFERED}"  # noqa: S608 - our own text
"""Query for all matches that name the person :user."""

_WHOSE: Final = {
    "matches": f"id IN ({_OF_PERSON})",
    # Those of others would tell who has decided ahead: the time of such a move is short.
    "clocks": f"match IN ({_OF_PERSON}) AND :user = (SELECT user FROM log WHERE log.match = clocks.match"  # noqa: S608
    " AND log.seat = clocks.seat AND kind IN ('move', 'take', 'back') ORDER BY n DESC LIMIT 1)",
    "nights": "host = :user",
    "posts": f"match IN (SELECT id FROM matches WHERE guild = 0 AND id IN ({_OF_PERSON}))",  # noqa: S608 - our own names
}
"""Conditions for the rows of a person, of tables where it is not `user = :user`."""
_OTHERS: Final = {"matches.host": "CASE host WHEN :user THEN host END"}
"""Expressions for columns that may hold the id of another person: NULL in its place."""
_FOUND_OTHERWISE: Final = ("log", "packed_logs", "former_players")
"""Tables whose rows of a person no condition finds: see `exported_entries` and `_former_players`."""
_ABOUT_SEATS: Final = ("remind", "overdue", "wait", "caretaker")
"""Kinds of entries about some seats, which nobody has made."""

_OF_MESSAGES: Final = (
    "DELETE FROM posts WHERE match IN (SELECT value FROM json_each(:matches))"
    " AND match IN (SELECT id FROM matches WHERE guild = 0)",
    # The channel of direct messages belongs to the person. Nothing can be posted there any more.
    "UPDATE matches SET channel = 0, place = NULL, card = NULL,"
    " published = (SELECT coalesce(max(n), 0) FROM log WHERE match = id)"
    " WHERE guild = 0 AND id IN (SELECT value FROM json_each(:matches))",
)
"""Statements for direct messages, which the declarations do not name."""

LATEST_END: Final = "SELECT coalesce(max(ended), 0) FROM matches WHERE ended IS NOT NULL"  # by the index
"""Query for the end of the match that ended last."""
AT_A_TIME: Final = 2**21
"""Number of ids for people who are erased in one ms."""
_DAY: Final = 86_400_000
_ALONE: Final = "SELECT id FROM matches WHERE host = :user AND guild = 0 AND phase IN ('lobby', 'play')"
"""Query for the open matches of a person that nobody else sees: without a place or, as a backup brings them back, in
their direct messages."""
_CLOSE: Final = (
    "INSERT INTO log (match, n, kind, body, at)"
    " VALUES (:match, (SELECT max(n) + 1 FROM log WHERE match = :match), 'close', 'everybody left', :at)",
    "UPDATE matches SET phase = 'closed', ended = :at WHERE id = :match",
    "DELETE FROM clocks WHERE match = :match",
)
"""Statements that close the match :match, as when its last person leaves."""
_SEEN: Final = (
    "SELECT id, seed FROM matches LEFT JOIN daily_attempts ON match = id"
    " WHERE id IN (SELECT value FROM json_each(:matches)) AND (day >= :oldest OR phase = 'play' AND EXISTS"
    " (SELECT 1 FROM log AS seated WHERE match = id AND user = :user AND kind IN ('sit', 'take')"
    " AND NOT EXISTS (SELECT 1 FROM log WHERE match = id AND user = :user AND kind = 'leave' AND n > seated.n"
    " AND n < (SELECT n FROM log WHERE match = id AND kind = 'start'))))"
)
"""Query for those of :matches whose deal the person :user has seen and somebody can still play."""


class Ids(NamedTuple):
    """A column that holds ids of people."""

    table: str
    column: str


class Erasure(NamedTuple):
    """The trace of an erasure: a random key in hexadecimal, and the hash of a person's id with it."""

    key: str
    hash: str

    @classmethod
    def of(cls, user: int) -> "Erasure":
        """Return the trace of a person."""
        key = secrets.token_hex(32)
        return cls(key, _hash(bytes.fromhex(key), user))

    def is_of(self, user: int) -> bool:
        """Return whether this is the trace of the person."""
        return hmac.compare_digest(self.hash, _hash(bytes.fromhex(self.key), user))


class PrivacyStore(Connections):
    """All that is stored about a person."""

    async def export_person(self, user: int) -> Person:
        """Return all that is stored about a person."""
        found: dict[str, list[dict[str, str | int | float | None]]] = {}
        for table, columns, (query, values) in exports(user):
            rows = await self._read_values(query, values, self._patient)
            found[table] = [dict(zip(columns, row, strict=True)) for row in rows]
        found["log"] = await self._entries_of(user)
        found["former_players"] = [{**row} for row in await self._former_players(user)]
        return Person(found)

    async def _entries_of(self, user: int) -> list[dict[str, str | int | float | None]]:
        rows = await self._read_values(NAMED, {"user": user}, self._patient)
        matches = [match for (match,) in rows]
        return [
            entry
            for match in matches
            for entry in exported_entries(match, entries(match, await self._read(ENTRIES, match, 0)), user)
        ]

    @abstractmethod
    async def erase_person(self, user: int, at: int) -> list[int] | None:
        """Replace a person by a random negative number and the name "former player", and delete their preferences.
        Close their open matches without a place, and keep for each deal that they have seen and that is not over a
        hash by which `former_ids` knows them. Return the matches that have changed; None for an unknown person, of
        whom nothing is stored.

        The person must not sit at an open match with a place. A SQLite database overwrites the id and the names at
        once. Copies of their bytes that it has left elsewhere in its files vanish when it is rebuilt, in six hours or
        at the next start. A server's own files keep old bytes until the server uses their space again.

        Raises StoreFailed. `at` is the time in ms.
        """

    async def erasures(self) -> int:
        """Return the number of people who were erased."""
        ((number,),) = await self._read("SELECT count(*) FROM erasures")
        return int(number)

    async def former_ids(self, user: int) -> dict[int, int]:
        """Return by match the number that stands in its log for a person who was erased before its deal was over."""
        return {int(row["match"]): int(row["former"]) for row in await self._former_players(user)}

    async def _former_players(self, user: int) -> list[dict[str, str | int]]:
        """Return the rows of a person in the table of that name, by column."""
        rows = await self._read(
            "SELECT match, hash, former, seed FROM former_players JOIN matches ON id = match"
        )
        return [
            {"match": match, "hash": found, "former": former}
            for match, found, former, seed in rows
            if hmac.compare_digest(found, _hash(seed.encode(), user))
        ]

    async def forget_former_players(self, first_day: int) -> bool:
        """Delete the hashes for matches that are over or closed, and for deals of days before `first_day`. Return
        whether there were any. Their bytes vanish as those of an erased person do."""
        return await self._change(
            "DELETE FROM former_players AS f WHERE coalesce((SELECT day < ? FROM daily_attempts WHERE match = f.match),"
            " (SELECT phase <> 'play' FROM matches WHERE id = f.match))",
            first_day,
        )

    async def _is_known(self, user: int) -> bool:
        """Return whether the database has the id of a person anywhere, after all writes so far."""
        await self.flush()
        found = [f"EXISTS (SELECT 1 FROM {table} WHERE {column} = :user)" for table, column in id_columns()]  # noqa: S608
        found.append(f"EXISTS (SELECT 1 FROM log WHERE {_OFFERED})")  # noqa: S608 - our own names
        query = f"SELECT {' OR '.join(found)}"
        ((known,),) = await self._read_values(query, {"user": user}, self._patient)
        return bool(known)


def exports(user: int) -> Iterator[tuple[str, Sequence[str], Statement]]:
    """Yield for each table with personal columns, except those in _FOUND_OTHERWISE, its name, these columns, and the
    query for the person's rows."""
    for table, declared in TABLES.items():
        columns = [*declared.personal()]
        if columns and table not in _FOUND_OTHERWISE:
            asked = ", ".join(_OTHERS.get(f"{table}.{column}", column) for column in columns)
            whose = _WHOSE.get(table, "user = :user")
            yield table, columns, (f"SELECT {asked} FROM {table} WHERE {whose}", {"user": user})  # noqa: S608


def exported_entries(
    match: int, log: Sequence[LogRow], user: int
) -> list[dict[str, str | int | float | None]]:
    """Return the entries of a match that concern a person, by column. Ids and names of others are None."""
    took_part = any(row.user == user for row in log)
    found: list[dict[str, str | int | float | None]] = []
    for row, after in zip_longest(log, log[1:]):
        named = _is_named(row, after, user)
        if row.user == user or named or (took_part and row.kind in _ABOUT_SEATS):
            # An offer to somebody else, or a seat given to them, names that person.
            body = None if row.kind in ("offer", "give") and not named else row.body
            own = row.user if row.user == user else None
            # Gaps in the numbers would tell how often others have decided ahead, or changed their secret choices.
            n = len(found) + 1
            found.append({"match": match, **asdict(row), "n": n, "user": own, "body": body})
    return found


def _is_named(row: LogRow, after: LogRow | None, user: int) -> bool:
    """Return whether the body of an entry has the person's id, or the name of the person who takes a seat by the entry
    after it."""
    match row.kind:
        case "offer":
            return row.body.partition(" ")[0] == str(user)
        case "give":
            return after is not None and (after.kind, after.user) == ("take", user)
    return False


def id_columns() -> list[Ids]:
    """Return the columns that hold ids of people."""
    return [
        Ids(table, name)
        for table, declared in TABLES.items()
        for name, column in declared.personal().items()
        if column.erasing is Erasing.ID or (column.erasing is Erasing.GONE and name == "user")
    ]


def _statements(user: int, new: int, matches: Iterable[int]) -> list[Statement]:
    """Return the statements that replace a person, who is named in these matches, everywhere but in the logs."""
    values = {"user": user, "new": new, "former": FORMER, "matches": json.dumps([*matches])}
    generic = [_replacement(ids) for ids in id_columns() if ids.table != "log"]
    return [(statement, values) for statement in (*_OF_MESSAGES, *generic)]


def forgotten(log: Sequence[LogRow], user: int, new: int) -> list[LogRow]:
    """Return a log with `new` in the place of a person's id, and without their names and words."""
    return [_forgotten(row, after, user, new) for row, after in zip_longest(log, log[1:])]


def _forgotten(row: LogRow, after: LogRow | None, user: int, new: int) -> LogRow:
    if _is_named(row, after, user):
        bodies = {"offer": f"{new} {FORMER}", "give": FORMER}
        row = replace(row, body=bodies[row.kind])
    if row.user != user:
        return row
    # The seed of a deal follows from the interaction of a join and the digest of a cut, so these stay.
    interaction, digest = row.body.partition(" ")[0], row.body[:65]
    own = {
        "take": FORMER,
        "reserve": FORMER,
        "sit": f"{interaction} {FORMER}",
        "cut": f"{digest}\n{FORMER}",
    }
    return replace(row, user=new, body=own.get(row.kind, row.body))


def _replacement(ids: Ids) -> str:
    columns = TABLES[ids.table].personal()
    if columns[ids.column].erasing is Erasing.GONE:
        return f"DELETE FROM {ids.table} WHERE {ids.column} = :user"  # noqa: S608 - our own names
    names = [name for name, column in columns.items() if column.erasing is Erasing.NAME]
    changes = ", ".join([f"{ids.column} = :new", *(f"{name} = :former" for name in names)])
    return f"UPDATE {ids.table} SET {changes} WHERE {ids.column} = :user"  # noqa: S608


async def erase(db: Database, user: int, at: int, turn: str | None = None) -> list[int]:
    """Replace a person in all tables, in the transaction that is open. Close the matches that they play alone, and keep
    hashes for the deals that they have seen and that are not over. Return the matches that have changed. `turn`: see
    `Connections.turn`."""
    rows = await db.fetch(NAMED, {"user": user})
    matches = [match for (match,) in rows]
    # This machine's clock may be slow. A person was nobody else yet in the matches that have ended.
    ((ended,),) = await db.fetch(LATEST_END)
    at = max(at, ended + 1)
    new = erased_since(at) + secrets.randbelow(AT_A_TIME)
    for (match,) in await db.fetch(_ALONE, {"user": user}):
        for statement in _CLOSE:
            await db.execute(statement, {"match": match, "at": at})
    oldest = at // _DAY - LATEST_DAYS
    seen = await db.fetch(_SEEN, {"matches": json.dumps(matches), "user": user, "oldest": oldest})
    for match in matches:
        await rewrite(db, match, partial(forgotten, user=user, new=new))
    if turn is not None:  # else the results of a match that another process counts now would still name them
        await db.execute(turn)
    for statement, values in _statements(user, new, matches):
        await db.execute(statement, values)
    for match, seed in seen:
        await db.execute(
            # Whoever was erased before in this match has seen the same hand.
            "INSERT INTO former_players VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (match, _hash(seed.encode(), user), new),
        )
    return matches


def erased_since(at: int) -> int:
    """Return the lowest id of people who were erased at `at` ms or before. No other ids are negative.

    Such an id tells when its person was erased, and nothing else: ratings must treat earlier erasures alike whenever
    they are computed (see `bot.store.sql.standings.TOGETHER`).
    """
    return -(at + 1) * AT_A_TIME


def _hash(key: bytes, user: int) -> str:
    return hmac.new(key, str(user).encode(), hashlib.sha256).hexdigest()
