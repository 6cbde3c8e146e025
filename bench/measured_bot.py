"""The bot with settings for measuring: `python -m bench.measured_bot URL FILE SYNCHRONOUS COMPUTERS`.

SYNCHRONOUS is SQLite's setting: FULL waits for the disk at each commit, OFF never does. COMPUTERS is the number of
computer players that think all the time.

Every match is dealt from SEED. Messages are edited at every change and people are called at once. The usual bot merges
the edits of a second, and gives people who have just moved five seconds before it calls them.
"""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from bot.cli.start import enter_sandbox, play
from bot.client import Palmhouse
from bot.computers.worker import Question
from bot.match.times import Times
from bot.messages.live_message import EditBudget
from bot.store.sqlite.opening import connect, prepare
from bot.store.sqlite.store import SQLiteStore
from games import GAMES
from games.types import SEATS

SEED = "figures"


async def main(url: str, file: str, synchronous: str, computers: str) -> None:
    """Run the bot until the process is killed."""
    path = Path(file)
    prepare(path)
    writing = await connect(path)
    await writing.execute(f"PRAGMA synchronous = {synchronous}")
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        reading, patient = [await connect(path, query_only=True) for _ in range(2)]
        store = SQLiteStore(path, reading, patient, writing)
        bot = await stack.enter_async_context(
            Palmhouse(store, seed=lambda: SEED, times=Times(grace=0), edits=EditBudget(0))
        )
        thoughts = [asyncio.create_task(_think(bot, number)) for number in range(int(computers))]
        await asyncio.gather(play(bot, token), *thoughts)


async def _think(bot: Palmhouse, number: int) -> None:
    """Ask again and again which two cards to play first."""
    game, rng = GAMES["twin-palms"], Random(number)
    state, _ = game.new(game.Options(), 4, number)
    for bidder in SEATS[:4]:
        game.step(state, bidder, rng.choice(game.legal(state, bidder)))
    (seat,) = game.awaited(state)
    while True:
        await bot.computers.worker_client.ask(
            Question(game, game.view(state, seat), "sharp", str(rng.random()))
        )


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    asyncio.run(main(*sys.argv[1:]))
