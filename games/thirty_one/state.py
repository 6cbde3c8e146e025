"""The state of a match of Thirty-One."""

from typing import Final

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
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

    options: Public[ThirtyOneOptions]
    seats: int
    seed: int | str
    dealer: Public[Seat]
    deal: Public[int] = 0
    """Number of the deal, from 1; 0 before the first."""
    turn: Public[Seat | None] = None
    """The seat to act; None when the match is over."""
    turns: Public[int] = 0
    """Finished turns of this deal."""
    knocker: Public[Seat | None] = None
    taken: int = NO_CARD
    """The discard that the seat to act has just taken and may not discard."""
    hands: list[list[int]] = by_seat([])
    """The cards of each hand, ascending."""
    known: Public[list[list[int]]] = by_seat([])
    """The cards of each hand that everybody knows: taken from the discards, or shown."""
    discards: Public[list[int]] = []
    """The discards, the top card last."""
    stock: list[int] = []
    """The stock, its next card last."""
    refills: Public[int] = 0
    """Number of times that the discards of this deal were shuffled into a new stock."""
    # Public: a stock is used up before the next one is made, so everybody knows the batch of a hidden card.
    batch: Public[list[int]] = [0] * len(PACK)
    """By card, the refill with which it last came into the stock; 0 for the deal."""
    tokens: Public[list[int]] = by_seat(0)
    out: Public[list[int]] = by_seat(0)
    """The deal in which a seat went out; 0 while it is in."""
    last: Public[HadThirtyOne | HandsShown | None] = None
    """The end of the last finished deal."""
    outcome: Public[Outcome | None] = None
