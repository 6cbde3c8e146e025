"""The state of a match of Hand and Foot."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.hand_and_foot.cards import IS_WILD, MELDABLE, points
from games.hand_and_foot.events import DealScored
from games.hand_and_foot.options import HandAndFootOptions
from games.types import SEATS, Seat

MINIMUM: Final = (50, 90, 120, 150)
"""Points that a side's first meld needs, by deal."""
NO_MELDS: Final[list[list[int]]] = [[] for _ in range(MELDABLE.stop)]
"""A list for the cards of each rank; that of the threes stays empty."""

DRAWING: Final = 0
"""Phase in which the seat to act must draw, or take from the discard pile."""
PLAYING: Final = 1
"""Phase in which the seat to act may meld and must discard."""
ASKING: Final = 2
"""Phase in which the partner of the seat to act is asked."""

UNASKED: Final = 0
AGREED: Final = 1
REFUSED: Final = 2


@cache
def sides(seats: int) -> tuple[int, ...]:
    """Return the side of each seat: four and six play in pairs that sit opposite."""
    number = seats // 2 if seats in (4, 6) else seats
    return tuple(seat % number for seat in SEATS[:seats])


@cache
def partner(seat: Seat, seats: int) -> Seat | None:
    """Return the other seat of this side, None for a player alone."""
    return SEATS[(seat + seats // 2) % seats] if seats in (4, 6) else None


def is_clean(pile: Sequence[int]) -> bool:
    """Return whether a pile has no wild card. Cards are sorted, and wild cards are the highest."""
    return not IS_WILD[pile[-1]]


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise; those by side may be longer than needed."""

    options: Public[HandAndFootOptions]
    seats: int
    seed: int | str
    dealer: Public[Seat]
    deal: Public[int] = 0
    """Number of the deal, from 1; 0 before the first."""
    turn: Public[Seat | None] = None
    """The seat whose turn it is; None when the match is over."""
    phase: Public[int] = DRAWING
    consent: int = UNASKED
    """The partner's answer in this turn, which only the two know."""
    hands: list[list[int]] = by_seat([])
    """The cards of each hand, ascending. After taking up the foot, it is the hand."""
    feet: list[list[int]] = by_seat([])
    """The cards of each foot, ascending; none once it is taken up."""
    known: list[list[int]] = by_seat([])
    """The cards of each hand that everybody knows: they were taken from the discard pile."""
    reds: Public[list[list[int]]] = by_seat([])
    """The red threes that each seat has laid out in this deal."""
    aside: list[list[int]] = NO_MELDS
    """By rank, the cards of the seat to act that are laid aside for its side's first meld; nobody else sees them."""
    melds: list[list[list[int]]] = by_seat(NO_MELDS)
    """By side and rank, the cards of the open meld, ascending."""
    piles: list[list[tuple[int, ...]]] = by_seat([])
    """By side, its finished piles of seven cards, each ascending."""
    discards: Public[list[int]] = []
    """The discard pile, the top card last."""
    stock: list[int] = []
    """The stock, its next card last."""
    totals: list[int] = by_seat(0)
    """By side, the points of all finished deals."""
    last: Public[DealScored | None] = None
    """The end of the last finished deal."""
    outcome: Public[Outcome | None] = None

    @property
    def partner(self) -> Seat | None:
        """The partner of the seat whose turn it is, if there is one."""
        return None if self.turn is None else partner(self.turn, self.seats)

    @property
    def minimum(self) -> int:
        """Points that a side's first meld needs in this deal."""
        return MINIMUM[self.deal - 1]

    def side(self, seat: Seat) -> int:
        return sides(self.seats)[seat]

    def has_opened(self, side: int) -> bool:
        """Return whether a side has made its first meld."""
        return bool(self.piles[side]) or any(self.melds[side])

    def laid_aside(self) -> int:
        return sum([points(cards) for cards in self.aside])
