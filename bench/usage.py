"""Processor time and memory of the processes of a bot, as Linux reports them in `/proc`."""

import asyncio
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.process import children, cpu_seconds, held

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


@dataclass(frozen=True)
class Usage:
    """Processor time and memory until now, by kind of process. That of several processes of a kind is added up."""

    cpu_s: defaultdict[str, float]
    """With the sandbox, which is this process."""
    mib: defaultdict[str, float]
    """Pages that several processes share count once."""


def usage(pids: Sequence[int]) -> Usage:
    """Return the usage of these processes and their child processes."""
    cpu_s, mib = defaultdict[str, float](float), defaultdict[str, float](float)
    for pid in _with_children(pids):
        kind = _kind(pid)
        cpu_s[kind] += cpu_seconds(pid)
        mib[kind] += held(pid)[1]
    cpu_s["sandbox"] = cpu_seconds(os.getpid())
    return Usage(cpu_s, mib)


async def until_idle(pids: Sequence[int]) -> None:
    """Wait until these processes have nothing to do any more, at most a minute."""
    spent = _seconds(pids)
    for _ in range(PATIENCE):
        await asyncio.sleep(1)
        before, spent = spent, _seconds(pids)
        if spent - before < IDLE:
            return


def _seconds(pids: Sequence[int]) -> float:
    return sum(map(cpu_seconds, _with_children(pids)))


def _with_children(pids: Sequence[int]) -> Iterator[int]:
    for pid in pids:
        yield from (pid, *children(pid))


def _kind(pid: int) -> str:
    command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return next((kind for part, kind in KINDS.items() if part in command), "bot")
