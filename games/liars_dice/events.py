"""Events of a match of Liar's Dice. The public events suffice to recount all dice."""

from games.contract import Event, event
from games.types import Action, Seat


@event
class RoundBegan(Event):
    """A round began: all cups were rolled. `dice` has the size of each cup, by seat; `opener` bids first."""

    round: int
    opener: Seat
    palifico: bool
    dice: tuple[int, ...]


@event
class Rolled(Event):
    """The dice of a cup, sorted, which only `to` may see."""

    cup: tuple[int, ...]


@event
class BidMade(Event):
    """`seat` made a bid, which is an action."""

    seat: Seat
    bid: Action


@event
class RoundEnded(Event):
    """`caller` doubted a bid or called calza, and all cups were shown."""

    round: int
    caller: Seat
    calza: bool
    """True for calza, False for a doubt."""
    bidder: Seat
    bid: Action
    wild: bool
    """True when ones counted as every face."""
    cups: tuple[tuple[int, ...], ...]
    """The dice by seat, sorted; none for a seat that was out."""
    found: int
    """Number of dice that match the bid."""
    right: bool
    """True when the caller was right."""
    hit: Seat
    """The seat that lost a die, or gained one."""
    dice: tuple[int, ...]
    """Dice that each seat has after that."""
