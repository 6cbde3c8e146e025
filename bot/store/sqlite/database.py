"""A connection to a SQLite file, as the SQL of the store uses it."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import aiosqlite

from bot.store.sql.database import Values
from bot.store.sqlite.faults import fault
from bot.store.sqlite.opening import LOCK_TIMEOUT


class SQLiteDatabase:
    """A connection without transactions of its own (`isolation_level` None). See `bot.store.sql.database.Writing`."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        return [*await self._connection.execute_fetchall(statement, values)]

    async def change(self, statement: str, values: Values = ()) -> int:
        return (await self._connection.execute(statement, values)).rowcount

    async def execute(self, statement: str, values: Values = ()) -> None:
        await self._connection.execute(statement, values)

    async def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        await self._connection.executemany(statement, rows)

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    async def begin(self) -> None:
        await self._connection.execute("BEGIN IMMEDIATE")

    async def settle(self) -> None:
        """Do nothing: each statement has been run when its call returns."""

    async def commit(self) -> None:
        await self._connection.execute("COMMIT")

    async def roll_back(self, savepoint: str | None = None) -> None:
        await self._connection.execute("ROLLBACK" if savepoint is None else f"ROLLBACK TO {savepoint}")

    async def close(self) -> None:
        await self._connection.close()

    def reason(self, error: Exception) -> str | None:
        return fault(error) if isinstance(error, sqlite3.Error) else None

    def is_fault(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError)


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection that reads the file as it is at one moment."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=LOCK_TIMEOUT)) as db:
        db.execute("PRAGMA query_only = ON")
        db.execute("BEGIN")
        yield db


@contextmanager
def alone(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection in a transaction while nothing else writes. Commit at the end, unless there was an error."""
    with closing(sqlite3.connect(path, isolation_level=None, timeout=LOCK_TIMEOUT)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
        except BaseException:
            db.rollback()  # does nothing when a full disk has rolled it back already
            raise
        db.commit()
