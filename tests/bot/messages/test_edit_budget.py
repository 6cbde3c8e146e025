"""The limit on edits of a live message."""

import asyncio

import pytest

from bot.messages.live_message import EDITS, EditBudget
from tests.simulation.testing import *  # noqa: F403


async def test_the_first_edit_may_go_at_once_and_the_next_ones_at_a_steady_rate() -> None:
    budget, loop = EditBudget(), asyncio.get_running_loop()
    edited = list[float]()
    for _ in range(4):
        await budget.wait()
        edited.append(loop.time())
    assert edited == pytest.approx([0, 1 / EDITS, 2 / EDITS, 3 / EDITS])
