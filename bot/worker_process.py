"""Worker processes: one is started, asked questions, and replaced when it has died or hung. A queue is before it.

It inherits no environment variable but Python's path, and so no secret.
"""

import asyncio
import logging
import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from subprocess import PIPE, Popen
from threading import Lock, Timer
from typing import Any, Final

log = logging.getLogger(__name__)

PATIENCE: Final = 10.0
"""Usual patience in seconds. An answer usually takes a tenth of one."""
PAUSE: Final = 1.0
"""Usual first pause in seconds."""
LONGEST_PAUSE: Final = 60.0


def command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module of the bot."""
    return sys.executable, "-m", module


def environment() -> dict[str, str]:
    """Return the environment of a worker process: Python's path alone."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class WorkerGone(Exception):
    """The process died or hung, and a new one does not answer either. `str()` is for the log."""


class WorkerProcess:
    """A process that answers one question after another. It is started with the first, and again after it has died or
    hung. Questions and answers are pickled. `ask` and `close` block, so call them on a thread.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        self.command = command
        self.patience = PATIENCE
        """Seconds after which the process counts as hung."""
        self.pause = PAUSE
        """Seconds before a process that failed is started again. They double with each further failure."""
        self._name = name
        self._lock = Lock()
        self.process: Popen[bytes] | None = None
        self._proven = False
        """True once the current process has answered."""
        self._pause = 0.0
        """Seconds of the last pause; 0 while all is well."""
        self._paused_until = 0.0
        """End of the pause, by the monotonic clock."""
        self._closed = False

    def start(self) -> None:
        """Start the process ahead of the first question, unless it runs or pauses. Never blocks, never raises. The
        process inherits the niceness of the calling thread."""
        # A thread that holds the lock is starting it already; waiting for that would block the event loop.
        if self.process is None and not self._is_paused() and self._lock.acquire(blocking=False):
            try:
                with suppress(OSError):
                    self._running()
            finally:
                self._lock.release()

    def ask(self, question: object) -> Any:
        """Return the answer. Raises WorkerGone, at once during a pause."""
        asked = pickle.dumps(question)
        with self._lock:
            if self._closed:
                raise WorkerGone(f"{self._name} is closed")
            if self._is_paused():
                raise WorkerGone(f"{self._name} has failed and is paused")
            return self._answer(asked)

    def close(self) -> None:
        """End the process for good. A question under way raises WorkerGone."""
        self._closed = True
        if (process := self.process) is not None:
            process.kill()  # then a waiting `ask` releases the lock
        with self._lock:
            self._end()

    @property
    def is_running(self) -> bool:
        """True while the process lives. It is started with the first question."""
        process = self.process
        return process is not None and process.poll() is None

    @property
    def is_doubted(self) -> bool:
        """True when it has failed and not answered since: do not wait for it."""
        return self._pause > 0

    def _is_paused(self) -> bool:
        return time.monotonic() < self._paused_until

    def _answer(self, question: bytes) -> Any:
        """Ask the process; if it is dead, but had answered before, ask a new one."""
        again, began = self._proven, time.monotonic()
        try:
            answer = self._exchange(question)
        except Exception as error:  # after any error the process is of no use
            self._end()  # the rest of its answer must not be read as the next one
            if self._closed:
                raise WorkerGone(f"{self._name} is closed") from error
            hung = time.monotonic() - began >= self.patience
            if again and not hung:
                answer = self._answer(question)
                log.warning("%s died (%r) and was replaced", self._name, error)
                return answer
            self._pause_after("hung" if hung else f"died ({error!r})")
            raise WorkerGone(f"{self._name} {'hung' if hung else 'died'}") from error
        self._note_success()
        return answer

    def _note_success(self) -> None:
        if self._pause:
            log.warning("%s works again", self._name)
        self._proven, self._pause = True, 0.0

    def _pause_after(self, reason: str) -> None:
        """Start a pause, in which no questions are sent. Log the first of several failures in a row."""
        if not self._pause:
            log.warning("%s %s; it is tried again, less and less often until it works", self._name, reason)
        self._pause = min(max(self.pause, 2 * self._pause), LONGEST_PAUSE)
        self._paused_until = time.monotonic() + self._pause

    def _exchange(self, question: bytes) -> Any:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        if self._closed:
            raise EOFError
        hung = Timer(self.patience, process.kill)
        hung.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            return pickle.load(process.stdout)  # noqa: S301 - our own process
        finally:
            hung.cancel()

    def _running(self) -> Popen[bytes]:
        if self.process is None:
            self.process = Popen(  # noqa: S603 - our own module
                self.command,
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


@dataclass(slots=True, eq=False)
class Asked:
    """A question in the queue of a worker process, and the answer to it."""

    question: object
    answer: Future[Any] = field(default_factory=Future)

    def begin(self) -> bool:
        """Return whether the answer is still wanted. Called once, when the turn of the question has come."""
        return self.answer.set_running_or_notify_cancel()

    def end(self, answer: Any) -> None:
        """Note the answer. An error that is raised is the answer, too."""
        self.answer.set_result(answer)


class WorkerQueue:
    """A worker process and the questions that wait for it: one is asked after the other, urgent ones first."""

    def __init__(self, worker: WorkerProcess, name: str) -> None:
        self.worker = worker
        # One thread, as the process does one thing after the other.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = Lock()
        """Held while a question is taken from the queue, and while one is moved in it."""
        self._urgent = deque[Asked]()
        self._others = deque[Asked]()

    def close(self) -> None:
        """End the process for good; it answers what waits by Gone. Blocks for a moment."""
        self.worker.close()
        self._thread.shutdown(wait=False)

    def put(self, asked: Asked, *, urgent: bool) -> None:
        """Add a question. Its answer is set on the thread, to Gone where the process has none."""
        (self._urgent if urgent else self._others).append(asked)
        asyncio.get_running_loop().run_in_executor(self._thread, self._ask_next)

    def _ask_next(self) -> None:
        with self._lock:
            asked = (self._urgent or self._others).popleft()
        if asked.begin():
            try:
                asked.end(self.worker.ask(asked.question))
            except Exception as error:  # also a bug, which the caller must hear of
                asked.answer.set_exception(error)
