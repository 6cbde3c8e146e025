"""The bot as it is measured: `python -m bench.house URL FILE SEED FULL`, or with OFF for commits that do not wait.

OFF is SQLite's `synchronous`: everything is written, and the disk is never waited for. Cards are edited as often as
they change, as when people play, who take longer than the second that merges edits.
"""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from bot import card
from bot.__main__ import enter_sandbox
from bot.client import Palmhouse
from bot.store import Store
from bot.store.opening import connect, prepare


async def main(url: str, file: str, seed: str, synchronous: str) -> None:
    """Until killed."""
    card.PACE = 0.0
    path = Path(file)
    prepare(path)
    writing = await connect(path)
    await writing.execute(f"PRAGMA synchronous = {synchronous}")
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        store = Store(await connect(path, query_only=True), writing)
        bot = await stack.enter_async_context(Palmhouse(store, seed=lambda: seed))
        await bot.start(token)


if __name__ == "__main__":
    logging.basicConfig(level="WARNING")
    asyncio.run(main(*sys.argv[1:]))
