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
        "sprites_mib": raster.sprites.kept_bytes() / 2**20,
    }


def _drawn(some: Iterator[list[Item]]) -> Figures:
    times, cpu, sizes = [], [], []
    for items in some:
        (picture,) = Panel(*items).pictures()
        picture.paint()
        begin, spent = time.perf_counter(), time.thread_time()
        png = encode(picture.paint())
        times.append((time.perf_counter() - begin) * 1000)
        cpu.append((time.thread_time() - spent) * 1000)
        sizes.append(len(png) / 1000)
    return {
        "p50_ms": median(times),
        "p90_ms": percentile(times, 90),
        "cpu_ms": median(cpu),  # does not depend on how busy the machine is
        "kbytes": median(sizes),
        "most_kbytes": max(sizes),
    }
