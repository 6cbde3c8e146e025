"""The clock of all tables: Discord's time, the waiting times, and the start of the current outage."""

from collections.abc import Callable

from bot.match.times import Times


class MatchClock:
    """One clock for all tables of the bot. `now` returns Discord's time in ms since the Unix epoch."""

    def __init__(self, now: Callable[[], int], times: Times) -> None:
        self.now = now
        self.times = times
        self.away_since: int | None = None
        """Start of the current outage in ms; None without one. It stays set until all deadlines have been moved by the
        length of the outage."""

    def witnessed(self) -> int:
        """Return the time in ms up to which people could act: now, or during an outage its start."""
        now = self.now()
        return now if self.away_since is None else min(now, self.away_since)
