"""Measure the memory of the bot on many servers of real size, and over reconnects in which Discord sends them anew.

Memory is RSS of the bot's process in MiB, `none_mib` that with one server. `start_cpu_ms_per_server` is processor time
to read a server at the start. `after_reconnects` is the memory of a bot on `few` servers, so that a hundred reconnects
take minutes, not hours.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from bench.process import Lab, mib, usage
from bench.report import Figures, say
from sandbox import Person, Sandbox, TextChannel

SETTLED: Final = 1.0
"""Seconds after which the bot has read what is sent."""
SAMPLES: Final = 10


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    servers: int = 10_000
    few: int = 200
    reconnects: int = 100


TINY: Final = Sizes(servers=3, few=2, reconnects=1)


@dataclass
class Room:
    """A running bot, and somebody who asks it for an answer."""

    box: Sandbox
    pid: int
    channel: TextChannel
    alice: Person

    @property
    def cpu_s(self) -> float:
        """The processor time of the bot's own process."""
        return usage([self.pid]).cpu_s["bot"]

    async def settle(self, sessions: int) -> float:
        """Wait until the bot has read all servers in the session of this number of each shard. Return its memory."""
        await self.box.until(lambda: self.box.gateway.identifies == sessions * self.box.gateway.shards, 120)
        await self.box.until(lambda: self.box.gateway.is_crowd_sent, 600)
        # An answer comes after the last server of its shard. A late one fails.
        while (await self.alice.slash(self.channel, "help")).failed:
            pass
        await asyncio.sleep(SETTLED)
        return mib(self.pid)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Start the bot with one server, with many, and with a few that are sent anew again and again."""
    async with _room(lab, 0) as idle:
        none, before = await idle.settle(1), idle.cpu_s
    async with _room(lab, sizes.servers) as full:
        every, cpu = await full.settle(1), full.cpu_s - before
    say(f"{sizes.servers} servers: {every:.1f} MiB, {none:.1f} with one.")
    async with _room(lab, sizes.few) as again:
        course = {"0": await again.settle(1)}
        for number in range(1, sizes.reconnects + 1):
            await again.box.gateway.drop(resumable=False)
            now = await again.settle(number + 1)
            if number % max(1, sizes.reconnects // SAMPLES) == 0:
                course[f"{number}"] = now
                say(f"{number} reconnects: {now:.1f} MiB.")
    return {
        "none_mib": none,
        f"{sizes.servers}_servers_mib": every,
        "kb_per_server": (every - none) * 2**20 / sizes.servers / 1000,
        "start_cpu_ms_per_server": cpu / sizes.servers * 1000,
        "after_reconnects": course,
    }


@asynccontextmanager
async def _room(lab: Lab, servers: int) -> AsyncIterator[Room]:
    """Run the bot on a sandbox with one server where somebody is, and this many others."""
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        channel, alice = guild.channel("card-room"), box.person("Alice", guild)
        box.crowd(servers)
        box.gateway.max_concurrency = 16  # else each shard would wait for five seconds
        async with lab.palmhouse(box, lab.folder / f"{servers}.sqlite3") as (pid,):
            yield Room(box, pid, channel, alice)
