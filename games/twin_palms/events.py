"""Events of a match of Twin Palms. All but `Dealt` are public, and the public events suffice to recount every score."""

from typing import NamedTuple

from games.contract import Event, event
from games.types import Action, Seat


class ScoreRow(NamedTuple):
    """One seat's line of a round's score sheet. `bid` and `tricks` are tricks, the rest are sand dollars."""

    bid: int
    tricks: int
    stake: int
    points: int
    """Change in this round; negative when the lost stake is higher than the points for tricks."""
    total: int


@event
class RoundBegan(Event):
    """A round began; `start` leads its first trick. A `round` above the planned `rounds` is a further round."""

    round: int
    rounds: int
    start: Seat


@event
class Dealt(Event):
    """Ten cards, ascending, that only `to` may see."""

    hand: tuple[int, ...]


@event
class BidIn(Event):
    """`seat` has bid; `count` seats of `of` have now. The bid stays hidden, and so does any change of it."""

    seat: Seat
    count: int
    of: int


@event
class BidsRevealed(Event):
    """All bids by seat: tricks, bet (0 none, 1 half, 2 max) and the sand dollars at stake."""

    bids: tuple[int, ...]
    bets: tuple[int, ...]
    stakes: tuple[int, ...]


@event
class Played(Event):
    """`seat` played two cards. `action` has the cards and the numbers stated for wilds; `leads` is true for the first
    play of a trick."""

    seat: Seat
    action: Action
    leads: bool


@event
class TrickTaken(Event):
    """A trick is over. `winner` is None when all sets cancelled each other. `cancelled` has the groups of seats with
    equal sets, the strongest first. `leader` leads the next trick and is None after the last one of a round."""

    trick: int
    winner: Seat | None
    cancelled: tuple[tuple[Seat, ...], ...]
    leader: Seat | None


@event
class RoundScored(Event):
    """A round was scored; `rows` are its score sheet by seat."""

    round: int
    rows: tuple[ScoreRow, ...]


@event
class ExtraRound(Event):
    """A further round follows, because `tied` share first place."""

    tied: tuple[Seat, ...]
