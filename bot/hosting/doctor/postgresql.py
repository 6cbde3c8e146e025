"""Checks of a PostgreSQL database. Imports psycopg, so import it only where DATABASE_URL is set."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from bot.hosting.doctor.database import NO_BOT, at_work
from bot.hosting.doctor.finding import Finding, Level, split
from bot.store.errors import StoreRefused
from bot.store.postgresql.looking import Look, look
from games.phrases import listed


def of_postgresql(url: str, wait: Callable[[float], None] = time.sleep) -> list[Finding]:
    """Check the database as a start does, without changing it, and that a bot which uses it is well. Call it in a
    thread without an event loop. `wait` lets some seconds pass."""
    try:
        found = asyncio.run(look(url))
    except StoreRefused as refusal:
        return [split("database", str(refusal))]
    said = (
        f"The database of DATABASE_URL can be used ({found.size / 1e6:,.1f} MB, PostgreSQL {found.server})."
    )
    if found.is_unsafe:
        findings = [
            Finding(
                "database",
                Level.WARNING,
                f"PostgreSQL has {found.is_unsafe} off, so a power cut may lose moves, or the database.",
                "Switch it on in postgresql.conf.",
            )
        ]
    else:
        findings = [Finding("database", Level.OK, said)]
    if found.is_used:
        findings.append(at_work(found.beat, lambda: _beat(url), wait=wait))
    else:
        findings.append(NO_BOT)
    if found.shards:
        findings.append(_shards(found))
    return findings


def _beat(url: str) -> int | None:
    """Return the last heartbeat; None if the database cannot be read."""
    with suppress(StoreRefused):
        return asyncio.run(look(url)).beat
    return None


def _shards(found: Look) -> Finding:
    """Check that each shard has a process."""
    if not found.unserved:
        return Finding("shards", Level.OK, f"All {found.shards} are served.")
    which = f"shard{'s' * (len(found.unserved) > 1)} {listed(map(str, found.unserved))}"
    return Finding(
        "shards",
        Level.WARNING,
        f"No process serves {which} of {found.shards}, so nobody can play on their servers.",
        f"Start the process with these SHARDS. Processes with SHARDS=any/{found.shards} replace each other.",
    )
