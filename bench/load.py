"""Measure the bot with a thousand live tables: moves at rising rates until it is overloaded, and a rush after a start.

The same tables are played on a SQLite file, then on a copy of it in PostgreSQL by one process, and by two. The baseline
bot is clicked at the same rates. The sandbox runs in the process that measures, with the people, and needs a core of
its own, as each process of the bot does: only with four cores do two processes show what they can do.

People act at a given rate, whether or not others have their answers yet; waits for deferred answers end with the real
ones. `kept_up_per_s` is the highest rate of answers at which a bot kept up. In a rush, all open their hands for the
first time within a second; `first` is the wait for the first answer, which may be that the bot thinks. Processor time
(`cpu_ms`) is per answer, by kind of process.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from bench import baseline_bot
from bench.live_tables import LiveTable, live, mover
from bench.process import TO_START, Lab, until_idle
from bench.rates import Act, acted, rising
from bench.report import Figures, ratio, say
from bot.hosting.moving import move_to
from bot.store import Store, open_store
from sandbox import Answer, Sandbox
from tests import postgresql

SHARDS: Final = 2
"""Number of shards. Servers are spread over them evenly."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    bots: tuple[str, ...] = ("baseline", "sqlite", "postgresql", "two_processes")
    servers: int = 100
    tables: int = 1_000
    rates: tuple[int, ...] = (25, 50, 75, 100, 125, 150, 200, 300, 400)
    """Wanted answers a second, one step after the other."""
    seconds: float = 6.0
    """Length of a step."""


TINY: Final = Sizes(("baseline", "sqlite"), servers=2, tables=3, rates=(5,), seconds=1)


@dataclass(frozen=True)
class Bot:
    """A way to run the bot on the tables of a sandbox."""

    lab: Lab
    box: Sandbox
    where: Path | str
    """Its database."""
    shards: Sequence[str] = ("",)
    """The shards of each of its processes; "" for all."""
    server: tuple[int, ...] = ()
    """Process id of the server of its database."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[list[int]]:
        """Run the bot until the end of the block, and yield the ids of its processes and of the server."""
        async with self.lab.palmhouse(self.box, self.where, self.shards, orderly=True) as pids:
            yield [*pids, *self.server]

    async def measured(self, tables: list[LiveTable], sizes: Sizes) -> Figures:
        """Measure the rates, then the rush after another start."""
        say(f"{len(self.shards)} process(es) of the bot on {'PostgreSQL' if self.server else 'SQLite'}.")
        async with self.running() as pids, _reading(self.where) as store:
            steps = await rising(sizes.rates, sizes.seconds, pids, partial(mover, tables, store, Random(1)))
            await until_idle(pids)
        async with self.running() as pids:
            return {**steps, "rush": await _rush([each.open_hand for each in tables], pids)}


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Measure the baseline bot, then the bot."""
    found = {"baseline": await _baseline(lab, sizes)} if "baseline" in sizes.bots else {}
    async with Sandbox(rate_limits=False) as box:
        file = lab.folder / "load.sqlite3"
        guilds = [box.guild(f"Server {n}", id_=(SHARDS + n) << 22 | 1) for n in range(sizes.servers)]
        sqlite = Bot(lab, box, file)
        async with sqlite.running(), _reading(file) as store:
            tables = await live(box, guilds, store, sizes.tables)
        if "sqlite" in sizes.bots:
            found["sqlite"] = await sqlite.measured(tables, sizes)
        found |= await _on_postgresql(sqlite, tables, sizes)
    rates = {name: run["kept_up_per_s"] for name, run in found.items()}
    pairs = (("sqlite", "baseline"), ("postgresql", "sqlite"), ("two_processes", "postgresql"))
    ratios = {f"{one}_to_{other}": ratio(rates.get(one), rates.get(other)) for one, other in pairs}
    return {"tables": sizes.tables, **found, **ratios}


async def _on_postgresql(sqlite: Bot, tables: list[LiveTable], sizes: Sizes) -> Figures:
    wanted = [name for name in ("postgresql", "two_processes") if name in sizes.bots]
    if wanted and postgresql.programs() is None:
        say("There is no PostgreSQL to measure; scripts/install-postgresql installs it.")
        return {}
    found: Figures = {}
    if wanted:
        assert isinstance(sqlite.where, Path)
        with postgresql.server(postgresql.DURABLE) as server:
            server.execute("CREATE DATABASE palmhouse")
            url = server.url("palmhouse")
            say(await move_to(sqlite.where, url))
            one = replace(sqlite, where=url, server=(server.process.pid,))
            two = replace(one, shards=[f"{shard}/{SHARDS}" for shard in range(SHARDS)])
            for name in wanted:
                found[name] = await (two if name == "two_processes" else one).measured(tables, sizes)
    return found


async def _baseline(lab: Lab, sizes: Sizes) -> Figures:
    say("The baseline bot is clicked.")
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, person = guild.channel("card-room"), box.person("Alice", guild)
        async with lab.running(box, "bench.baseline_bot", box.url) as pid:
            await box.ready(TO_START)
            await box.until(room.messages)
            button = room.messages()[0]

            async def click() -> AsyncIterator[Answer]:
                yield await person.click(button, baseline_bot.LABEL)

            steps = await rising(sizes.rates, sizes.seconds, [pid], lambda: click)
            return {**steps, "rush": await _rush([click] * sizes.tables, [pid])}


async def _rush(acts: Sequence[Act], pids: Sequence[int]) -> Figures:
    """Let all these acts happen within a second, evenly."""
    left = iter(acts)
    found = await acted(len(acts), 1, pids, lambda: next(left, None))
    say(f"A rush: {found}")
    return found


@asynccontextmanager
async def _reading(where: Path | str) -> AsyncIterator[Store]:
    """Open the database that a bot uses, to read in it."""
    store = await open_store(where, is_alone=False)
    try:
        yield store
    finally:
        await store.close()
