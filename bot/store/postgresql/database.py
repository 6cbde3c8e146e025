"""Connections to PostgreSQL, as the SQL of the store uses them."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any, Final

import psycopg

from bot.store.errors import InDoubt, StoreFailed
from bot.store.postgresql.connection import LONGEST, Connection, Gone, Raw, with_our_types
from bot.store.postgresql.dialect import arranged, translate
from bot.store.postgresql.faults import FAULTS, GONE, fault
from bot.store.sql.database import Values

READERS: Final = 4
"""Number of connections that read."""
LONG: Final = 60
"""Seconds for each statement of a write about many matches."""
LONG_READ: Final = 10
"""Seconds for a read about many matches."""
OUTCOME: Final = 0.6
"""Seconds in which the outcome of a commit without an answer is looked up."""
PAST_IMPORTED: Final = (
    "SELECT setval(numbers, greatest(nextval(numbers), max(id))) FROM matches,"
    " (SELECT pg_get_serial_sequence('matches', 'id')::regclass AS numbers) AS s GROUP BY numbers"
)
"""Query after which no new match gets the number of one that was imported with its number."""
PAUSE: Final = 0.05
"""Seconds between two looks for the outcome."""


class Explaining:
    """Explains errors of psycopg. See `bot.store.sql.database.Closing`."""

    def reason(self, error: Exception) -> str | None:
        return fault(error) if isinstance(error, psycopg.Error) else None

    def is_fault(self, error: Exception) -> bool:
        return isinstance(error, psycopg.Error) and fault(error) in (GONE, *FAULTS.values())


class Readers(Explaining):
    """Connections that read, each opened when it is first needed. See `bot.store.sql.database.Reading`."""

    def __init__(self, url: str, number: int = READERS, seconds: float = LONGEST) -> None:
        async def greet(raw: Raw) -> None:
            if seconds > LONGEST:
                await raw.execute(f"SET statement_timeout = {seconds * 1000:.0f}".encode())

        self._seconds = seconds
        self._all = [Connection(url, greet) for _ in range(number)]
        self._free: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
        for each in self._all:
            self._free.put_nowait(each)

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        query, names = translate(statement)
        try:
            async with asyncio.timeout(self._seconds):
                connection = await self._free.get()
        except TimeoutError:
            raise Gone from None
        try:
            raw = await connection.raw(LONGEST)
            with connection.limited(raw, self._seconds):
                return await (await raw.execute(query.encode(), arranged(values, names))).fetchall()
        finally:
            self._free.put_nowait(connection)

    async def close(self) -> None:
        for each in self._all:
            await each.close()


class PostgreSQLDatabase(Explaining):
    """The connection that writes. See `bot.store.sql.database.Writing`.

    A transaction is a pipeline: its statements are sent without waiting for the answers to those before. So a move
    takes two round trips, one for its statements and one for the commit, and the bot may be far from the database.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._raw: Raw | None = None
        """The connection while a transaction is open."""
        self._pipeline = AsyncExitStack()
        self._limit = LONGEST
        self._undone = 0
        """Number of calls of `roll_back`."""
        self._number: str | None = None
        """Number of the transaction, known after `settle`; None when it has written nothing."""
        self.doubted = set[str]()
        """Numbers of transactions that may be committed later, as far as is known."""

    @property
    def in_transaction(self) -> bool:
        return self._raw is not None

    async def begin(self) -> None:
        self._limit, self._number = LONGEST, None
        self._raw = await self._connection.raw()
        async with self._answered() as raw:
            self._sync = (await self._pipeline.enter_async_context(raw.pipeline())).sync
            await self._send("BEGIN")

    async def fetch(self, statement: str, values: Values = ()) -> Sequence[Any]:
        async with self._answered():
            return await (await self._send(statement, values)).fetchall()

    async def change(self, statement: str, values: Values = ()) -> int:
        async with self._answered():
            cursor = await self._send(statement, values)
            await self._sync()
            return cursor.rowcount

    async def execute(self, statement: str, values: Values = ()) -> None:
        async with self._answered():
            await self._send(statement, values)

    async def execute_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        async with self._answered():
            for row in rows:
                await self._send(statement, row)

    async def settle(self) -> None:
        async with self._answered():
            cursor = await self._send("SELECT pg_current_xact_id_if_assigned()::text")
            await self._sync()
            ((self._number,),) = await cursor.fetchall()

    async def commit(self) -> None:
        try:
            async with self._answered():
                await self._send("COMMIT")
                await self._end()
        except psycopg.Error as error:
            if fault(error) != GONE or self._number is None:
                raise
            await self._look_up(self._number)

    async def roll_back(self, savepoint: str | None = None) -> None:
        with suppress(psycopg.Error):  # of a statement whose answer nobody has waited for
            await self.settle()
        self._undone += 1
        statement = "ROLLBACK" if savepoint is None else f"ROLLBACK TO {savepoint}"
        async with self._answered() as raw:
            # After an error psycopg takes statements for prepared that the server has skipped. It forgets them when it
            # sees the answer to a ROLLBACK with a text that is new to it.
            await raw.execute(f"{statement} /* {self._undone} */".encode())
            await self._sync()
            if savepoint is None:
                await self._end()

    async def be_patient(self) -> None:
        self._limit = LONG
        await self.execute(f"SET LOCAL statement_timeout = {LONG * 1000}")

    async def close(self) -> None:
        await self._connection.close()

    async def _send(self, statement: str, values: Values = ()) -> psycopg.AsyncCursor[tuple[Any, ...]]:
        assert self._raw is not None
        query, names = translate(statement)
        return await self._raw.execute(query.encode(), arranged(values, names))

    async def _end(self) -> None:
        """Wait for all answers and leave the transaction."""
        try:
            await self._pipeline.aclose()
        finally:
            self._raw = None

    @asynccontextmanager
    async def _answered(self) -> AsyncIterator[Raw]:
        """Limit the time of the block. After an error, make ready for the next statement."""
        if (raw := self._raw) is None:
            raise Gone
        try:
            with self._connection.limited(raw, self._limit):
                yield raw
        except psycopg.Error:
            with suppress(psycopg.Error):
                if raw.closed:  # the transaction has ended with it
                    self._raw = None
                    await self._pipeline.aclose()
                else:
                    await self._sync()
            raise

    async def _look_up(self, number: str) -> None:
        """Find out whether a transaction without an answer was committed. Raises StoreFailed if not, and InDoubt if
        that stays unknown."""
        give_up_at = time.monotonic() + OUTCOME
        while (left := give_up_at - time.monotonic()) > 0:
            with suppress(psycopg.Error):
                match await self._status(number, left):
                    case "committed":
                        return
                    case "aborted":
                        raise StoreFailed(f"This was not saved: {GONE}.")
            await asyncio.sleep(PAUSE)
        self.doubted.add(number)
        raise InDoubt(f"It is not certain whether this was saved: {GONE}. You see it once it is back.")

    async def _status(self, number: str, patience: float) -> str:
        raw = await self._connection.raw(patience)
        with self._connection.limited(raw, patience):
            rows = await (await raw.execute("SELECT pg_xact_status($1::xid8)", (number,))).fetchall()
        return str(rows[0][0])


