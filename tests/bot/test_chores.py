"""Work that the bot repeats beside the play."""

import asyncio
import logging

import pytest

from bot.store import StoreFailed
from bot.upkeep.chores import Chore
from tests.simulation.testing import *  # noqa: F403

PAUSE = 60.0


async def test_after_an_error_of_any_kind_a_chore_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    done, errors = asyncio.Event(), [ZeroDivisionError("by nothing"), StoreFailed("The disk is full.")]

    async def pack() -> None:
        if errors:
            raise errors.pop()
        done.set()

    with caplog.at_level(logging.WARNING):
        running = asyncio.create_task(Chore("pack", pack, PAUSE, "logs could not be packed").run())
        async with asyncio.timeout(3 * PAUSE):
            await done.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("WARNING", "logs could not be packed, which is tried again: The disk is full."),
        ("ERROR", "logs could not be packed, which is tried again: by nothing"),
    ]


async def test_why_a_chore_fails_is_logged_once_until_it_is_done(caplog: pytest.LogCaptureFixture) -> None:
    turns = 0

    async def look() -> None:
        nonlocal turns
        turns += 1
        if turns != 3:
            raise StoreFailed("The database is away.")

    running = asyncio.create_task(Chore("boards", look, PAUSE, "boards could not be read").run())
    await asyncio.sleep(9.5 * PAUSE)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert turns == 10
    assert caplog.messages == ["boards could not be read, which is tried again: The database is away."] * 2
