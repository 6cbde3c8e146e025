"""Paces, the waiting times of a table, and lengths of time in words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Pace: TypeAlias = Literal["live", "relaxed", "correspondence"]

OLD_TIMES = 60_000
"""Ms by which an outage moves a time so far that what a slow table says of it is wrong."""
UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))


@dataclass(frozen=True, slots=True)
class Times:
    """Waiting times of a table, in ms."""

    live: int = 90_000
    """For a move at the live pace, as `relaxed` and `correspondence` are at theirs."""
    relaxed: int = 3_600_000
    correspondence: int = 86_400_000
    lobby: int = 3_600_000
    """Until an unstarted lobby closes."""
    rematch: int = 1_800_000
    """After the end of a match, for which its rematch keeps seats for the people who played it."""
    reserved: int = 600_000
    """For which a seat is kept at the live pace; at others see `kept_until`."""
    calls: int = 1_800_000
    """Between two calls to people of a server who look for a game."""
    alone: int = 86_400_000
    """Until a match closes in which a person, alone with computers, does not move."""
    doze: int = 900_000
    """Until the match of a person alone with computers counts as asleep."""
    archive: int = 900_000
    """Without a message, until the thread of a match that is over is archived."""
    between_rounds: int = 60_000
    """Between two rounds of a game night, in which people read the standings."""
    round: int = 7_200_000
    """Until a round ends; tables that still play give nobody points."""
    # The same at every pace: computers are marked, so they need not look like people, and three of them in a row take
    # about four seconds. If they were faster, nobody could follow the game.
    computer: tuple[int, int] = (800, 1_500)
    """Range of a computer's answer delay: at least the first, less than the second, whatever its cards are."""
    reading: tuple[int, int] = (2_000, 4_000)
    """Shortest and longest pause in which people read how a round, a deal or the match has ended."""
    lately: int = 60_000
    """After a move, during which its player counts as looking at the table."""
    grace: int = 5_000
    """Before a person who has moved lately is called: they are probably looking at the table."""
    hold: int = 80
    """That a click waits for earlier ones where the first one wins, as these may arrive later."""

    def move(self, pace: Pace) -> int:
        """Return the time for a move at `pace`."""
        length: int = getattr(self, pace)
        return length

    def in_words(self, pace: Pace) -> str:
        """Return the time for a move at `pace` in words: "90 seconds a move"."""
        return f"{spelled(self.move(pace))} a move"


def spelled(ms: int) -> str:
    """Return a length of time in words, in the largest unit that gives a whole number: "20 minutes", "90 seconds"."""
    size, unit = next(((size, unit) for size, unit in UNITS if ms and ms % size == 0), UNITS[-1])
    number = ms // size
    return f"{number} {unit}{'s' * (number != 1)}"
