"""The bot in a process that can be killed at any time and started again on the same file.

The process is simulated. In a test marked with `real` it is forked from a server that has imported the bot's modules
once: a start that imports them anew takes a second of a processor.
"""

import asyncio
import logging
import multiprocessing
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bot.client import cogs
from bot.pictures.worker_client import WorkerClient
from bot.store import LogRow
from sandbox import Sandbox
from tests.e2e.launch import play, run_forked
from tests.simulation.loop import Loop
from tests.simulation.process import PROCESS, Process
from tests.simulation.workers import rasterizer

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.e2e.launch", *cogs()])
SEED = "e2e"
"""Seed of every match."""
OFTEN = 0.001
"""Seconds between two looks at a condition for a kill."""

T = TypeVar("T")
Condition: TypeAlias = Callable[[], bool]
"""A function that returns True once something has happened."""


class Simulated:
    """A bot as a simulated process."""

    def __init__(self, loop: Loop, bot: "BotProcess") -> None:
        self._bot = bot
        self._process = Process(loop, "bot")
        self._log = logging.FileHandler(bot.log_file)
        self._log.addFilter(lambda _: PROCESS.get() is self._process)
        self._log.setLevel("WARNING")

    def start(self) -> None:
        logging.getLogger().addHandler(self._log)
        self.rasterizer = rasterizer()
        self._process.start(play(self._bot.box.url, self._bot.file, SEED, self.rasterizer))

    @property
    def runs(self) -> bool:
        return self._process.runs

    async def kill(self) -> None:
        self._process.kill()
        logging.getLogger().removeHandler(self._log)
        self._log.close()

    async def freeze(self, seconds: float) -> None:
        await self._process.freeze(seconds)


class Forked:
    """A bot in a process of the system."""

    def __init__(self, bot: "BotProcess") -> None:
        arguments = bot.log_file, bot.box.url, bot.file, SEED
        self._process = FORKS.Process(target=run_forked, args=arguments, daemon=True)

    def start(self) -> None:
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process.is_alive()

    async def kill(self) -> None:
        self._process.kill()
        await asyncio.to_thread(self._process.join)

    async def freeze(self, seconds: float) -> None:
        os.kill(self.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(self.pid, signal.SIGCONT)


class BotProcess:
    """A bot on `box` with the database `file`; its log of level WARNING and above goes to `log_file`."""

    def __init__(self, box: Sandbox, file: Path) -> None:
        self.box = box
        self.file = file
        self.log_file = file.with_suffix(".log")
        self._process: Simulated | Forked | None = None
        self._killed: Simulated | Forked | None = None
        """The one that was killed last."""

    @property
    def pid(self) -> int:
        """Id of the forked process."""
        assert isinstance(self._process, Forked)
        return self._process.pid

    async def start(self) -> None:
        """Start the bot and wait until it is connected."""
        loop = asyncio.get_running_loop()
        bot = self._process = Simulated(loop, self) if isinstance(loop, Loop) else Forked(self)
        bot.start()
        await self.box.until(lambda: self.connected or not bot.runs, timeout=30)
        assert self.connected or bot is self._killed, "the bot has ended"

    @property
    def rasterizer(self) -> WorkerClient:
        """The client of the rasterizer of a simulated process."""
        assert isinstance(self._process, Simulated)
        return self._process.rasterizer

    @property
    def connected(self) -> bool:
        """True while the bot that was started last is connected."""
        return self.box.gateway.connected

    # The database

    def read(self, query: str, *values: Any) -> list[Any]:
        """Return rows of the database, opened read-only: recovery after a kill is left to the next start of the bot."""
        uri = f"{self.file.as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            return db.execute(query, values).fetchall()

    def write(self, statement: str, *values: Any) -> None:
        """Change the database while the bot does not run."""
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(statement, values)

    def log(self, match: int, after: int = 0) -> list[LogRow]:
        """Return the entries of a match after number `after`, in order."""
        query = "SELECT n, kind, seat, user, body, at FROM log WHERE match = ? AND n > ? ORDER BY n"
        return [LogRow(*row) for row in self.read(query, match, after)]

    def all_posted(self) -> bool:
        """Return whether the bot has marked every entry of every match as posted."""
        unpublished = "SELECT 1 FROM matches WHERE published < (SELECT max(n) FROM log WHERE match = id)"
        return not self.read(unpublished)

    # Kills

    async def kill(self) -> None:
        """Kill the bot with `kill -9` and wait until Discord has noticed."""
        assert self._process is not None
        self._killed = self._process
        await self._process.kill()
        await self.box.until(lambda: not self.connected)

    async def kill_during(
        self, act: Callable[[], Awaitable[T]], condition: Condition, after: float = 0.0
    ) -> T:
        """Run `act` and kill the bot when the condition holds, `after` so many seconds. Return the result of `act`."""
        doing = asyncio.ensure_future(act())
        async with asyncio.timeout(20):
            while not condition():
                if doing.done():
                    doing.result()  # raises the error instead of waiting for ever
                await asyncio.sleep(OFTEN)
        await asyncio.sleep(after)
        await self.kill()
        return await doing

    def request_made(self, method: str, path: str) -> Condition:
        """Return a condition: one more such request of the bot was carried out; it may not have received the
        response."""
        before = len(self.box.requests)
        return lambda: any(r.method == method and re.search(path, r.path) for r in self.box.requests[before:])

    def entry_stored(self) -> Condition:
        """Return a condition: the log has one more entry."""
        before = self.read("SELECT count(*) FROM log")
        return lambda: self.read("SELECT count(*) FROM log") > before

    async def freeze(self, seconds: float) -> None:
        assert self._process is not None
        await self._process.freeze(seconds)

    def forget_nonces(self) -> None:
        """Forget all nonces, as Discord does in a long outage."""
        for channel in self.box.world.channels.values():
            channel.nonces.clear()


@asynccontextmanager
async def bot_process(box: Sandbox, file: Path) -> AsyncIterator[BotProcess]:
    """Run the bot. At the end of the block neither it nor Discord may have reported an error."""
    bot = BotProcess(box, file)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
        sys.stderr.write(bot.log_file.read_text())  # shown when the test fails
    assert box.complaints == [], box.complaints
    assert bot.log_file.read_text() == ""
