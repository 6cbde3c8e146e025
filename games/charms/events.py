"""Events of a match of Charms. All but `Dealt` are public, and the public events suffice to recount every score.

Cards are kinds (see `cards`).
"""

from typing import NamedTuple

from games.contract import Event, event
from games.types import Seat


class ScoreRow(NamedTuple):
    """One seat's line of a hand's score sheet. Points are bad."""

    bid: int
    tricks: int
    points: int
    total: int


@event
class HandBegan(Event):
    """Hand number `hand` of `hands` began. `dealer` deals, `leader` leads the first trick."""

    hand: int
    hands: int
    dealer: Seat
    leader: Seat


@event
class Redealt(Event):
    """`seat` showed its bad hand, ascending, and was dealt another one from these cards and the rest of the deck."""

    seat: Seat
    cards: tuple[int, ...]


@event
class DealVoid(Event):
    """The deal is void and `dealer` deals again.

    If `seat` is an int, that seat showed `cards`, and no good hand is possible from them and the rest. If it is None,
    `cards` were turned up to find the trump, and no suit card was among them."""

    dealer: Seat
    seat: Seat | None
    cards: tuple[int, ...]


@event
class TrumpTurned(Event):
    """`cards` were turned up in this order; the last one is the trump."""

    cards: tuple[int, ...]


@event
class Dealt(Event):
    """Thirteen cards, ascending, that only `to` may see."""

    cards: tuple[int, ...]


@event
class BidIn(Event):
    """`seat` has bid; `count` seats of `of` have now. The bid stays hidden, and so does any change of it."""

    seat: Seat
    count: int
    of: int


@event
class BidsRevealed(Event):
    """All hidden bids, by seat."""

    bids: tuple[int, ...]


@event
class BidMade(Event):
    """`seat` bid in public."""

    seat: Seat
    bid: int


@event
class Played(Event):
    """`seat` played `cards` and now shows `suit` and `number`. In the first trick `cards` are a suit and a number,
    later one card. `leads` is true for the first play of a trick; then `suit` is led."""

    seat: Seat
    cards: tuple[int, ...]
    suit: int
    number: int
    leads: bool


@event
class TrickTaken(Event):
    """`winner` takes the trick and leads the next one, if there is one."""

    trick: int
    winner: Seat


@event
class HandScored(Event):
    """A hand was scored; `rows` are its score sheet by seat."""

    hand: int
    rows: tuple[ScoreRow, ...]
