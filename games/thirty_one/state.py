"""The state of a match of Thirty-One."""

from typing import Final

from games.contract import MatchState, Outcome
from games.fields import by_seat, fields
from games.french import PACK
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.options import ThirtyOneOptions
from games.types import Seat

NO_CARD: Final = -1
HELD: Final = 3
"""Cards in a hand; between drawing and discarding there is one more."""


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise."""

    options: ThirtyOneOptions
    seats: int
    seed: int | str
    dealer: Seat
    deal: int = 0
    """Number of the deal, from 1; 0 before the first."""
    turn: Seat | None = None
    """The seat to act; None when the match is over."""
    turns: int = 0
    """Finished turns of this deal."""
    knocker: Seat | None = None
    taken: int = NO_CARD
    """The discard that the seat to act has just taken and may not discard."""
    hands: list[list[int]] = by_seat([])
    """The cards of each hand, ascending."""
    known: list[list[int]] = by_seat([])
    """The cards of each hand that everybody knows: taken from the discards, or shown."""
    discards: list[int] = []
    """The discards, the top card last."""
    stock: list[int] = []
    """The stock, its next card last."""
    refills: int = 0
    """Number of times that the discards of this deal were shuffled into a new stock."""
    # Public: a stock is used up before the next one is made, so everybody knows the batch of a hidden card.
    batch: list[int] = [0] * len(PACK)
    """By card, the refill with which it last came into the stock; 0 for the deal."""
    tokens: list[int] = by_seat(0)
    out: list[int] = by_seat(0)
    """The deal in which a seat went out; 0 while it is in."""
    last: HadThirtyOne | HandsShown | None = None
    """The end of the last finished deal."""
    outcome: Outcome | None = None
