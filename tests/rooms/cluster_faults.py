"""Faults of several processes that share the shards of a bot, of their database, and of single shards."""

import asyncio
from contextlib import suppress
from random import Random

from bot.store.postgresql.connection import OPENING
from bot.store.processes import LEASE
from sandbox.faults import Fault
from tests.rooms import faults as usual
from tests.rooms.cluster import Cluster, Member
from tests.rooms.faults import KINDS, LAPSE, Faults, Kind

TAKEOVER = 30.0
"""Seconds within which the shards of a process that has died are served by others."""
LOOK = 0.1
SETTLED = 1.0
"""Seconds after which answers that came too late are over."""


def _drawn(faults: Faults, rng: Random) -> tuple[Cluster, Member]:
    cluster = faults.room.bot
    assert isinstance(cluster, Cluster)
    return cluster, rng.choice(cluster.members)


async def _is_served(faults: Faults) -> bool:
    """Wait until each shard is served again. Return whether that comes in time."""
    loop, served = asyncio.get_running_loop(), False
    end = loop.time() + TAKEOVER
    while not served and loop.time() < end:
        await asyncio.sleep(LOOK)
        served = faults.room.is_connected
    await asyncio.sleep(SETTLED)
    return served


async def kill_a_process(faults: Faults, rng: Random) -> None:
    """Kill one of the processes, now and then after a post; start it at once, or after others have taken its shards."""
    room, (cluster, member) = faults.room, _drawn(faults, rng)
    async with cluster.lock:
        with room.trouble("process killed"):
            if rng.randrange(2):
                post = Fault(
                    rng.choice(("POST", "PATCH")), r"^/channels/\d+/messages", None, after=True, delay=60.0
                )
                room.box.faults.add(post)
                with suppress(TimeoutError):
                    await room.box.until(lambda: post.times == 0, timeout=LAPSE)
                post.times = 0
            member.end_process()
            room.counts["kills"] += 1
            try:
                if not cluster.shares_all or rng.randrange(2):
                    await asyncio.sleep(rng.uniform(0, LEASE))
                elif not await _is_served(faults):
                    room.errors.append(
                        f"after {TAKEOVER} s nobody serves the shards of {member.process_name}"
                    )
            finally:
                await faults.start()


async def stop_a_process(faults: Faults, rng: Random) -> None:
    """Stop one of the processes, and start it again later."""
    cluster, member = _drawn(faults, rng)
    async with cluster.lock:
        with faults.room.trouble("process stopped"):
            try:
                if member.runs:
                    await member.stop_process()
                await asyncio.sleep(rng.choice((0.0, LEASE)))
            finally:
                await faults.start()


async def freeze_a_process(faults: Faults, rng: Random) -> None:
    """Let one of the processes do nothing for some time, or beyond the end of its leases."""
    cluster, member = _drawn(faults, rng)
    async with cluster.lock:
        with faults.room.trouble("process frozen"):
            if member.runs:
                await member.freeze(rng.choice((rng.uniform(1, LEASE), rng.uniform(LEASE, 2 * LEASE))))
            await _is_served(faults)


async def cut_off_the_database(faults: Faults, rng: Random) -> None:
    """Let nothing come through between one of the processes and the database."""
    cluster, member = _drawn(faults, rng)
    async with cluster.lock:
        with faults.room.trouble("database out of reach"):
            try:
                if member.runs:
                    with cluster.server.unreachable(member.process_name):
                        await asyncio.sleep(rng.choice((rng.uniform(0.1, 3), rng.uniform(3, 2 * LEASE))))
            finally:  # also when the faults are over in the middle of this one
                await _is_served(faults)
                await asyncio.sleep(OPENING)  # a try to connect that began in it comes to nothing


async def restart_the_database(faults: Faults, rng: Random) -> None:
    """Let the database be away for some time. It ends all connections."""
    cluster, _ = _drawn(faults, rng)
    async with cluster.lock:
        with faults.room.trouble("database away"):
            with cluster.server.away():
                await asyncio.sleep(rng.choice((0.0, rng.uniform(0, 3), rng.uniform(3, LEASE))))
            await _is_served(faults)


async def lose_a_shard(faults: Faults, rng: Random) -> None:
    """Lose the connection of one shard."""
    gateway = faults.room.box.gateway
    async with faults.room.bot.lock:
        with faults.room.trouble("shard lost"):
            await gateway.drop(bool(rng.randrange(2)), shard=rng.randrange(gateway.shards))
            await asyncio.sleep(0.1)
            await _is_served(faults)


OF_A_FILE: tuple[Kind, ...] = (usual.fill_the_disk, usual.lock_the_database)
"""Faults of a file on the machine of the bot."""
IN_CLUSTERS: dict[Kind, int] = {kind: weight for kind, weight in KINDS.items() if kind not in OF_A_FILE} | {
    usual.kill: 2,
    usual.kill_during_a_post: 2,
    usual.stop: 1,
    kill_a_process: 8,
    stop_a_process: 3,
    freeze_a_process: 6,
    cut_off_the_database: 6,
    restart_the_database: 4,
}
"""All faults of a room with several processes, with their weights."""
