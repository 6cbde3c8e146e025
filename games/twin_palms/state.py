"""The state of a match of Twin Palms."""

from typing import Final, NamedTuple

from games.contract import Outcome
from games.twin_palms.events import ScoreRow
from games.twin_palms.options import TwinPalmsOptions

TRICKS: Final = 5
"""Tricks in a round: ten cards each, two to a trick."""
NO_BID: Final = -1
NOBODY: Final = -1


class Trick(NamedTuple):
    """A finished trick. `plays` go from `leader` to the left; without a `winner` all of them cancelled."""

    leader: int
    plays: tuple[int, ...]
    winner: int | None


class State:
    """A match at one moment. Lists are by seat unless said otherwise."""

    __slots__ = (
        "bids",
        "dollars",
        "hands",
        "leader",
        "options",
        "outcome",
        "round",
        "seats",
        "seed",
        "sheets",
        "start",
        "trick",
        "tricks",
        "turn",
        "won",
    )

    def __init__(self, options: TwinPalmsOptions, seats: int, seed: int | str, start: int) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.round = 0
        self.start = start
        """The seat with the start player's token."""
        self.leader = start
        """The seat that leads the present trick: who won the last one of this round, or else `start`."""
        self.turn = NOBODY
        """The seat to play a set; nobody while bids are missing and when the match is over."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.bids = [NO_BID] * seats
        self.trick: list[int] = []
        """The plays of the present trick, from `leader` to the left."""
        self.tricks: list[Trick] = []
        """The finished tricks of this round."""
        self.won = [0] * seats
        self.dollars = [2] * seats
        self.sheets: list[tuple[ScoreRow, ...]] = []
        """The score sheets of the finished rounds."""
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """An independent copy."""
        new = State.__new__(State)
        new.options = self.options
        new.seats = self.seats
        new.seed = self.seed
        new.round = self.round
        new.start = self.start
        new.leader = self.leader
        new.turn = self.turn
        new.hands = [hand[:] for hand in self.hands]
        new.bids = self.bids[:]
        new.trick = self.trick[:]
        new.tricks = self.tricks[:]
        new.won = self.won[:]
        new.dollars = self.dollars[:]
        new.sheets = self.sheets[:]
        new.outcome = self.outcome
        return new

    @property
    def bidding(self) -> bool:
        """Whether bids are still hidden: somebody has yet to choose."""
        return self.turn == NOBODY and self.outcome is None

    def stakes(self) -> tuple[int, ...]:
        """The sand dollars each seat has at stake, once bids are revealed."""
        held = zip(self.bids, self.dollars, strict=True)
        return tuple(self.options.stake(bid % 3, self.round, dollars) for bid, dollars in held)
