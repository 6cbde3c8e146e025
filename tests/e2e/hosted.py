"""`python -m bot` as a host runs it: its log, its subprocesses, and the signals that stop it."""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bench.process import ROOT, children
from tests.bot.forked import forked

GOES_ON = "Stopped. Every match goes on where it is at the next start."


class HostedBot:
    """`python -m bot` on a sandbox, with its database in `folder`."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.process = process
        self.folder = folder

    @property
    def logged(self) -> str:
        """Everything written to stderr so far."""
        return (self.folder / "stderr").read_text()

    def subprocesses(self) -> list[int]:
        """Return the process ids of its running subprocesses."""
        return children(self.process.pid)

    async def stopped(self, *signs: signal.Signals, pause: float = 0.1) -> float:
        """Send the signals, wait until the bot has ended without an error, and return the seconds it took."""
        began = time.monotonic()
        for sign in signs:
            self.process.send_signal(sign)
            if sign is not signs[-1]:
                await asyncio.sleep(pause)
        async with asyncio.timeout(10):
            await self.process.wait()
        took = time.monotonic() - began
        assert self.process.returncode == 0, self.logged
        assert (self.folder / "stdout").read_text().splitlines() == [GOES_ON]
        troubles = re.compile("traceback|warning|error|exception|destroyed|closed", re.IGNORECASE)
        assert [line for line in self.logged.splitlines() if troubles.search(line)] == []
        return took


@asynccontextmanager
async def hosted_bot(url: str, folder: Path, *, anew: bool = False) -> AsyncIterator[HostedBot]:
    """Start the bot, and end it at the end of the block. With `anew`, it has to import all its modules."""
    settings = {"DATABASE_PATH": str(folder / "palmhouse.sqlite3"), "LOG_LEVEL": "DEBUG"}
    environment = os.environ | settings | {"PYTHONPATH": str(ROOT)}
    command, out, err = ("bot", "--sandbox", url), folder / "stdout", folder / "stderr"
    err.touch()
    if anew:
        with out.open("w") as said, err.open("w") as logged:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", *command), cwd=folder, env=environment, stdout=said, stderr=logged
            )
    else:
        process = await forked(command, folder, environment, stdout=out, stderr=err)
    try:
        yield HostedBot(process, folder)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - another process knows no event
            await asyncio.sleep(0.002)
