"""Leases: which of several processes on one database serves which shard (`bot.store.postgresql.processes`)."""

from typing import Final, NamedTuple

LEASE: Final = 15
"""Seconds after which a lease ends unless it is renewed."""
QUEUED: Final = -1
"""Numbers up to this one stand, in the place of a shard, for a process that takes what is free."""
LOGGING_IN: Final = QUEUED - 2**31
"""Numbers up to this one stand for such a process before its login, when it has no part in the shards."""


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
