"""A limit for each test, so that none hangs for ever: it fails, and shows where the test and its tasks stand.

Where even that is not possible, pytest ends the process (`faulthandler_timeout` in pyproject.toml), and with it the
test; others go on in a new one.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Final

import pytest

LIMIT: Final = 300.0
"""Seconds for a test, and as many for its fixtures: ten times what the longest takes beside other work."""
AGAIN: Final = 5.0
"""Seconds after which a test is stopped again that has caught the first stop."""


@contextmanager
def limited(seconds: float = LIMIT, again: float = AGAIN) -> Iterator[None]:
    """Fail the test when the block takes longer."""

    def stop(*_: object) -> None:
        pytest.fail(f"The test is not over after {seconds:g} s.\n{standing()}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def standing() -> str:
    """Return where each task of the running event loop stands."""
    text = StringIO()
    with suppress(RuntimeError):  # there is no loop
        for task in asyncio.all_tasks():
            task.print_stack(file=text)
    return text.getvalue()
