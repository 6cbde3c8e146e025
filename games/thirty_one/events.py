"""Events of a match of Thirty-One. The public events suffice to recount all tokens."""

from typing import NamedTuple

from games.contract import Event, event
from games.types import Seat


class Shown(NamedTuple):
    """Hand that was shown, with its worth in half points."""

    seat: Seat
    cards: tuple[int, ...]
    worth: int


@event
class DealBegan(Event):
    """A deal began. `card` is turned up as the first discard; `start` takes the first turn."""

    deal: int
    dealer: Seat
    start: Seat
    card: int


@event
class Dealt(Event):
    """Three cards that only `to` may see."""

    cards: tuple[int, ...]


@event
class Refilled(Event):
    """The discards except the top one were shuffled and became the stock of `cards` cards."""

    cards: int


@event
class Drew(Event):
    """`seat` drew from the stock and must discard."""

    seat: Seat


@event
class Looked(Event):
    """The card that `to` drew, which only `to` may see."""

    card: int


@event
class Took(Event):
    """`seat` took the top discard and must discard another card."""

    seat: Seat
    card: int


@event
class Discarded(Event):
    """`seat` discarded a card, which ended its turn."""

    seat: Seat
    card: int


@event
class Knocked(Event):
    """`seat` knocked: everybody else has one more turn."""

    seat: Seat


@event
class HadThirtyOne(Event):
    """31 was dealt or made, and everybody else pays. `payments` are tokens by seat; the seats in `out` have none
    left."""

    dealt: bool
    shown: tuple[Shown, ...]
    payments: tuple[int, ...]
    out: tuple[Seat, ...]


@event
class HandsShown(Event):
    """All hands were shown. `knocker` is None when the turns of the deal had run out. `payments` are tokens by seat;
    the seats in `out` have none left."""

    knocker: Seat | None
    shown: tuple[Shown, ...]
    payments: tuple[int, ...]
    out: tuple[Seat, ...]
