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
        self.jumps: list[tuple[float, float]] = []
        """Times from and to which it was moved."""
        self._changed = asyncio.Event()
        self._waiting: dict[asyncio.Future[None], Callable[[], object]] = {}
        """The conditions for which tasks wait. With many of them, to wake all tasks at each change would take long."""
        self._looking = False

    def now(self) -> float:
        """Return the Unix time in seconds."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move this clock `seconds` into the future."""
        now = self.now()
        self.jumps.append((now, now + seconds))
        self._ahead += seconds
        for waiting in self._waiting:
            _wake(waiting)  # its deadline may have come
        self.notify()

    def notify(self) -> None:
        """Wake the waiting tasks whose condition holds. Call it after every change."""
        self._changed.set()
        self._changed = asyncio.Event()
        if self._waiting and not self._looking:
            self._looking = True
            # Not now: this may be in the middle of a change.
            next(iter(self._waiting)).get_loop().call_soon(self._look)

    def _look(self) -> None:
        self._looking = False
        for waiting, condition in self._waiting.items():
            try:
                if condition():
                    _wake(waiting)
            except Exception:
                _wake(waiting)  # the task that waits calls it again, and gets the error

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
            await self._wait(condition, left)
        return True

    async def _wait(self, condition: Callable[[], object], most: float) -> None:
        """Wait until the condition may hold, for at most `most` real seconds."""
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        timer = loop.call_later(most, _wake, waiting)
        self._waiting[waiting] = condition
        try:
            await waiting
        finally:
            timer.cancel()
            del self._waiting[waiting]

    async def wait_for(self, condition: Callable[[], object], timeout: float) -> None:  # noqa: ASYNC109
        """Wait until the condition holds. It is checked after every change and every 50 ms.

        Raises TimeoutError after `timeout` real seconds.
        """
        async with asyncio.timeout(timeout):
            while not condition():
                await self.change(0.05)


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def iso(seconds: float) -> str:
    """Return a Unix time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
