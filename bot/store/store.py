"""The store: everything that outlives the process, in one SQLite file.

Every write goes through one writer and returns once it is durable; what waits at the same time shares one commit.
Cancelling a caller does not undo its write: whoever is cancelled must read again what was kept.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.store.rows import Entry, Match, Result, Standing


class Store:
    """An open database. Writes raise StoreFailed, and then nothing of that write was kept."""

    @classmethod
    async def open(cls, path: Path) -> "Store":
        """Open the file, made and brought up to date where needed. Raises StoreRefused, and then it is as it was."""
        raise NotImplementedError

    async def close(self) -> None:
        """Finish the writes that wait, then close both connections."""
        raise NotImplementedError

    # Matches

    async def create(
        self,
        *,
        game: str,
        rules: int,
        options: str,
        seed: str,
        guild: int,
        channel: int,
        host: int,
        name: str,
        opened: int,
        clocks: Mapping[int, int],
    ) -> Match:
        """A new lobby with its host in it: the row, its first entry (`join`, with the host's name) and its clocks."""
        raise NotImplementedError

    async def append(
        self,
        match: int,
        entries: Sequence[Entry],
        *,
        clocks: Mapping[int, int] | None = None,
        phase: str | None = None,
        started: int | None = None,
        ended: int | None = None,
        results: Sequence[Result] = (),
    ) -> None:
        """Put entries at the end of a match's log, together with all that follows from them.

        `clocks` (seat -> due ms; seat -1 is the table itself) replaces the match's clocks; None keeps them, as it
        keeps phase, started and ended. StoreFailed when an entry does not follow the log's last one: another
        process, or a lost cancellation, was there first.
        """
        raise NotImplementedError

    async def note(
        self,
        match: int,
        *,
        place: int | None = None,
        card: int | None = None,
        board: int | None = None,
        published: int | None = None,
    ) -> None:
        """Keep where the match is played, where its messages are, or how far it is narrated; None keeps the old."""
        raise NotImplementedError

    async def match(self, match: int) -> Match | None:
        """The match of that number."""
        raise NotImplementedError

    async def open_matches(self) -> list[Match]:
        """All in the lobby or in play, oldest first."""
        raise NotImplementedError

    async def members(self) -> list[tuple[int, int]]:
        """(match, user) of everybody who sits at an open match: joined and has not left since."""
        raise NotImplementedError

    async def log(self, match: int, after: int = 0) -> list[Entry]:
        """The entries of a match beyond number `after`, in order."""
        raise NotImplementedError

    # Clocks

    async def clocks(self, match: int) -> dict[int, int]:
        """The deadlines of one match: seat -> due ms."""
        raise NotImplementedError

    async def due(self) -> list[tuple[int, int, int]]:
        """All deadlines as (match, seat, due ms), soonest first."""
        raise NotImplementedError

    async def beat(self, now: int) -> None:
        """Say that the process is alive."""
        raise NotImplementedError

    async def wake(self, now: int) -> int:
        """Give every deadline the time back since the last beat, and beat. Returns that outage in ms, 0 at first."""
        raise NotImplementedError

    # Standings, preferences, facts

    async def leaderboard(self, guild: int, game: str | None = None, limit: int = 20) -> list[Standing]:
        """The standings of a guild, in one game or all: by wins, then mean placing, then matches, then user."""
        raise NotImplementedError

    async def preference(self, user: int) -> str:
        """Where a person wants their hand: "ephemeral" (unless they said otherwise) or "dm"."""
        raise NotImplementedError

    async def set_preference(self, user: int, hand: str) -> None:
        """Keep it. StoreFailed for any other word."""
        raise NotImplementedError

    async def fact(self, key: str) -> str | None:
        """What the house keeps under `key`, such as the fingerprint of the synced commands."""
        raise NotImplementedError

    async def set_fact(self, key: str, value: str) -> None:
        """Keep it."""
        raise NotImplementedError
