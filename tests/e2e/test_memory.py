"""Hands drawn leave nothing behind in the bot's memory: no view, no message, no form waits for a click."""

import asyncio
import os
from pathlib import Path

import pytest

from bench.process import memory
from sandbox import Message
from tests.e2e.followed import Followed, card_room
from tests.e2e.players import latest

WARM_UP, DRAWN, AT_ONCE = 1_000, 2_000, 8
MOST = 2
"""MiB. Measured: 0.2 to 0.8 MiB; when discord.py keeps the views, as it does with ordinary ones, 24 MiB."""


async def draw(here: Followed, public: Message, times: int) -> None:
    """Press `My hand` on a public message so often, each time for a new ephemeral one."""
    for n in range(times // AT_ONCE):
        person = here.people[n % len(here.people)]
        hands = await asyncio.gather(*(person.click(public, "My hand") for _ in range(AT_ONCE)))
        assert all(hand.ephemeral for hand in hands)


@pytest.mark.skipif(memory(os.getpid()) is None, reason="Memory is read from /proc, which is not here.")
async def test_hands_drawn_two_thousand_times_leave_memory_flat(tmp_path: Path) -> None:
    async with card_room(tmp_path / "house.sqlite3") as (bot, room):
        here = Followed(bot, room, [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")])
        await here.deal()
        public = latest(here.people[0], here.thread)
        await draw(here, public, WARM_UP)
        before = memory(bot.pid)
        await draw(here, public, DRAWN)
        after = memory(bot.pid)
        assert before is not None
        assert after is not None
        assert after - before < MOST
