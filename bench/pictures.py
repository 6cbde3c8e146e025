"""Pictures: how long one takes, what it weighs, what it does to the event loop, and how far apart designs look."""

import asyncio
import time
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles

from bench.colour_distance import VISIONS, distances, seen_by
from bench.report import Machine, say
from bot.pictures import draw, encode, raster
from cogs.twin_it.designs import drawing, near_twins
from cogs.twin_it.spread import Player, Spread, Tile, paint, picture
from games.twin_it.designs import NAMES

FACES = 25
NAP = 0.001
"""Seconds: how often the event loop is asked whether it is there."""


@dataclass(frozen=True)
class Drawing:
    """Of a picture of so many `faces`, with hands on some of them, 1,000 pixels wide."""

    faces: int
    first_ms: float
    """With every sprite still to be made."""
    p50_ms: float
    p90_ms: float
    cpu_ms: float
    """What the median picture takes of a core, however busy the machine is."""
    kbytes: float
    sprites_mib: float
    """What the cache holds once all designs have been shown."""


@dataclass(frozen=True)
class Loop:
    """Milliseconds that a nap of the event loop lasts too long: with nothing going on, and with so many `tables`
    whose pictures are drawn at once."""

    tables: int
    idle_p99_ms: float
    drawing_p99_ms: float


@dataclass(frozen=True)
class ColourDistance:
    """Smallest distance of any two designs, and of any two near-twins (see `bench.colour_distance`)."""

    any_two: float
    near_twins: float


@dataclass(frozen=True)
class Pictures:
    """`python -m bench pictures --json`."""

    machine: Machine
    spread: Drawing
    loop: Loop
    colour_distance: dict[str, ColourDistance]


async def measure(pictures: int = 100, tables: int = 40, designs: int = len(NAMES)) -> Pictures:
    """`pictures` are drawn one after the other, then those of all `tables` at once."""
    machine = Machine()
    say(f"{pictures} pictures are drawn.")
    spread = await _drawing(pictures)
    say(f"{tables} tables draw at once.")
    loop = Loop(tables, await _waits(0), await _waits(tables))
    say(f"{designs} designs are compared.")
    return Pictures(machine, spread, loop, {vision: _colour_distance(vision, designs) for vision in VISIONS})


def _spread(rng: Random) -> Spread:
    """Four players in mid-match."""
    shown = enumerate(rng.sample(range(len(NAMES)), FACES))
    tiles = (_tile(n, design) for n, design in shown)
    return Spread(tuple(tiles), tuple(Player(name, 2) for name in ("Alice", "Ben", "Cleo", "Dana")), turn=1)


def _tile(n: int, design: int) -> Tile:
    """Piles first, then the table, then sets; a hand on every sixth."""
    hands = (n % 4,) if n % 6 == 0 else ()
    if n < 4:
        return Tile(20 + n, design, "pile", n, 20, hands)
    return Tile(20 + n, design, hands=hands) if n < 20 else Tile(20 + n, design, "set", n % 4, 2, hands)


async def _drawing(pictures: int) -> Drawing:
    rng = Random(1)
    first = await _ms(_spread(rng))
    for design in range(len(NAMES)):  # every one is shown sooner or later
        await draw([picture(Spread((Tile(1, design),), ()))])
    times = [await _ms(_spread(rng)) for _ in range(max(2, pictures))]
    cpu = median(_cpu_ms(_spread(rng)) for _ in range(pictures))
    weight = len(encode(paint(_spread(rng)))) / 1000
    held = raster.kept_bytes() / 2**20
    return Drawing(FACES, first, median(times), quantiles(times, n=10)[-1], cpu, weight, held)


async def _ms(spread: Spread) -> float:
    begin = time.perf_counter()
    await draw([picture(spread)])
    return (time.perf_counter() - begin) * 1000


def _cpu_ms(spread: Spread) -> float:
    begin = time.thread_time()
    encode(paint(spread))
    return (time.thread_time() - begin) * 1000


async def _waits(tables: int) -> float:
    rng = Random(2)
    all_drawn = asyncio.gather(*(draw([picture(_spread(rng))]) for _ in range(tables)), asyncio.sleep(0.5))
    late = []
    while not all_drawn.done():
        begin = time.perf_counter()
        await asyncio.sleep(NAP)
        late.append((time.perf_counter() - begin - NAP) * 1000)
    await all_drawn
    return quantiles(late, n=100)[-1]


def _colour_distance(vision: str, designs: int) -> ColourDistance:
    seen = seen_by(map(drawing, range(designs)), vision)
    twins = [pair for pair in near_twins() if pair[1] < designs]
    return ColourDistance(distances(seen)[0][0], distances(seen, twins)[0][0])
