"""The bot as it is measured: `python -m bench.house URL FILE SEED FULL`, or with OFF for commits that do not wait.
A number after that is how many computers think all the time.

OFF is SQLite's `synchronous`: everything is written, and the disk is never waited for. Cards are edited as often as
they change, and people are called at once, as when they take longer than the second that merges edits and the five in
which nobody is called.
"""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from bot.client import Palmhouse
from bot.computers.worker import Question
from bot.match import call
from bot.messages import live_message as card
from bot.start import enter_sandbox, play
from bot.store import Store
from bot.store.opening import connect, prepare
from games import GAMES


async def main(url: str, file: str, seed: str, synchronous: str, computers: str = "0") -> None:
    """Until killed."""
    card.PACE, call.GRACE = 0.0, 0
    path = Path(file)
    prepare(path)
    writing = await connect(path)
    await writing.execute(f"PRAGMA synchronous = {synchronous}")
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        store = Store(await connect(path, query_only=True), writing)
        bot = await stack.enter_async_context(Palmhouse(store, seed=lambda: seed))
        thoughts = [asyncio.create_task(_think(bot, number)) for number in range(int(computers))]
        await asyncio.gather(play(bot, token), *thoughts)


async def _think(bot: Palmhouse, number: int) -> None:
    """One thought after another: which two cards to play first."""
    game, rng = GAMES["twin-palms"], Random(number)
    state, _ = game.new(game.Options(), 4, number)
    for bidder in range(4):
        game.step(state, bidder, rng.choice(game.legal(state, bidder)))
    (seat,) = game.awaited(state)
    while True:
        await bot.computers.worker_client.ask(
            Question(game, game.view(state, seat), "sharp", str(rng.random()))
        )


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    asyncio.run(main(*sys.argv[1:]))
