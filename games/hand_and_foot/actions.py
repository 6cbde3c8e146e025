"""Actions of Hand and Foot as small ints, with lookup tables.

The first five have names of their own; then one action discards each card; the others lay cards on a meld of a rank. A
way to lay cards is a number of natural cards, twos and jokers. The engine chooses the suits, as they do not matter.
"""

from typing import Final, NamedTuple

from games.hand_and_foot.cards import KINDS, MELDABLE, RANK_POINTS, RANKS, TEXT, TWO, WILD
from games.types import Action

DRAW: Final = Action(0)
TAKE: Final = Action(1)
ASK: Final = Action(2)
AGREE: Final = Action(3)
REFUSE: Final = Action(4)
DISCARD: Final = 5
"""Action that discards card 0; the other cards follow in order."""
MELD: Final = DISCARD + len(KINDS)
"""Action that lays cards in the first way on the first rank."""

FULL: Final = 7
"""Number of cards at which a meld becomes a pile."""
LEAST: Final = 3
"""Least number of cards in a meld."""


class Way(NamedTuple):
    """Numbers of cards laid on one meld."""

    naturals: int
    twos: int
    jokers: int

    @property
    def wilds(self) -> int:
        return self.twos + self.jokers

    @property
    def cards(self) -> int:
        return self.naturals + self.twos + self.jokers


WAYS: Final = tuple(
    way
    for naturals in range(FULL + 1)
    for twos in range(4)
    for jokers in range(4)
    # With fewer wild than natural cards, a meld has at most three wild ones.
    if (way := Way(naturals, twos, jokers)).wilds <= 3 and 1 <= way.cards <= FULL
)
"""Every way to lay cards, by its number."""
WAY: Final = {way: number for number, way in enumerate(WAYS)}
ACTIONS: Final = tuple(map(Action, range(MELD + len(MELDABLE) * len(WAYS))))
DISCARDS: Final = ACTIONS[DISCARD:MELD]
"""Actions that discard, by card."""


def meld(rank: int, way: Way) -> Action:
    """Return the action that lays cards in this way on the meld of a rank."""
    return ACTIONS[MELD + (rank - MELDABLE[0]) * len(WAYS) + WAY[way]]


def melded(action: Action) -> tuple[int, Way]:
    """Return the rank and the way of an action that lays cards."""
    rank, way = divmod(action - MELD, len(WAYS))
    return MELDABLE[rank], WAYS[way]


def laid_points(rank: int, way: Way) -> int:
    """Return the points of the cards that are laid."""
    return way.naturals * RANK_POINTS[rank] + way.twos * RANK_POINTS[TWO] + way.jokers * RANK_POINTS[WILD]


def _text(action: Action) -> str:
    if action < MELD:
        return f"discard {TEXT[action - DISCARD]}"
    rank, way = melded(action)
    naturals = [f"x{way.naturals}"] * bool(way.naturals)
    return " ".join(["meld", RANKS[rank], *naturals, *["+2"] * way.twos, *["+JOKER"] * way.jokers])


TEXTS: Final = ("draw", "take", "ask", "agree", "refuse", *map(_text, ACTIONS[DISCARD:]))
"""Text of every action, as in the log."""
