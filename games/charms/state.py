"""The state of a match of Charms."""

from typing import Final

from games.charms.cards import NO_SUIT, kinds
from games.charms.events import Redealt, ScoreRow
from games.charms.options import CharmsOptions
from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.types import SEATS, Seat

NO_BID: Final = -1
NO_NUMBER: Final = 0


@fields
class State(MatchState):
    """A match at one moment. Cards are kinds (see `cards`); lists are by seat unless said otherwise."""

    options: Public[CharmsOptions]
    seats: int
    seed: int | str
    dealer: Public[Seat]
    hand: int = 0
    """Number of the hand, from 1; 0 before the first."""
    voids: int = 0
    """Void deals so far."""
    leader: Public[Seat] = SEATS[0]
    """The seat that leads the current trick."""
    turn: Public[Seat | None] = None
    """The seat to play, or to bid in public; None while bids are hidden and when the match is over."""
    trick: Public[int] = 0
    """Number of the current trick, from 1; 0 while bids are made and when the match is over."""
    led: int = NO_SUIT
    """The suit led to the current trick, once its leader has played."""
    hands: list[list[int]] = []
    """The cards of each hand, ascending."""
    holds: list[int] = []
    """The kinds in each hand, as a set of kinds."""
    rest: list[int] = []
    """The cards neither dealt nor turned up, ascending."""
    turned: Public[list[int]] = []
    """The cards turned up to find the trump, in order."""
    trump: Public[int] = NO_SUIT
    redealt: Public[list[Redealt]] = []
    """The bad hands shown in this deal, in order."""
    bids: list[int] = by_seat(NO_BID)
    suits: list[int] = by_seat(NO_SUIT)
    """The suit that each seat shows."""
    numbers: list[int] = by_seat(NO_NUMBER)
    """The number that each seat shows."""
    played: Public[list[tuple[int, ...]]] = by_seat(())
    """The cards each seat has played in this hand, in order."""
    lacks: Public[list[int]] = by_seat(0)
    """The kinds that each seat is known not to hold, as a set of kinds: it played none of them when it had to."""
    winners: Public[list[Seat]] = []
    """The seat that took each finished trick of this hand."""
    points: Public[list[int]] = by_seat(0)
    sheets: Public[list[tuple[ScoreRow, ...]]] = []
    """The score sheets of the finished hands."""
    outcome: Public[Outcome | None] = None

    def give(self, hands: list[list[int]]) -> None:
        """Give the seats these hands, each ascending."""
        self.hands = hands
        self.holds = [kinds(hand) for hand in hands]

    @property
    def bidding(self) -> bool:
        """True while bids are made."""
        return not self.trick and self.outcome is None

    @property
    def hiding(self) -> bool:
        """True while bids are made in secret."""
        return self.turn is None and self.outcome is None
