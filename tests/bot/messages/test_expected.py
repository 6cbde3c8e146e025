"""The log of work that fails and is tried again."""

import asyncio
import logging

import pytest

from bot.messages.expected import Failures
from bot.store import StoreFailed
from tests.simulation.testing import *  # noqa: F403


async def test_a_fault_of_the_bot_without_words_is_logged_after_a_timeout(
    caplog: pytest.LogCaptureFixture,
) -> None:
    failures = Failures(logging.getLogger("bot"))
    for error in (TimeoutError(), TimeoutError(), AssertionError()):
        failures.note(7, "the board of server 7", error)
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        ("WARNING", "the board of server 7: TimeoutError()"),
        ("ERROR", "the board of server 7: AssertionError()"),
    ]


async def test_a_reason_is_logged_again_after_a_pause(caplog: pytest.LogCaptureFixture) -> None:
    failures = Failures(logging.getLogger("bot"), pause=3_600)
    for hour in (0.0, 0.5, 1.0, 1.5):
        failures.note(0, "servers could not be purged", StoreFailed("The disk is full."))
        assert len(caplog.messages) == 1 + int(hour)
        await asyncio.sleep(1_800)
