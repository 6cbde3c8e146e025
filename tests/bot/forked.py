"""`python -m bot`, and other modules, in processes that a fork server makes.

The server imports the bot once for each process that runs tests: a start that imports it anew takes half a second of a
processor. tests/test_package.py and some tests of tests/bot/test_start.py start the interpreter itself.
"""

import asyncio
import multiprocessing
import os
import runpy
import sys
from asyncio.base_subprocess import BaseSubprocessTransport
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from collections.abc import Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from bot.client import cogs

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["bot.cli.command_line", "sandbox", *cogs()])
LIMIT = 2**20
"""Most bytes of a line."""
Output: TypeAlias = int | Path | None


async def forked(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    stdout: Output = None,
    stderr: Output = None,
) -> Process:
    """Run `python -m` with the arguments in a folder. An output is a pipe with PIPE, dropped with DEVNULL, that of the
    tests with None, else a file."""
    loop = asyncio.get_running_loop()
    protocol = SubprocessStreamProtocol(LIMIT, loop)
    connected = loop.create_future()
    process: Any = arguments, folder, environment
    outputs: tuple[Any, Any] = stdout, stderr
    transport = _Transport(loop, protocol, process, False, None, *outputs, 0, connected)
    await connected
    return Process(transport, protocol, loop)


class _Transport(BaseSubprocessTransport):
    """What asyncio knows of a process that runs."""

    def _start(
        self, args: Any, shell: Any, stdin: Any, stdout: Any, stderr: Any, bufsize: int, **_: Any
    ) -> None:
        arguments, folder, environment = args
        self._forked = _Forked(arguments, folder, environment, stdout, stderr)
        self._proc = cast(Any, self._forked)
        self._loop.add_reader(self._forked.ended, self._ended)

    def _ended(self) -> None:
        self._loop.remove_reader(self._forked.ended)
        self._process_exited(self._forked.wait())


class _Forked:
    """A process as `subprocess.Popen` describes one."""

    stdin = None

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        stdout: Output,
        stderr: Output,
    ) -> None:
        self.stdout, written = _output(stdout)
        self.stderr, complained = _output(stderr)
        self._process = FORKS.Process(
            target=_run, args=(arguments, folder, environment, written, complained), daemon=True
        )
        self._process.start()
        for end in (written, complained):
            if isinstance(end, Connection):
                end.close()
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


def _output(kind: Output) -> tuple[BinaryIO | None, Connection | Output]:
    """Return what the tests read of an output, which the event loop closes, and where it is written."""
    if kind != PIPE:
        return None, kind
    reader, writer = FORKS.Pipe(duplex=False)
    with reader:
        return os.fdopen(os.dup(reader.fileno()), "rb", 0), writer


def _run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stdout: Connection | Output,
    stderr: Connection | Output,
) -> None:
    """Be `python -m` with these arguments."""
    for number, output in ((1, stdout), (2, stderr)):
        if isinstance(output, Connection):
            os.dup2(output.fileno(), number)
            output.close()
        elif isinstance(output, Path):
            os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), number)
        elif output == DEVNULL:
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    # Those of the server cannot be configured, as they believe that they still write where it does.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", 1, "utf-8", closefd=False) for number in (1, 2))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    module, *sys.argv[1:] = arguments
    runpy.run_module(module, run_name="__main__", alter_sys=True)
