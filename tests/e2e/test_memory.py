"""Hands drawn leave nothing behind in the bot's memory: no view, no message, no form waits for a click."""

import asyncio
from pathlib import Path

import pytest

from sandbox import Message
from tests.e2e.followed import Followed, followed
from tests.e2e.players import latest

WARM_UP, DRAWN, AT_ONCE = 2_000, 10_000, 20
MOST = 4 * 1024
"""KiB. Measured: 0.2 MiB; when discord.py keeps the views, as it does with ordinary ones, 120 MiB."""


async def draw(here: Followed, public: Message, times: int) -> None:
    """Press `My hand` on a public message so often, each time for a new ephemeral one."""
    for n in range(times // AT_ONCE):
        person = here.people[n % len(here.people)]
        hands = await asyncio.gather(*(person.click(public, "My hand") for _ in range(AT_ONCE)))
        assert all(hand.ephemeral for hand in hands)


def memory(pid: int) -> int:
    """What a process holds in memory (its resident set), in KiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Memory is read from /proc, which is not here."
)
async def test_hands_drawn_ten_thousand_times_leave_memory_flat(tmp_path: Path) -> None:
    async with followed(tmp_path / "house.sqlite3") as here:
        await here.deal()
        public = latest(here.people[0], here.thread)
        await draw(here, public, WARM_UP)
        before = memory(here.bot.pid)
        await draw(here, public, DRAWN)
        assert memory(here.bot.pid) - before < MOST
