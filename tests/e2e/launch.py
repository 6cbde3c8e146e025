"""The bot with a given seed, so that two runs of a match can be compared; and in a real process.

Only these settings of a real process differ from those of a host: clicks do not wait for earlier ones, people are
called at once, nobody reads how a round ended, messages are edited ten times a second, jumps of the clock do not count
as sleep, and there are no worker processes.
"""

import asyncio
import logging
import os
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from math import inf
from pathlib import Path

from bot.cli.start import enter_sandbox
from bot.client import Palmhouse
from bot.gateway.discord_time import DiscordTime
from bot.messages.live_message import EditBudget
from bot.pictures.worker_client import WorkerClient
from bot.store import open_store
from tests.e2e.card_room import QUICK
from tests.simulation.workers import rasterizer, thinker


async def play(url: str, database: Path, seed: str, drawn: WorkerClient) -> None:
    """Run the bot until it is killed."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = Palmhouse(
            await open_store(database),
            seed=lambda: seed,
            times=replace(QUICK, hold=0),
            time=DiscordTime(inf),
            edits=EditBudget(0.1),
            rasterizer=drawn,
            thinker=thinker(),
        )
        await stack.enter_async_context(bot)
        bot.identifies.most = None  # it is killed more often than ten times an hour
        await bot.start(token)


def run_forked(log_file: Path, url: str, database: Path, seed: str) -> None:
    """Run the bot in a process that a fork server has made; stdout and stderr go to the end of `log_file`."""
    with log_file.open("ab") as log:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(log.fileno(), stream.fileno())
    logging.basicConfig(level="WARNING")
    # A busy machine delays the gateway now and then; its warnings about that are not about the bot.
    logging.getLogger("discord.gateway").setLevel("ERROR")
    asyncio.run(play(url, database, seed, rasterizer()))
