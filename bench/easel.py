"""A bot that draws: `python -m bench.easel URL FILE TABLES`. Once a second the pictures of so many tables are asked for
at once, as when a move is made at each of them."""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from bench.boards import boards
from bot.__main__ import enter_sandbox
from bot.client import Palmhouse
from bot.panel import Panel
from bot.store import Store


async def main(url: str, file: str, tables: int) -> None:
    """Until killed."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        bot = await stack.enter_async_context(Palmhouse(await Store.open(Path(file))))
        await bot.login(token)
        await asyncio.gather(bot.connect(), _draw(bot, tables))


async def _draw(bot: Palmhouse, tables: int) -> None:
    await bot.wait_until_ready()
    rng = Random(3)
    walls = [boards(face, rng) for face in bot.faces.values()]
    while tables:
        panels = [Panel(*next(walls[n % len(walls)])) for n in range(tables)]
        await asyncio.gather(*(panel.files() for panel in panels), asyncio.sleep(1.0))


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    url, file, tables = sys.argv[1:]
    asyncio.run(main(url, file, int(tables)))
