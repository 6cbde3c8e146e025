"""Discord's time, computed from its snowflakes and the Date headers of its answers."""

import sys
import time
from collections.abc import Callable
from typing import Final

DISCORD_EPOCH: Final = 1_420_070_400_000
"""Begin of 2015 in ms since the Unix epoch, from which snowflakes count."""
JUMP: Final = 3_000
"""Usual difference in ms above which this machine must have slept, or its clock was wrong. A smaller difference is the
time that a message took to arrive."""

HOUR: Final = 3_600_000
"""In ms."""
MOST_BACK: Final = 1_000
"""Maximum number of ms by which the clock is set back each hour. Clocks of machines gain less than that."""


def posted_at(snowflake: int) -> int:
    """Return the time at which Discord created a snowflake, such as a message's, in ms since the Unix epoch."""
    return (snowflake >> 22) + DISCORD_EPOCH


def snowflake_at(ms: int) -> int:
    """Return the smallest snowflake that Discord could create at a time in ms since the Unix epoch."""
    return max(0, ms - DISCORD_EPOCH) << 22


class DiscordTime:
    """Discord's clock, extrapolated by this machine's monotonic clock. `wall` and `steady` return this machine's time
    in ns, if not `time.time_ns` and `time.monotonic_ns`.

    A snowflake always arrives after its creation. One that seems to come from the future shows that this clock is
    behind. If it is behind by more than `least_jump` ms, at once or by small steps within an hour, `jump` holds what is
    left of the difference until `set_forward` is called. If all snowflakes of an hour seem to come late, this clock is
    ahead.
    """

    def __init__(
        self,
        least_jump: float = JUMP,
        wall: Callable[[], int] | None = None,
        steady: Callable[[], int] | None = None,
    ) -> None:
        self._least_jump = least_jump
        self._machine = steady or time.monotonic_ns
        self._ahead = (wall or time.time_ns)() // 1_000_000 - self._steady()
        self._known = False
        """True once Discord has told the time. Until then this machine's clock is used, which may be a day wrong."""
        self._hour = self._steady()
        """Begin of the present hour by this machine's monotonic clock."""
        self._least_late = sys.maxsize
        """Least ms by which a snowflake of this hour has seemed to come late."""
        self._crept = 0
        """Ms by which snowflakes of this hour have set this clock forward, each by less than a jump."""
        self.jump = 0
        self.on_jump: list[Callable[[], None]] = []

    def learn_from(self, snowflake: int) -> int:
        """Learn the time from a snowflake that has just arrived, and return it in ms since the Unix epoch."""
        at = posted_at(snowflake)
        self.learn(at)
        return at

    def learn(self, at: int) -> None:
        """Learn that Discord's time is `at` or later, in ms since the Unix epoch."""
        behind = at - self.now()
        self._least_late = min(self._least_late, -behind)
        if self._steady() - self._hour > HOUR:
            self._ahead -= max(0, min(self._least_late, MOST_BACK))
            self._hour, self._least_late, self._crept = self._steady(), sys.maxsize, 0
        if self._known and behind <= self.jump:
            return
        is_first, self._known = not self._known, True
        # What people did while the machine slept arrives at once when it wakes: a jump in many small steps.
        if abs(behind) + self._crept <= self._least_jump:
            self._crept += 0 if is_first else max(0, behind)
            self.set_forward(behind)
        else:
            self.jump = behind
            for listener in self.on_jump:
                listener()

    def be_at_least(self, at: int) -> None:
        """Take `at` for the time, in ms since the Unix epoch, if this machine's clock is earlier. What Discord has told
        is not changed by that."""
        if not self._known:
            self.set_forward(max(0, at - self.now()))

    def set_forward(self, ms: int) -> None:
        """Set the clock forward by `ms`, or back if negative."""
        self._ahead, self.jump = self._ahead + ms, 0
        self._least_late += ms

    def now(self) -> int:
        """Return Discord's time, in ms since the Unix epoch."""
        return self._steady() + self._ahead

    def _steady(self) -> int:
        return self._machine() // 1_000_000
