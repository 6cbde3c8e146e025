"""Measure pictures of tables and hands: drawing time and file size.

Pictures are 1,000 pixels wide, of as many players as the game allows. Each is drawn and encoded twice, and only the
second time counts, because the first one makes the sprites. `sprites_mib` is the size of their cache afterwards.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from typing import Final

from bench.positions import boards, game_uis, hands
from bench.process import Lab
from bench.report import Figures, percentile, say
from bot.messages.panel import Item, Panel
from bot.pictures import raster
from bot.pictures.encoding import encode
from games import GAMES


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pictures: int = 60
    """Pictures of each kind and game."""


TINY: Final = Sizes(("palmer",), pictures=2)


async def measure(_lab: Lab, sizes: Sizes) -> Figures:
    """Draw the pictures of each game."""
    uis = {slug: ui for slug, ui in game_uis().items() if slug in sizes.games}
    say(f"{sizes.pictures} tables and hands of each game are drawn.")
    return {
        "tables": {slug: _drawn(islice(boards(ui, Random(1)), sizes.pictures)) for slug, ui in uis.items()},
        "hands": {slug: _drawn(islice(hands(ui, Random(1)), sizes.pictures)) for slug, ui in uis.items()},
        "sprites_mib": raster.kept_bytes() / 2**20,
    }


@dataclass(frozen=True)
class Pictures:
    """`python -m bench pictures --json`."""

    machine: Machine
    spread: Drawing
    loop: Loop
    distances: dict[str, ColourDistance]
    """Distances of colours by kind of vision."""


async def measure(pictures: int = 100, tables: int = 40, designs: int = len(NAMES)) -> Pictures:
    """Draw `pictures` one after the other, then those of all `tables` at once, then compare `designs`."""
    machine = Machine()
    say(f"{pictures} pictures are drawn.")
    spread = await _drawing(pictures)
    say(f"{tables} tables draw at once.")
    loop = Loop(tables, await _waits(0), await _waits(tables))
    say(f"{designs} designs are compared.")
    return Pictures(machine, spread, loop, {vision: _distance(vision, designs) for vision in VISIONS})


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
    held = raster.sprites.kept_bytes() / 2**20
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


def _distance(vision: str, designs: int) -> ColourDistance:
    seen = appearances(map(drawing, range(designs)), vision)
    twins = [pair for pair in near_twins() if pair[1] < designs]
    return ColourDistance(distances(seen)[0][0], distances(seen, twins)[0][0])
