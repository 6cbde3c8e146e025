"""The state of a match of Palace."""

from typing import Final

from games.contract import Outcome
from games.palace.cards import FREE, KINDS
from games.palace.options import PalaceOptions

NOBODY: Final = -1
NO_SHOW: Final = -1
GONE: Final = -1
"""In place of a face-down card that has been turned up."""


class State:
    """A match at one moment. Lists are by seat unless said otherwise; counts are by kind."""

    __slots__ = (
        "blind",
        "dealer",
        "direction",
        "finished",
        "gone",
        "hands",
        "known",
        "options",
        "outcome",
        "pile",
        "plays",
        "quiet",
        "ruled_out",
        "seats",
        "seed",
        "shown",
        "shows",
        "stock",
        "top",
        "turn",
    )

    def __init__(self, options: PalaceOptions, seats: int, seed: int | str, dealer: int) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.dealer = dealer
        self.turn = NOBODY
        """The seat to act; nobody while the face-up cards are being chosen and when the match is over."""
        self.direction = 1
        """1 when play goes to the left, -1 when to the right."""
        self.shows = [NO_SHOW] * seats
        """The actions that choose the face-up cards."""
        self.hands = [[0] * len(KINDS) for _ in range(seats)]
        """Counts."""
        self.shown = [[0] * len(KINDS) for _ in range(seats)]
        """Counts of the face-up cards."""
        self.blind: list[list[int]] = [[] for _ in range(seats)]
        """The face-down cards by place, or GONE."""
        self.stock: list[int] = []
        """The next card to draw is the last."""
        self.pile: list[int] = []
        """Bottom to top."""
        self.top = FREE
        """The effective top: the topmost card that is not a 7, or FREE."""
        self.gone = [0] * len(KINDS)
        """Counts of the cards out of the game."""
        self.known = [[0] * len(KINDS) for _ in range(seats)]
        """Counts of the cards in each hand that everybody saw it take up."""
        self.ruled_out: list[list[int]] = [[] for _ in range(seats)]
        """What else everybody knows of each hand. Some of its cards not `known` cannot be of certain kinds, because
        their holder had to take a pile: one set of bits for each such card, each holding all later ones' bits."""
        self.finished: list[int] = []
        """Seats that have gone out, the first first."""
        self.plays = 0
        self.quiet = 0
        """Plays in a row in which no card was drawn, left the game, or came from the table."""
        self.outcome: Outcome | None = None

    def copy(self) -> "State":
        """An independent copy."""
        new = State.__new__(State)
        new.options = self.options
        new.seats = self.seats
        new.seed = self.seed
        new.dealer = self.dealer
        new.turn = self.turn
        new.direction = self.direction
        new.shows = self.shows[:]
        new.hands = [hand[:] for hand in self.hands]
        new.shown = [shown[:] for shown in self.shown]
        new.blind = [blind[:] for blind in self.blind]
        new.stock = self.stock[:]
        new.pile = self.pile[:]
        new.top = self.top
        new.gone = self.gone[:]
        new.known = [known[:] for known in self.known]
        new.ruled_out = [ruled_out[:] for ruled_out in self.ruled_out]
        new.finished = self.finished[:]
        new.plays = self.plays
        new.quiet = self.quiet
        new.outcome = self.outcome
        return new

    @property
    def choosing(self) -> bool:
        """Whether the face-up cards are still hidden: somebody has yet to choose."""
        return self.turn == NOBODY and self.outcome is None

    def cards_left(self, seat: int) -> int:
        """The cards of `seat` in all its zones."""
        down = sum(kind != GONE for kind in self.blind[seat])
        return sum(self.hands[seat]) + sum(self.shown[seat]) + down
