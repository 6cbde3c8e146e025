"""What happens in a match of Charms. All of it is public but `Dealt`, and the public events suffice to recount every
score. Cards are kinds."""

from dataclasses import dataclass
from typing import NamedTuple

from games.contract import Event, Outcome


class ScoreRow(NamedTuple):
    """One seat's line of a hand's score sheet. Points are bad."""

    bid: int
    tricks: int
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class HandBegan(Event):
    """`dealer` deals hand number `hand` of `hands`; `leader` leads its first trick."""

    hand: int
    hands: int
    dealer: int
    leader: int


@dataclass(frozen=True, slots=True)
class Redealt(Event):
    """`seat` showed its bad hand, ascending, and was dealt another one out of these cards and the rest."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealVoid(Event):
    """`seat` showed `cards`, and they and the rest held no good hand; or `seat` is None, and these were turned
    without a suit card among them. `dealer` deals again."""

    dealer: int
    seat: int | None
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrumpTurned(Event):
    """In order, the last one the trump."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Thirteen cards, ascending, for the eyes of `to` only."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidIn(Event):
    """`seat` has chosen; `count` of `of` are in. What it chose stays hidden, and so does a change of it."""

    seat: int
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class BidsRevealed(Event):
    """By seat."""

    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """`seat` bid in public."""

    seat: int
    bid: int


@dataclass(frozen=True, slots=True)
class Played(Event):
    """`seat` played `cards`, one or in the first trick a suit and a number, and now shows `suit` and `number`. If it
    `leads`, that suit is led."""

    seat: int
    cards: tuple[int, ...]
    suit: int
    number: int
    leads: bool


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """`winner` takes the trick, and leads the next one if there is one."""

    trick: int
    winner: int


@dataclass(frozen=True, slots=True)
class HandScored(Event):
    """The score sheet of a hand, by seat."""

    hand: int
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match is over."""

    outcome: Outcome
