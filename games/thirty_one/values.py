"""Worth of a hand of Thirty-One in half points: three of a kind may count 30½."""

from collections.abc import Sequence
from typing import Final

from games.french import RANK, SUIT
from games.thirty_one.options import ThirtyOneOptions

ACE: Final = 11
POINTS: Final = tuple((ACE, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)[rank] for rank in RANK)
"""Value of each card, in whole points."""
BEST: Final = 31
"""Worth of the hand that ends a deal, in whole points."""
THREE_OF_A_KIND: Final = 61
"""Worth of three of a kind, in half points."""


def worth(hand: Sequence[int], options: ThirtyOneOptions) -> int:
    """Return the half points of three cards under these options."""
    total = 2 * (all_suits(hand) if options.any_suit else max(by_suit(hand)))
    if options.three_of_a_kind and total < THREE_OF_A_KIND:
        one, two, three = hand
        if RANK[one] == RANK[two] == RANK[three]:
            return THREE_OF_A_KIND
    return total


def by_suit(hand: Sequence[int]) -> list[int]:
    """Return the points of each suit."""
    totals = [0, 0, 0, 0]
    for card in hand:
        totals[SUIT[card]] += POINTS[card]
    return totals


def all_suits(hand: Sequence[int]) -> int:
    """Return the points of all cards. While the total is over 31, aces count 1 instead of 11, one after the other."""
    total = sum(POINTS[card] for card in hand)
    aces = sum(POINTS[card] == ACE for card in hand)
    while total > BEST and aces:
        total -= ACE - 1
        aces -= 1
    return total
