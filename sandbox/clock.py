"""The sandbox's clock: real time, which a test may move forward instead of sleeping."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime


class Clock:
    """Seconds since 1970, and waiting that ends early when the clock is moved or something has changed."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._changed = asyncio.Event()

    def now(self) -> float:
        """Unix time in seconds."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move everything that rests on this clock `seconds` into the future."""
        self._ahead += seconds
        self.tell()

    def tell(self) -> None:
        """Wake all who wait: something has changed, let them look."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def change(self, most: float | None = None) -> None:
        """Wait for the next change, at most `most` real seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most):
                await self._changed.wait()

    async def sleep(self, seconds: float) -> None:
        """Wait until this clock is `seconds` further."""
        await self.until(lambda: False, self.now() + seconds)

    async def until(self, condition: Callable[[], object], deadline: float) -> bool:
        """Wait until the condition holds or this clock reaches `deadline`; returns whether it holds."""
        while not condition():
            left = deadline - self.now()
            if left <= 0:
                return False
            await self.change(left)
        return True


def iso(seconds: float) -> str:
    """A Unix time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
