"""Paces, the waiting times of a table, and lengths of time in words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Pace: TypeAlias = Literal["live", "relaxed", "correspondence"]

UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))


@dataclass(frozen=True, slots=True)
class Times:
    """Waiting times of a table, in ms."""

    live: int = 90_000
    """For a move at this pace, as for the next two."""
    relaxed: int = 3_600_000
    correspondence: int = 86_400_000
    lobby: int = 3_600_000
    """Until a lobby closes that nobody has started."""
    alone: int = 86_400_000
    """Until a match closes in which the only person, alone with computers, has not moved."""
    # One length for every table: computers are marked, so they need not pass for people, and a person who waits for
    # three of them in a row waits four seconds. Shorter, and nobody could follow what they do.
    computer: tuple[int, int] = (800, 1_500)
    """Range of a computer's answer delay: at least the first, less than the second, whatever its cards are."""

    def move(self, pace: Pace) -> int:
        """Return the time for a move at `pace`."""
        length: int = getattr(self, pace)
        return length


def spelled(ms: int) -> str:
    """Return a length of time in words, in the largest unit that gives a whole number: "20 minutes", "90 seconds"."""
    size, unit = next(((size, unit) for size, unit in UNITS if ms and ms % size == 0), UNITS[-1])
    number = ms // size
    return f"{number} {unit}{'s' * (number != 1)}"
