"""Faults of the machine of a simulated bot."""

import asyncio
from random import Random

from tests.rooms.faults import KINDS, Faults, Kind, cut_the_power
from tests.rooms.room import SLOW_DISK
from tests.rooms.simulated_bot import SimulatedBot

SLOW = ((0.05, 0.4), (0.3, 1.2))
"""Possible ranges of the seconds that a statement takes on a slow disk."""


async def slow_the_disk(faults: Faults, rng: Random) -> None:
    """Let each statement take long for some time."""
    bot = faults.room.bot
    assert isinstance(bot, SimulatedBot)
    async with bot.lock:
        between = rng.choice(SLOW)
        usual, bot.world.disk = bot.world.disk, lambda: rng.uniform(*between)
        with faults.room.trouble(SLOW_DISK):
            try:
                await asyncio.sleep(rng.uniform(0.5, 4))
            finally:
                bot.world.disk = usual
            await asyncio.sleep(1)


SIMULATED: dict[Kind, int] = KINDS | {slow_the_disk: 4}
"""All faults of a simulated room, with their weights."""
STORM: dict[Kind, int] = SIMULATED | {cut_the_power: 100}
"""All faults of a room whose power is cut again and again."""
