"""A bot as a process of its own, on a sandbox in this one."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox import Sandbox

ROOT = Path(__file__).parents[1]
STATUS = "/proc/{pid}/status"
"""Where Linux tells of a process."""


@asynccontextmanager
async def running(box: Sandbox, *arguments: str, environment: Mapping[str, str] = {}) -> AsyncIterator[int]:
    """`python -m` the arguments, from its first instruction until the end of the block. Its process id."""
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
    """The bot as anybody starts it, with its database in `file`."""
    environment = {"DATABASE_PATH": str(file), "LOG_LEVEL": "ERROR"}
    async with running(box, "bot", "--sandbox", box.url, environment=environment) as pid:
        yield pid


def memory(pid: int) -> float | None:
    """The memory a process holds (RSS), in MiB; None where the system does not tell it as Linux does."""
    status = Path(STATUS.format(pid=pid))
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024
