"""Measure the time from a click to its answer while the nightly backup is made and restored for trial, and without it.

The process of the backup is stopped and continued every few moves, so that both are measured on the same machine even
while other programs use it."""

import asyncio
import signal
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench.latency import Setup, Wait
from bench.players import Tap, open_match, turns
from bench.process import DATA, running
from bench.report import Machine, say
from bot.hosting.backup_files import last_good_backup
from bot.store.sqlite.opening import prepare
from bot.worker_process import command, environment
from sandbox import Sandbox

ENTRIES = 100
"""Entries in the log of each match that fills the database."""
BYTES = 52
"""Size of an entry in the file, roughly."""
BLOCK = 10
"""Number of moves before the backup is stopped or continued."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    megabytes: int = 1000
    """Size of the database."""
    backups: int = 4
    """Number of backups."""


@dataclass(frozen=True)
class Backup:
    """`python -m bench backup --json`."""

    machine: Machine
    megabytes: float
    """Size of the database."""
    backup_s: float
    """Seconds for a backup with its trial, the median, while people play and without the time when it is stopped."""
    moves: int
    """Timed moves in each of both states."""
    alone: Wait
    """A move, committed and on the disk, without a backup."""
    beside: Wait
    """The same while a backup is made."""
    p50_ratio: float
    p99_ratio: float


async def measure(sizes: Sizes = Sizes(), data: Path = DATA) -> Backup:
    """Play on one bot, by turns with and without a backup. The database lies in a folder of `data` that is removed at
    the end."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        file = Path(name) / "palmhouse.sqlite3"
        say(f"A database of {sizes.megabytes} MB is written.")
        await asyncio.to_thread(fill, file, sizes.megabytes)
        megabytes = file.stat().st_size / 1e6
        async with Sandbox(rate_limits=False) as box:
            setup = Setup(box)
            async with running(box, "bench.tuned_bot", box.url, str(file), "figures", "FULL"):
                await box.ready(120)
                seconds, beside, alone = await _play(setup, file, sizes.backups)
    waits = _wait(alone), _wait(beside)
    return Backup(
        machine,
        round(megabytes, 1),
        round(median(seconds), 1),
        len(beside),
        *waits,
        p50_ratio=round(waits[1].p50_ms / waits[0].p50_ms, 2),
        p99_ratio=round(waits[1].p99_ms / waits[0].p99_ms, 2),
    )


async def _play(setup: Setup, file: Path, backups: int) -> tuple[list[float], list[float], list[float]]:
    """Return the seconds in which each backup ran, and the waits in ms beside backups and without."""
    seconds: list[float] = []
    waits: tuple[list[float], list[float]] = [], []
    taps = _endless(setup)
    for number in range(backups):
        process = await asyncio.create_subprocess_exec(
            *command("bot.hosting.nightly"), str(file), env=environment(), stdout=asyncio.subprocess.DEVNULL
        )
        seconds.append(0.0)
        while process.returncode is None:
            begin = time.perf_counter()
            waits[0].extend(await _block(setup, taps))
            seconds[-1] += time.perf_counter() - begin
            with suppress(ProcessLookupError):  # it has ended
                process.send_signal(signal.SIGSTOP)
            waits[1].extend(await _block(setup, taps))
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
        assert process.returncode == 0, "the backup has failed"
        _delete(file)
        p99 = [_wait(each).p99_ms for each in waits]
        say(f"Backup {number + 1} of {backups}: {seconds[-1]:.0f} s; so far p99 {p99} ms beside and alone.")
    return seconds, *waits


async def _block(setup: Setup, taps: AsyncIterator[Tap]) -> list[float]:
    """Return the waits of a few moves."""
    setup.waits = []
    for _ in range(BLOCK):
        await setup.press(await anext(taps))
    return setup.waits


def _delete(file: Path) -> None:
    assert last_good_backup(file) is not None
    for each in (file.parent / "backups").iterdir():
        each.unlink()


async def _endless(setup: Setup) -> AsyncIterator[Tap]:
    """Yield the last tap of each move, of one match after another."""
    while True:
        card = await open_match(setup.room, *setup.people)
        async for tap in turns(setup.box, card, setup.people):
            yield tap


def _wait(waits: list[float]) -> Wait:
    return Wait(round(median(waits), 2), round(quantiles(waits, n=100)[98], 2))


def fill(file: Path, megabytes: int) -> None:
    """Write a database of that size, with matches that are over."""
    prepare(file)
    matches = megabytes * 1_000_000 // (ENTRIES * BYTES)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        ((trigger,),) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'log_has_no_gap'")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("DROP TRIGGER log_has_no_gap")  # it would read the log for each entry
        db.execute("BEGIN")
        db.execute(
            "INSERT INTO matches (id, game, rules, options, seed, guild, channel, host, phase, opened, published)"
            " WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ?)"
            " SELECT n, 'twin-palms', 1, '{}', n, 1, 1, 1, 'closed', 1, ? FROM each",
            (matches, ENTRIES),
        )
        db.execute(
            "INSERT INTO log (match, n, kind, seat, user, body, at)"
            " WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ?)"
            " SELECT id, n, 'move', n % 4, 1000000000000000000 + id % 5000, hex(randomblob(8)), 1700000000000 + n"
            " FROM matches CROSS JOIN each",
            (ENTRIES,),
        )
        db.execute(trigger)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
