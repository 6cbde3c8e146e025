"""Measure a restart until the first answered click: with one match in the database and with thousands."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.players import Tap, open_match
from bench.process import palmhouse
from bench.report import say
from bot.store import LogRow, NewMatch, Store, open_store
from games import GAMES
from sandbox import Message, Sandbox
from sandbox.guilds import guild_of

SETTLED = 3.0
"""Seconds after which a bot knows all servers, and may leave its session open: discord.py waits 2 s for the last."""
MOVES = 30
"""Moves of each unfinished match: enough to reach its second round."""


@dataclass(frozen=True)
class Restart:
    """A restart of the bot, until the answer of a click on a button from before."""

    matches: int
    """Unfinished matches in the database."""
    start_s: float
    """Seconds from the start of the process to that answer."""
    gap_s: float
    """Seconds from the signal that stopped the process before to that answer."""
    click_in_gap_answered: bool
    """True when a click between the two processes was answered."""


@dataclass(frozen=True)
class Start:
    """Restarts with one match and with many."""

    one: Restart
    many: Restart


async def measure(folder: Path, matches: int) -> Start:
    """Open a table, restart the bot, fill the database, and restart the bot again."""
    file = folder / "start.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        alice, ben = (box.person(name, guild) for name in ("Alice", "Ben"))
        async with palmhouse(box, file, orderly=True):
            await box.ready(60)
            card = await open_match(room, alice, ben)
            await box.until(lambda: card.thread is not None and len(card.thread.log) >= 2)
            await asyncio.sleep(SETTLED)
            stopped = time.perf_counter()
        one = await _restart(box, file, Tap(alice, card, "Rules"), 1, stopped)
        say(f"{matches} unfinished matches are written.")
        await _fill(file, matches - 1, card)
        async with palmhouse(box, file, orderly=True):
            await box.ready(120)
            await asyncio.sleep(SETTLED)
            stopped = time.perf_counter()
        return Start(one, await _restart(box, file, Tap(alice, card, "Rules"), matches, stopped))


async def _restart(box: Sandbox, file: Path, tap: Tap, matches: int, stopped: float) -> Restart:
    """Start the bot again. `stopped`: the time at which it was asked to stop, by `time.perf_counter`."""
    in_gap = asyncio.create_task(tap.person.click(tap.message, tap.button))
    begin = time.perf_counter()
    async with palmhouse(box, file):
        await box.ready(120)
        answered = not (await in_gap).failed
        if not answered:
            await tap.press()
        now = time.perf_counter()
        return Restart(matches, round(now - begin, 2), round(now - stopped, 2), answered)


async def _fill(file: Path, matches: int, card: Message) -> None:
    """Write matches whose messages are all posted, each with two people of its own."""
    store = await open_store(file)
    try:
        await asyncio.gather(*(_write(store, number, card) for number in range(matches)))
    finally:
        await store.close()


async def _write(store: Store, number: int, card: Message) -> None:
    game = GAMES["twin-palms"]
    now = time.time_ns() // 1_000_000
    users = [10**15 + 2 * number, 10**15 + 2 * number + 1]
    guild = guild_of(card.channel)
    assert guild is not None
    new = NewMatch(
        game.slug,
        game.version,
        game.Options().model_dump_json(),
        seed=str(number),
        guild=guild.id,
        channel=card.channel.id,
        host=users[0],
        opened=now,
    )
    match = await store.create(new, [LogRow(1, "join", None, users[0], "Alice", now)], {})
    entries = [
        LogRow(2, "join", None, users[1], "Ben", now),
        LogRow(3, "start", None, users[0], "", now),
        *_moves(number, users, now),
    ]
    await store.append(match.id, entries, deadlines={0: now + 10**6}, phase="play", started=now)
    await store.update_match(match.id, place=card.id, card=card.id, published=entries[-1].n)


def _moves(number: int, users: list[int], now: int) -> list[LogRow]:
    game, rng = GAMES["twin-palms"], Random(number)
    state, _ = game.new(game.Options(), len(users), str(number))
    entries = []
    for n in range(4, 4 + MOVES):
        seat = game.awaited(state)[0]
        action = rng.choice(game.legal(state, seat))
        game.step(state, seat, action)
        entries.append(LogRow(n, "move", seat, users[seat], game.text(action), now))
    return entries
