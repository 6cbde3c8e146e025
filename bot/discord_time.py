"""Discord's time, as its snowflakes and the dates of its answers tell it."""

import time
from collections.abc import Callable

from discord.utils import DISCORD_EPOCH

JUMP: float = 3_000
"""Ms by which Discord's time may differ from ours before we have slept, or our clock was wrong. Less is only the way
that a message took."""


def posted_at(snowflake: int) -> int:
    """Return when Discord made a message, an interaction or the like, in ms since the Unix epoch."""
    return (snowflake >> 22) + DISCORD_EPOCH


class DiscordTime:
    """Discord's clock, as its snowflakes and the dates of its answers tell it, carried on by a clock of ours that never
    jumps.

    What tells the time can only arrive after it was made, so whenever it seems to come from the future we are behind.
    By how much, if that is more than the way can have taken, stands in `jump` until `arrive` is called.
    """

    def __init__(self) -> None:
        self._ahead = time.time_ns() // 1_000_000 - _steady()
        self._known = False
        """True once Discord has told the time. This machine's own may be a day wrong, either way."""
        self.jump = 0
        self.on_jump: list[Callable[[], None]] = []

    def heard(self, snowflake: int) -> int:
        """Return the time in a snowflake that has just arrived, in ms since the Unix epoch."""
        at = posted_at(snowflake)
        self.told(at)
        return at

    def told(self, at: int) -> None:
        """Take in that Discord's time is not earlier than `at`, in ms since the Unix epoch."""
        behind = at - self.now()
        if self._known and behind <= self.jump:
            return
        self._known = True
        if abs(behind) <= JUMP:
            self.arrive(behind)
        else:
            self.jump = behind
            for listener in self.on_jump:
                listener()

    def arrive(self, ms: int) -> None:
        """Go on at a time so many ms ahead, or behind if negative."""
        self._ahead, self.jump = self._ahead + ms, 0

    def now(self) -> int:
        """Return Discord's time, in ms since the Unix epoch."""
        return _steady() + self._ahead


def _steady() -> int:
    return time.monotonic_ns() // 1_000_000
