"""Measure the memory of the bot on many servers of real size.

Memory is RSS of the bot's process in MiB, `one_server_mib` that with one server. `start_cpu_ms_per_server` is processor
time to read a server at the start.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from bench.process import Lab, mib, usage
from bench.report import Figures, say
from sandbox import Sandbox

SETTLED: Final = 1.0
"""Seconds after which the bot has read what is sent."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    servers: int = 10_000


TINY: Final = Sizes(servers=3)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Start the bot with one server, then with many."""
    one, before = await _settled(lab, 0)
    say(f"{sizes.servers} servers are sent.")
    every, after = await _settled(lab, sizes.servers)
    return {
        "one_server_mib": one,
        f"{sizes.servers}_servers_mib": every,
        "kb_per_server": (every - one) * 2**20 / sizes.servers / 1000,
        "start_cpu_ms_per_server": (after - before) / sizes.servers * 1000,
    }


async def _settled(lab: Lab, servers: int) -> tuple[float, float]:
    """Run the bot on one server where somebody is, and this many others. Return the memory of its process and the
    seconds of processor time when it has read all of them."""
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        channel, alice = guild.channel("card-room"), box.person("Alice", guild)
        box.crowd(servers)
        box.gateway.max_concurrency = 16  # else each shard would wait for five seconds
        async with lab.palmhouse(box, lab.folder / f"{servers}.sqlite3") as (pid,):
            await box.until(lambda: box.gateway.identifies == box.gateway.shards, 120)
            await box.until(lambda: box.gateway.is_all_sent, 600)
            # An answer comes after the last server of its shard. A late one fails.
            while (await alice.slash(channel, "help")).failed:
                pass
            await asyncio.sleep(SETTLED)
            return mib(pid), usage([pid]).cpu_s["bot"]
