"""The contract of what several processes on one database agree on: who serves which shard, who may begin a session with
Discord, and which matches have changed.

All times are those of the database's clock. Methods raise StoreFailed when the database does not answer.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Final, NamedTuple, Protocol

LEASE: Final = 15
"""Seconds after which a lease ends unless it is renewed."""
QUEUED: Final = -1
"""Numbers up to this one stand, in the place of a shard, for a process that takes what is free."""


class Lease(NamedTuple):
    """A lease that has not ended."""

    shard: int
    """A shard; QUEUED or lower for a process that takes what is free."""
    out_of: int
    """Number of shards that its process assumes."""
    holder: str
    """Name of its process, for people."""
    until: int
    """End in ms since the Unix epoch."""


class Processes(Protocol):
    """The process itself, named `holder`, and the others on its database."""

    holder: str

    async def leases(self) -> Sequence[Lease]:
        """Return all leases, of this process, too."""
        ...

    async def take(self, shard: int, count: int) -> int | None:
        """Take the lease of a shard out of `count`. Return the time in ms up to which people could act there, by
        Discord's clock; None when another process holds it."""
        ...

    async def renew(self, shards: Collection[int], lively: Collection[int], now: int) -> set[int]:
        """Renew the leases of these shards, and note that people can act on the `lively` ones `now`, in ms (0:
        unknown), and could act until `now` on those of which nothing is noted. Return those that are still this
        process's."""
        ...

    async def release(self, shards: Collection[int], lively: Collection[int], now: int) -> None:
        """End the leases of these shards, and note that people could act on the `lively` ones until `now`, in ms."""

    async def begin_session(self, bucket: int, seconds: float) -> bool:
        """Reserve the right to begin a session for some seconds. Return False while another process has it."""
        ...

    async def end_turn(self, bucket: int, seconds: float) -> None:
        """Let the next session of a bucket begin in `seconds`, after one has begun."""

    async def notice(self, match: int) -> None:
        """Tell the other processes that a match has changed."""

    def notices(self) -> AsyncIterator[Collection[int]]:
        """Yield the matches of which other processes say that they have changed; none when that may have been missed:
        at first, after each loss of the connection, and every 30 s."""
        ...

    async def close(self) -> None:
        """End all leases of this process, and close the connections."""
