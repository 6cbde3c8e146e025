"""Measure a store: keeping a move, reading a match, and many tables at once. In a file, and with DATABASE_URL on that
server, too, whose database must be empty or one of these measurements."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.report import Machine, say
from bot.store import LogRow, Match, NewMatch, Store, open_store


@dataclass(frozen=True)
class Speed:
    """One store. A move is kept with two deadlines, as in play; processor time is this process's."""

    move_p50_ms: float
    move_cpu_ms: float
    read_p50_ms: float
    moves_per_second_at_many_tables: float


@dataclass(frozen=True)
class Stores:
    """`python -m bench stores --json`."""

    machine: Machine
    file: Speed
    server: Speed | None


async def measure(moves: int = 600, tables: int = 100) -> Stores:
    """Keep `moves` moves one after another, and ten at each of `tables` tables at once."""
    machine, url = Machine(), os.environ.get("DATABASE_URL")
    say(f"{moves} moves are kept one after another, then ten at each of {tables} tables at once.")
    with TemporaryDirectory() as folder:
        file = await _speed(Path(folder) / "bench.sqlite3", moves, tables)
    return Stores(machine, file, await _speed(url, moves, tables) if url else None)


async def _speed(where: Path | str, moves: int, tables: int) -> Speed:
    store = await open_store(where)
    try:
        match = await _new(store)
        spent = time.process_time()
        kept = [await _seconds(partial(_keep, store, match, n)) for n in range(1, moves + 1)]
        spent = time.process_time() - spent
        read = [await _seconds(partial(store.match, match.id)) for _ in range(moves)]
        matches = [await _new(store) for _ in range(tables)]
        many = await _seconds(lambda: asyncio.gather(*(_play(store, each) for each in matches)))
    finally:
        await store.close()
    return Speed(median(kept) * 1000, spent / moves * 1000, median(read) * 1000, tables * 10 / many)


async def _new(store: Store) -> Match:
    return await store.create(NewMatch("palace", 1, "{}", "seed", 1, 2, 3, 0), [], {})


async def _keep(store: Store, match: Match, n: int) -> None:
    await store.append(match.id, [LogRow(n, "move", 0, 3, "play 5", n)], deadlines={0: n, 1: n})


async def _play(store: Store, match: Match) -> None:
    for n in range(1, 11):
        await _keep(store, match, n)


async def _seconds(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return time.perf_counter() - begun
