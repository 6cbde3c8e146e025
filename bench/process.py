"""Start bots as processes, on a sandbox in this process."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox import Sandbox

ROOT = Path(__file__).parents[1]
STATUS = "/proc/{pid}/status"
"""File in which Linux reports the memory of a process."""


@asynccontextmanager
async def running(box: Sandbox, *arguments: str, environment: Mapping[str, str] = {}) -> AsyncIterator[int]:
    """Run `python -m` with the arguments until the end of the block, and yield the process id.

    The block begins at once: the process may not even have imported its modules.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments, cwd=ROOT, env={**os.environ, **environment}
    )
    try:
        yield process.pid
    finally:
        process.kill()
        await process.wait()
        await box.until(lambda: not box.gateway.connected)


@asynccontextmanager
async def palmhouse(box: Sandbox, file: Path) -> AsyncIterator[int]:
    """Run the usual bot with its database in `file`, and yield its process id."""
    environment = {"DATABASE_PATH": str(file), "LOG_LEVEL": "ERROR"}
    async with running(box, "bot", "--sandbox", box.url, environment=environment) as pid:
        yield pid


def memory(pid: int) -> float | None:
    """Return the memory of a process (RSS) in MiB; None on systems without Linux's `/proc`."""
    status = Path(STATUS.format(pid=pid))
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024
