"""The state of a match of Palmer."""

from typing import Final

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.palmer.actions import ALL_UP
from games.palmer.events import Score
from games.palmer.options import PalmerOptions
from games.types import Seat

NO_CARD: Final = -1


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise."""

    options: Public[PalmerOptions]
    seats: int
    seed: int | str
    dealer: Public[Seat]
    deal: Public[int] = 0
    """Number of the deal, from 1; 0 before the first."""
    turn: Public[Seat | None] = None
    """The seat to act; None when the match is over."""
    drawn: int = NO_CARD
    """The card that the seat to act has drawn and must place."""
    squares: list[list[int]] = by_seat([])
    """Four cards each, by place; none for a seat that is out."""
    up: Public[list[int]] = by_seat(ALL_UP)
    """The places of each square whose card lies face up, as bits."""
    pile: Public[list[int]] = []
    """The Palmer pile, its top card last."""
    stock: list[int] = []
    """The stock, its next card last."""
    totals: Public[list[int]] = by_seat(0)
    out: Public[list[int]] = by_seat(0)
    """The deal in which a seat went out; 0 while it is in."""
    last: Public[tuple[Score, ...]] = ()
    """Scores of the last finished deal."""
    outcome: Public[Outcome | None] = None
