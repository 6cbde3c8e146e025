"""The memory of the bot, which must stay flat."""

import asyncio
from statistics import median

from tests.rooms.life import Life
from tests.soak.process import BotProcess

MOST_GROWTH = 24.0
"""MiB by which the memory of the bot may grow. SQLite's cache takes up to 16 of them while the database is small."""
LONG, MOST_AT_FIRST = 300, 64.0
"""Number of samples, one a second, below which more growth is allowed: the bot has just begun to play every game."""
WARM_UP = 0.2
"""Part of the time of measuring after which the memory counts."""
AGE = 20.0
"""Seconds after a start of the bot in which its memory does not count."""


class Memory:
    """What was measured, in MiB, each second while nothing kills the bot."""

    def __init__(self) -> None:
        self._measured: list[float] = []

    async def measure(self, life: Life, bot: BotProcess) -> None:
        while not life.room.calm:
            await asyncio.sleep(1)
            used = bot.memory() if life.faults.steady and bot.runs and bot.uptime > AGE else None
            if used is not None:
                self._measured.append(used)

    def faults(self) -> list[str]:
        """Return a sentence if it has grown."""
        counted = self._measured[int(len(self._measured) * WARM_UP) :]
        quarter = len(counted) // 4
        if quarter == 0:
            return []
        growth = median(counted[-quarter:]) - median(counted[:quarter])
        most = MOST_GROWTH if len(self._measured) >= LONG else MOST_AT_FIRST
        return [f"it grew by {growth:.1f} MiB, and {most:.0f} are allowed"] if growth > most else []
