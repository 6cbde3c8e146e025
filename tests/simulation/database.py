"""SQLite without threads: a statement runs at once, and its result comes after the time that the disk takes."""

import resource
import sqlite3
from asyncio import Future
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from tests.simulation.loop import Loop, outcome, settle
from tests.simulation.power import Connection
from tests.simulation.process import PROCESS

PATIENCE = 1.5
"""Seconds for which a statement waits while another connection holds the file."""
RETRY = 0.05

Statement: TypeAlias = tuple["Future[Any] | None", Callable[[], Any]]


class Thread:
    """The thread of a connection, which is not needed."""

    def start(self) -> None:
        pass

    def join(self, timeout: float | None = None) -> None:
        pass

    def is_alive(self) -> bool:
        return False


class Queue:
    """The queue of a connection's thread."""

    def __init__(self) -> None:
        self._waiting = deque[Statement]()
        self._busy_since: float | None = None
        self._due = 0.0
        """Time at which its last result is given."""

    def put_nowait(self, statement: Statement) -> None:
        self._waiting.append(statement)
        if len(self._waiting) == 1:
            self._run()

    def _run(self) -> None:
        """Run what waits. While another connection holds the file, try again later."""
        process = PROCESS.get()
        while self._waiting:
            future, function = self._waiting[0]
            if process is None or process.largest_file is None:
                result, error = outcome(function)
            else:
                with _disk(process.largest_file):
                    result, error = outcome(function)
            if future is not None:
                loop = future.get_loop()
                assert isinstance(loop, Loop)
                if _is_busy(error) and self._waits(loop.time()):
                    loop.call_later(RETRY, self._run)
                    return
                if process is not None and isinstance(result, Connection):
                    process.databases[result] = _file_of(result)
                self._due = max(self._due, loop.world.now + loop.world.disk())
                loop.call_at(self._due, settle, future, result, error)
                if process is not None:
                    process.note_written(self._due)
            self._busy_since = None
            self._waiting.popleft()

    def _waits(self, now: float) -> bool:
        """Return whether to wait longer for another connection."""
        if self._busy_since is None:
            self._busy_since = now
        return now - self._busy_since < PATIENCE


def _is_busy(error: Exception | None) -> bool:
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY


def _file_of(connection: Connection) -> Path:
    (_, _, file) = connection.execute("PRAGMA database_list").fetchone()
    return Path(file)


@contextmanager
def _disk(largest_file: int) -> Iterator[None]:
    """Keep files from growing beyond that size."""
    free = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, free))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (free, free))
