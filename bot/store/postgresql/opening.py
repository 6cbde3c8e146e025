"""Open a database of PostgreSQL: refuse it, or migrate it to the newest version. One that was restored is told so."""

import asyncio
from pathlib import Path
from typing import Any, Final

import psycopg

from bot.store.errors import StoreRefused
from bot.store.postgresql.connection import Raw, opened
from bot.store.postgresql.dialect import scripted
from bot.store.postgresql.faults import fault, refusal
from bot.store.postgresql.lock import TAKE_BRIEFLY, is_taken
from bot.store.postgresql.restored import note_restored
from bot.store.sql.versions import SCRIPTS, versions

OWN: Final = Path(__file__).with_name("own.sql")
"""Script of what the first version has besides the tables."""
OLDEST: Final = 130000
"""Oldest version of the server, as `server_version` counts."""
OURS: Final = "SELECT to_regclass('palmhouse') IS NOT NULL"
TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
# `pg_restore` creates tables anew, so they get other numbers than those that the dump brings along.
IS_SAME: Final = "SELECT (SELECT value FROM facts WHERE key = 'tables') = 'matches'::regclass::oid::text"
"""Query for whether the tables are those that were opened last; NULL when that is not known."""
KEEP_TABLES: Final = (
    "INSERT INTO facts VALUES ('tables', 'matches'::regclass::oid::text)"
    " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('palmhouse migration'), hashtext(current_schema()))"


async def prepare(url: str, scripts: Path = SCRIPTS) -> Raw:
    """Check the database, and create the tables or migrate them to the newest version. Return a connection to it.
    Raises StoreRefused."""
    raw = await connect(url)
    try:
        await _migrate(raw, await asyncio.to_thread(_read, scripts))
    except psycopg.Error as error:
        await raw.close()
        raise StoreRefused(f"The database in DATABASE_URL cannot be used: {fault(error)}.") from error
    except StoreRefused:
        await raw.close()
        raise
    return raw


async def connect(url: str) -> Raw:
    """Return a connection to a server that is new enough. Raises StoreRefused."""
    try:
        raw = await opened(url)
    except psycopg.Error as error:
        raise StoreRefused(f"The database in DATABASE_URL cannot be used: {refusal(error)}.") from None
    except UnicodeError:  # of a name of a host
        raise StoreRefused("The database in DATABASE_URL cannot be used: it is malformed.") from None
    if raw.info.server_version < OLDEST:
        await raw.close()
        raise StoreRefused("The server in DATABASE_URL is older than PostgreSQL 13. Name a newer one.")
    if (encoding := raw.info.parameter_status("server_encoding")) != "UTF8":
        await raw.close()
        raise StoreRefused(
            f"The database in DATABASE_URL has the encoding {encoding}, which cannot hold all names. Create "
            "it anew with `createdb --encoding=UTF8 --template=template0 --owner=USER NAME`."
        )
    return raw


async def check_version(raw: Raw, newest: int) -> int:
    """Return the version of the tables; 0 when there are none. Raises StoreRefused for those of a newer version and of
    another program."""
    version = await _version(raw)
    if version > newest:
        raise StoreRefused(
            f"The database in DATABASE_URL was written by a newer Palmhouse (version {version}; this one knows "
            f"{newest}) and was left alone. Start the newer one, or name another database."
        )
    return version


def _read(scripts: Path) -> dict[int, bytes]:
    steps = {
        number: scripted(script.read_text(encoding="utf-8")) for number, script in versions(scripts).items()
    }
    steps[1] += OWN.read_text(encoding="utf-8")
    return {number: script.encode() for number, script in steps.items()}


async def _migrate(raw: Raw, steps: dict[int, bytes]) -> None:
    async with raw.transaction():
        await raw.execute("SET LOCAL statement_timeout = 0")
        # Two processes that start together do not run the same migration.
        await raw.execute(LOCK)
        version = await check_version(raw, max(steps))
        missing = sorted(number for number in steps if number > version)
        # Asked before the migrations, as one may create the table anew.
        is_same = await _one(raw, IS_SAME) if version else None
        is_restored = is_same is not None and not is_same
        if (missing or is_restored) and not await is_taken(raw, TAKE_BRIEFLY):
            # It goes on with the tables as it knows them.
            why = "was restored from a dump" if is_restored else "is of an older version"
            raise StoreRefused(
                f"The database in DATABASE_URL {why}, and a bot or task uses it. Stop all processes of the bot, then "
                "try again."
            )
        for number in missing:
            await raw.execute(steps[number])
            await raw.execute("UPDATE palmhouse SET version = $1", (number,))
        if is_restored:
            await note_restored(raw)
        if missing or not is_same:
            await raw.execute(KEEP_TABLES.encode())


async def _version(raw: Raw) -> int:
    """Return the version of the tables; 0 when there are none. Raises StoreRefused for those of another program."""
    if await _one(raw, OURS):
        return int(await _one(raw, "SELECT version FROM palmhouse"))
    if await _one(raw, TABLES):
        raise StoreRefused(
            "The database in DATABASE_URL belongs to another program and was left alone. Name an empty one."
        )
    return 0


async def _one(raw: Raw, query: str) -> Any:
    """Return the only value that a query finds."""
    ((value,),) = await (await raw.execute(query.encode())).fetchall()
    return value
