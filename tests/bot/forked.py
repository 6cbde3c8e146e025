"""`python -m bot` in processes that a fork server makes.

The server imports the bot once for each process that runs tests: a start that imports it anew takes half a second of a
processor. tests/test_package.py and some tests of tests/bot/test_start.py start the interpreter itself.
"""

import asyncio
import multiprocessing
import os
import sys
from asyncio.base_subprocess import BaseSubprocessTransport
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, BinaryIO, cast

from bot.client import cogs

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["bot.command_line", "sandbox", *cogs()])
LIMIT = 2**20
"""Most bytes of a line."""


async def forked(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], stdout: int = DEVNULL
) -> Process:
    """Run the bot in `folder`. Stderr is a pipe, and so is stdout with PIPE."""
    loop = asyncio.get_running_loop()
    protocol = SubprocessStreamProtocol(LIMIT, loop)
    connected = loop.create_future()
    process: Any = arguments, folder, environment
    transport = _Transport(loop, protocol, process, False, None, stdout, PIPE, 0, connected)
    await connected
    return Process(transport, protocol, loop)


class _Transport(BaseSubprocessTransport):
    """What asyncio knows of a process that runs."""

    def _start(
        self, args: Any, shell: Any, stdin: Any, stdout: Any, stderr: Any, bufsize: int, **_: Any
    ) -> None:
        self._forked = _Forked(*args, has_output=stdout == PIPE)
        self._proc = cast(Any, self._forked)
        self._loop.add_reader(self._forked.ended, self._ended)

    def _ended(self) -> None:
        self._loop.remove_reader(self._forked.ended)
        self._process_exited(self._forked.wait())


class _Forked:
    """A process as `subprocess.Popen` describes one."""

    stdin = None

    def __init__(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, has_output: bool
    ) -> None:
        pipes = [FORKS.Pipe(duplex=False) for _ in range(1 + has_output)]
        readers = [_file(reader) for reader, _ in pipes]
        writers = [writer for _, writer in pipes]
        self.stderr, self.stdout = readers[0], readers[1] if has_output else None
        self._process = FORKS.Process(
            target=_run, args=(arguments, folder, environment, *writers), daemon=True
        )
        self._process.start()
        for writer in writers:
            writer.close()
        assert self._process.pid is not None
        self.pid, self.ended = self._process.pid, self._process.sentinel
        self.terminate, self.kill = self._process.terminate, self._process.kill
        self.send_signal = partial(os.kill, self.pid)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int:
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def _file(reader: Connection) -> BinaryIO:
    """Return the end of a pipe as an unbuffered file, which the event loop closes."""
    with reader:
        return os.fdopen(os.dup(reader.fileno()), "rb", 0)


def _run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stderr: Connection,
    stdout: Connection | None = None,
) -> None:
    """Be `python -m bot`."""
    os.dup2(stderr.fileno(), 2)
    os.dup2(stdout.fileno() if stdout else os.open(os.devnull, os.O_WRONLY), 1)
    for pipe in filter(None, (stderr, stdout)):
        pipe.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["bot", *arguments]
    from bot.__main__ import main

    sys.exit(main())
