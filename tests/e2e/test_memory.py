"""Drawn hands leave nothing in the bot's memory: no view, message or form waits for a click."""

import asyncio
import os
from pathlib import Path

import pytest

from bench.process import memory
from sandbox import Message
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.players import latest

pytestmark = pytest.mark.real

WARM_UP, DRAWN, AT_ONCE = 600, 600, 8
MOST = 2
"""MiB. Measured: 0.2 to 0.8; when discord.py keeps the views, as it does with ordinary ones, 7."""


async def draw(here: FollowedMatch, public: Message, times: int) -> None:
    """Press `My hand` on a public message that many times; each press gets a new ephemeral message."""
    for n in range(times // AT_ONCE):
        person = here.people[n % len(here.people)]
        hands = await asyncio.gather(*(person.click(public, "My hand") for _ in range(AT_ONCE)))
        assert all(hand.ephemeral for hand in hands)


@pytest.mark.skipif(memory(os.getpid()) is None, reason="Memory is read from /proc, which is not here.")
async def test_hundreds_of_drawn_hands_use_no_lasting_memory(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path / "palmhouse.sqlite3") as (bot, room):
        here = FollowedMatch(
            bot, room, [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")]
        )
        await here.deal()
        public = latest(here.people[0], here.thread)
        await draw(here, public, WARM_UP)
        before = memory(bot.pid)
        await draw(here, public, DRAWN)
        after = memory(bot.pid)
        assert before is not None
        assert after is not None
        assert after - before < MOST
