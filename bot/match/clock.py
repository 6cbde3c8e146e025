"""The time that tables go by: Discord's, with the waiting times, and the moment since which nobody could act."""

from collections.abc import Callable

from bot.match.times import Times


class MatchClock:
    """One clock for all tables of the bot. `now` returns Discord's time in ms since the Unix epoch."""

    def __init__(self, now: Callable[[], int], times: Times) -> None:
        self.now = now
        self.times = times
        self.away_since: int | None = None
        """Time in ms at which Discord was last connected, while it is unreachable or the deadlines have not been put
        off by the time since; None while all is well. Until then people could act, and games go on by themselves."""

    def witnessed(self) -> int:
        """Return the time in ms up to which people could see and do something."""
        now = self.now()
        return now if self.away_since is None else min(now, self.away_since)
