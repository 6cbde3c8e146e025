"""The store in one SQLite file. `bot.store.sql.store` has the methods that are the same for all engines."""

import asyncio
import logging
import shutil
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack
from functools import partial
from pathlib import Path

import aiosqlite

from bot.program import PROGRAM
from bot.store.errors import StoreFailed, StoreRefused
from bot.store.rows import StoreHealth
from bot.store.sql import privacy
from bot.store.sql.database import Blocking, Database
from bot.store.sql.store import Store
from bot.store.sql.writer import Writer
from bot.store.sqlite import ledger
from bot.store.sqlite.backup import TO_SCRUB, name_aside, size_of
from bot.store.sqlite.database import SQLiteDatabase, alone, snapshot
from bot.store.sqlite.opening import BESIDE, PRIVATE, USUAL, Waits, connect, prepare

log = logging.getLogger(__name__)


class SQLiteStore(Store):
    """An open file, with a connection to read, one for long reads and one to write."""

    def __init__(
        self,
        path: Path,
        reading: aiosqlite.Connection,
        patient: aiosqlite.Connection,
        writing: aiosqlite.Connection,
        waits: Waits = USUAL,
    ) -> None:
        writer = Writer(SQLiteDatabase(writing), self._check_in_place)
        super().__init__(SQLiteDatabase(reading), SQLiteDatabase(patient), writer)
        self._path = path
        self._waits = waits
        self._files = _identities(path)
        self._lost = asyncio.Event()
        """Set when the file is no longer at its path."""
        self._scrubbing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, waits: Waits = USUAL) -> "SQLiteStore":
        """Open the file; create or migrate it first when needed. Raises StoreRefused."""
        await asyncio.to_thread(partial(prepare, path, wait=waits.start))
        try:
            async with AsyncExitStack() as stack:  # else its threads would keep this process
                reading = await connect(path, waits, query_only=True)
                stack.push_async_callback(reading.close)
                patient = await connect(path, waits, query_only=True)
                stack.push_async_callback(patient.close)
                store = cls(path, reading, patient, await connect(path, waits), waits)
                stack.push_async_callback(store.close)
                await store._finish_erasures()
                store._files = _identities(path)  # SQLite has opened its log by now
                stack.pop_all()
        except StoreFailed as error:
            raise StoreRefused(f"An erasure of a person could not be finished in {path}. {error}") from error
        return store

    async def close(self) -> None:
        if self._scrubbing is not None:
            self._scrubbing.cancel()
        await super().close()

    async def health(self) -> StoreHealth:
        size = await asyncio.to_thread(size_of, self._path)
        free = (await asyncio.to_thread(shutil.disk_usage, self._path.parent)).free
        return StoreHealth(self._path, self._writer.fault, size, free)

    async def until_lost(self) -> str:
        await self._lost.wait()
        aside = name_aside(self._path)
        said = f"The database {self._path} was deleted or replaced while the bot used it."
        try:
            aside.touch(PRIVATE, exist_ok=False)
            await self._writer.write_alone(lambda db: db.execute("VACUUM INTO ?", (str(aside),)))
        except (OSError, StoreFailed) as error:
            aside.unlink(missing_ok=True)
            return f"{said} What it held could not be kept ({error}). Restore a backup."
        finally:
            self._delete_log()
        return f"{said} What it held is in {aside}; `{PROGRAM} restore {aside}` puts it back."

    def _check_in_place(self) -> None:
        """Raise StoreFailed when the file is no longer at its path."""
        try:
            is_there = _identity(self._path) == self._files[self._path]
        except OSError:
            # The folder may not be entered any more. What was written is in the file, which SQLite has open.
            return
        if not is_there:  # what was written to it would be lost
            self._lost.set()
            raise StoreFailed("This was not saved: the database was deleted or replaced, so the bot stops.")

    def _delete_log(self) -> None:
        """Delete the write-ahead log of the lost file."""
        # SQLite would write it into the new file at the path of the lost one.
        for each, identity in self._files.items():
            if each != self._path and identity is not None and _identity(each) == identity:
                each.unlink(missing_ok=True)

    def _snapshot(self) -> AbstractContextManager[Blocking]:
        return snapshot(self._path)

    def _alone(self) -> AbstractContextManager[Blocking]:
        return alone(self._path)

    async def _erasures(self) -> list[privacy.Erasure]:
        return await asyncio.to_thread(ledger.lines, self._path)

    async def erase_person(self, user: int, at: int) -> list[int] | None:
        if not await self._is_known(user):
            return None
        erasure = privacy.Erasure.of(user)
        length = await asyncio.to_thread(ledger.write_down, self._path, erasure)
        try:
            changed = await self._writer.write(lambda db: ledger.erase(db, user, erasure, at))
        except Exception:
            # Else the next start would erase somebody who has read that nothing was saved, and plays on.
            await asyncio.to_thread(ledger.take_back, self._path, length)
            raise
        await self._scrub_later()
        return changed

    async def forget_former_players(self, first_day: int) -> bool:
        forgotten = await super().forget_former_players(first_day)
        if forgotten:
            await self._scrub_later()
        return forgotten

    async def purge_guild(self, guild: int) -> bool:
        purged = await super().purge_guild(guild)
        if purged:
            await self._scrub_later()
        return purged

    async def _finish_erasures(self) -> None:
        """Carry out the erasures of the ledger that this file lacks, and scrub it when that was not done."""
        erasures = await self._erasures()
        if erasures:
            now = int(time.time() * 1000)
            await self._writer.write(lambda db: ledger.apply(db, erasures, now))
        if await self._read(ledger.UNSCRUBBED, TO_SCRUB) and not await self._is_done(ledger.scrub):
            await self._scrub_later()

    async def _scrub_later(self) -> None:
        """Remove the bytes of what was erased: those of its rows now, all others by a scrub in a while."""
        if self._scrubbing is None or self._scrubbing.done():
            self._scrubbing = asyncio.create_task(self._scrub(), name="scrub")
        await self._is_done(ledger.empty_log)

    async def _scrub(self) -> None:
        # Once for all erasures until then: every write waits for it, some seconds if the file is large.
        while True:
            await asyncio.sleep(self._waits.scrub)
            if await self._is_done(ledger.scrub):
                return

    async def _is_done(self, work: Callable[[Database], Awaitable[None]]) -> bool:
        try:
            await self._writer.write_alone(work)
        except StoreFailed as error:
            log.warning(
                "the file still has bytes of what was erased; they are removed later, or at the next start: %s",
                error,
            )
            return False
        return True


def _identity(path: Path) -> tuple[int, int] | None:
    """Return numbers that differ between the file at this path and any other; None without a file."""
    try:
        state = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return state.st_dev, state.st_ino


def _identities(path: Path) -> dict[Path, tuple[int, int] | None]:
    """Return the identities of a database and of the files that SQLite keeps beside it."""
    return {each: _identity(each) for each in (path, *(path.with_name(path.name + end) for end in BESIDE))}
