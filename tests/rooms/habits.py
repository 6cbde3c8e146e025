"""How people use Discord: quick or slow, by taps or by text, twice where once is enough, or hardly ever."""

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Habits:
    """The habits of one person. A chance is one of so many."""

    pause: float
    """Longest time in seconds between two acts."""
    absent: int
    """Chance that they look away when it is their turn."""
    twice: int
    """Chance that a click is delivered twice."""
    old: int
    """Chance that they use an old message."""
    ways: tuple[int, int, int]
    """Weights of a command, a typed move and the form."""

    @classmethod
    def of(cls, chance: Random) -> "Habits":
        """Draw somebody's habits."""
        return cls(
            pause=chance.choice((0.1, 0.3, 0.6, 3.0)),
            absent=chance.choice((8, 60, 60, 500)),
            twice=chance.choice((3, 8, 50)),
            old=chance.choice((4, 20, 100)),
            ways=chance.choice(((3, 1, 2), (0, 0, 1), (1, 1, 0))),
        )

    def times(self, chance: Random) -> int:
        """Return how often a click is delivered."""
        return 1 + (chance.randrange(self.twice) == 0)
