"""Measure pictures of tables and hands: drawing time, file size, and how drawing slows down clicks.

Pictures are 1,000 pixels wide, of as many players as the game allows. Each is drawn and encoded twice, and only the
second time counts, because the first one makes the sprites. `sprites_mib` is the size of their cache afterwards.

`clicks` are waits for the answer to a simple button that reads no match, while no table draws (`idle`) and while all
`tables` draw again each second.
"""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from typing import Final

from bench.players import Tap
from bench.positions import boards, game_uis, hands
from bench.process import TO_START, Lab
from bench.report import Figures, percentile, ratio, say, wait
from bot.messages.panel import Item, Panel
from bot.pictures import raster
from bot.pictures.encoding import encode
from games import GAMES
from sandbox import Sandbox

PAUSE: Final = 0.01
"""Seconds between two clicks."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pictures: int = 60
    """Pictures of each kind and game."""
    tables: int = 40
    clicks: int = 400


TINY: Final = Sizes(("palmer",), pictures=2, tables=1, clicks=3)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Draw the pictures, then click without and with drawing."""
    uis = {slug: ui for slug, ui in game_uis().items() if slug in sizes.games}
    say(f"{sizes.pictures} tables and hands of each game are drawn.")
    found: Figures = {
        "tables": {slug: _drawn(islice(boards(ui, Random(1)), sizes.pictures)) for slug, ui in uis.items()},
        "hands": {slug: _drawn(islice(hands(ui, Random(1)), sizes.pictures)) for slug, ui in uis.items()},
        "sprites_mib": raster.kept_bytes() / 2**20,
    }
    say(f"{sizes.clicks} clicks, then as many while {sizes.tables} tables draw at once.")
    waits = {
        "idle": wait(await _clicks(lab, 0, sizes.clicks)),
        "drawing": wait(await _clicks(lab, sizes.tables, sizes.clicks)),
    }
    slower = ratio(waits["drawing"]["p99_ms"], waits["idle"]["p99_ms"])
    return {**found, "clicks": waits, "drawing_to_idle_p99": slower}


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


async def _clicks(lab: Lab, tables: int, clicks: int) -> list[float]:
    """Return the waits for a button in ms. As many clicks before only fill the cache of sprites."""
    file = str(lab.folder / f"{tables} tables.sqlite3")
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        alice = box.person("Alice", guild)
        async with lab.running(box, "bench.measured_bot", box.url, file, "FULL", "0", str(tables)):
            await box.ready(TO_START)
            card = (await alice.slash(guild.channel("card-room"), f"{next(iter(GAMES))} start")).message
            assert card is not None
            waits = []
            for _ in range(2 * clicks):
                waits.append(await Tap(alice, card, "Rules").timed())
                await asyncio.sleep(PAUSE)
            return waits[clicks:]
