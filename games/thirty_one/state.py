"""The state of a match of Thirty-One."""

from typing import Final

from games.contract import Outcome
from games.french import PACK
from games.thirty_one.events import HadThirtyOne, HandsShown
from games.thirty_one.options import ThirtyOneOptions

NOBODY: Final = -1
NO_CARD: Final = -1
HELD: Final = 3
"""Cards in a hand; one more between drawing and discarding."""


class State:
    """A match at one moment. Lists are by seat unless said otherwise."""

    __slots__ = (
        "batch",
        "deal",
        "dealer",
        "discards",
        "hands",
        "knocker",
        "known",
        "last",
        "options",
        "out",
        "outcome",
        "refills",
        "seats",
        "seed",
        "stock",
        "taken",
        "tokens",
        "turn",
        "turns",
    )

    def __init__(self, options: ThirtyOneOptions, seats: int, seed: int | str, dealer: int) -> None:
        self.options = options
        self.seats = seats
        self.seed = seed
        self.deal = 0
        self.dealer = dealer
        self.turn = NOBODY
        """The seat to act; nobody when the match is over."""
        self.turns = 0
        """Turns that are over in this deal."""
        self.knocker = NOBODY
        self.taken = NO_CARD
        """The discard that the seat to act has just taken, and may not discard."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """Ascending."""
        self.known: list[list[int]] = [[] for _ in range(seats)]
        """The cards of each hand that everybody knows: taken from the discards, or shown."""
        self.discards: list[int] = []
        """The top last."""
        self.stock: list[int] = []
        """The next card is the last one."""
        self.refills = 0
        """How often the stock of this deal was made anew out of discards."""
        self.batch = [0] * len(PACK)
        """By card, the refill with which it last came into the stock, 0 for the deal. Everybody knows this, and so
        which batch each hidden card of a hand is from: a stock is used up before the next one is made."""
        self.tokens = [options.tokens] * seats
        self.out = [0] * seats
        """The deal in which a seat went out, 0 for those still in."""
        self.last: HadThirtyOne | HandsShown | None = None
        """How the last deal ended."""
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
        new.turns = self.turns
        new.knocker = self.knocker
        new.taken = self.taken
        new.hands = [hand[:] for hand in self.hands]
        new.known = [cards[:] for cards in self.known]
        new.discards = self.discards[:]
        new.stock = self.stock[:]
        new.refills = self.refills
        new.batch = self.batch[:]
        new.tokens = self.tokens[:]
        new.out = self.out[:]
        new.last = self.last
        new.outcome = self.outcome
        return new
