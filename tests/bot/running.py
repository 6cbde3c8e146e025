"""Runs the bot in the process of the tests."""

import asyncio
import gc
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from bot.cli.settings import Settings
from bot.cli.start import run
from sandbox import Sandbox


@contextmanager
def garbage_as_before() -> Iterator[None]:
    """Undo what a start changes about garbage: it freezes all that the tests have made, and collects more often."""
    thresholds = gc.get_threshold()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@asynccontextmanager
async def running(box: Sandbox, settings: Settings) -> AsyncIterator[None]:
    """Run the bot on the sandbox until the end of the block."""
    with garbage_as_before():
        task = asyncio.create_task(run(settings, Namespace(sandbox=box.url)))
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
