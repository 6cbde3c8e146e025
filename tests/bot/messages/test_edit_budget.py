"""The limit on edits of a live message."""

import asyncio

import pytest

from bot.messages.live_message import EDITS, EditBudget


async def test_the_first_edit_may_go_at_once_and_the_next_ones_at_a_steady_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("bot.messages.live_message.asyncio.sleep", sleep)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 100.0)
    budget = EditBudget()
    for _ in range(4):
        await budget.wait()
    assert waits == pytest.approx([0, 1 / EDITS, 2 / EDITS, 3 / EDITS])
