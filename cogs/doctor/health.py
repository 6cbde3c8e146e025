"""Checks of the bot itself, for all servers together. Nothing here tells one server about another."""

import asyncio
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from bot.client import Palmhouse
from bot.hosting.backup_files import OLD, last_good_backup
from bot.hosting.doctor.database import needs_backup
from bot.hosting.doctor.finding import Level
from bot.program import PROGRAM
from bot.store import StoreFailed, StoreHealth
from bot.worker_process import WorkerProcess
from cogs.doctor.findings import HOST, UNREAD, Finding

SLOW: Final = 1.0
"""Seconds of Discord's gateway to answer a heartbeat from which the finding is a warning."""
LEAST_FREE: Final = 100_000_000
"""Free bytes on the disk below which the finding is a warning."""


async def health_findings(bot: Palmhouse) -> list[Finding]:
    """Return the findings about the bot."""
    return [
        *_commands(bot),
        *_latency(bot.latency),
        *_process(
            bot.computers.worker_client.worker,
            "The process of the computers",
            "computers play harmless moves",
        ),
        *_process(bot.rasterizer.worker, "The process for pictures", "I write everything as text"),
        *await _database(bot),
    ]


def _commands(bot: Palmhouse) -> Iterator[Finding]:
    if bot.is_synced:
        yield Finding(Level.OK, "The commands are registered.")
    else:
        yield Finding(
            Level.WARNING,
            "The commands could not be registered, so Discord shows those of an older version.",
            f"I try it again every ten minutes. {HOST}",
        )


def _latency(seconds: float) -> Iterator[Finding]:
    if not math.isfinite(seconds):  # the first heartbeat comes up to 41 s after the connection
        yield Finding(Level.OK, "I am connected to Discord.")
    elif seconds < SLOW:
        yield Finding(Level.OK, f"Discord answers within {max(1, round(seconds * 1000))} ms.")
    else:
        yield Finding(
            Level.WARNING,
            f"Discord answers slowly: within {seconds:.1f} s.",
            "It is Discord (discordstatus.com) or the network of the host. Nothing is lost.",
        )


def _process(process: WorkerProcess, name: str, effect: str) -> Iterator[Finding]:
    if process.is_doubted:
        yield Finding(Level.FAULT, f"{name} fails, so {effect}.", f"I start it again by myself. {HOST}")
    elif process.is_running:
        yield Finding(Level.OK, f"{name} runs.")
    else:
        yield Finding(Level.OK, f"{name} starts when it is first needed.")


async def _database(bot: Palmhouse) -> list[Finding]:
    try:
        health = await bot.store.health()
        if health.path is None:  # the host of a server makes its backups
            return [*_writes(health)]
        last = await asyncio.to_thread(last_good_backup, health.path)
        now = datetime.fromtimestamp(bot.time.now() / 1000, UTC)
        needed = await asyncio.to_thread(needs_backup, health.path, now)
    except (OSError, StoreFailed):
        return [UNREAD]
    return [*_writes(health), *_backup(last, needed, now)]


def _writes(health: StoreHealth) -> Iterator[Finding]:
    if health.fault is not None:
        yield Finding(Level.FAULT, "The database keeps nothing now, so no move counts.", HOST)
    elif health.free is None:
        yield Finding(Level.OK, "The database works.")
    elif health.free < LEAST_FREE:
        yield Finding(
            Level.WARNING, "The disk of the database is almost full.", "The host must free some space."
        )
    else:
        yield Finding(Level.OK, "The database works, and the disk has room.")


def _backup(last: datetime | None, needed: bool, now: datetime) -> Iterator[Finding]:
    remedy = f"The host makes one by `{PROGRAM} backup`."
    if last is None and not needed:
        yield Finding(Level.OK, "No backup is needed yet.")
    elif last is None:
        yield Finding(Level.WARNING, "There is no backup beside the database.", remedy)
    elif now - last > OLD:
        yield Finding(Level.WARNING, f"The last backup was made <t:{int(last.timestamp())}:R>.", remedy)
    else:
        yield Finding(Level.OK, f"The last backup was made <t:{int(last.timestamp())}:R>.")
