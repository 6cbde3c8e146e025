"""A bot that draws: `python -m bench.easel URL FILE TABLES`. A move is made at each of so many tables at once, and
again when all are drawn, a second later at the earliest; each waits for its leave to edit as cards do."""

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
from bot.messages.live_message import Budget
from bot.messages.panel import Item, Panel
from bot.start import enter_sandbox, play
from bot.store import Store


async def main(url: str, file: str, tables: int) -> None:
    """Until killed."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = await stack.enter_async_context(Palmhouse(await Store.open(Path(file))))
        bot.add_listener(partial(_draw, bot, tables), "on_ready")
        await play(bot, token)


async def _draw(bot: Palmhouse, tables: int) -> None:
    rng = Random(3)
    budget = Budget()
    walls = [boards(face, rng) for face in bot.game_uis.values()]
    while tables:
        drawn = (_draw_one(walls[n % len(walls)], budget) for n in range(tables))
        await asyncio.gather(*drawn, asyncio.sleep(1.0))


async def _draw_one(wall: Iterator[list[Item]], budget: Budget) -> None:
    await budget.leave()
    await Panel(*next(wall)).files()


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    url, file, tables = sys.argv[1:]
    asyncio.run(main(url, file, int(tables)))
