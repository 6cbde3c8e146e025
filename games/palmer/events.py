"""What happens in a match of Palmer. The public events suffice to recount every score."""

from dataclasses import dataclass
from typing import NamedTuple

from games.contract import Event, Outcome


class Score(NamedTuple):
    """What one seat's square came to at the end of a deal."""

    seat: int
    square: tuple[int, ...]
    """Its four cards, by place."""
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class DealBegan(Event):
    """`card` is turned up and starts the Palmer pile; `start` takes the first turn."""

    deal: int
    dealer: int
    start: int
    card: int


@dataclass(frozen=True, slots=True)
class Peeked(Event):
    """`to` looks at its own bottom row, left and right."""

    cards: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """`seat` drew from the stock and has a card to place."""

    seat: int


@dataclass(frozen=True, slots=True)
class Looked(Event):
    """The card that `to` drew."""

    card: int


@dataclass(frozen=True, slots=True)
class Replaced(Event):
    """`seat` has put `card`, drawn or else taken from the pile, to a place; `old` went from there onto the pile."""

    seat: int
    place: int
    card: int
    old: int
    drawn: bool


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """`seat` turned over its own `card`, which stays at its place."""

    seat: int
    place: int
    card: int


@dataclass(frozen=True, slots=True)
class DealScored(Event):
    """The squares of all who played the deal, by seat, and what they came to."""

    deal: int
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class WentOut(Event):
    """These reached the limit."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over."""

    outcome: Outcome
