"""A hand of Twin Palms seen as sets: which two cards to keep together, to win so many tricks and lose the others.

A set is known by its strength (see `cards`). Nothing here looks at who plays when; `advice` and `playout` do.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from games.twin_palms.cards import KINDS, STRENGTH, WILD, Mode, plays

_NUMBER: Final = tuple(0 if kind % 12 == WILD else kind % 12 for kind in KINDS)
"""What a card counts at least."""


class Made(NamedTuple):
    """A set: its strength and the kinds of its two cards."""

    strength: int
    low: int
    high: int


class Table(NamedTuple):
    """What any two kinds make in one mode, by low * 36 + high kind."""

    high: tuple[int, ...]
    """The greatest strength."""
    low: tuple[int, ...]
    """The least strength."""
    kind: tuple[int, ...]
    """How good the rank of the weakest set is, apart from numbers."""


@cache
def table(mode: Mode) -> Table:
    """Made when first needed."""
    strength = STRENGTH[mode]
    size = len(KINDS)
    high, low, kind = [-1] * size**2, [-1] * size**2, [-1] * size**2
    for one in KINDS:
        for other in KINDS:
            values = [strength[action] for action in plays(sorted((one, other)))]
            high[one * size + other], low[one * size + other] = max(values), min(values)
            kind[one * size + other] = min(values) // 121
    return Table(tuple(high), tuple(low), tuple(kind))


def strongest(hand: Sequence[int], high: Sequence[int]) -> list[Made]:
    """A sorted hand as sets of the greatest strength, the strongest first."""
    made = [(high[low * 36 + up], low, up) for at, low in enumerate(hand, 1) for up in hand[at:]]
    made.sort(reverse=True)
    left = list(hand)
    chosen = []
    for each in made:
        _, low, up = each
        if low in left and up in left and (low != up or left.count(low) > 1):
            left.remove(low)
            left.remove(up)
            chosen.append(Made(*each))
            if not left:
                break
    return chosen


def weakest(cards: Sequence[int], table: Table) -> list[Made]:
    """The cards as sets that lose: high cards are wasted on each other, in the worst suits."""
    left = sorted(cards, key=_NUMBER.__getitem__)
    sets = []
    while left:
        one = left.pop()
        row = one * 36
        place = min(range(len(left)), key=lambda at: (table.kind[row + left[at]], -_NUMBER[left[at]]))
        other = left.pop(place)
        sets.append(Made(table.low[row + other], one, other))
    return sets