class BlockingDatabase:
    """A connection for long work in a thread. See `bot.store.sql.database.Blocking`."""

    def __init__(self, raw: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._raw = raw

    def execute(self, statement: str, values: Values = (), /) -> psycopg.Cursor[tuple[Any, ...]]:
        query, names = translate(statement)
        return self._raw.execute(query.encode(), arranged(values, names))

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> None:
        query, _ = translate(statement)
        self._raw.cursor().executemany(query.encode(), rows)

    def copy(self, table: str, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows with all columns to a table: faster by far than INSERT."""
        with self._raw.cursor().copy(f"COPY {table} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)

    def rollback(self) -> None:
        self._raw.rollback()


@contextmanager
def snapshot(url: str) -> Iterator[BlockingDatabase]:
    """Yield a connection that reads the database as it is at one moment, without limits of time."""
    with psycopg.Connection.connect(url, cursor_factory=psycopg.RawCursor) as raw:
        with_our_types(raw)
        raw.read_only = True
        raw.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        yield BlockingDatabase(raw)


@contextmanager
def alone(url: str) -> Iterator[BlockingDatabase]:
    """Yield a connection in a transaction without limits of time. Commit at the end, unless there was an error."""
    with psycopg.Connection.connect(url, cursor_factory=psycopg.RawCursor) as raw:
        with_our_types(raw)
        db = BlockingDatabase(raw)
        yield db
        db.execute(PAST_IMPORTED)
