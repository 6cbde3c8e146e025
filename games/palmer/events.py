"""What happens in a match of Palmer. The public events suffice to recount every score."""

from typing import NamedTuple

from games.contract import Event, Outcome, event


class Score(NamedTuple):
    """What one seat's square came to at the end of a deal."""

    seat: int
    square: tuple[int, ...]
    """Its four cards, by place."""
    points: int
    total: int


@event
class DealBegan(Event):
    """`card` is turned up and starts the Palmer pile; `start` takes the first turn."""

    deal: int
    dealer: int
    start: int
    card: int


@event
class Peeked(Event):
    """`to` looks at its own bottom row, left and right."""

    cards: tuple[int, int]


@event
class Drew(Event):
    """`seat` drew from the stock and has a card to place."""

    seat: int


@event
class Looked(Event):
    """The card that `to` drew."""

    card: int


@event
class Replaced(Event):
    """`seat` has put `card`, drawn or else taken from the pile, to a place; `old` went from there onto the pile."""

    seat: int
    place: int
    card: int
    old: int
    drawn: bool


@event
class Turned(Event):
    """`seat` turned over its own `card`, which stays at its place."""

    seat: int
    place: int
    card: int


@event
class DealScored(Event):
    """The squares of all who played the deal, by seat, and what they came to; the seats in `out` reached the limit."""

    deal: int
    scores: tuple[Score, ...]
    out: tuple[int, ...]


@event
class Ended(Event):
    """The match is over."""

    outcome: Outcome
