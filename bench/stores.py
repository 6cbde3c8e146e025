"""Measure a store: keeping a move, reading a match, and many tables at once.

In a file, and with DATABASE_URL on that server, too, whose database must be empty or one of these measurements. A move
is kept with two deadlines, as in play; processor time is this process's.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from bench.process import Lab
from bench.report import Figures, say
from bot.store import LogRow, Match, NewMatch, Store, open_store

EACH: Final = 10
"""Moves at each of many tables."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    moves: int = 600
    tables: int = 100


TINY: Final = Sizes(moves=5, tables=3)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Keep moves one after another, and some at each of the tables at once."""
    say(
        f"{sizes.moves} moves are kept one after another, then {EACH} at each of {sizes.tables} tables at once."
    )
    found = {"file": await _store(lab.folder / "bench.sqlite3", sizes)}
    if url := os.environ.get("DATABASE_URL"):
        found["server"] = await _store(url, sizes)
    return found


async def _store(where: Path | str, sizes: Sizes) -> Figures:
    store = await open_store(where)
    try:
        match = await _new(store)
        spent = time.process_time()
        kept = [await _ms(partial(_keep, store, match, n)) for n in range(1, sizes.moves + 1)]
        spent = time.process_time() - spent
        read = [await _ms(partial(store.match, match.id)) for _ in range(sizes.moves)]
        matches = [await _new(store) for _ in range(sizes.tables)]
        many = await _ms(lambda: asyncio.gather(*(_play(store, each) for each in matches)))
    finally:
        await store.close()
    return {
        "move_p50_ms": median(kept),
        "move_cpu_ms": spent / sizes.moves * 1000,
        "read_p50_ms": median(read),
        "moves_per_second_at_many_tables": sizes.tables * EACH / many * 1000,
    }


async def _new(store: Store) -> Match:
    return await store.create(NewMatch("palace", 1, "{}", "seed", 1, 2, 3, 0), [], {})


async def _keep(store: Store, match: Match, n: int) -> None:
    await store.append(match.id, [LogRow(n, "move", 0, 3, "play 5", n)], deadlines={0: n, 1: n})


async def _play(store: Store, match: Match) -> None:
    for n in range(1, EACH + 1):
        await _keep(store, match, n)


async def _ms(work: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1000
