"""Errors that are no fault of the bot, and what is logged of work that fails and is tried again."""

import logging
from collections.abc import Container, Set
from typing import Final

import aiohttp
import discord

from bot.store import StoreFailed

EXPECTED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, StoreFailed)
"""Errors of Discord, the network and the disk (a timeout is an OSError)."""


class Failures:
    """Why pieces of work, named by a number, failed last. Each reason is logged once and not at each try: posting may
    not be allowed for hours, or a database be away."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._reasons: dict[int, str] = {}

    def note(self, work: int, what: str, error: Exception) -> None:
        """Log `what` and why, unless it failed so the last time; the whole error if that is a fault of the bot."""
        # A timeout has no words, nor has a failed assertion, which must not be taken for it.
        reason, is_bug = str(error) or repr(error), not isinstance(error, EXPECTED)
        if self._reasons.get(work) != reason:
            self._log.log(
                logging.ERROR if is_bug else logging.WARNING, "%s: %s", what, reason, exc_info=is_bug
            )
        self._reasons[work] = reason

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
