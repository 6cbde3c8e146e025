"""Measure a restart until the first answered click, with one match in the database and with thousands.

`start_s` are the seconds from the start of the process to the answer of a click on a button from before; `gap_s` those
from the signal that stopped the process before. `click_in_gap_answered` is 1 when a click between the two processes was
answered.
"""

import asyncio
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from bench.disk import play
from bench.players import Tap, open_match
from bench.process import Lab
from bench.report import Figures, say
from bot.store import NewMatch, Store, open_store
from games import GAMES
from sandbox import Sandbox, TextChannel

SETTLED: Final = 3.0
"""Seconds after which a bot knows all servers, and may leave its session open: discord.py waits 2 s for the last."""
ENTRIES: Final = 35
"""Entries of the log of each unfinished match: enough to reach its second round."""
HOUR: Final = 3_600_000


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    matches: int = 10_000
    """Unfinished matches in the database."""


TINY: Final = Sizes(matches=3)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Open a table, restart the bot, fill the database, and restart the bot again."""
    file = lab.folder / "start.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        room = box.guild("Palm Beach").channel("card-room")
        alice, ben = (box.person(name, room.guild) for name in ("Alice", "Ben"))
        async with lab.palmhouse(box, file, orderly=True):
            card = await open_match(room, alice, ben)
            await box.until(lambda: card.thread is not None and len(card.thread.log) >= 2)
            await asyncio.sleep(SETTLED)
            stopped = time.perf_counter()
        tap = Tap(alice, card, "Rules")
        one = await _restart(lab, box, file, tap, stopped)
        say(f"{sizes.matches} unfinished matches are written.")
        await _fill(file, sizes.matches - 1, room, card.id)
        async with lab.palmhouse(box, file, orderly=True):
            await asyncio.sleep(SETTLED)
            stopped = time.perf_counter()
        return {"one_match": one, f"{sizes.matches}_matches": await _restart(lab, box, file, tap, stopped)}


async def _restart(lab: Lab, box: Sandbox, file: Path, tap: Tap, stopped: float) -> Figures:
    """Start the bot again. `stopped`: the time at which it was asked to stop, by `time.perf_counter`."""
    in_gap = asyncio.create_task(tap.person.click(tap.message, tap.button))
    begin = time.perf_counter()
    async with lab.palmhouse(box, file):
        answered = not (await in_gap).failed
        if not answered:
            await tap.press()
        now = time.perf_counter()
    return {"start_s": now - begin, "gap_s": now - stopped, "click_in_gap_answered": int(answered)}


async def _fill(file: Path, matches: int, room: TextChannel, message: int) -> None:
    """Write matches whose messages are all posted."""
    store = await open_store(file)
    try:
        await asyncio.gather(*(_write(store, number, room, message) for number in range(matches)))
    finally:
        await store.close()


async def _write(store: Store, number: int, room: TextChannel, message: int) -> None:
    game, now = GAMES["twin-palms"], time.time_ns() // 1_000_000
    options = game.Options().model_dump_json()
    new = NewMatch(game.slug, game.version, options, str(number), room.guild.id, room.id, number, now)
    match = await store.create(new, [], {})
    log = [*islice(play(match, game, Random(number), now - HOUR), ENTRIES)]
    await store.append(match.id, log, deadlines={0: now + HOUR}, phase="play", started=now - HOUR)
    await store.update_match(match.id, place=message, card=message, published=len(log))
