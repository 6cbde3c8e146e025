"""Stores in real files, and the rows that the tests put into them."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

from bot.store import LogRow, Match, NewMatch, Store, open_store
from bot.store.sql.database import Values
from bot.store.sql.versions import versions
from bot.store.sqlite.opening import prepare

INSTALLATION = b"f" * 32
"""Stands for the random name of a database, in the one that is copied."""
GUILD, CHANNEL, ALICE, BEN, CLEO = 5001, 6001, 7001, 7002, 7003
NIGHTS = (
    "INSERT INTO nights (guild, channel, host, starts, weekly, games, rounds, secret, due, phase) VALUES "
    + ", ".join(
        f"({GUILD}, {CHANNEL}, {ALICE}, 1, 0, '[]', 1, '5ec', 1, '{phase}')"
        for phase in ("planned", "planned", "round", "pause", "over", "off")
    )
)
"""Statement that adds a game night in each phase, and another one that is to come."""


def new_database(path: Path) -> Path:
    """Put an empty database of the newest version there, as a first start leaves it. That waits for the disk."""
    path.write_bytes(_first().replace(INSTALLATION, token_hex(16).encode()))
    path.chmod(0o600)
    return path


@cache
def _first() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.sqlite3"
        prepare(path)
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE facts SET value = ? WHERE key = 'installation'", (INSTALLATION.decode(),))
        return path.read_bytes()


def rows(path: Path, query: str, *values: Any) -> list[Any]:
    """Return the rows of a statement, on a connection of its own."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return db.execute(query, values).fetchall()


def run(path: Path, script: str) -> None:
    """Run several statements, on a connection of their own."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


def plan(path: Path, query: str, values: Values) -> list[str]:
    """Return the steps by which SQLite would run a query."""
    with closing(sqlite3.connect(path)) as db:
        return [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {query}", values)]


@asynccontextmanager
async def opened(where: Path | str, **options: Any) -> AsyncIterator[Store]:
    """Open the store in a file, or at an address, until the end of the block."""
    store = await open_store(where, **options)
    try:
        yield store
    finally:
        await store.close()


async def lobby(
    store: Store,
    *,
    guild: int = GUILD,
    host: int = ALICE,
    due: int = 9_000,
    rematch_of: int | None = None,
    challenged: int | None = None,
) -> Match:
    """Create a match with its host and a deadline of its table."""
    new = NewMatch("twin-palms", 1, '{"mode": "first"}', "seed", guild, CHANNEL, host, 1_000, rematch_of)
    first = LogRow(1, "sit", None, host, "0 Alice", 1_000)
    return await store.create(new, [first], {-1: due}, challenged=challenged)


def move(n: int, body: str = "play P3") -> LogRow:
    """Return a move as log entry `n`."""
    return LogRow(n, "move", 0, ALICE, body, 1_000 + n)


def copy_scripts(scripts: Path, to: Path, migration: str | None = None) -> Path:
    """Copy the scripts that make the versions of a database to a new folder, with one more migration made up by a test.
    Return that folder."""
    there = versions(scripts)
    (to / "migrations").mkdir(parents=True)
    for script in there.values():
        shutil.copy(script, to / script.relative_to(scripts))
    if migration is not None:
        (to / "migrations" / f"{max(there) + 1:04}_made_up.sql").write_text(migration, encoding="utf-8")
    return to


async def pack_all(store: Store, until: int = 2**62) -> None:
    """Pack the logs of all matches that ended at `until` or earlier and whose messages show the whole log."""
    last: int | None = 0
    while last is not None:
        last = await store.pack_logs(until, last)


async def purge(store: Store, guild: int) -> None:
    """Purge a guild as one that removed the bot."""
    await store.mark_left_guilds([], 0)
    assert await store.purge_guild(guild)
