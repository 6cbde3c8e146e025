"""Clicks in the order in which Discord received them, for games in which the first one wins."""

import asyncio
from heapq import heappop, heappush
from itertools import count

HOLD = 0.08
"""Seconds a click waits for earlier ones: what the ways from Discord to the bot may differ by."""


class Order:
    """The people waiting to act at one table, the earliest first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = count()

    async def turn(self, at: int) -> None:
        """Wait until it is the turn of who acted at `at` ms.

        Whoever has waited for HOLD goes, and before them all who acted earlier, however late they arrived.
        """
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        heappush(self._waiting, (at, next(self._arrivals), turn))
        loop.call_later(HOLD, self._release, at)
        await turn

    def _release(self, until: int) -> None:
        while self._waiting and self._waiting[0][0] <= until:
            _, _, turn = heappop(self._waiting)
            if not turn.done():  # who gave up waiting is passed over
                turn.set_result(None)
