"""What happens in a match of Thirty-One. The public events suffice to recount all tokens."""

from dataclasses import dataclass
from typing import NamedTuple

from games.contract import Event, Outcome


class Shown(NamedTuple):
    """A hand that is shown, and its worth in half points."""

    seat: int
    cards: tuple[int, ...]
    worth: int


@dataclass(frozen=True, slots=True)
class DealBegan(Event):
    """`card` is turned up as the first discard; `start` takes the first turn."""

    deal: int
    dealer: int
    start: int
    card: int


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Three cards for the eyes of `to` only."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refilled(Event):
    """The discards but for the top one were shuffled and are the stock, so many cards."""

    cards: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """`seat` drew from the stock and is to discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Looked(Event):
    """The card that `to` drew."""

    card: int


@dataclass(frozen=True, slots=True)
class Took(Event):
    """`seat` took the top discard and is to discard another card."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """`seat` discarded a card, and its turn is over."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Knocked(Event):
    """`seat` knocked: everybody else has one more turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class HadThirtyOne(Event):
    """31 was dealt or made, and shown: everybody else pays. `payments` are tokens by seat."""

    dealt: bool
    shown: tuple[Shown, ...]
    payments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandsShown(Event):
    """All hands were shown; without a `knocker` the turns of the deal had run out. `payments` are tokens by seat."""

    knocker: int | None
    shown: tuple[Shown, ...]
    payments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WentOut(Event):
    """These have no tokens left."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over."""

    outcome: Outcome
