"""A connection to a SQLite file, as the SQL of the store uses it."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import aiosqlite

from bot.store.sql.database import Values
from bot.store.sqlite.faults import fault
from bot.store.sqlite.opening import USUAL

Run: TypeAlias = Callable[[sqlite3.Connection], Any]
"""Runs a statement, on the thread of the connection."""


class SQLiteDatabase:
    """A connection without transactions of its own (`isolation_level` None). See `bot.store.sql.database.Writing`.

    In a transaction, statements wait for the first one whose result matters, and are run with it.
    """

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._waiting: list[Run] = []
        self._begun = False

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        rows: list[Any] = await self._run(lambda db: db.execute(statement, values).fetchall())
        return rows

    async def change(self, statement: str, values: Values = ()) -> int:
        number: int = await self._run(lambda db: db.execute(statement, values).rowcount)
        return number

    async def execute(self, statement: str, values: Values = ()) -> None:
        await self._run_later(lambda db: db.execute(statement, values))

    async def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        listed = [*rows]
        await self._run_later(lambda db: db.executemany(statement, listed))

    async def be_patient(self) -> None:
        """Do nothing: no statement has a limit."""

    @property
    def in_transaction(self) -> bool:
        return bool(self._waiting) or self._connection.in_transaction

    async def begin(self) -> None:
        self._begun = True
        self._waiting.append(lambda db: db.execute("BEGIN IMMEDIATE"))

    async def settle(self) -> None:
        await self._run(lambda _: None)

    async def commit(self) -> None:
        self._begun = False
        await self._run(lambda db: db.execute("COMMIT"))

    async def roll_back(self, savepoint: str | None = None) -> None:
        with suppress(sqlite3.Error):
            await self.settle()  # the savepoint may wait, too
        self._begun = savepoint is not None
        await self._run(
            lambda db: db.execute("ROLLBACK" if savepoint is None else f"ROLLBACK TO {savepoint}")
        )

    async def close(self) -> None:
        await self._connection.close()

    def reason(self, error: Exception) -> str | None:
        return fault(error) if isinstance(error, sqlite3.Error) else None

    def is_fault(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError)

    async def _run_later(self, run: Run) -> None:
        """Run something with the next statement whose result matters, outside of a transaction now."""
        # An error may have ended the transaction.
        # Each run takes two switches between the event loop and the connection's thread, which cost more than a
        # statement.
        if self._waiting or (self._begun and self._connection.in_transaction):
            self._waiting.append(run)
        else:
            await self._run(run)

    async def _run(self, last: Run) -> Any:
        """Run what waits, then `last`; return the result of `last`."""
        runs, self._waiting = [*self._waiting, last], []

        def run() -> Any:
            db = self._connection._conn  # aiosqlite offers no way to run several statements at once
            return [each(db) for each in runs][-1]

        return await self._connection._execute(run)  # type: ignore[no-untyped-call]


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads the file as it is at one moment."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=USUAL.start)) as db:
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        yield db


@contextmanager
def alone(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a transaction while nothing else writes. Commit at the end, unless there was an error."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=USUAL.start)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.rollback()  # does nothing when a full disk has rolled it back already
            raise
        db.commit()
