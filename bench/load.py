"""Measure the bot with a thousand live tables: moves at rising rates until it is overloaded, and a rush after a start.

The same tables are played on a SQLite file, then on a copy of it in PostgreSQL by one process, and by two. The baseline
bot is clicked at the same rates. The sandbox runs in the process that measures, and needs a core of its own, as each
process of the bot does: only with four cores do two processes show what they can do.
"""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from bench import baseline_bot
from bench.load_steps import Rush, Step, kept_up, rising, rushed
from bench.load_tables import LiveTable, mover, opened
from bench.process import DATA, palmhouses, running
from bench.report import Machine, say
from bench.usage import until_idle
from bot.hosting.moving import move_to
from bot.store import Store, open_store
from sandbox import Answer, Sandbox
from tests import postgresql

SHARDS = 2
"""Number of shards. Servers are spread over them evenly."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    servers: int = 100
    tables: int = 1_000
    rates: tuple[int, ...] = (25, 50, 75, 100, 125, 150, 200, 300, 400)
    """Wanted answers a second, one step after the other."""
    seconds: float = 6.0
    """Length of a step."""


@dataclass(frozen=True)
class Run:
    """A bot under load. The steps are named by their rates."""

    steps: dict[str, Step]
    rush: Rush
    per_s: float
    """Highest rate of answers at which it kept up."""


@dataclass(frozen=True)
class Load:
    """`python -m bench load --json`. Without PostgreSQL on this machine its runs are None."""

    machine: Machine
    tables: int
    baseline: Run
    sqlite: Run
    postgresql: Run | None
    two_processes: Run | None
    sqlite_to_baseline: float | None
    """Rate of the bot divided by that of the baseline bot; None when that did not keep up with any."""
    postgresql_to_sqlite: float | None
    two_processes_to_one: float | None


@dataclass(frozen=True)
class Bot:
    """A way to run the bot on the tables of a sandbox."""

    box: Sandbox
    where: Path | str
    """Its database."""
    shards: Sequence[str] = ("",)
    """The shards of each of its processes; "" for all."""
    server: int | None = None
    """Process id of the server of its database."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[list[int]]:
        """Run the bot until the end of the block, and yield the ids of its processes and of the server."""
        database = "DATABASE_PATH" if isinstance(self.where, Path) else "DATABASE_URL"
        settings = [{database: str(self.where), "SHARDS": shards} for shards in self.shards]
        async with palmhouses(self.box, *settings, orderly=True) as pids:
            await self.box.until(self._is_connected, timeout=60)
            yield [*pids, *([] if self.server is None else [self.server])]

    def _is_connected(self) -> bool:
        return sum(each.connection is not None for each in self.box.gateway.sessions.values()) == len(
            self.shards
        )


async def measure(sizes: Sizes = Sizes(), data: Path = DATA) -> Load:
    """Measure the baseline bot, then the bot. Its file is in a folder of `data` that is removed at the end."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    baseline = await _baseline(sizes)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        sqlite, one, two = await _palmhouse(Path(name), sizes)
    return Load(
        machine,
        sizes.tables,
        baseline,
        sqlite,
        one,
        two,
        _ratio(sqlite, baseline),
        _ratio(one, sqlite),
        _ratio(two, one),
    )


def _ratio(run: Run | None, other: Run | None) -> float | None:
    return round(run.per_s / other.per_s, 2) if run and other and other.per_s else None


async def _baseline(sizes: Sizes) -> Run:
    say("The baseline bot is clicked.")
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, person = guild.channel("card-room"), box.person("Alice", guild)
        async with running(box, "bench.baseline_bot", box.url) as pid:
            await box.ready(60)
            await box.until(room.messages)
            button = room.messages()[0]

            async def click() -> AsyncIterator[Answer]:
                yield await person.click(button, baseline_bot.LABEL)

            steps = await rising(sizes.rates, sizes.seconds, [pid], lambda: click)
            return Run(steps, await rushed([click] * sizes.tables, [pid]), kept_up(steps))


async def _palmhouse(folder: Path, sizes: Sizes) -> tuple[Run, Run | None, Run | None]:
    file = folder / "load.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        guilds = [box.guild(f"Server {n}", id_=(SHARDS + n) << 22 | 1) for n in range(sizes.servers)]
        async with Bot(box, file).running(), _read(file) as store:
            tables = await opened(box, guilds, store, sizes.tables)
        sqlite = await _run(Bot(box, file), tables, sizes)
        if postgresql.programs() is None:
            say("There is no PostgreSQL to measure; scripts/install-postgresql installs it.")
            return sqlite, None, None
        with postgresql.server(postgresql.DURABLE) as server:
            server.execute("CREATE DATABASE palmhouse")
            url, pid = server.url("palmhouse"), server.process.pid
            say(await move_to(file, url))
            one = await _run(Bot(box, url, server=pid), tables, sizes)
            shares = [f"{shard}/{SHARDS}" for shard in range(SHARDS)]
            return sqlite, one, await _run(Bot(box, url, shares, pid), tables, sizes)


async def _run(bot: Bot, tables: list[LiveTable], sizes: Sizes) -> Run:
    say(f"{len(bot.shards)} process(es) of the bot on {'SQLite' if bot.server is None else 'PostgreSQL'}.")
    async with bot.running() as pids, _read(bot.where) as store:
        steps = await rising(sizes.rates, sizes.seconds, pids, partial(mover, tables, store, Random(1)))
        await until_idle(pids)
    async with bot.running() as pids:
        return Run(steps, await rushed([each.open_hand for each in tables], pids), kept_up(steps))


@asynccontextmanager
async def _read(where: Path | str) -> AsyncIterator[Store]:
    """Open the database that a bot uses, to read in it."""
    store = await open_store(where, is_alone=False)
    try:
        yield store
    finally:
        await store.close()
