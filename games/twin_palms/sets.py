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


_MOST: Final = 10
"""Maximum number of cards in a hand."""
_EVERYWHERE: Final = (1 << _MOST) - 1
"""All places, as bits."""
_PAIRS: Final = tuple(
    tuple(1 << one | 1 << other for one, other in combinations(range(size), 2)) for size in range(_MOST + 1)
)
"""Every two places in a hand, as bits, by the size of the hand."""
_PLACES: Final = dict(zip(_PAIRS[_MOST], combinations(range(_MOST), 2), strict=True))
"""The two places that such bits stand for."""


def strongest(hand: Sequence[int], ways: Table) -> list[Made]:
    """Split a hand into sets by taking the strongest possible set again and again. The strongest is first."""
    high, bits = ways.high, _PAIRS[len(hand)]
    # A strength above the bits of its places: numbers are sorted much faster than tuples.
    made = [
        high[one][other] << _MOST | pair
        for (one, other), pair in zip(combinations(hand, 2), bits, strict=True)
    ]
    made.sort(reverse=True)
    left = (1 << len(hand)) - 1
    chosen = []
    for each in made:
        pair = each & _EVERYWHERE
        if left & pair == pair:
            left ^= pair
            one, other = _PLACES[pair]
            chosen.append(Made(each >> _MOST, hand[one], hand[other]))
            if not left:
                break
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
