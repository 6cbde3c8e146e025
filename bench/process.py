"""Start bots as processes, on a sandbox in this process, and read their processor time and memory from `/proc`."""

import asyncio
import os
import re
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from sandbox import Sandbox

ROOT: Final = Path(__file__).parents[1]
KINDS: Final = {
    "bot.pictures.rasterizer": "rasterizer",
    "bot.computers.worker": "computers",
    "postgres": "postgresql",
}
"""Kinds of processes, by a part of their command lines. Others are bots."""
IDLE: Final = 0.1
"""Seconds of processor time within a second below which processes are idle."""
PATIENCE: Final = 60
"""Maximum seconds to wait until processes are idle."""
TO_START: Final = 120.0
"""Seconds within which a bot must be connected."""

Start: TypeAlias = Callable[[Sequence[str], Path, Mapping[str, str]], Awaitable[asyncio.subprocess.Process]]


async def started(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> asyncio.subprocess.Process:
    """Start `python -m` with the arguments in a folder."""
    return await asyncio.create_subprocess_exec(sys.executable, "-m", *arguments, cwd=folder, env=environment)


@dataclass(frozen=True)
class Lab:
    """The means of every measurement: a folder for its databases, and the way to start processes."""

    folder: Path
    start: Start = started

    @asynccontextmanager
    async def running(
        self, box: Sandbox, *arguments: str, orderly: bool = False, **environment: str
    ) -> AsyncIterator[int]:
        """Run `python -m` with the arguments until the end of the block, and yield the process id. Then it is killed,
        or asked to stop if that is to be `orderly`.

        The block begins at once: the process may not even have imported its modules.
        """
        async with self._process(arguments, environment, orderly) as pid:
            yield pid
        await box.until(lambda: not box.gateway.connected)

    @asynccontextmanager
    async def palmhouse(
        self, box: Sandbox, where: Path | str, shards: Sequence[str] = ("",), *, orderly: bool = False
    ) -> AsyncIterator[list[int]]:
        """Run the usual bot on a database, a process for each share of its shards ("0/2"; "" for all). Yield the
        process ids when all are connected."""
        database = "DATABASE_PATH" if isinstance(where, Path) else "DATABASE_URL"
        settings = {"LOG_LEVEL": "ERROR", database: str(where)}
        arguments = ("bot", "--sandbox", box.url)
        async with AsyncExitStack() as stack:
            begun = [self._process(arguments, settings | {"SHARDS": each}, orderly) for each in shards]
            pids = [await stack.enter_async_context(each) for each in begun]
            await box.until(lambda: _connected(box) >= len(shards), TO_START)
            yield pids
        await box.until(lambda: not box.gateway.connected)

    @asynccontextmanager
    async def _process(
        self, arguments: Sequence[str], environment: Mapping[str, str], orderly: bool
    ) -> AsyncIterator[int]:
        process = await self.start(arguments, ROOT, {**os.environ, **environment})
        try:
            yield process.pid
        finally:
            process.terminate() if orderly else process.kill()
            await process.wait()


def _connected(box: Sandbox) -> int:
    return sum(session.connection is not None for session in box.gateway.sessions.values())


@dataclass(frozen=True)
class Usage:
    """Processor time and memory of processes until now, by kind. That of several of a kind is added up."""

    cpu_s: defaultdict[str, float]
    """With the sandbox, which is this process."""
    rss_mib: defaultdict[str, float]
    mib: defaultdict[str, float]
    """Pages that several processes share count once."""

    def cpu_ms(self, since: "Usage", times: int) -> dict[str, float]:
        """Return the processor time since then, divided by the times that something was done."""
        return {kind: (spent - since.cpu_s[kind]) * 1000 / times for kind, spent in self.cpu_s.items()}


def usage(pids: Sequence[int]) -> Usage:
    """Return the usage of these processes and their child processes."""
    cpu_s, rss, mib = (defaultdict[str, float](float) for _ in range(3))
    for pid in _with_children(pids):
        kind = _kind(pid)
        cpu_s[kind] += cpu_seconds(pid)
        rss[kind] += memory(pid) or 0.0
        mib[kind] += _shared_once(pid)
    cpu_s["sandbox"] = cpu_seconds(os.getpid())
    return Usage(cpu_s, rss, mib)


async def until_idle(pids: Sequence[int]) -> None:
    """Wait until these processes have nothing to do any more, at most a minute."""
    spent = _seconds(pids)
    for _ in range(PATIENCE):
        await asyncio.sleep(1)
        before, spent = spent, _seconds(pids)
        if spent - before < IDLE:
            return


async def until_quiet(box: Sandbox, seconds: float) -> None:
    """Wait until the bot has sent no request for some seconds."""
    asked = -1
    while asked != (asked := len(box.requests)):  # noqa: ASYNC110 - there is no event for silence
        await asyncio.sleep(seconds)


def memory(pid: int) -> float | None:
    """Return the memory of a process (RSS) in MiB; None on systems without Linux's `/proc`."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) / 1024


def mib(pid: int) -> float:
    """Return the same, where `/proc` is needed."""
    found = memory(pid)
    assert found is not None, "this needs Linux's /proc"
    return found


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process until now, in s. Needs Linux's `/proc`."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def _shared_once(pid: int) -> float:
    """Return the memory of a process in MiB, in which a page of several processes counts in part (PSS)."""
    said = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"^Pss:\s+(\d+) kB", said, re.MULTILINE)[0]) / 1024


def _seconds(pids: Sequence[int]) -> float:
    return sum(map(cpu_seconds, _with_children(pids)))


def children(pid: int) -> list[int]:
    """Return the ids of the child processes that a process has now. Needs Linux's `/proc`."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _with_children(pids: Sequence[int]) -> Iterator[int]:
    for pid in pids:
        yield pid
        yield from children(pid)


def _kind(pid: int) -> str:
    command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return next((kind for part, kind in KINDS.items() if part in command), "bot")
