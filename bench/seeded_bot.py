"""The usual bot, but every match is dealt from one seed: `python -m bench.seeded_bot URL FILE SEED`."""

import asyncio
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from bot.client import Palmhouse
from bot.start import enter_sandbox, play
from bot.store import open_store


async def main(url: str, file: str, seed: str) -> None:
    """Run the bot until the process is killed."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, url)
        store = await open_store(Path(file))
        await play(await stack.enter_async_context(Palmhouse(store, seed=lambda: seed)), token)


if __name__ == "__main__":
    logging.basicConfig(level="ERROR")
    asyncio.run(main(*sys.argv[1:]))
