"""Measure a restart until the first answered click, with one match in the database and with thousands.

`start_s` are the seconds from the start of the process to the answer of a click on a button from before; `gap_s` those
from the signal that stopped the process before. `click_in_gap_answered` is 1 when a click between the two processes was
answered.
"""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from bench.players import Tap, open_match
from bench.process import Lab
from bench.report import Figures, say
from bot.store import LogRow, NewMatch, Store, open_store
from games import GAMES
from sandbox import Sandbox, TextChannel

SETTLED: Final = 3.0
"""Seconds after which a bot knows all servers, and may leave its session open: discord.py waits 2 s for the last."""
MOVES: Final = 30
"""Moves of each unfinished match: enough to reach its second round."""


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
    """Write matches whose messages are all posted, each with two people of its own."""
    store = await open_store(file)
    try:
        await asyncio.gather(*(_write(store, number, room, message) for number in range(matches)))
    finally:
        await store.close()


async def _write(store: Store, number: int, room: TextChannel, message: int) -> None:
    game, now = GAMES["twin-palms"], time.time_ns() // 1_000_000
    users = [10**15 + 2 * number, 10**15 + 2 * number + 1]
    new = NewMatch(
        game.slug,
        game.version,
        game.Options().model_dump_json(),
        seed=str(number),
        guild=room.guild.id,
        channel=room.id,
        host=users[0],
        opened=now,
    )
    first, *entries = _log(number, users, now)
    match = await store.create(new, [first], {})
    await store.append(match.id, entries, deadlines={0: now + 10**6}, phase="play", started=now)
    await store.update_match(match.id, place=message, card=message, published=entries[-1].n)


def _log(number: int, users: list[int], now: int) -> list[LogRow]:
    """Return the log of the beginning of a match."""
    game, rng = GAMES["twin-palms"], Random(number)
    rows: list[tuple[str, int | None, int, str]] = [
        ("join", None, users[0], "Alice"),
        ("join", None, users[1], "Ben"),
        ("start", None, users[0], ""),
    ]
    state, _ = game.new(game.Options(), len(users), str(number))
    for _ in range(MOVES):
        seat = game.awaited(state)[0]
        action = rng.choice(game.legal(state, seat))
        game.step(state, seat, action)
        rows.append(("move", seat, users[seat], game.text(action)))
    return [LogRow(n, *row, now) for n, row in enumerate(rows, 1)]
