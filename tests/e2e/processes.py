"""The bot in a process of its own, which can be killed at any time and started again on the same file.

A fork server imports the bot's modules once for each process that runs tests, and forks: a start that imports them
anew takes a second of a processor, and the tests start hundreds of bots.
"""

import asyncio
import multiprocessing
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bench.process import ROOT
from bot.client import cogs
from bot.store import LogRow
from sandbox import Sandbox
from tests.e2e.launch import run_forked

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.e2e.launch", *cogs()])
SEED = "e2e"
"""Seed of every match."""

T = TypeVar("T")
Condition: TypeAlias = Callable[[], bool]
"""A function that returns True once something has happened."""


class BotProcess:
    """A bot on `box` with the database `file`; its log of level WARNING and above goes to `log_file`. It draws "few"
    or "all" pictures."""

    def __init__(self, box: Sandbox, file: Path, pictures: str = "few") -> None:
        self.box = box
        self.pictures = pictures
        self.file = file
        self.log_file = file.with_suffix(".log")
        self._process: ForkServerProcess | None = None

    @property
    def pid(self) -> int:
        """Process id while the bot runs."""
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    async def start(self) -> None:
        """Start the bot and wait until it is connected."""
        bot = FORKS.Process(target=run_forked, args=(self.log_file, *self._arguments), daemon=True)
        self._process = bot
        bot.start()
        await self.box.until(lambda: self.connected or not bot.is_alive(), timeout=30)
        assert self.connected, "the bot has ended"

    async def start_and_kill(self, seconds: float) -> None:
        """Start the bot by its command line, which takes a second, and kill it after that many seconds."""
        with self.log_file.open("ab") as log:
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.e2e.launch", *self._arguments, cwd=ROOT, stdout=log, stderr=log
            )
        await asyncio.sleep(seconds)
        bot.kill()
        await bot.wait()
        await self.box.until(lambda: not self.connected)

    @property
    def _arguments(self) -> tuple[str, str, str, str]:
        return self.box.url, str(self.file), SEED, self.pictures

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
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        await self.box.until(lambda: not self.connected)

    async def kill_during(self, act: Callable[[], Awaitable[T]], condition: Condition, turns: int = 0) -> T:
        """Run `act` and kill the bot when the condition holds, after `turns` more turns of the sandbox's event loop.
        Return the result of `act`."""
        doing = asyncio.ensure_future(act())
        async with asyncio.timeout(20):
            while not condition():
                if doing.done():
                    doing.result()  # raises the error instead of waiting for ever
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        await self.kill()
        return await doing

    def request_made(self, method: str, path: str) -> Condition:
        """Return a condition: one more such request of the bot was carried out; it may not have received the
        response."""
        before = len(self.box.requests)
        return lambda: any(r.method == method and re.search(path, r.path) for r in self.box.requests[before:])

    def entry_stored(self) -> Condition:
        """Return a condition: the log has one more entry."""
        return self._more("SELECT count(*) FROM log")

    def post_recorded(self) -> Condition:
        """Return a condition: the bot has marked more entries as posted."""
        return self._more("SELECT sum(published) FROM matches")

    def _more(self, query: str) -> Condition:
        before = self.read(query)
        return lambda: self.read(query) > before

    async def freeze(self, seconds: float) -> None:
        """Let the bot do nothing for a time."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(self.pid, signal.SIGCONT)

    def forget_nonces(self) -> None:
        """Forget all nonces, as Discord does in a long outage."""
        for channel in self.box.world.channels.values():
            channel.nonces.clear()


@asynccontextmanager
async def bot_process(box: Sandbox, file: Path, pictures: str = "few") -> AsyncIterator[BotProcess]:
    """Run the bot. At the end of the block neither it nor Discord may have reported an error."""
    bot = BotProcess(box, file, pictures)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
        sys.stderr.write(bot.log_file.read_text())  # shown when the test fails
    assert box.complaints == [], box.complaints
    assert bot.log_file.read_text() == ""
