"""Rooms in processes of their own, forked from one that has imported everything: all begin alike."""

import gc
import os
import pickle
import resource
import signal
from collections.abc import Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from select import select

from bot.client import cogs
from tests.rooms.plan import Plan
from tests.rooms.seeded import Outcome, live

TOO_MUCH = 300
"""Seconds of a processor after which a room is ended."""
ENDING = {signal.SIGINT, signal.SIGTERM}
"""Signals that end rooms."""
TOO_LONG = 3600.0
"""Seconds after which one is ended that waits for something real; others have to wait for a busy machine."""


@dataclass
class _Fork:
    plan: Plan
    pid: int
    pipe: int

    def outcome(self) -> Outcome:
        """Return the outcome, when the process has ended or is about to."""
        with os.fdopen(self.pipe, "rb") as pipe:
            said = pipe.read()
        _, status = os.waitpid(self.pid, 0)
        if said:
            outcome: Outcome = pickle.loads(said)
            return outcome
        return Outcome(self.plan, [f"It came to its end: its process ended with status {status}"])


def outcomes(
    plans: Iterable[Plan], at_once: int, traces: Path | None = None
) -> Generator[Outcome, None, None]:
    """Run rooms, some at once, and yield what became of each. `traces`: folder for their requests and answers."""
    for name in cogs():
        import_module(name)
    gc.collect()
    gc.freeze()
    waiting, running = iter(plans), list[_Fork]()
    try:
        while True:
            while len(running) < at_once and (plan := next(waiting, None)) is not None:
                # What the handler of a signal raises would be swallowed by the hooks of a fork.
                signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
                running.append(_forked(plan, traces))
                signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
            if not running:
                return
            ready, _, _ = select([each.pipe for each in running], [], [], TOO_LONG)
            for each in [each for each in running if each.pipe in ready or not ready]:
                running.remove(each)
                if not ready:
                    os.kill(each.pid, signal.SIGKILL)
                yield each.outcome()
    finally:
        for each in running:
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)
            os.close(each.pipe)
            os.waitpid(each.pid, 0)


def _forked(plan: Plan, traces: Path | None) -> _Fork:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return _Fork(plan, pid, reading)
    try:
        os.close(reading)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        resource.setrlimit(resource.RLIMIT_CPU, (TOO_MUCH, TOO_MUCH))
        said = pickle.dumps(live(plan, traces and traces / f"{plan.seed}.txt"))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(said)
    finally:
        os._exit(1)
