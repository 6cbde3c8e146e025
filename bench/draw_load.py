"""A bot that draws all the time: `python -m bench.draw_load URL FILE TABLES`.

The pictures of all TABLES are drawn at once, and again when all are done, at least a second later. Each waits for its
turn in the budget of edits, as a live message does.
"""

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

from bench.boards import boards
from bot.client import Palmhouse
from bot.messages.live_message import EditBudget
from bot.messages.panel import Item, Panel
from bot.pictures.worker_client import WorkerClient
from bot.start import enter_sandbox, play
from bot.store import open_store


async def main(url: str, file: str, tables: int) -> None:
    """Run the bot until the process is killed."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = await stack.enter_async_context(Palmhouse(await open_store(Path(file))))
        bot.add_listener(partial(_draw, bot, tables), "on_ready")
        await play(bot, token)


async def _draw(bot: Palmhouse, tables: int) -> None:
    rng = Random(3)
    budget = EditBudget()
    sources = [boards(face, rng) for face in bot.game_uis.values()]
    while tables:
        drawn = (_draw_one(sources[n % len(sources)], budget, bot.rasterizer) for n in range(tables))
        await asyncio.gather(*drawn, asyncio.sleep(1.0))


async def _draw_one(tables: Iterator[list[Item]], budget: EditBudget, rasterizer: WorkerClient) -> None:
    await budget.wait()
    await Panel(*next(tables)).files(rasterizer)


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    url, file, tables = sys.argv[1:]
    asyncio.run(main(url, file, int(tables)))
