"""The bot as a process of its own: killed without warning, started again on the same file."""

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bench.process import ROOT
from bot.store import LogRow
from sandbox import Sandbox

SEED = "e2e"
"""What every match is dealt from."""

T = TypeVar("T")
Moment: TypeAlias = Callable[[], bool]
"""Whether it has come."""


class Process:
    """A bot on `box` whose matches are kept in `file`; what it logs at WARNING and above goes to `said`."""

    def __init__(self, box: Sandbox, file: Path) -> None:
        self.box = box
        self.file = file
        self.said = file.with_suffix(".log")
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Its process id, while it runs."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it, and wait until it is connected."""
        bot = await self._launch()
        await self.box.until(lambda: self.connected or bot.returncode is not None, timeout=30)
        assert self.connected, "the bot has ended"

    async def stumble(self, seconds: float) -> None:
        """Start it, and kill it after so many seconds."""
        await self._launch()
        await asyncio.sleep(seconds)
        await self.kill()

    async def _launch(self) -> asyncio.subprocess.Process:
        arguments = ("-m", "tests.e2e.launch", self.box.url, str(self.file), SEED)
        with self.said.open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, cwd=ROOT, stdout=said, stderr=said
            )
        return self._process

    @property
    def connected(self) -> bool:
        """Whether the bot that was started last has come: what was told already says nothing of it."""
        return self.box.gateway.connected

    # Its file

    def read(self, query: str, *values: Any) -> list[Any]:
        """Rows from its file, which is only looked at: recovering after a kill is left to the next start."""
        uri = f"{self.file.as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            return db.execute(query, values).fetchall()

    def write(self, statement: str, *values: Any) -> None:
        """Change its file while it does not run."""
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(statement, values)

    def log(self, match: int, after: int = 0) -> list[LogRow]:
        """The entries of a match after that number, in order."""
        query = "SELECT n, kind, seat, user, body, at FROM log WHERE match = ? AND n > ? ORDER BY n"
        return [LogRow(*row) for row in self.read(query, match, after)]

    def all_told(self) -> bool:
        """Whether the bot takes everything of every match for told."""
        untold = "SELECT 1 FROM matches WHERE published < (SELECT max(n) FROM log WHERE match = id)"
        return not self.read(untold)

    # Kills

    async def kill(self) -> None:
        """`kill -9`, and wait until Discord has noticed."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self.box.until(lambda: not self.connected)

    async def killed(self, act: Callable[[], Awaitable[T]], moment: Moment, turns: int = 0) -> T:
        """Do something; the bot is killed once the moment has come and then the sandbox's loop has turned so often."""
        doing = asyncio.ensure_future(act())
        async with asyncio.timeout(20):
            while not moment():
                if doing.done():
                    doing.result()  # raises what went wrong instead of waiting in vain
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        await self.kill()
        return await doing

    def asked(self, method: str, path: str) -> Moment:
        """When the bot's request has been carried out once more than now; whether it gets to know is open."""
        before = len(self.box.requests)
        return lambda: any(r.method == method and re.search(path, r.path) for r in self.box.requests[before:])

    def committed(self) -> Moment:
        """When something is kept that is not kept now."""
        return self._more("SELECT count(*) FROM log")

    def noted(self) -> Moment:
        """When the bot takes more for told than now."""
        return self._more("SELECT sum(published) FROM matches")

    def _more(self, query: str) -> Moment:
        before = self.read(query)
        return lambda: self.read(query) > before

    def forget_nonces(self) -> None:
        """As if the outage had taken longer than Discord remembers them."""
        for channel in self.box.world.channels.values():
            channel.nonces.clear()


@asynccontextmanager
async def process(box: Sandbox, file: Path) -> AsyncIterator[Process]:
    """The bot, running. At the end it may have complained of nothing, and nobody of it."""
    bot = Process(box, file)
    try:
        await bot.start()
        yield bot
    finally:
        await bot.kill()
        sys.stderr.write(bot.said.read_text())  # shown when the test fails
    assert box.complaints == []
    assert bot.said.read_text() == ""
