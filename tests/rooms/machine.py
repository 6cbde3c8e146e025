"""Faults of the machine of a simulated bot."""

import asyncio
from random import Random

from tests.rooms.cluster import Cluster
from tests.rooms.cluster_faults import IN_CLUSTERS, lose_a_shard
from tests.rooms.faults import KINDS, Faults, Kind, cut_the_power
from tests.rooms.hosting import back_up_the_database, import_standings, restore_a_backup
from tests.rooms.plan import Plan
from tests.rooms.room import SLOW_DISK
from tests.rooms.simulated_bot import SimulatedBot
from tests.simulation.workers import Worker

SLOW = ((0.05, 0.4), (0.3, 1.2))
"""Possible ranges of the seconds that a statement takes on a slow disk."""

ALWAYS = 10**6


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


async def lose_a_worker(faults: Faults, rng: Random) -> None:
    """Let a worker process die once, die at each question for some time, or hang. Nobody waits for it in vain."""
    bot = faults.room.bot
    assert isinstance(bot, SimulatedBot | Cluster)
    lost = [rng.choice((each.rasterizer.worker, each.computers.worker_client.worker)) for each in bot.clients]
    hangs, dies = rng.choice(((True, 0), (False, 1), (False, ALWAYS)))
    try:
        for worker in lost:
            assert isinstance(worker, Worker)
            worker.hangs, worker.dies = hangs, dies
        await asyncio.sleep(rng.uniform(0.5, 8))
    finally:
        for worker in lost:
            assert isinstance(worker, Worker)
            worker.hangs, worker.dies = False, 0


SIMULATED: dict[Kind, int] = KINDS | {
    slow_the_disk: 4,
    lose_a_worker: 3,
    back_up_the_database: 2,
    restore_a_backup: 1,
    import_standings: 1,
}
"""All faults of a simulated room with one process, with their weights."""


def kinds_of(plan: Plan) -> dict[Kind, int]:
    """Return the faults that may come in a simulated room."""
    kinds = SIMULATED if plan.processes == 1 else IN_CLUSTERS | {lose_a_worker: 3}
    if plan.storm:
        kinds = kinds | {cut_the_power: 100}
    return kinds | {lose_a_shard: 6} if plan.shards > 1 else kinds
