"""The state of a match of Palace."""

from typing import Final

from games.contract import MatchState, Outcome
from games.fields import Public, by_seat, fields
from games.palace.cards import FREE, KINDS
from games.palace.options import PalaceOptions
from games.types import Action, Seat

NO_SHOW: Final = Action(-1)
GONE: Final = -1
"""Stands for a face-down card that has been turned up."""
NO_CARDS: Final = [0] * len(KINDS)
"""Counts of no cards."""


@fields
class State(MatchState):
    """A match at one moment. Lists are by seat unless said otherwise; "counts" are lists by kind."""

    options: Public[PalaceOptions]
    seats: int
    seed: int | str
    dealer: Public[Seat]
    turn: Public[Seat | None] = None
    """The seat to act; None while the face-up cards are being chosen and when the match is over."""
    direction: Public[int] = 1
    """1 when play goes to the left, -1 when to the right."""
    shows: list[Action] = by_seat(NO_SHOW)
    """The action with which each seat chose its face-up cards, or NO_SHOW."""
    hands: list[list[int]] = by_seat(NO_CARDS)
    """Counts of the cards in hand."""
    shown: Public[list[list[int]]] = by_seat(NO_CARDS)
    """Counts of the face-up cards."""
    blind: list[list[int]] = by_seat([])
    """The face-down cards by place, or GONE."""
    stock: list[int] = []
    """The stock, its next card last."""
    pile: Public[list[int]] = []
    """The pile, bottom to top."""
    top: Public[int] = FREE
    """The effective top: the topmost card that is not a 7, or FREE."""
    gone: Public[list[int]] = NO_CARDS
    """Counts of the cards out of the game."""
    known: Public[list[list[int]]] = by_seat(NO_CARDS)
    """Counts of the cards in each hand that everybody saw being taken up."""
    ruled_out: Public[list[list[int]]] = by_seat([])
    """For some of the other cards of each hand: the kinds that the card cannot be, as bits.

    The seat once had to take the pile, so no card of its hand fitted. Each set contains every set after it.
    """
    finished: Public[list[Seat]] = []
    """The seats that have gone out, in order."""
    plays: Public[int] = 0
    quiet: Public[int] = 0
    """Plays in a row in which no card was drawn, left the game, or came from the table."""
    outcome: Public[Outcome | None] = None

    @property
    def choosing(self) -> bool:
        """True while the face-up cards are being chosen in secret."""
        return self.turn is None and self.outcome is None

    def cards_left(self, seat: Seat) -> int:
        """Return the number of cards `seat` has in hand, face up and face down."""
        down = sum(kind != GONE for kind in self.blind[seat])
        return sum(self.hands[seat]) + sum(self.shown[seat]) + down
