"""The bot as a host runs it: a process that can be killed, stopped, frozen, or kept from writing to the disk."""

import asyncio
import os
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from bench.process import ROOT, memory
from sandbox import Sandbox
from tests.rooms.reading import reading

TO_START = 60.0
"""Seconds within which the bot must be connected after its start, on a slow machine, too."""
TO_STOP = 20.0
"""Seconds within which it must end after SIGTERM."""


class BotProcess:
    """The bot on `box`, with its database and its log in `folder`."""

    may_lose_power = False

    def __init__(self, box: Sandbox, folder: Path, level: str) -> None:
        self.box = box
        self.folder = folder
        self.file = folder / "palmhouse.sqlite3"
        self.log_file = folder / "log.txt"
        self.lock = asyncio.Lock()
        self._level = level
        self._process: asyncio.subprocess.Process | None = None
        self._started = 0.0
        self._readers: list[Thread] = []

    @property
    def runs(self) -> bool:
        """True while the process exists."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """Id of the process that was started last."""
        assert self._process is not None
        return self._process.pid

    async def start(self, *, wait: bool = True) -> None:
        """Start the process, and with `wait` wait until it is connected. Raises RuntimeError when it ends instead."""
        self._started = time.monotonic()
        reading, writing = os.pipe()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.soak.launch", "--sandbox", self.box.url),
                cwd=self.folder,
                env=self.environment(),
                stdout=asyncio.subprocess.DEVNULL,
                stderr=writing,
            )
        finally:
            os.close(writing)
        # Not a file: a full disk would keep the bot from logging.
        reader = Thread(target=_copy, args=(reading, self.log_file), daemon=True)
        reader.start()
        self._readers = [*filter(Thread.is_alive, self._readers), reader]
        if wait:
            await self.box.until(lambda: self.box.gateway.connected or not self.runs, timeout=TO_START)
            if not self.runs:
                raise RuntimeError(f"The bot ended with status {self._process.returncode} when it started.")

    @property
    def uptime(self) -> float:
        """Seconds since the last start."""
        return time.monotonic() - self._started

    def environment(self) -> dict[str, str]:
        """Return the environment of the bot and of its other tasks, such as a backup."""
        settings = {"DATABASE_PATH": str(self.file), "LOG_LEVEL": self._level, "PYTHONPATH": str(ROOT)}
        return {name: each for name, each in os.environ.items() if name != "DISCORD_TOKEN"} | settings

    async def kill(self, power: Random | None = None) -> None:
        """Kill the process with `kill -9`, and wait until the sandbox has noticed."""
        if self.runs:
            os.kill(self.pid, signal.SIGKILL)
        await self._ended()

    async def stop(self) -> None:
        """Stop the process as a service manager does. Raises RuntimeError when it does not end with status 0."""
        os.kill(self.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(TO_STOP):
                await self._ended()
        except TimeoutError:
            raise RuntimeError(f"The bot did not end within {TO_STOP:.0f} s after SIGTERM.") from None
        assert self._process is not None
        if self._process.returncode:
            raise RuntimeError(f"The bot ended with status {self._process.returncode} after SIGTERM.")

    async def _ended(self) -> None:
        assert self._process is not None
        await self._process.wait()
        await self.box.until(lambda: not self.box.gateway.connected)

    def memory(self) -> float | None:
        """Return the memory (RSS) of the process in MiB; None on systems without Linux's `/proc`."""
        return memory(self.pid) if self.runs else None

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Give a connection that reads the database, for a block."""
        return reading(self.file)

    def waited(self) -> float:
        """Return the seconds for which its main thread has waited for a processor; 0.0 where that is not known."""
        file = Path(f"/proc/{self.pid}/schedstat") if self.runs else None
        try:
            return int(file.read_text().split()[1]) / 1e9 if file else 0.0
        except (OSError, IndexError):
            return 0.0

    def may_wait(self, _: Mapping[str, Any]) -> bool:
        return False  # its disk is never slow

    async def freeze(self, seconds: float) -> None:
        """Let the process do nothing for a time."""
        os.kill(self.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(self.pid, signal.SIGCONT)

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """Keep the process from making its files longer than the database's log is now."""
        wal = self.file.with_name(f"{self.file.name}-wal")
        pid, size = self.pid, wal.stat().st_size if wal.exists() else 0
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            if self.runs and self.pid == pid:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, hard))

    def logged(self) -> str:
        """Return everything that was logged. Call it after the process has ended."""
        for reader in self._readers:
            reader.join(TO_STOP)
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""


def _copy(reading: int, file: Path) -> None:
    with os.fdopen(reading, "rb") as lines, file.open("ab") as kept:
        for line in lines:
            kept.write(line)
            kept.flush()
