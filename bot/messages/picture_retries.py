"""Further tries to draw the pictures of messages that are shown in words."""

from typing import Final

STEP: Final = 1.0
"""Seconds before the first try. Each later try waits that much longer than the one before."""
LONGEST: Final = 5
"""Maximum number of steps before a try: what a busy rasterizer has drawn meanwhile is not kept for long."""
TRIES: Final = 180
"""Number of tries, in a quarter of an hour. A rasterizer that fails them all does not work on this machine."""


class PictureRetries:
    """The number of tries for each table of which a message lacks its pictures."""

    def __init__(self) -> None:
        self._tries: dict[int, int] = {}

    def tries(self, match: int) -> int:
        """Return the number of tries for a table until now."""
        return self._tries.get(match, 0)

    def more(self, match: int) -> bool:
        """Return whether the pictures of a table are tried again. If not, its messages stay in words."""
        return self.tries(match) < TRIES

    def next(self, match: int) -> float:
        """Count a try, and return the seconds before it."""
        self._tries[match] = self.tries(match) + 1
        return STEP * min(self.tries(match), LONGEST)

    def forget(self, match: int) -> None:
        """Begin to count again: the table has all its pictures, or has changed."""
        self._tries.pop(match, None)
