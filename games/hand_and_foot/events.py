"""Events of a match of Hand and Foot. The public events suffice to recount every score."""

from typing import NamedTuple

from games.contract import Event, event
from games.types import Seat


class SideScore(NamedTuple):
    """Score of one side in a deal."""

    seats: tuple[Seat, ...]
    clean: int
    """Number of clean piles."""
    dirty: int
    """Number of dirty piles."""
    melded: int
    """Points of all cards melded, those in piles included."""
    reds: int
    """Number of red threes laid out."""
    out: bool
    """True when a player of this side went out."""
    held: int
    """Points lost for the cards in hands and feet."""
    points: int
    total: int
    """Points of all deals so far."""


@event
class DealBegan(Event):
    """A deal began. A side's first meld needs `minimum` points; `start` takes the first turn."""

    deal: int
    dealer: Seat
    start: Seat
    minimum: int


@event
class Dealt(Event):
    """The eleven cards of a hand, which only `to` may see. Red threes among them are laid out next."""

    cards: tuple[int, ...]


@event
class LaidReds(Event):
    """`seat` laid out red threes and draws as many cards instead."""

    seat: Seat
    cards: tuple[int, ...]


@event
class Looked(Event):
    """Cards from the stock, which only `to` may see."""

    cards: tuple[int, ...]


@event
class Drew(Event):
    """`seat` drew two cards."""

    seat: Seat


@event
class Took(Event):
    """`seat` took `top` from the discard pile to meld it, and the cards below it into the hand."""

    seat: Seat
    top: int
    below: tuple[int, ...]


@event
class LaidAside(Event):
    """`to` laid cards of its hand aside for the first meld: now `points` of `minimum`."""

    cards: tuple[int, ...]
    points: int
    minimum: int


@event
class Melded(Event):
    """`seat` laid these groups of cards, each on the meld of one rank. `first` has the points that count for the
    side's first meld; it is 0 for later ones."""

    seat: Seat
    ranks: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    first: int


@event
class PileMade(Event):
    """`seat` completed a pile of seven cards."""

    seat: Seat
    rank: int
    clean: bool


@event
class FootTaken(Event):
    """`seat` has played its hand and took up the foot."""

    seat: Seat


@event
class FootSeen(Event):
    """The cards of the foot that `to` took up, which only `to` may see."""

    cards: tuple[int, ...]


@event
class Asked(Event):
    """`seat` asked `partner` to agree to going out."""

    seat: Seat
    partner: Seat


@event
class Answered(Event):
    """The partner's answer, which only `to` learns: the player who asked."""

    partner: Seat
    agreed: bool


@event
class Discarded(Event):
    """`seat` discarded a card, which ended its turn."""

    seat: Seat
    card: int


@event
class DealScored(Event):
    """A deal ended: `out` went out, or the stock had too few cards (None). `held` has all cards left in hand and foot,
    by seat; `scores` are by side."""

    deal: int
    out: Seat | None
    held: tuple[tuple[int, ...], ...]
    scores: tuple[SideScore, ...]
