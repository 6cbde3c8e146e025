"""Look at a database on a PostgreSQL server without changing it."""

from typing import Any, Final, NamedTuple

import psycopg

from bot.store.errors import StoreRefused
from bot.store.postgresql.connection import Raw
from bot.store.postgresql.faults import fault
from bot.store.postgresql.lock import KEY
from bot.store.postgresql.opening import MIGRATIONS, check_version, connect, scripts

SAFE: Final = "fsync", "full_page_writes", "synchronous_commit"
"""Settings of the server without which a commit may be lost."""


class Look(NamedTuple):
    """A database as it is found."""

    server: str
    """Version of the server."""
    size: int
    """Bytes of the database."""
    is_unsafe: str
    """Names of settings that are off but must not be; empty when all is well."""
    is_used: bool
    """True while a bot or task has it."""
    beat: int | None
    """Last heartbeat of a bot in ms."""


async def look(url: str) -> Look:
    """Check the database as a start does, and return what there is. Raises StoreRefused."""
    async with await connect(url) as raw:
        try:
            version = await check_version(raw, max(scripts(MIGRATIONS)))
            beat = await _values(raw, "SELECT at FROM alive") if version else ()
            settings = [each for each in SAFE if await _values(raw, f"SHOW {each}") == ("off",)]
            (size,) = await _values(raw, "SELECT pg_database_size(current_database())")
            (is_free,) = await _values(raw, f"SELECT pg_try_advisory_xact_lock({KEY})")
        except psycopg.Error as error:
            raise StoreRefused(f"The database in DATABASE_URL cannot be used: {fault(error)}.") from error
        server = raw.info.parameter_status("server_version") or ""
        return Look(server.split()[0], size, " and ".join(settings), not is_free, next(iter(beat), None))


async def _values(raw: Raw, query: str) -> tuple[Any, ...]:
    """Return the first row; nothing when there is none."""
    return await (await raw.execute(query.encode())).fetchone() or ()
