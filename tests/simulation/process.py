"""Simulated processes: everything that runs in a context. They can be frozen, and killed at any await."""

import asyncio
import sqlite3
from asyncio import BaseEventLoop, Handle, Task
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from tests.simulation.power import Connection, Written, torn

T = TypeVar("T")
PROCESS: ContextVar["Process | None"] = ContextVar("process", default=None)
"""The process in whose context something runs. Tasks, timers and callbacks inherit it."""
MOST_TASKS = 5_000
"""Number of noted tasks from which those that are over are forgotten."""
GRAVES: list[Any] = []
"""What killed processes have left, for good: if Python deleted it, the `finally` blocks of their tasks would run."""
FILES = ("", "-wal")
"""Endings of the files that a killed process leaves of a database."""


class Vanishing(Protocol):
    """A connection of a process."""

    def vanish(self) -> None:
        """End it as the system does when its process is gone."""


class Process:
    """A simulated process on `loop`, which begins with `start`."""

    def __init__(self, loop: BaseEventLoop, name: str) -> None:
        self.name = name
        self.is_dead = False
        self.is_frozen = False
        self.tasks: list[Task[Any]] = []
        self.transports: list[Vanishing] = []
        self.databases: dict[Connection, Path] = {}
        """The files of its open connections."""
        self.largest_file: int | None = None
        """Size in bytes beyond which its files cannot grow, as on a full disk."""
        self.lapses: list[list[float]] = []
        """Begin and end of the times of the loop in which it may leave people without an answer."""
        self._written: list[tuple[float, dict[Path, Written]]] = []
        """What was written to the logs of its databases, and the time at which that is on the disk; the last ones."""
        self._loop = loop
        self._held: list[Handle] = []
        self._main: Task[Any] | None = None
        self._killed = loop.create_future()

    def start(self, main: Coroutine[Any, Any, Any]) -> "Task[Any]":
        """Run a coroutine in this process, and what it starts."""
        self._main = self._task(main)
        return self._main

    def _task(self, what: Coroutine[Any, Any, T]) -> "Task[T]":
        context = copy_context()
        context.run(PROCESS.set, self)
        return self._loop.create_task(what, name=self.name, context=context)

    async def ask(self, what: Awaitable[T]) -> T | None:
        """Run something in this process, so that what it starts belongs to it, too. Return None if it was killed."""

        async def wait() -> T:
            return await what

        task = self._task(wait())
        await asyncio.wait({task, self._killed}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None

    @property
    def runs(self) -> bool:
        return self._main is not None and not self.is_dead and not self._main.done()

    def note_end(self) -> None:
        """Note that it was told to end, or is killed."""
        self.lapses.append([self._loop.time(), inf])

    @contextmanager
    def lapse(self, after: float = 0.0) -> Iterator[None]:
        """Note that it may leave people without an answer until some seconds `after` the end of the block."""
        self.lapses.append(lapse := [self._loop.time(), inf])
        try:
            yield
        finally:
            lapse[1] = self._loop.time() + after

    def note(self, task: "Task[Any]") -> None:
        """Note a task of this process."""
        self.tasks.append(task)
        if len(self.tasks) > MOST_TASKS:
            self.tasks = [each for each in self.tasks if not each.done()]

    def keeps(self, handle: Handle) -> bool:
        """Return whether a handle that is ready does not run: the process is dead, or frozen."""
        if self.is_dead:
            GRAVES.append(handle)
        elif self.is_frozen:
            self._held.append(handle)
        return self.is_dead or self.is_frozen

    async def freeze(self, seconds: float) -> None:
        """Let the process do nothing for a time."""
        self.is_frozen = True
        try:
            with self.lapse():
                await asyncio.sleep(seconds)
        finally:
            self.is_frozen = False
            self._loop._ready.extend(self._held)  # type: ignore[attr-defined]
            self._held.clear()

    def note_written(self, due: float) -> None:
        """Note that what was committed to its databases is on the disk at the time `due`."""
        if any(map(_is_writing, self.databases)):
            return
        if self._written and not all(each.syncs for each in self.databases):
            return
        found = {file: Written.of(file) for file in {*self.databases.values()}}
        written = {file: each for file, each in found.items() if each is not None}
        if len(written) < len(found) or (self._written and self._written[-1][1] == written):
            return  # what only reads may be done before the last commit is on the disk
        while len(self._written) > 1 and self._written[1][0] <= self._loop.time():
            self._written.pop(0)
        self._written.append((due, written))

    def kill(self, power: Random | None = None) -> None:
        """End the process as `kill -9` does: none of it runs any more, not even a `finally`. The system closes its
        connections, and its files stay as they are; with `power`, what was not synced is lost by chance."""
        if self.is_dead:
            return
        self.is_dead = True
        self.note_end()
        self._killed.set_result(None)
        for each in self.transports:
            each.vanish()
        self._leave_files(power)
        for task in self.tasks:
            if not task.done():
                asyncio.tasks._unregister_task(task)
                task._log_destroy_pending = False  # type: ignore[attr-defined]
        GRAVES.append(self)

    def _leave_files(self, power: Random | None) -> None:
        """Close the connections to databases, and leave the files as they are now: SQLite would tidy them up."""
        files = [path.with_name(path.name + end) for path in {*self.databases.values()} for end in FILES]
        kept = {file: file.read_bytes() for file in files if file.exists()}
        if power is not None:
            self._tear(kept, power)
        for connection in self.databases:
            connection.close()
        for path in {*self.databases.values()}:
            for end in (*FILES, "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        for file, content in kept.items():
            file.write_bytes(content)

    def _tear(self, kept: dict[Path, bytes], power: Random) -> None:
        """Lose what was not on the disk yet of the logs among the files."""
        synced = next((files for due, files in reversed(self._written) if due <= self._loop.time()), {})
        for path in sorted({*self.databases.values()}):
            log = path.with_name(f"{path.name}-wal")
            now = Written.of(path)
            if path in synced and log in kept and now is not None:
                kept[log] = torn(kept[log], synced[path], now, power)


def _is_writing(connection: sqlite3.Connection) -> bool:
    """Return whether a connection, which may be closed, is in the middle of a transaction."""
    try:
        return connection.in_transaction
    except sqlite3.ProgrammingError:
        return False
