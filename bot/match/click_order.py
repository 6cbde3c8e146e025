"""Handle clicks in the order in which Discord received them, for games in which the first one wins."""

import asyncio
from heapq import heappop, heappush
from itertools import count


class ClickOrder:
    """The clicks at one table that wait for their turn, the earliest first. Each waits for `hold` seconds for earlier
    ones."""

    def __init__(self, hold: float) -> None:
        self._hold = hold
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = count()
        self._going: asyncio.Future[None] | None = None
        """The one whose turn it is, until it waits for something else."""
        self._until = 0
        """Time in ms up to which clicks have waited for long enough."""

    async def turn(self, at: int) -> None:
        """Wait for the turn of a click at `at` ms.

        Return once the click has waited for long enough; all earlier ones go before it, however late they arrived.
        """
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        heappush(self._waiting, (at, next(self._arrivals), turn))
        loop.call_later(self._hold, self._release, at)
        try:
            await turn
        finally:
            loop.call_soon(self._pass, turn)

    def _pass(self, turn: asyncio.Future[None]) -> None:
        """Let the next one have its turn, after this one or without it."""
        if self._going is turn:
            self._going = None
        self._release(0)

    def _release(self, until: int) -> None:
        self._until = max(self._until, until)
        while self._going is None and self._waiting and self._waiting[0][0] <= self._until:
            _, _, turn = heappop(self._waiting)
            if not turn.done():  # cancelled ones are skipped
                self._going = turn
                turn.set_result(None)
