"""Measure whole matches of two people and two computers: the messages they leave, the requests for them, and the taps.

People decide like a steady computer and wait `pause` seconds before each move. A move is one of any player, an own move
one of a person. `calls` are posts, edits, deletes and all other requests about channels; answers to commands and clicks
are not among them. `taps` include each `My hand` but the first one.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.measured_bot import SEED
from bench.phone_player import PhonePlayer
from bench.players import open_match
from bench.process import TO_START, Lab, until_quiet
from bench.report import Figures, say
from bot.cli.start import enter_sandbox, play
from bot.client import Palmhouse
from bot.store import open_store
from games import GAMES
from sandbox import Sandbox

PEOPLE: Final = ("Alice", "Ben")
COMPUTERS: Final = 2
EACH: Final = 0.2
"""Seconds between two looks at how far a match is."""
QUIET: Final = 3.0
"""Seconds without a request after which all is done, at the end of the match: edits may wait for more than a second."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pause: float = 0.0
    moves: int = 100_000
    """Moves of people after which a match is broken off."""


TINY: Final = Sizes(("thirty-one",), moves=1)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play a match of each game, one after the other."""
    return {
        "games": {slug: await _match(lab.folder / f"{slug}.sqlite3", slug, sizes) for slug in sizes.games}
    }


async def _match(file: Path, slug: str, sizes: Sizes) -> Figures:
    say(f"A match of {GAMES[slug].title}.")
    begin = time.perf_counter()
    options = {} if GAMES[slug].real_time else {"computers": COMPUTERS}
    async with Sandbox(rate_limits=False) as box, _running(box, file) as bot:
        guild = box.guild("Palm Beach")
        channel, people = guild.channel("card-room"), [box.person(name, guild) for name in PEOPLE]
        card = await open_match(channel, *people, game=slug, **options)
        await box.until(lambda: card.thread)
        assert card.thread is not None
        table = await bot.tables.get(1)
        players = [PhonePlayer(bot, table, card.thread, person, sizes.pause) for person in people]
        await _play(players, sizes.moves)
        await until_quiet(box, QUIET)
        moves = sum(entry.kind == "move" for entry in await bot.store.log(1, 0))
    calls = [each for each in box.requests if each.template.startswith("/channels")]
    messages = [each.method for each in calls if "/messages" in each.template]
    return {
        "moves": moves,
        "seconds": time.perf_counter() - begin,
        "messages_in_thread": len(card.thread.messages()),
        "messages_in_channel": len(channel.messages()),
        "posts_per_move": messages.count("POST") / moves,
        "edits_per_move": messages.count("PATCH") / moves,
        "deletes_per_move": messages.count("DELETE") / moves,
        "calls_per_move": len(calls) / moves,
        "uploaded_kb_per_move": sum(map(len, box.world.files.values())) / 1000 / moves,
        "taps_per_own_move": sum(each.taps for each in players) / sum(each.moves for each in players),
    }


@asynccontextmanager
async def _running(box: Sandbox, file: Path) -> AsyncIterator[Palmhouse]:
    """Run the usual bot, dealt from one seed, until the end of the block. It shares this process, so that the people
    can look into it."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, box.url)
        bot = await stack.enter_async_context(Palmhouse(await open_store(file), seed=lambda: SEED))
        run = asyncio.create_task(play(bot, token))
        await box.ready(TO_START)
        yield bot
        await bot.close()
        await run


async def _play(players: Sequence[PhonePlayer], moves: int) -> None:
    """Let the players play until the match is over, or they have made so many moves."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        while sum(each.moves for each in players) < moves and not all(task.done() for task in tasks):
            await asyncio.sleep(EACH)
            for task in tasks:
                if task.done():
                    task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
