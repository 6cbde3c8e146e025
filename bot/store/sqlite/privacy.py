"""SQL that exports and erases a person. The columns are those that `bot.store.personal` declares.

A person is erased in three steps: a line in the ledger beside the file, one transaction that replaces ids and names,
and a scrub, which rebuilds the file so that no old byte remains. An interrupted erasure goes on at the next start.
"""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import aiosqlite

from bot.store.errors import StoreFailed
from bot.store.personal import FORMER, TABLES, Erasing

Statement: TypeAlias = tuple[str, Mapping[str, object]]

_OF_PERSON: Final = (
    "SELECT match FROM log WHERE user = :user UNION SELECT match FROM results WHERE user = :user"
    " UNION SELECT id FROM matches WHERE host = :user"
)
"""Matches in which the person did something."""
_OFFERED: Final = "kind = 'offer' AND body || ' ' LIKE :user || ' %'"
"""Entries by which somebody offers the person a seat. The body is an id and a name."""
_GIVEN: Final = (
    "kind = 'give' AND EXISTS (SELECT 1 FROM log AS next WHERE next.match = log.match AND next.n = log.n + 1"
    " AND next.kind = 'take' AND next.user = :user)"
)
"""Entries by which somebody hands a seat to the person. The body is the person's name."""
_MENTIONED: Final = "kind = 'close' AND instr(body, '<@' || :user || '>')"
"""Entries of older versions whose body is a sentence about the person."""

_WHOSE: Final = {
    "matches": f"id IN ({_OF_PERSON})",
    "log": (
        f"user = :user OR ({_OFFERED}) OR ({_GIVEN}) OR ({_MENTIONED})"
        f" OR (kind IN ('remind', 'overdue', 'wait', 'caretaker') AND match IN ({_OF_PERSON}))"
    ),
    "clocks": f"match IN ({_OF_PERSON})",
    "posts": f"match IN (SELECT id FROM matches WHERE guild = 0 AND id IN ({_OF_PERSON}))",  # noqa: S608 - our own names
}
"""Conditions for the rows of a person, of tables where it is not `user = :user`."""
_OTHERS: Final = {
    "matches.host": "CASE host WHEN :user THEN host END",
    "log.user": "CASE user WHEN :user THEN user END",
    # An offer to somebody else, or a seat given to them, names that person.
    "log.body": f"CASE WHEN kind NOT IN ('offer', 'give') OR ({_OFFERED}) OR ({_GIVEN}) THEN body END",
}
"""Expressions for columns that may hold the id or name of another person: NULL in their place."""

_THERE: Final = "match IN (SELECT value FROM json_each(:matches))"
"""Condition for the matches that name the person. With it, no statement needs to read the whole log."""
_OLD_ROWS: Final = (
    f"UPDATE log SET body = :new || ' {FORMER}' WHERE {_THERE} AND {_OFFERED}",  # noqa: S608 - our own names
    f"UPDATE log SET body = '{FORMER}' WHERE {_THERE} AND {_GIVEN}",  # noqa: S608
    f"UPDATE log SET body = replace(body, '<@' || :user || '>', 'a {FORMER}') WHERE {_THERE} AND {_MENTIONED}",  # noqa: S608
    f"UPDATE log SET body = '{FORMER}' WHERE {_THERE} AND user = :user AND kind IN ('join', 'take')",  # noqa: S608
    # The seed of a deal follows from the interaction of a join and the digest of a cut, so these stay.
    f"UPDATE log SET body = substr(body, 1, instr(body, ' ')) || '{FORMER}' WHERE {_THERE}"  # noqa: S608
    " AND user = :user AND kind = 'sit'",
    f"UPDATE log SET body = substr(body, 1, 65) || char(10) || '{FORMER}' WHERE {_THERE}"  # noqa: S608
    " AND user = :user AND kind = 'cut'",
    f"UPDATE log SET user = :new WHERE {_THERE} AND user = :user",  # noqa: S608
    f"DELETE FROM posts WHERE {_THERE} AND match IN (SELECT id FROM matches WHERE guild = 0)",  # noqa: S608
    # The channel of direct messages belongs to the person. Nothing can be posted there any more.
    "UPDATE matches SET channel = 0, place = NULL, card = NULL,"
    " published = (SELECT coalesce(max(n), 0) FROM log WHERE match = id)"
    " WHERE guild = 0 AND id IN (SELECT value FROM json_each(:matches))",
)
"""Statements for the log, and for what the declarations do not say: direct messages."""


class Ids(NamedTuple):
    """A column that holds ids of people."""

    table: str
    column: str


class Erasure(NamedTuple):
    """A line of the ledger: a random key in hexadecimal, and the hash of a person's id with it."""

    key: str
    hash: str

    @classmethod
    def of(cls, user: int) -> "Erasure":
        """Return a new line for a person."""
        key = secrets.token_hex(32)
        return cls(key, _hash(key, user))

    def is_of(self, user: int) -> bool:
        """Return whether this line is for the person."""
        return hmac.compare_digest(self.hash, _hash(self.key, user))


def exports(user: int) -> Iterator[tuple[str, Sequence[str], Statement]]:
    """Yield for each table with personal columns its name, these columns, and the query for the person's rows."""
    for table, declared in TABLES.items():
        columns = [*declared.personal()]
        if columns:
            asked = ", ".join(_OTHERS.get(f"{table}.{column}", column) for column in columns)
            whose = _WHOSE.get(table, "user = :user")
            yield table, columns, (f"SELECT {asked} FROM {table} WHERE {whose}", {"user": user})  # noqa: S608


