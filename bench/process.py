"""Start bots as processes, on a sandbox in this process."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from sandbox import Sandbox

ROOT = Path(__file__).parents[1]
DATA = ROOT / "data"
"""Folder of the bot's own database, so that the measured disk is the one that counts."""
STATUS = "/proc/{pid}/status"
"""File in which Linux reports the memory of a process."""


async def started(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> asyncio.subprocess.Process:
    """Start `python -m` with the arguments in a folder."""
    return await asyncio.create_subprocess_exec(sys.executable, "-m", *arguments, cwd=folder, env=environment)


@asynccontextmanager
async def running(
    box: Sandbox, *arguments: str, environment: Mapping[str, str] = {}, orderly: bool = False
) -> AsyncIterator[int]:
    """Run `python -m` with the arguments until the end of the block, and yield the process id. Then it is killed, or
    asked to stop if that is to be `orderly`.

    The block begins at once: the process may not even have imported its modules.
    """
    async with _process(*arguments, environment=environment, orderly=orderly) as pid:
        yield pid
    await box.until(lambda: not box.gateway.connected)


@asynccontextmanager
async def _process(*arguments: str, environment: Mapping[str, str], orderly: bool) -> AsyncIterator[int]:
    process = await started(arguments, ROOT, {**os.environ, **environment})
    try:
        yield process.pid
    finally:
        process.terminate() if orderly else process.kill()
        await process.wait()


@asynccontextmanager
async def palmhouse(box: Sandbox, file: Path, *, orderly: bool = False) -> AsyncIterator[int]:
    """Run the usual bot with its database in `file`, and yield its process id."""
    async with palmhouses(box, {"DATABASE_PATH": str(file)}, orderly=orderly) as (pid,):
        yield pid


@asynccontextmanager
async def palmhouses(
    box: Sandbox, *settings: Mapping[str, str], orderly: bool = False
) -> AsyncIterator[list[int]]:
    """Run a process of the usual bot with each of these settings, and yield the process ids."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                _process(
                    *("bot", "--sandbox", box.url),
                    environment={"LOG_LEVEL": "ERROR", **each},
                    orderly=orderly,
                )
            )
            for each in settings
        ]
    await box.until(lambda: not box.gateway.connected)


def memory(pid: int) -> float | None:
    """Return the memory of a process (RSS) in MiB; None on systems without Linux's `/proc`."""
    status = Path(STATUS.format(pid=pid))
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024


def children(pid: int) -> list[int]:
    """Return the child processes of a process. Needs Linux's `/proc`."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def held(pid: int) -> tuple[float, float]:
    """Return RSS and PSS of a process in MiB. Needs Linux's `/proc`."""
    said = Path(f"/proc/{pid}/smaps_rollup").read_text()
    rss, pss = (re.findall(rf"^{name}:\s+(\d+) kB", said, re.MULTILINE)[0] for name in ("Rss", "Pss"))
    return int(rss) / 1024, int(pss) / 1024


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process until now, in s. Needs Linux's `/proc`."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
