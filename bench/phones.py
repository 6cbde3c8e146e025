"""Matches of people on phones, who play through their hands. Bot, sandbox and people share this process, so that a
measurement can look into the bot."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.measured_bot import SEED
from bench.phone_player import Pace, PhonePlayer
from bench.players import open_match
from bench.process import TO_START
from bench.report import say
from bot.cli.start import enter_sandbox, play
from bot.client import Palmhouse
from bot.match.table import Table
from bot.store import open_store
from games import GAMES
from sandbox import Channel, Person, Sandbox, TextChannel

PEOPLE: Final = ("Alice", "Ben", "Cleo", "Dana")
EACH: Final = 0.2
"""Seconds between two looks at how far a match is."""


@dataclass(frozen=True)
class Match:
    """A match that has begun."""

    thread: Channel
    table: Table
    players: Sequence[PhonePlayer]

    def moves(self) -> int:
        """Return the number of moves that people have made."""
        return sum(len(player.moved) for player in self.players)


@dataclass(frozen=True)
class Room:
    """A channel with people and the bot."""

    box: Sandbox
    bot: Palmhouse
    channel: TextChannel
    people: Sequence[Person]

    async def begin(self, game: str, pace: Pace, **options: Any) -> Match:
        """Let all people begin a match. The options are those of the `start` command."""
        say(f"A match of {GAMES[game].title}.")
        card = await open_match(self.channel, *self.people, game=game, **options)
        await self.box.until(lambda: card.thread)
        assert card.thread is not None
        table = await self.bot.tables.get(1)
        players = [PhonePlayer(self.bot, table, card.thread, person, pace) for person in self.people]
        return Match(card.thread, table, players)


@asynccontextmanager
async def room(box: Sandbox, file: Path, people: int = len(PEOPLE)) -> AsyncIterator[Room]:
    """Run the usual bot, dealt from one seed, until the end of the block."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, box.url)
        bot = await stack.enter_async_context(Palmhouse(await open_store(file), seed=lambda: SEED))
        run = asyncio.create_task(play(bot, token))
        await box.ready(TO_START)
        guild = box.guild("Palm Beach")
        seats = [box.person(name, guild) for name in PEOPLE[:people]]
        yield Room(box, bot, guild.channel("card-room"), seats)
        await bot.close()
        await run


async def played(
    players: Sequence[PhonePlayer], enough: Callable[[], bool], look: Callable[[], None] = lambda: None
) -> None:
    """Let the players play until the match is over, or is `enough`, and print what surprised them. `look` is called all
    the while."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        while not enough() and not all(task.done() for task in tasks):
            await asyncio.sleep(EACH)
            look()
            for task in tasks:
                if task.done():
                    task.result()
    finally:
        await cancelled(tasks)
        for sentence in [each for player in players for each in player.surprises]:
            say(f"  {sentence}")


async def cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel the tasks, and wait for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
