"""Faults of the machine of a simulated bot."""

import asyncio
from random import Random

from tests.rooms.faults import KINDS, Faults, Kind, cut_the_power
from tests.rooms.simulated_bot import SimulatedBot

SLOW = (0.05, 0.4)
"""Range of the seconds that a statement takes on a slow disk."""


async def slow_the_disk(faults: Faults, rng: Random) -> None:
    """Let each statement take long for some time."""
    bot = faults.room.bot
    assert isinstance(bot, SimulatedBot)
    async with bot.lock:
        usual, bot.world.disk = bot.world.disk, lambda: rng.uniform(*SLOW)
        try:
            await asyncio.sleep(rng.uniform(0.5, 4))
        finally:
            bot.world.disk = usual


SIMULATED: dict[Kind, int] = KINDS | {slow_the_disk: 2}
"""All faults of a simulated room, with their weights."""
STORM: dict[Kind, int] = SIMULATED | {cut_the_power: 100}
"""All faults of a room whose power is cut again and again."""
