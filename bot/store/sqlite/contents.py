"""Everything in a file, for a database elsewhere. The file is not changed by a single byte."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.store.errors import StoreRefused
from bot.store.personal import TABLES
from bot.store.sqlite import ledger
from bot.store.sqlite.faults import fault
from bot.store.sqlite.opening import inspect, look, newest_version

Row: TypeAlias = Sequence[Any]

AT_ONCE: Final = 2_000
"""Number of rows that are read at once."""
LEDGER: Final = "erasures"
"""The table that has only the hashes of the ledger. Elsewhere it is the ledger itself: the keys with the hashes."""


class Contents:
    """All rows of an open file."""

    def __init__(self, db: sqlite3.Connection, erasures: Sequence[Row]) -> None:
        self._db = db
        self._erasures = erasures

    def counts(self) -> Mapping[str, int]:
        """Return the number of rows of each table."""
        return {table: self._count(table) for table in TABLES}

    def _count(self, table: str) -> int:
        if table == LEDGER:
            return len(self._erasures)
        return int(self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - our own names

    def batches(self, table: str) -> Iterator[Sequence[Row]]:
        """Yield the rows in the order of their keys: each comes after the rows to which it refers."""
        if table == LEDGER:
            yield self._erasures
            return
        cursor = self._db.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own names
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows

    def highest(self) -> Sequence[tuple[str, int]]:
        """Return the highest number that was ever given, by table."""
        return self._db.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0").fetchall()


def check_newest(path: Path) -> None:
    """Raise StoreRefused for a file that cannot be used, and for one that a start would change first: an older version,
    or a backup with people who were erased later. Raises StoreFailed when its ledger cannot be read."""
    try:
        inspect(path)
        with closing(look(path)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version < newest_version():
                raise StoreRefused(
                    f"The database {path} was written by an older Palmhouse (version {version}; this one writes "
                    f"{newest_version()}). Start the bot with it once, stop it, and run this again."
                )
            if not {each.hash for each in ledger.lines(path)} <= _erased(db).keys():
                raise StoreRefused(
                    f"The database {path} is a backup from before somebody was erased. Start the bot with it once, "
                    "which erases them again, stop it, and run this again."
                )
    except sqlite3.Error as error:
        raise StoreRefused(f"The database {path} cannot be used: {fault(error)}.") from error


@contextmanager
def contents(path: Path) -> Iterator[Contents]:
    """Open a file that `check_newest` accepts and nobody writes. Raises StoreFailed and sqlite3.Error."""
    with closing(look(path)) as db:
        db.execute("BEGIN")  # all reads see the same snapshot
        erased = _erased(db)
        yield Contents(db, [(each.key + each.hash, erased[each.hash], 1) for each in ledger.lines(path)])


def _erased(db: sqlite3.Connection) -> Mapping[str, int]:
    """Return the times of erasures by hash."""
    return dict(db.execute(f"SELECT id, at FROM {LEDGER}"))  # noqa: S608 - our own name
