"""Faults that are planted in copies of the project, to see what finds them.

`tests.planted` has those that the suite must find, `tests.rooms.planted` those for simulated card rooms.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PARTS = ("bot", "cogs", "games", "sandbox", "tests", "pyproject.toml")
"""The folders of the project that rooms need."""


class Fault(NamedTuple):
    """A fault: what it does, the file, the text that is there once, and the text in its place."""

    title: str
    file: str
    text: str
    planted: str
    old: bool = False
    """True for a fault that the project once had."""

    def in_text(self, text: str) -> str:
        """Return the text of its file with the fault in it."""
        assert text.count(self.text) == 1, (
            f"{self.file} has this not just once, so correct the list: {self.text!r}"
        )
        return text.replace(self.text, self.planted)


@dataclass(frozen=True)
class Search:
    """A way to look for a fault."""

    command: Callable[[Fault], Sequence[str]]
    """Returns the command, without Python, that is run in the copy."""
    found: re.Pattern[str]
    """Pattern of its output when it has found the fault. It is then ended, and the groups of the pattern are shown."""
    parts: Sequence[str] = PARTS
    """Files and folders that are copied."""
    again: Callable[[re.Match[str]], Sequence[str]] | None = None
    """Returns the command that looks again where something was found, in the project without the fault. What it finds
    there, too, does not come from the fault."""

    async def run(self, fault: Fault) -> str | None:
        """Plant a fault. Return what finds it, None for nothing."""
        with self._copy(fault) as folder:
            async with aclosing(self._finds(folder, self.command(fault))) as finds:
                async for match in finds:
                    if not await self._is_found_anyway(match):
                        return ": ".join(match.groups())
        return None

    async def _is_found_anyway(self, match: re.Match[str]) -> bool:
        if self.again is None:
            return False
        async with aclosing(self._finds(ROOT, self.again(match))) as finds:
            return await anext(finds, None) is not None

    async def _finds(self, folder: Path, command: Sequence[str]) -> AsyncGenerator[re.Match[str]]:
        """Run a command in a folder, and yield what it finds. Close this to end the command."""
        run = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=folder, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        assert run.stdout is not None
        said = ""
        try:
            async for line in run.stdout:
                said += line.decode()
                if match := self.found.search(said):
                    yield match
                    said = said[match.end() :]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)  # with processes that it has started
            await run.wait()

    @contextmanager
    def _copy(self, fault: Fault) -> Iterator[Path]:
        with TemporaryDirectory(prefix="palmhouse-planted-") as name:
            folder = Path(name)
            for part in self.parts:
                if (ROOT / part).is_dir():
                    ignored = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(ROOT / part, folder / part, ignore=ignored)
                else:
                    shutil.copy(ROOT / part, folder / part)
            file = folder / fault.file
            file.write_text(fault.in_text(file.read_text()))
            yield folder


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser for which faults are planted, and how many at a time."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("faults", nargs="*", type=int, help="numbers of faults, from 1 (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="number of faults at a time")
    return parser


def plant(faults: Sequence[Fault], wanted: argparse.Namespace, search: Search) -> int:
    """Plant the wanted faults, some at a time, and print what finds each. Return 1 when one was not found."""
    numbers = wanted.faults or range(1, len(faults) + 1)
    return asyncio.run(_plant(faults, numbers, search, asyncio.Semaphore(wanted.jobs)))


async def _plant(
    faults: Sequence[Fault], numbers: Sequence[int], search: Search, jobs: asyncio.Semaphore
) -> int:
    for number in numbers:  # before hours have gone by
        faults[number - 1].in_text((ROOT / faults[number - 1].file).read_text())
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)

    async def tell(number: int) -> bool:
        async with jobs:
            began, fault = time.monotonic(), faults[number - 1]
            found = await search.run(fault)
            took = time.monotonic() - began
            print(f"{number:2} {fault.title}: {found or 'NOT FOUND':.200} ({took:.0f} s)", flush=True)
            return found is not None

    async with asyncio.TaskGroup() as group:
        found = [group.create_task(tell(number)) for number in numbers]
    return int(not all(each.result() for each in found))
