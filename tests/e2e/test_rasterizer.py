"""A rasterizer that hangs or dies: pictures are missing for a while, but clicks are answered."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.pictures.worker_client import WorkerClient
from bot.worker_process import WorkerProcess, command
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import open_table, shown, text_and_alt

pytestmark = pytest.mark.real

HUNG = 20.0
"""Seconds that the bot would wait for the rasterizer."""


class Unprepared(WorkerClient):
    """A client that lets nothing be drawn ahead."""

    async def prepare(self, _: object) -> None:
        pass


@pytest.fixture
async def here(file: Path) -> AsyncIterator[CardRoom]:
    """A sandbox with the bot and a rasterizer."""
    async with card_room(file, rasterizer=Unprepared()) as room:
        yield room


@pytest.fixture
def hanging(here: CardRoom) -> WorkerProcess:
    """Make the rasterizer hang with nothing drawn yet."""
    worker = here.bot.rasterizer.worker
    worker.command = (sys.executable, "-c", f"import time; time.sleep({3 * HUNG})")
    worker.patience = HUNG
    return worker


async def longest_stop() -> float:
    """Check the clock a hundred times a second until cancelled, and return the longest time for which the event loop
    stood still."""
    longest, looked = 0.0, time.monotonic()
    while True:
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            return longest
        longest, looked = max(longest, time.monotonic() - looked), time.monotonic()


async def test_clicks_are_answered_while_the_rasterizer_hangs_and_is_replaced(
    here: CardRoom, hanging: WorkerProcess
) -> None:
    alice, ben, cleo, dana, _ = here.people
    watching = asyncio.create_task(longest_stop())
    first = await open_table(here.room, "twin-palms start", alice, ben)
    await alice.click(first, "Start")
    await here.box.until(lambda: hanging._lock.locked())  # the table is being drawn
    hung, hanging.process = hanging.process, None  # as between two rasterizer processes
    began = time.monotonic()
    second = await open_table(here.room, "twin-palms start", cleo, dana)
    assert "The match is on" in (await cleo.click(second, "Start")).text
    hand = await cleo.slash(here.room, "hand", table="2")
    assert "**Your turn** · bid" in text_and_alt(shown(hand))
    assert time.monotonic() - began < HUNG / 4, "one answer waited in vain for a picture, and no others"
    assert hung is not None
    hanging.process, hanging.command = hung, command("bot.pictures.rasterizer")
    hung.kill()
    await here.rest()
    watching.cancel()
    assert await watching < HUNG / 4
