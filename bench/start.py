"""Measure a start until the first answered click: with one match in the database and with thousands."""

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
from sandbox import Message, Person, Sandbox
from sandbox.guilds import guild_of

MOVES = 30
"""Moves of each unfinished match: enough to reach its second round."""


@dataclass(frozen=True)
class Start:
    """Seconds from the start of the process to the answer of a click on a button from before the start."""

    matches: int
    """Unfinished matches in the database at the second start; at the first there is one."""
    one_match_s: float
    all_matches_s: float


async def measure(folder: Path, matches: int) -> Start:
    """Open a table, kill and start the bot, fill the database, and start the bot again."""
    file = folder / "start.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        alice, ben = (box.person(name, guild) for name in ("Alice", "Ben"))
        async with palmhouse(box, file):
            await box.ready(60)
            card = await open_match(room, alice, ben)
            await box.until(lambda: card.thread is not None and len(card.thread.log) >= 2)
        one = await _start(box, file, alice, card)
        say(f"{matches} unfinished matches are written.")
        await _fill(file, matches - 1, card)
        return Start(matches, round(one, 2), round(await _start(box, file, alice, card), 2))


async def _start(box: Sandbox, file: Path, person: Person, card: Message) -> float:
    begin = time.perf_counter()
    async with palmhouse(box, file):
        await box.ready(120)
        await Tap(person, card, "Rules").press()
        return time.perf_counter() - begin


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
