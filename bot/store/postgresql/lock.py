"""The lock of the only bot that uses a database, or of all processes of one bot together."""

import asyncio
import time
from typing import Any, Final

import psycopg

from bot.store.postgresql.connection import Raw
from bot.store.sql.versions import SCRIPTS, versions

KEY: Final = "hashtext('palmhouse bot'), hashtext(current_schema())"
TAKE: Final = f"SELECT pg_try_advisory_lock({KEY})"
TAKE_SHARED: Final = f"SELECT pg_try_advisory_lock_shared({KEY})"
TAKE_BRIEFLY: Final = f"SELECT pg_try_advisory_xact_lock({KEY})"
"""Query that takes it, until the end of the transaction, while no other session has it."""
SESSION: Final = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()"
VERSION: Final = "SELECT version FROM palmhouse"
NEWEST: Final = max(versions(SCRIPTS))
"""Version of the tables that this process knows. The scripts may be newer after an update."""
END: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2"
)
"""Query that ends a session of ours, if it is still there."""
WAIT: Final = 1.0
"""Seconds to wait for a process that is about to end."""
PAUSE: Final = 0.05
"""Seconds between two tries."""
GIVE_UP: Final = 15.0
"""Usual seconds without the lock after which another bot has the database."""


class Taken(psycopg.OperationalError):
    """Another bot or task has the lock."""


class Lock:
    """A lock that a connection holds as long as it lives. The next connection takes it again. A shared one keeps out
    only those that are not."""

    def __init__(self, *, is_shared: bool = False, give_up: float = GIVE_UP) -> None:
        self._take = TAKE_SHARED if is_shared else TAKE
        self._give_up = give_up
        self.lost = asyncio.Event()
        """Set when another bot has taken the database."""
        self._session: tuple[Any, ...] | None = None
        """The connection that has taken it."""
        self._missing_since: float | None = None

    async def take(self, raw: Raw) -> None:
        """Take the lock with a new connection. Raises Taken."""
        if self._session is not None:  # the server may not know yet that the connection before is lost
            await raw.execute(END, self._session)
        if not await is_taken(raw, self._take):
            self._note_missing()
            raise Taken("another bot or task uses the database")
        (version,) = await _row(raw, VERSION)
        if version != NEWEST:  # a newer bot has migrated them meanwhile, and may share the lock
            self.lost.set()
            raise Taken("another bot has migrated the tables")
        self._session, self._missing_since = await _row(raw, SESSION), None

    def _note_missing(self) -> None:
        now = time.monotonic()
        self._missing_since = self._missing_since or now
        if now - self._missing_since > self._give_up:
            self.lost.set()


async def is_taken(raw: Raw, take: str) -> bool:
    """Take the lock by a query such as TAKE, and return whether that succeeds within WAIT seconds."""
    give_up_at = time.monotonic() + WAIT
    while not (await _row(raw, take))[0]:
        if time.monotonic() > give_up_at:
            return False
        await asyncio.sleep(PAUSE)
    return True


async def _row(raw: Raw, query: str) -> tuple[Any, ...]:
    row = await (await raw.execute(query.encode())).fetchone()
    assert row is not None
    return row
