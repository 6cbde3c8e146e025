"""The connections of a store to its database, of any engine."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, AsyncExitStack
from typing import Any, ClassVar, TypeVar

from bot.store.errors import Closed, StoreFailed, Unreadable
from bot.store.sql.database import Blocking, Database, Reading, Values
from bot.store.sql.writer import Writer

T = TypeVar("T")


class Connections(ABC):
    """Connections to read, to write, and for reads that may be long, on which each subject of the store builds."""

    turn: ClassVar[str | None] = None
    """Statement after which no other process counts a match, erases a person, closes a season, begins a round or ends a
    night of a series until the transaction ends; None where there is none."""

    def __init__(self, reading: Reading, patient: Reading, writer: Writer) -> None:
        """`patient` reads what grows with the matches, so that no click waits for it."""
        self._reading = reading
        self._patient = patient
        self._writer = writer
        self._closed = False
        self.on_write = writer.on_write
        """Callbacks for each write: the seconds from its request until it was on the disk, and False when it failed.
        They must not raise."""

    async def close(self) -> None:
        """Finish the writes that wait, then close."""
        self._closed = True
        async with AsyncExitStack() as stack:  # all of them, also when one cannot be closed
            for each in (self._writer, self._patient, self._reading):
                stack.push_async_callback(each.close)

    async def flush(self) -> None:
        """Wait until every write requested so far is done or has failed, including those of cancelled callers. Raises
        Unreadable while one may still be kept that has failed in doubt."""
        await self._writer.flush()

    async def _read(self, query: str, *values: Any) -> Sequence[Any]:
        return await self._read_values(query, values)

    async def _read_long(self, query: str, *values: Any) -> Sequence[Any]:
        """Run a query that reads more rows the more matches there are."""
        return await self._read_values(query, values, self._patient)

    async def _read_values(self, query: str, values: Values, reading: Reading | None = None) -> Sequence[Any]:
        if self._closed:
            raise Closed("The database cannot be read: the bot is stopping.")
        try:
            return await (reading or self._reading).fetch(query, values)
        except Exception as error:
            raise self._unreadable(error) from error

    async def _change(self, statement: str, *values: str | int | None) -> bool:
        """Run one statement in a transaction of its own. Return whether it has changed a row."""

        async def work(db: Database) -> bool:
            return await db.change(statement, values) > 0

        return await self._writer.write(work)

    async def _write_in_turn(self, work: Callable[[Database], Awaitable[T]]) -> T:
        """Run `work` in a transaction as `Writer.write` does, after its `turn`."""

        async def take_turn(db: Database) -> T:
            if self.turn is not None:
                await db.execute(self.turn)
            return await work(db)

        # While it waits for its turn, it must hold no row for which the process that has the turn may wait.
        return await self._writer.write(take_turn, first=True)

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Blocking]:
        """Return a connection that reads everything as it is at one moment."""

    @abstractmethod
    def _alone(self) -> AbstractContextManager[Blocking]:
        """Return a connection in a transaction that is committed at the end of the block."""

    async def _long(self, work: Callable[[Blocking], T], where: AbstractContextManager[Blocking]) -> T:
        """Run `work` in a thread."""

        def run() -> T:
            with where as db:
                return work(db)

        return await asyncio.to_thread(run)

    def _not_saved(self, error: Exception) -> StoreFailed:
        """Return the error that the caller of a write gets. Raises an error that is not the database's."""
        return StoreFailed(f"This was not saved: {self._reason(error)}.")

    def _unreadable(self, error: Exception) -> Unreadable:
        """Return the error that the caller of a read gets. Raises an error that is not the database's."""
        return Unreadable(f"The database cannot be read: {self._reason(error)}.")

    def _reason(self, error: Exception) -> str:
        reason = self._reading.reason(error)
        if reason is None:
            raise error
        return reason
