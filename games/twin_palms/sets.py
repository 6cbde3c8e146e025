"""A hand of Twin Palms seen as sets: which two cards to keep together, to win so many tricks and lose the others.

A set is known by its strength (see `cards`). Nothing here looks at who plays when; `advice` and `playout` do.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
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
    """What any two kinds make in one mode, by kind and kind."""

    high: tuple[tuple[int, ...], ...]
    """The greatest strength."""
    low: tuple[tuple[int, ...], ...]
    """The least strength."""
    waste: tuple[tuple[int, ...], ...]
    """The less, the better is the second kind thrown away with the first: in the worst suits, and high."""


@cache
def table(mode: Mode) -> Table:
    """Made when first needed."""
    strength = STRENGTH[mode]
    values = [
        [[strength[action] for action in plays(sorted((one, other)))] for other in KINDS] for one in KINDS
    ]
    low = tuple(tuple(map(min, row)) for row in values)
    waste = tuple(
        tuple(least // 121 * 12 - number for least, number in zip(row, _NUMBER, strict=True)) for row in low
    )
    return Table(tuple(tuple(map(max, row)) for row in values), low, waste)


_PAIRS: Final = tuple(
    tuple((one, other, 1 << one | 1 << other) for one, other in combinations(range(size), 2))
    for size in range(11)
)
"""By the size of a hand: two places in it, and both as bits."""


def strongest(hand: Sequence[int], ways: Table) -> list[Made]:
    """A hand as sets of the greatest strength, the strongest first."""
    high = ways.high
    made = [(high[hand[one]][hand[other]], places, one, other) for one, other, places in _PAIRS[len(hand)]]
    made.sort(reverse=True)
    used = 0
    chosen = []
    for strength, places, one, other in made:
        if not used & places:
            used |= places
            chosen.append(Made(strength, hand[one], hand[other]))
    return chosen


def weakest(cards: Sequence[int], ways: Table) -> list[Made]:
    """The cards as sets that lose: high cards are thrown away together."""
    left = sorted(cards, key=_NUMBER.__getitem__)
    sets = []
    while left:
        one = left.pop()
        other = min(left, key=ways.waste[one].__getitem__)
        left.remove(other)
        sets.append(Made(ways.low[one][other], one, other))
    return sets
