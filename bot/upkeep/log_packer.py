"""Compressing the logs of matches that are over, to save disk space."""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.store import Store

SETTLED: Final = 24 * 3_600_000
"""Ms after the end of a match at which its log is packed. By then its last messages are posted or given up, and few
people still look at its replay."""
REST: Final = 0.2
"""Seconds between two transactions of some ms each. The first run on a database of 100,000 matches takes an hour or
two."""


class LogPacker:
    """Packs the logs of all matches of the database. Several processes may do that at the same time."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now

    async def pack(self) -> None:
        """Pack the logs of all matches that ended a day ago. Raises StoreFailed."""
        last: int | None = 0
        while last is not None:
            last = await self._store.pack_logs(self._now() - SETTLED, last)
            await asyncio.sleep(REST)
