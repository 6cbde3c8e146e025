"""Measure the memory of the bot on many servers of real size, and over reconnects in which Discord sends them anew."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.process import DATA, memory, palmhouse
from bench.report import Machine, say
from bench.usage import usage
from sandbox import Person, Sandbox, TextChannel

SERVERS = 10_000
FEW = 200
"""Servers of the bot that reconnects, so that a hundred times take minutes, not hours."""
RECONNECTS = 100
SETTLED = 1.0
"""Seconds after which the bot has read what is sent."""


@dataclass(frozen=True)
class Guilds:
    """`python -m bench guilds --json`. Memory is RSS of the bot's process in MiB."""

    machine: Machine
    servers: int
    none_mib: float
    """Memory with one server."""
    all_mib: float
    kb_per_server: float
    start_cpu_ms_per_server: float
    """Processor time to read a server at the start."""
    few: int
    """Number of servers that are sent anew at each reconnect."""
    reconnects: int
    reconnected_mib: list[float]
    """Memory with `few` servers after the start, a tenth of the reconnects, two tenths, and so on."""


@dataclass
class Room:
    """A running bot, and somebody who asks it for an answer."""

    box: Sandbox
    pid: int
    channel: TextChannel
    alice: Person

    async def settle(self, sessions: int) -> float:
        """Wait until the bot has read all servers in the session of this number of each shard. Return its memory in
        MiB."""
        await self.box.until(lambda: self.box.gateway.identifies == sessions * self.box.gateway.shards, 120)
        await self.box.until(lambda: self.box.gateway.is_crowd_sent, 600)
        # An answer comes after the last server of its shard. A late one fails.
        while (await self.alice.slash(self.channel, "help")).failed:
            pass
        await asyncio.sleep(SETTLED)
        found = memory(self.pid)
        assert found is not None, "this needs Linux's /proc"
        return round(found, 1)


async def measure(servers: int = SERVERS, few: int = FEW, reconnects: int = RECONNECTS) -> Guilds:
    """Start the bot with one server, with many, and with a few that are sent anew again and again."""
    machine = Machine()
    async with room(0) as idle:
        none = await idle.settle(1)
        before = usage([idle.pid]).cpu_s["bot"]
    async with room(servers) as full:
        every = await full.settle(1)
        cpu = usage([full.pid]).cpu_s["bot"] - before
    say(f"{servers} servers: {every} MiB, {none} with one.")
    async with room(few) as again:
        course = [await again.settle(1)]
        for number in range(1, reconnects + 1):
            await again.box.gateway.drop(resumable=False)
            now = await again.settle(number + 1)
            if number % max(1, reconnects // 10) == 0:
                course.append(now)
                say(f"{number} reconnects: {now} MiB.")
    return Guilds(
        machine,
        servers,
        none,
        every,
        round((every - none) * 2**20 / servers / 1000, 2),
        round(cpu / servers * 1000, 2),
        few,
        reconnects,
        course,
    )


@asynccontextmanager
async def room(servers: int) -> AsyncIterator[Room]:
    """Run the bot on a sandbox with one server where somebody is, and this many others."""
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DATA) as folder:
        async with Sandbox(rate_limits=False) as box:
            guild = box.guild("Palm Beach")
            channel, alice = guild.channel("card-room"), box.person("Alice", guild)
            box.crowd(servers)
            box.gateway.max_concurrency = 16  # else each shard would wait for five seconds
            async with palmhouse(box, Path(folder) / "guilds.sqlite3") as pid:
                await box.ready(60)
                yield Room(box, pid, channel, alice)