def _id_columns() -> list[Ids]:
    """Return the columns that hold ids of people."""
    return [
        Ids(table, name)
        for table, declared in TABLES.items()
        for name, column in declared.personal().items()
        if column.erasing is Erasing.ID or (column.erasing is Erasing.GONE and name == "user")
    ]


def _statements(user: int, matches: Iterable[int]) -> list[Statement]:
    """Return the statements that replace a person, who is named in these matches, by a random number. It is negative,
    so no other id equals it."""
    new = -secrets.randbelow(2**62) - 1
    values = {"user": user, "new": new, "former": FORMER, "matches": json.dumps([*matches])}
    generic = [_replacement(ids) for ids in _id_columns() if ids.table != "log"]
    return [(statement, values) for statement in (*_OLD_ROWS, *generic)]


def _replacement(ids: Ids) -> str:
    columns = TABLES[ids.table].personal()
    if columns[ids.column].erasing is Erasing.GONE:
        return f"DELETE FROM {ids.table} WHERE {ids.column} = :user"  # noqa: S608 - our own names
    names = [name for name, column in columns.items() if column.erasing is Erasing.NAME]
    changes = ", ".join([f"{ids.column} = :new", *(f"{name} = :former" for name in names)])
    return f"UPDATE {ids.table} SET {changes} WHERE {ids.column} = :user"  # noqa: S608


async def erase(db: aiosqlite.Connection, user: int, erasure: Erasure, at: int) -> list[int]:
    """Replace a person in all tables, in the transaction that is open. Return the matches that have changed."""
    rows = await db.execute_fetchall(
        f"{_OF_PERSON} UNION SELECT match FROM log WHERE ({_OFFERED}) OR ({_MENTIONED})",  # noqa: S608
        {"user": user},
    )
    matches = [match for (match,) in rows]
    for statement, values in _statements(user, matches):
        await db.execute(statement, values)
    await db.execute("INSERT OR REPLACE INTO erasures VALUES (?, ?, 0)", (erasure.hash, at))
    return matches


async def scrub(db: aiosqlite.Connection) -> None:
    """Rebuild the file and empty its write-ahead log, so that no byte of an erased person remains. Call it outside of
    a transaction. Raises StoreFailed while another process reads the file."""
    await db.execute("VACUUM")  # older versions have left bytes of deleted rows in free pages
    ((busy, _, _),) = await db.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        raise StoreFailed("Another process reads the file.")
    await db.execute("UPDATE erasures SET scrubbed = 1 WHERE scrubbed = 0")


def is_known(user: int) -> Statement:
    """Return the query for whether the database has the id of a person anywhere."""
    found = [f"EXISTS (SELECT 1 FROM {table} WHERE {column} = :user)" for table, column in _id_columns()]  # noqa: S608
    found.append(f"EXISTS (SELECT 1 FROM log WHERE ({_OFFERED}) OR ({_MENTIONED}))")  # noqa: S608 - our own names
    return f"SELECT {' OR '.join(found)}", {"user": user}


async def _people(db: aiosqlite.Connection) -> set[int]:
    """Return the ids of all people."""
    queries = [f"SELECT {column} FROM {table}" for table, column in _id_columns()]  # noqa: S608 - our own names
    queries += [
        "SELECT CAST(body AS INTEGER) FROM log WHERE kind = 'offer'",
        "SELECT CAST(substr(body, instr(body, '<@') + 2) AS INTEGER) FROM log"
        " WHERE kind = 'close' AND instr(body, '<@')",
    ]
    rows = await db.execute_fetchall(" UNION ".join(queries))
    return {user for (user,) in rows if user is not None and user > 0}


# The ledger: it lies beside the file and is not part of a backup of it.


def ledger_of(path: Path) -> Path:
    """Return the path of the ledger of a database file."""
    return path.with_name(f"{path.name}.erased")


def write_down(path: Path, erasure: Erasure) -> None:
    """Append a line to the ledger of a database file. Raises StoreFailed."""
    try:
        ledger = os.open(ledger_of(path), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            # The first line break ends a line that a full disk has cut off.
            os.write(ledger, f"\n{erasure.key} {erasure.hash}\n".encode())
            os.fsync(ledger)
        finally:
            os.close(ledger)
    except OSError as error:
        raise StoreFailed(
            f"This was not saved: {ledger_of(path)} cannot be written: {error.strerror}."
        ) from error


def lines(path: Path) -> list[Erasure]:
    """Return the lines of the ledger of a database file; none if there is no ledger. Raises StoreFailed."""
    try:
        written = ledger_of(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise StoreFailed(f"The ledger of erasures, {ledger_of(path)}, cannot be read: {error}.") from error
    parts = (line.split() for line in written)
    return [Erasure(*each) for each in parts if [*map(len, each)] == [64, 64]]


async def apply(db: aiosqlite.Connection, erasures: Iterable[Erasure], at: int) -> None:
    """Carry out the erasures that this file lacks because it was restored from a backup. Call it in a transaction."""
    done = {hashed for (hashed,) in await db.execute_fetchall("SELECT id FROM erasures")}
    missing = [erasure for erasure in erasures if erasure.hash not in done]
    people = await _people(db) if missing else set()
    for erasure in missing:
        for user in filter(erasure.is_of, people):
            await erase(db, user, erasure, at)
        await db.execute("INSERT OR IGNORE INTO erasures VALUES (?, ?, 1)", (erasure.hash, at))


def _hash(key: str, user: int) -> str:
    return hmac.new(bytes.fromhex(key), str(user).encode(), hashlib.sha256).hexdigest()
