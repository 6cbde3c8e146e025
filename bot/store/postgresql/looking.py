"""Look at a database on a PostgreSQL server without changing it."""

from typing import Any, Final, NamedTuple

import psycopg

from bot.store.errors import StoreRefused
from bot.store.postgresql.connection import Raw
from bot.store.postgresql.faults import fault
from bot.store.postgresql.lock import KEY
from bot.store.postgresql.opening import check_version, connect
from bot.store.postgresql.processes import ALL
from bot.store.processes import Lease
from bot.store.sql.versions import SCRIPTS, versions

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
    shards: int
    """Number of shards that several processes share; 0 without such processes."""
    unserved: tuple[int, ...]
    """Those of them that no process serves."""


async def look(url: str) -> Look:
    """Check the database as a start does, and return what there is. Raises StoreRefused."""
    async with await connect(url) as raw:
        try:
            version = await check_version(raw, max(versions(SCRIPTS)))
            beat = await _values(raw, "SELECT at FROM alive") if version else ()
            settings = [each for each in SAFE if await _values(raw, f"SHOW {each}") == ("off",)]
            (size,) = await _values(raw, "SELECT pg_database_size(current_database())")
            (is_free,) = await _values(raw, f"SELECT pg_try_advisory_xact_lock({KEY})")
            shards, unserved = await _shards(raw)
        except psycopg.Error as error:
            raise StoreRefused(f"The database in DATABASE_URL cannot be used: {fault(error)}.") from error
        server = raw.info.parameter_status("server_version") or ""
        unsafe = " and ".join(settings)
        return Look(server.split()[0], size, unsafe, not is_free, next(iter(beat), None), shards, unserved)


async def _shards(raw: Raw) -> tuple[int, tuple[int, ...]]:
    """Return the number of shards that several processes share, and those that no process serves."""
    if await _values(raw, "SELECT to_regclass('leases')") == (None,):
        return 0, ()
    leases = [Lease(*row) for row in await (await raw.execute(ALL.encode())).fetchall()]
    shards = max((lease.out_of for lease in leases), default=0)
    served = {lease.shard for lease in leases}
    return shards, tuple(shard for shard in range(shards) if shard not in served)


async def _values(raw: Raw, query: str) -> tuple[Any, ...]:
    """Return the first row; nothing when there is none."""
    return await (await raw.execute(query.encode())).fetchone() or ()
