"""Splitting a hand of Twin Palms into sets of two cards: strong ones to win tricks, weak ones to lose them.

A set is represented by its strength (see `cards`). The order of play does not matter here; `advice` and `playout`
consider it. A search splits thousands of hands, so the cards of a suit are bits here: bit n for number n.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from games.twin_palms.cards import DECKS, KINDS, STRENGTH, WILD, Mode, plays

_NUMBER: Final = tuple(0 if kind % 12 == WILD else kind % 12 for kind in KINDS)
"""Lowest number that each card can count as."""
_BIT: Final = tuple(1 << kind for kind in KINDS)
_SUIT: Final = (1 << 12) - 1
"""All cards of a suit."""
_FIRSTS: Final = {mode: range(0, len(deck) // 2, 12) for mode, deck in DECKS.items()}
"""The first kind of each suit that is played, by mode."""
_WILD: Final = 1 << WILD
_MIXED: Final[dict[Mode, tuple[tuple[int, int], ...]]] = {
    "easy": (),
    "normal": ((0, 1),),
    "advanced": ((1, 2), (0, 2), (0, 1)),  # equally strong: the later suits first
    "extreme": ((0, 1), (0, 2), (1, 2)),
}
"""The two suits of mixed pairs, in the order in which they are taken."""


class Made(NamedTuple):
    """Set of two cards: its strength and their kinds."""

    strength: int
    one: int
    other: int


class SetTable(NamedTuple):
    """Sets that any two kinds can make in one mode. Each field is a table by kind and kind."""

    high: tuple[tuple[Made, ...], ...]
    """The strongest set."""
    low: tuple[tuple[Made, ...], ...]
    """The weakest set."""
    waste: tuple[tuple[int, ...], ...]
    """Cost of discarding two kinds together; lower is better (weak suits, high numbers)."""


@cache
def table(mode: Mode) -> SetTable:
    high, low = (
        tuple(tuple(_set(one, other, mode, which) for other in KINDS) for one in KINDS)
        for which in (max, min)
    )
    waste = tuple(
        tuple(made.strength // 121 * 12 - number for made, number in zip(row, _NUMBER, strict=True))
        for row in low
    )
    return SetTable(high, low, waste)


def _set(one: int, other: int, mode: Mode, which: Callable[[Iterable[int]], int]) -> Made:
    return Made(which(STRENGTH[mode][action] for action in plays(sorted((one, other)))), one, other)


def strongest(hand: Sequence[int], mode: Mode) -> list[Made]:
    """Split a hand into sets by taking the strongest possible set again and again. The strongest is first.

    A pair beats any other set, so pairs are taken first: those of one suit, then those of two."""
    once = twice = 0
    for kind in hand:
        twice |= once & _BIT[kind]
        once |= _BIT[kind]
    chosen: list[Made] = []
    singles = []
    for first in _FIRSTS[mode]:
        ones, twos = once >> first & _SUIT, twice >> first & _SUIT
        if ones & _WILD and (ones != _WILD or twos):
            ones, twos = _take_wild(first, ones, twos, mode, chosen)
        if twos:
            chosen += _pairs(first, first, twos, mode)
        singles.append(ones ^ twos)
    # A wild without another card of its suit makes a pair with a card of any suit. That is rare: compare all sets.
    chosen += _one_by_one(singles, mode) if _WILD in singles else _without_wilds(singles, mode)
    return chosen


def _take_wild(first: int, ones: int, twos: int, mode: Mode, chosen: list[Made]) -> tuple[int, int]:
    """Add the pair of a wild and the highest other card of its suit, or of two wilds, to `chosen`.

    Return the cards left: those held at least once, and those held twice."""
    ones ^= _WILD
    if twos & _WILD:
        chosen.append(table(mode).high[first + WILD][first + WILD])
        return ones, twos ^ _WILD
    number = ones.bit_length() - 1
    chosen.append(table(mode).high[first + number][first + WILD])
    return (ones, twos ^ 1 << number) if twos >> number & 1 else (ones ^ 1 << number, twos)


def _without_wilds(singles: list[int], mode: Mode) -> list[Made]:
    """Split cards without wilds and without pairs of one suit. `singles` has the cards of each suit.

    Once the pairs of two suits are taken, no two cards have the same number. Then the two highest of a suit make the
    next set, and so on; at most two cards of different suits are left."""
    chosen: list[Made] = []
    for one, other in _MIXED[mode]:
        if both := singles[one] & singles[other]:
            chosen += _pairs(12 * one, 12 * other, both, mode)
            singles[one] ^= both
            singles[other] ^= both
    if mode == "advanced":  # mixed pairs of all suits are equally strong, so the number decides
        chosen.sort(key=itemgetter(0), reverse=True)
    left: list[int] = []
    for first, numbers in zip(_FIRSTS[mode], singles, strict=True):
        if numbers:
            sets, last = _neighbours(first, numbers, mode)
            chosen += sets
            left += last
    return [*chosen, table(mode).high[left[0]][left[1]]] if left else chosen


@cache
def _pairs(first: int, other: int, numbers: int, mode: Mode) -> tuple[Made, ...]:
    """Return the pairs of these numbers in two suits (by their first kinds), the highest first."""
    high = table(mode).high
    return tuple(high[first + number][other + number] for number in _descending(numbers))


@cache
def _neighbours(first: int, numbers: int, mode: Mode) -> tuple[tuple[Made, ...], tuple[int, ...]]:
    """Return the sets of the two highest cards of a suit, of the next two, and so on; and the card that is left, if
    their number is odd."""
    kinds = [first + number for number in _descending(numbers)]
    left = kinds[len(kinds) // 2 * 2 :]
    high = table(mode).high
    return tuple(high[one][other] for other, one in zip(kinds[::2], kinds[1::2], strict=False)), tuple(left)


def _descending(numbers: int) -> list[int]:
    return [number for number in range(WILD, -1, -1) if numbers >> number & 1]


def _one_by_one(singles: Sequence[int], mode: Mode) -> list[Made]:
    """Split cards by comparing all sets, again and again. `singles` has the cards of each suit."""
    high = table(mode).high
    left = sorted(
        12 * suit + number for suit, numbers in enumerate(singles) for number in _descending(numbers)
    )
    chosen = []
    while left:
        # Among equally strong sets, the one of the later kinds.
        best = max((high[one][other] for one, other in combinations(left, 2)), key=itemgetter(0, 2, 1))
        left.remove(best.one)
        left.remove(best.other)
        chosen.append(best)
    return chosen


def weakest(cards: Sequence[int], mode: Mode) -> list[Made]:
    """Split cards into sets that lose, high cards together in one set."""
    ways = table(mode)
    left = sorted(cards, key=_NUMBER.__getitem__)
    sets = []
    while left:
        one = left.pop()
        other = min(left, key=ways.waste[one].__getitem__)
        left.remove(other)
        sets.append(ways.low[one][other])
    return sets
