"""Errors that are no fault of the bot, and what is logged of work that fails and is tried again."""

import asyncio
import logging
from collections.abc import Container, Set
from typing import Final

import aiohttp
import discord

from bot.store import StoreFailed

EXPECTED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, StoreFailed)
"""Errors of Discord, the network and the disk (a timeout is an OSError)."""
DAY: Final = 86_400.0
"""In seconds."""


class Failures:
    """Why pieces of work, named by a number, failed last. Each reason is logged once in `pause` seconds and not at each
    try: posting may not be allowed for hours, or a database be away."""

    def __init__(self, log: logging.Logger, pause: float = DAY) -> None:
        self._log, self._pause = log, pause
        self._reasons: dict[int, tuple[str, float]] = {}
        """By work: why it failed last, and the time of the event loop at which that was logged."""

    def note(self, work: int, what: str, error: Exception) -> None:
        """Log `what` and why, unless that was logged just now; the whole error if that is a fault of the bot."""
        # A timeout has no words, nor has a failed assertion, which must not be taken for it.
        reason, is_bug = str(error) or repr(error), not isinstance(error, EXPECTED)
        now, (known, logged) = asyncio.get_running_loop().time(), self._reasons.get(work, ("", 0.0))
        if known != reason or now >= logged + self._pause:  # else it would stand in an old log alone
            self._log.log(
                logging.ERROR if is_bug else logging.WARNING, "%s: %s", what, reason, exc_info=is_bug
            )
            self._reasons[work] = reason, now

    @property
    def works(self) -> Set[int]:
        """The work that failed last."""
        return self._reasons.keys()

    def keep(self, works: Container[int]) -> None:
        """Forget all work but this."""
        self._reasons = {work: reason for work, reason in self._reasons.items() if work in works}

    def forget(self, work: int) -> None:
        """Forget work that is done."""
        self._reasons.pop(work, None)
