"""The clock of the sandbox: real time that a test can move forward instead of sleeping."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime


class Clock:
    """Unix time, with waits that end early when the clock is moved or something has changed."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._changed = asyncio.Event()

    def now(self) -> float:
        """Return the Unix time in seconds."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move this clock `seconds` into the future."""
        self._ahead += seconds
        self.notify()

    def notify(self) -> None:
        """Wake every waiting task, because something has changed."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def change(self, most: float | None = None) -> None:
        """Wait for the next change, for at most `most` real seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most):
                await self._changed.wait()

    async def sleep(self, seconds: float) -> None:
        """Wait until this clock has moved on by `seconds`."""
        await self.until(lambda: False, self.now() + seconds)

    async def until(self, condition: Callable[[], object], deadline: float) -> bool:
        """Wait until the condition holds or this clock reaches `deadline`. Return whether the condition holds."""
        while not condition():
            left = deadline - self.now()
            if left <= 0:
                return False
            await self.change(left)
        return True

    async def wait_for(self, condition: Callable[[], object], timeout: float) -> None:  # noqa: ASYNC109
        """Wait until the condition holds. It is checked after every change and every 50 ms.

        Raises TimeoutError after `timeout` real seconds.
        """
        async with asyncio.timeout(timeout):
            while not condition():
                await self.change(0.05)


def iso(seconds: float) -> str:
    """Return a Unix time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
