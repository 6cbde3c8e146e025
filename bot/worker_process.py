"""A process of the house's own that answers questions, and what becomes of it: started, asked, replaced, given a rest.

It is started with Python's path and nothing else of what the house knows.
"""

import logging
import os
import pickle
import sys
import time
from contextlib import suppress
from subprocess import PIPE, Popen
from threading import Lock, Timer
from typing import Any, Final

log = logging.getLogger(__name__)

PATIENCE: Final = 10.0
"""Seconds after which a process counts as hung; drawings and thoughts take a tenth of one."""

PAUSE: Final = 1.0
"""Seconds before a process that could not be started, hung, or died at once is started again; each time twice as
long."""
LONGEST_PAUSE: Final = 60.0


def command(module: str) -> tuple[str, ...]:
    """What runs a module of the house."""
    return sys.executable, "-m", module


def environment() -> dict[str, str]:
    """No setting and no secret."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Gone(Exception):
    """There is no answer: the process died or hung, and a new one does not answer either. `str()` is for the log."""


class WorkerProcess:
    """A process that is asked one question after another: started with the first, and again after it has died or hung.

    Asking and closing wait for it, so they belong on a thread. Questions and answers are whatever can be pickled.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module = module
        self._name = name
        self._lock = Lock()
        self.process: Popen[bytes] | None = None
        self._proven = False
        """The process that runs has answered before."""
        self._pause = 0.0
        """Seconds of the last rest; 0 while all is well."""
        self._rests_until = 0.0
        """By the monotonic clock."""
        self._closed = False

    def start(self) -> None:
        """Start it ahead of the first question, unless it runs or rests. It waits for nobody and raises nothing; the
        process is as nice as the thread that starts it."""
        # Whoever holds the lock is starting it: waiting for that would hold up the event loop.
        if self.process is None and not self._rests() and self._lock.acquire(blocking=False):
            try:
                with suppress(OSError):
                    self._running()
            finally:
                self._lock.release()

    def ask(self, question: object) -> Any:
        """Return the answer. Raises Gone; at once while the process rests."""
        asked = pickle.dumps(question)
        with self._lock:
            if self._rests():
                raise Gone(f"{self._name} has failed and rests")
            return self._answer(asked)

    def close(self) -> None:
        """End it for good. A question that it is thinking about has no answer."""
        self._closed = True
        if (process := self.process) is not None:
            process.kill()  # then whoever waits for it lets go of the lock
        with self._lock:
            self._end()

    @property
    def is_doubted(self) -> bool:
        """True when it has failed and not worked again since: then nobody should wait for its answer."""
        return self._pause > 0

    def _rests(self) -> bool:
        return time.monotonic() < self._rests_until

    def _answer(self, question: bytes) -> Any:
        """Ask; and once more when it is found dead though it has worked before."""
        again, began = self._proven, time.monotonic()
        try:
            answer = self._exchange(question)
        except Exception as error:  # whatever came of it, it is of no use
            self._end()  # what is left of its answer must not become the next one
            if self._closed:
                raise Gone(f"{self._name} is closed") from error
            hung = time.monotonic() - began >= PATIENCE
            if again and not hung:
                answer = self._answer(question)
                log.warning("%s died (%r) and was replaced", self._name, error)
                return answer
            self._rest("hung" if hung else f"died ({error!r})")
            raise Gone(f"{self._name} {'hung' if hung else 'died'}") from error
        self._praise()
        return answer

    def _praise(self) -> None:
        if self._pause:
            log.warning("%s works again", self._name)
        self._proven, self._pause = True, 0.0

    def _rest(self, reason: str) -> None:
        """Leave it alone for a while. Only the first of several failures in a row is worth a line."""
        if not self._pause:
            log.warning("%s %s; it is tried again, less and less often until it works", self._name, reason)
        self._pause = min(max(PAUSE, 2 * self._pause), LONGEST_PAUSE)
        self._rests_until = time.monotonic() + self._pause

    def _exchange(self, question: bytes) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        if self._closed:
            raise EOFError
        hung = Timer(PATIENCE, process.kill)
        hung.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            return pickle.load(process.stdout)  # noqa: S301 - the house's own process
        finally:
            hung.cancel()

    def _running(self) -> Popen[bytes]:
        if self.process is None:
            self.process = Popen(  # noqa: S603 - the house's own module
                command(self._module),
                stdin=PIPE,
                stdout=PIPE,
                env=environment(),
                start_new_session=True,  # else a terminal's Ctrl+C would end it first
            )
        return self.process

    def _end(self) -> None:
        process, self.process, self._proven = self.process, None, False
        if process is not None:
            process.kill()
            process.communicate()
