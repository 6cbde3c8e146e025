"""The state of a match of Charms."""

from typing import Final

from games.charms.cards import NO_SUIT, kinds
from games.charms.events import Redealt, ScoreRow
from games.charms.options import CharmsOptions
from games.contract import Outcome

NO_BID: Final = -1
NOBODY: Final = -1
NO_NUMBER: Final = 0


class State:
    """A match at one moment. Cards are kinds; lists are by seat unless said otherwise."""

    __slots__ = (
        "bids",
        "dealer",
        "hand",
        "hands",
        "holds",
        "lacks",
        "leader",
        "led",
        "numbers",
        "options",
        "outcome",
        "played",
        "points",
        "redealt",
        "rest",
        "seats",
        "seed",
        "sheets",
        "suits",
        "trick",
        "trump",
        "turn",
        "turned",
        "voids",
        "winners",
    )

    def __init__(self, options: CharmsOptions, seats: int, seed: int | str, dealer: int) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.hand = 0
        """Which hand of the match is played, from 1."""
        self.voids = 0
        """Void deals so far."""
        self.dealer = dealer
        self.leader = dealer
        """The seat that leads the present trick."""
        self.turn = NOBODY
        """The seat to play, or to bid in public; nobody while bids are hidden and when the match is over."""
        self.trick = 0
        """The trick that is played, from 1; 0 while bids are made and when the match is over."""
        self.led = NO_SUIT
        """The suit led to the present trick, once its leader has played."""
        self.hands: list[list[int]] = []
        self.holds: list[int] = []
        """The set of the kinds in each hand."""
        self.rest: list[int] = []
        """The cards that nobody was dealt or has seen turned, ascending."""
        self.turned: list[int] = []
        """The cards turned for the trump, in order."""
        self.trump = NO_SUIT
        self.redealt: list[Redealt] = []
        """The bad hands shown in this deal, in order."""
        self.bids = [NO_BID] * seats
        self.suits = [NO_SUIT] * seats
        self.numbers = [NO_NUMBER] * seats
        """The suit and the number each seat shows."""
        self.played: list[tuple[int, ...]] = [()] * seats
        """The cards each seat has played in this hand, in order."""
        self.lacks = [0] * seats
        """The set of kinds that each seat, having not followed with one of them, is known not to hold."""
        self.winners: list[int] = []
        """Who took each finished trick of this hand."""
        self.points = [0] * seats
        self.sheets: list[tuple[ScoreRow, ...]] = []
        """The score sheets of the finished hands."""
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """An independent copy."""
        new = State.__new__(State)
        new.options = self.options
        new.seats = self.seats
        new.seed = self.seed
        new.hand = self.hand
        new.voids = self.voids
        new.dealer = self.dealer
        new.leader = self.leader
        new.turn = self.turn
        new.trick = self.trick
        new.led = self.led
        new.hands = [hand[:] for hand in self.hands]
        new.holds = self.holds[:]
        new.rest = self.rest[:]
        new.turned = self.turned[:]
        new.trump = self.trump
        new.redealt = self.redealt[:]
        new.bids = self.bids[:]
        new.suits = self.suits[:]
        new.numbers = self.numbers[:]
        new.played = self.played[:]
        new.lacks = self.lacks[:]
        new.winners = self.winners[:]
        new.points = self.points[:]
        new.sheets = self.sheets[:]
        new.outcome = self.outcome
        return new

    def give(self, hands: list[list[int]]) -> None:
        """Let the seats hold these cards, each hand ascending."""
        self.hands = hands
        self.holds = [kinds(hand) for hand in hands]

    @property
    def bidding(self) -> bool:
        """Whether bids are made: somebody has yet to choose."""
        return not self.trick and self.outcome is None

    @property
    def hiding(self) -> bool:
        """Whether there are bids that others must not see yet."""
        return self.turn == NOBODY and self.outcome is None
