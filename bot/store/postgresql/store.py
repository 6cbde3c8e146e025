"""The store in a PostgreSQL database. `bot.store.sql.store` has the methods that are the same for all engines."""

import asyncio
from contextlib import AbstractContextManager
from typing import ClassVar, Final

import psycopg

from bot.store.errors import StoreFailed, StoreRefused, Unreadable
from bot.store.postgresql.connection import Connection
from bot.store.postgresql.database import LONG_READ, PostgreSQLDatabase, Readers, alone, snapshot
from bot.store.postgresql.faults import GONE, fault
from bot.store.postgresql.lock import GIVE_UP, Lock, Taken
from bot.store.postgresql.opening import prepare
from bot.store.postgresql.processes import END_SHARING
from bot.store.rows import StoreHealth
from bot.store.sql import guilds, privacy
from bot.store.sql.database import Blocking, Database
from bot.store.sql.matches import MEMBERS
from bot.store.sql.store import Store
from bot.store.sql.writer import Writer

IN_USE: Final = "Another bot or task uses the database in DATABASE_URL. Stop it, or name another database."


class PostgreSQLStore(Store):
    """An open database, with one connection to write, a few to read, and one for long reads."""

    turn: ClassVar[str | None] = (
        "SELECT pg_advisory_xact_lock(hashtext('palmhouse counting'), hashtext(current_schema()))"
    )

    def __init__(self, url: str, writing: Connection, lock: Lock | None) -> None:
        self._database = PostgreSQLDatabase(writing)
        super().__init__(Readers(url), Readers(url, 1, LONG_READ), Writer(self._database))
        self._url = url
        self._lock = lock

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        is_alone: bool = True,
        is_shared: bool = False,
        is_task: bool = False,
        give_up: float = GIVE_UP,
    ) -> "PostgreSQLStore":
        """Open the database; create its tables or migrate them first when needed. Let no other bot or task in while it
        is open, if this one must be alone; with `is_shared`, only processes that share it, too. It is lost to another
        bot that has kept this one out for `give_up` seconds. Raises StoreRefused."""
        raw = await prepare(url)
        lock = Lock(is_shared=is_shared, give_up=give_up) if is_alone else None
        writing = Connection(url, lock.take if lock else None)
        try:
            await writing.use(raw)
            if is_alone and not (is_shared or is_task):
                await raw.execute(END_SHARING.encode())
        except Taken:
            raise StoreRefused(IN_USE) from None
        except psycopg.Error as error:
            raise StoreRefused(f"The database in DATABASE_URL cannot be used: {fault(error)}.") from None
        return cls(url, writing, lock)

    async def flush(self) -> None:
        await super().flush()
        for number in [*self._database.doubted]:
            # A disk that stalls holds up commits, but no reads, and these would miss what is kept a moment later.
            if await self._is_in_progress(number):
                raise Unreadable(f"The database cannot be read: {GONE}.")
            self._database.doubted.discard(number)

    async def _is_in_progress(self, number: str) -> bool:
        try:
            ((status,),) = await self._read("SELECT pg_xact_status(CAST(? AS xid8))", number)
        except Unreadable as error:
            if isinstance(error.__cause__, psycopg.errors.InvalidParameterValue):
                return False  # it is unknown to a server that has crashed, or has come back as an older copy
            raise
        return bool(status == "in progress")

    async def health(self) -> StoreHealth:
        ((size,),) = await self._read("SELECT pg_database_size(current_database())")
        return StoreHealth(None, self._writer.fault, size, None)

    async def until_lost(self) -> str:
        if self._lock is None:
            await asyncio.Event().wait()
        else:
            await self._lock.lost.wait()
        return "Another bot has taken the database in DATABASE_URL while this one had no connection to it."

    def _snapshot(self) -> AbstractContextManager[Blocking]:
        return snapshot(self._url)

    def _alone(self) -> AbstractContextManager[Blocking]:
        return alone(self._url)

    async def _erasures(self) -> list[privacy.Erasure]:
        rows = await self._read("SELECT id FROM erasures")
        return [privacy.Erasure(id[:64], id[64:]) for (id,) in rows]  # noqa: A001 - the name of the column

    async def erase_person(self, user: int, at: int) -> list[int] | None:
        if not await self._is_known(user):
            return None
        erasure = privacy.Erasure.of(user)

        async def work(db: Database) -> list[int]:
            await db.be_patient()
            # They were asked before, but may have sat down by another process since.
            if await db.fetch(f"{MEMBERS} AND user = ?", (user,)):
                raise StoreFailed("This was not saved: they have sat down at a table meanwhile.")
            await db.execute("INSERT INTO erasures VALUES (?, ?, 1)", (erasure.key + erasure.hash, at))
            return await privacy.erase(db, user, at, self.turn)

        return await self._writer.write(work)

    async def purge_guild(self, guild: int) -> bool:
        async def work(db: Database) -> bool:
            await db.be_patient()
            return await guilds.purge(db, guild)

        return await self._writer.write(work)
