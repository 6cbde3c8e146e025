"""The clock of all tables: Discord's time, the waiting times, and the outages in which people cannot act."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot.match.times import Times

ANSWERED_WITHIN = 3_000
"""Ms that Discord waits for the answer to a click. In a longer outage some clicks have failed."""


@dataclass(eq=False)
class Outage:
    """A time in which the people of some servers cannot act. It lasts until their deadlines have been moved by its
    length."""

    since: int
    """Start in ms."""
    covers: Callable[[int], bool]
    """Returns whether it concerns a server (0: direct messages)."""


class MatchClock:
    """One clock for all tables of the bot. `now` returns Discord's time in ms since the Unix epoch."""

    def __init__(self, now: Callable[[], int], times: Times) -> None:
        self.now = now
        self.times = times
        self.outages: list[Outage] = []
        """Outages whose length has not been given back yet."""
        self.frozen: Callable[[], int] = lambda: 0
        """Returns the ms since a freeze of the process began that has not been given back yet; 0 if there is none."""
        self.corrected = now
        """Returns Discord's time in ms, which is later than now from when the machine is known to have slept until the
        deadlines have been moved by that."""
        self.lost_since = now
        """Returns the time in ms since when a shard is away, or the process frozen, for which days get longer later;
        now if there is none."""

    def has_outage(self, guild: int) -> bool:
        """Return whether the people of a server cannot act now."""
        return any(each.covers(guild) for each in self.outages)

    def outage_starts(self, guilds: Iterable[int], but: Outage | None = None) -> dict[int, int]:
        """Return since when nobody can act, in ms, by those of some servers that have another outage than `but`."""
        # An outage that is noticed after a freeze counts from where the freeze began.
        starts = {guild: self._starts(guild, but) for guild in guilds}
        return {guild: min(self.now() - self.frozen(), *since) for guild, since in starts.items() if since}

    def counted(self, guild: int) -> int:
        """Return the time in ms from which the people of a server have new time: now or, as they will get back its
        length, the start of its outage."""
        return min(self._starts(guild), default=self.now())

    def witnessed(self, guild: int) -> int:
        """Return the time in ms up to which the people of a server could act: now, or the start of its outage, or of a
        freeze of the process."""
        return min([self.now() - self.frozen(), *self._starts(guild)])

    def _starts(self, guild: int, but: Outage | None = None) -> list[int]:
        return [each.since for each in self.outages if each is not but and each.covers(guild)]
