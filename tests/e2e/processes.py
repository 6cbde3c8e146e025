"""The bot as a process of its own: killed without warning, started again on the same file."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from sandbox import Sandbox

SEED = "e2e"
"""What every match is dealt from."""
ROOT = Path(__file__).parents[2]


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
        arguments = ("-m", "tests.e2e.launch", self.box.url, str(self.file), SEED)
        with self.said.open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, cwd=ROOT, stdout=said, stderr=said
            )
        bot = self._process
        await self.box.until(lambda: self.box.gateway.connected or bot.returncode is not None, timeout=30)
        assert self.box.gateway.connected, "the bot has ended"

    async def kill(self) -> None:
        """`kill -9`, and wait until Discord has noticed."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self.box.until(lambda: not self.box.gateway.connected)

    def read(self, query: str, *values: Any) -> list[Any]:
        """Rows from its file, which is only looked at: recovering after a kill is left to the next start."""
        uri = f"{self.file.as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as db:
            return db.execute(query, values).fetchall()

    def write(self, statement: str, *values: Any) -> None:
        """Change its file while it does not run."""
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(statement, values)

    def log(self) -> list[tuple[str, int | None, str]]:
        """(kind, seat, body) of every entry of the first match, in order."""
        return self.read("SELECT kind, seat, body FROM log WHERE match = 1 ORDER BY n")


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
