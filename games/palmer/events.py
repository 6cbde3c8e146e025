"""Events of a match of Palmer. The public events suffice to recount every score."""

from typing import NamedTuple

from games.contract import Event, event
from games.types import Seat


class Score(NamedTuple):
    """Score of one seat at the end of a deal."""

    seat: Seat
    square: tuple[int, ...]
    """Four cards, by place."""
    points: int
    total: int


@event
class DealBegan(Event):
    """A deal began. `card` is turned up and starts the Palmer pile; `start` takes the first turn."""

    deal: int
    dealer: Seat
    start: Seat
    card: int


@event
class Peeked(Event):
    """`to` looks at its own bottom row, left and right card."""

    cards: tuple[int, int]


@event
class Drew(Event):
    """`seat` drew from the stock and must place the card."""

    seat: Seat


@event
class Looked(Event):
    """The card that `to` drew, which only `to` may see."""

    card: int


@event
class Replaced(Event):
    """`seat` replaced its card `old` with `card`, and `old` went onto the pile.

    `drawn` is true when `card` came from the stock, false when it came from the pile."""

    seat: Seat
    place: int
    card: int
    old: int
    drawn: bool


@event
class Turned(Event):
    """`seat` turned over its own `card`, which stays in its place."""

    seat: Seat
    place: int
    card: int


@event
class DealScored(Event):
    """A deal was scored. `scores` has all who played it, by seat; the seats in `out` reached the limit."""

    deal: int
    scores: tuple[Score, ...]
    out: tuple[Seat, ...]
