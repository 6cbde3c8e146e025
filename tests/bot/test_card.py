"""The budget of edits."""

import asyncio

import pytest

from bot.messages.live_message import EDITS, Budget


async def test_leave_is_given_at_once_and_then_so_many_times_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("bot.messages.live_message.asyncio.sleep", sleep)
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 100.0)
    budget = Budget()
    for _ in range(4):
        await budget.leave()
    assert waits == pytest.approx([0, 1 / EDITS, 2 / EDITS, 3 / EDITS])
