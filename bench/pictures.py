"""Measure pictures: drawing time, file size, and delays of the event loop."""

import asyncio
import time
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles

from bench.report import Machine, say
from bot.pictures import raster
from bot.pictures.encoding import encode
from bot.pictures.worker_client import WorkerClient
from cogs.twin_it.spread import Player, Spread, Tile, paint, picture
from games.twin_it.designs import NAMES

FACES = 25
SLEEP = 0.001
"""Seconds of each sleep that measures the event loop."""


@dataclass(frozen=True)
class Drawing:
    """Times and sizes of pictures of `faces` with hands on some of them, 1,000 pixels wide."""

    faces: int
    first_ms: float
    """Time of the first picture, with an empty cache of sprites."""
    p50_ms: float
    p90_ms: float
    cpu_ms: float
    """Median processor time, which does not depend on how busy the machine is."""
    kbytes: float
    sprites_mib: float
    """Size of the cache of sprites once all designs have been drawn."""


@dataclass(frozen=True)
class Loop:
    """Milliseconds by which a sleep of the event loop is too long: idle, and while all `tables` are drawn at once."""

    tables: int
    idle_p99_ms: float
    drawing_p99_ms: float


@dataclass(frozen=True)
class Pictures:
    """`python -m bench pictures --json`."""

    machine: Machine
    spread: Drawing
    loop: Loop


async def measure(pictures: int = 100, tables: int = 40) -> Pictures:
    """Draw `pictures` one after the other, then those of all `tables` at once."""
    machine = Machine()
    say(f"{pictures} pictures are drawn.")
    spread = await _drawing(pictures)
    say(f"{tables} tables draw at once.")
    loop = Loop(tables, await _waits(0), await _waits(tables))
    return Pictures(machine, spread, loop)


def _spread(rng: Random) -> Spread:
    """Return a spread of four players in the middle of a match."""
    shown = enumerate(rng.sample(range(len(NAMES)), FACES))
    tiles = (_tile(n, design) for n, design in shown)
    return Spread(tuple(tiles), tuple(Player(name, 2) for name in ("Alice", "Ben", "Cleo", "Dana")), turn=1)


def _tile(n: int, design: int) -> Tile:
    """Return a face of a pile, of the table or of a set, in that order; every sixth has a hand on it."""
    hands = (n % 4,) if n % 6 == 0 else ()
    if n < 4:
        return Tile(20 + n, design, "pile", n, 20, hands)
    return Tile(20 + n, design, hands=hands) if n < 20 else Tile(20 + n, design, "set", n % 4, 2, hands)


async def _drawing(pictures: int) -> Drawing:
    rng = Random(1)
    rasterizer = WorkerClient()
    first = await _ms(rasterizer, _spread(rng))
    for design in range(len(NAMES)):  # fills the cache of sprites
        await rasterizer.draw([picture(Spread((Tile(1, design),), ()))])
    times = [await _ms(rasterizer, _spread(rng)) for _ in range(max(2, pictures))]
    cpu = median(_cpu_ms(_spread(rng)) for _ in range(pictures))
    weight = len(encode(paint(_spread(rng)))) / 1000
    held = raster.kept_bytes() / 2**20
    await asyncio.to_thread(rasterizer.close)
    return Drawing(FACES, first, median(times), quantiles(times, n=10)[-1], cpu, weight, held)


async def _ms(rasterizer: WorkerClient, spread: Spread) -> float:
    begin = time.perf_counter()
    await rasterizer.draw([picture(spread)])
    return (time.perf_counter() - begin) * 1000


def _cpu_ms(spread: Spread) -> float:
    begin = time.thread_time()
    encode(paint(spread))
    return (time.thread_time() - begin) * 1000


async def _waits(tables: int) -> float:
    rng = Random(2)
    rasterizer = WorkerClient()
    drawn = (rasterizer.draw([picture(_spread(rng))]) for _ in range(tables))
    all_drawn = asyncio.gather(*drawn, asyncio.sleep(0.5))
    late = []
    while not all_drawn.done():
        begin = time.perf_counter()
        await asyncio.sleep(SLEEP)
        late.append((time.perf_counter() - begin - SLEEP) * 1000)
    await all_drawn
    await asyncio.to_thread(rasterizer.close)
    return quantiles(late, n=100)[-1]
