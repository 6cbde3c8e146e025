"""Discord's ids: milliseconds since 2015 in the upper 42 bits, a count in the lower 22."""

from sandbox.clock import Clock

EPOCH = 1_420_070_400_000


class Snowflakes:
    """Creates ids that strictly increase, by a clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Return a new id, larger than all before."""
        earliest = (int(self._clock.now() * 1000) - EPOCH) << 22
        self._last = max(earliest, self._last + 1)
        return self._last


def time_of(snowflake: int) -> float:
    """Return the Unix time in seconds at which an id was created."""
    return ((snowflake >> 22) + EPOCH) / 1000
