"""Splitting a hand of Twin Palms into sets of two cards: strong ones to win tricks, weak ones to lose them.

A set is represented by its strength (see `cards`). The order of play does not matter here; `advice` and `playout`
consider it.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from games.twin_palms.cards import KINDS, STRENGTH, WILD, Mode, plays

_NUMBER: Final = tuple(0 if kind % 12 == WILD else kind % 12 for kind in KINDS)
"""Lowest number that each card can count as."""


class Made(NamedTuple):
    """Set of two cards: its strength and their kinds."""

    strength: int
    low: int
    high: int


class Table(NamedTuple):
    """Sets that any two kinds can make in one mode. Each field is a table by kind and kind."""

    high: tuple[tuple[int, ...], ...]
    """Greatest strength."""
    low: tuple[tuple[int, ...], ...]
    """Least strength."""
    waste: tuple[tuple[int, ...], ...]
    """Cost of discarding two kinds together; lower is better (weak suits, high numbers)."""


@cache
def table(mode: Mode) -> Table:
    """Return the table of a mode."""
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
"""Every two places in a hand, as (place, place, both as bits), by the size of the hand."""


def strongest(hand: Sequence[int], ways: Table) -> list[Made]:
    """Split a hand into sets by taking the strongest possible set again and again. The strongest is first."""
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
    """Split cards into sets that lose, high cards together in one set."""
    left = sorted(cards, key=_NUMBER.__getitem__)
    sets = []
    while left:
        one = left.pop()
        other = min(left, key=ways.waste[one].__getitem__)
        left.remove(other)
        sets.append(Made(ways.low[one][other], one, other))
    return sets
