"""The bot as a process of its own, with the chance of its matches given: `python -m tests.e2e.launch URL FILE SEED`.

That makes two runs of one match comparable. Clicks wait for no earlier ones, as none is late on one machine, and people
are called at once; tables are edited ten times a second; the time that a test lets pass passes for the bot, too; all
else is the real thing.
"""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from math import inf
from pathlib import Path

from bot import discord_time
from bot.client import Palmhouse
from bot.match import call
from bot.match import click_order as order
from bot.messages import live_message as card
from bot.start import enter_sandbox
from bot.store import open_store


async def main(url: str, database: str, seed: str) -> None:
    """Until killed."""
    order.HOLD, call.GRACE, card.PACE, discord_time.JUMP = 0.0, 0, 0.1, inf
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        store = await open_store(Path(database))
        bot = await stack.enter_async_context(Palmhouse(store, seed=lambda: seed))
        await bot.start(token)


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    # A machine that runs many tests at once lets it wait now and then; what the bot says of itself is what counts.
    logging.getLogger("discord.gateway").setLevel("ERROR")
    asyncio.run(main(*sys.argv[1:]))
