"""The state of a match of Palmer."""

from typing import Final

from games.contract import Outcome
from games.palmer.actions import ALL_UP
from games.palmer.events import Score
from games.palmer.options import PalmerOptions

NOBODY: Final = -1
NO_CARD: Final = -1


class State:
    """A match at one moment. Lists are by seat unless said otherwise."""

    __slots__ = (
        "deal",
        "dealer",
        "drawn",
        "last",
        "options",
        "out",
        "outcome",
        "pile",
        "seats",
        "seed",
        "squares",
        "stock",
        "totals",
        "turn",
        "up",
    )

    def __init__(self, options: PalmerOptions, seats: int, seed: int | str, dealer: int) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.deal = 0
        self.dealer = dealer
        self.turn = NOBODY
        """The seat to act; nobody when the match is over."""
        self.drawn = NO_CARD
        """The card that the seat to act has drawn and must place."""
        self.squares: list[list[int]] = [[] for _ in range(seats)]
        """Four cards each, by place; none for those who are out."""
        self.up = [ALL_UP] * seats
        """Which of them lie face up (see `actions`)."""
        self.pile: list[int] = []
        """The Palmer pile, its top last."""
        self.stock: list[int] = []
        """The next card is the last one."""
        self.totals = [0] * seats
        self.out = [0] * seats
        """The deal in which a seat went out, 0 for those still in."""
        self.last: tuple[Score, ...] = ()
        """What the last finished deal came to."""
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """An independent copy."""
        new = State.__new__(State)
        new.options = self.options
        new.seats = self.seats
        new.seed = self.seed
        new.deal = self.deal
        new.dealer = self.dealer
        new.turn = self.turn
        new.drawn = self.drawn
        new.squares = [square[:] for square in self.squares]
        new.up = self.up[:]
        new.pile = self.pile[:]
        new.stock = self.stock[:]
        new.totals = self.totals[:]
        new.out = self.out[:]
        new.last = self.last
        new.outcome = self.outcome
        return new
