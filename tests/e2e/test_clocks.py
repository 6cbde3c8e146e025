"""Wrong clocks and sleeping machines: nobody loses time, and no table closes."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import Palmhouse
from bot.gateway.discord_time import DiscordTime
from bot.match.tables import Tables
from tests.e2e.card_room import CardRoom, card_room, connected_bot, new_sandbox, without_a_bot
from tests.e2e.players import open_table

DAY = 86_400


@pytest.fixture
async def here(file: Path) -> AsyncIterator[CardRoom]:
    """A sandbox with the bot, whose machine has slept where Discord's clock jumps."""
    async with card_room(file, time=DiscordTime()) as room:
        yield room


async def clocks(bot: Palmhouse, match: int) -> dict[int, int]:
    """Return the time left until each deadline, in whole seconds."""
    now = bot.time.now()
    return {seat: round((due - now) / 1000) for seat, due in (await bot.store.deadlines(match)).items()}


@pytest.mark.parametrize("wrong", [-DAY, DAY])
async def test_a_start_with_a_clock_a_day_wrong_changes_no_deadline(file: Path, wrong: int) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file) as bot:
            card = await open_table(room, "palace start", alice)
            before = await clocks(bot, 1)
        machine = DiscordTime(wall=lambda: time.time_ns() + wrong * 10**9)
        async with connected_bot(box, file, time=machine) as bot:
            assert abs(bot.time.now() / 1000 - box.clock.now()) < 3, "Discord's answers tell the date"
            assert all(abs(left - before[seat]) < 5 for seat, left in (await clocks(bot, 1)).items())
            await ben.click(card, "Join")
            assert all(abs(left - before[seat]) < 5 for seat, left in (await clocks(bot, 1)).items())
            _, last = await bot.store.log(1)
            assert abs(last.at / 1000 - box.clock.now()) < 5


async def test_a_freeze_is_noticed_from_the_first_moved_deadlines_on(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pulse of the clock runs as the outage of the start ends."""
    pulses, postpone = list[bool](), Tables.postpone

    async def noting(tables: Tables, *given: Any) -> None:
        await asyncio.sleep(0.001)  # all tasks that were begun before have run
        pulses.append("pulse" in {task.get_name() for task in asyncio.all_tasks()})
        await postpone(tables, *given)

    monkeypatch.setattr(Tables, "postpone", noting)
    async with new_sandbox() as box, connected_bot(box, file):
        assert pulses
        assert all(pulses)
