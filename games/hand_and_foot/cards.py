"""The cards of Hand and Foot as small ints. Equal cards of different packs are the same int.

A card is 4 * rank + suit, and 52 is a joker. Ranks ascend in the order in which a hand is sorted: 3, 4 to K, A, and
the wild cards 2 and joker at the end. Suits only tell red threes from black ones.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from games import french

RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "Joker")
THREE: Final = 0
MELDABLE: Final = range(1, 12)
"""Ranks of which melds are made, from 4 to the ace."""
TWO: Final = 12
WILD: Final = 13
"""Rank of the jokers."""
JOKER: Final = 52
KINDS: Final = range(JOKER + 1)

RANK: Final = tuple(card // 4 for card in KINDS)
"""The rank of each card, an index into `RANKS`."""
RANK_POINTS: Final = (5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50)
POINTS: Final = tuple(RANK_POINTS[rank] for rank in RANK)
"""The points of each card. Red threes are counted apart."""
IS_WILD: Final = tuple(rank >= TWO for rank in RANK)
RED_THREES: Final = (french.SUITS.index("D"), french.SUITS.index("H"))

FRENCH: Final = tuple(
    french.CARD[RANKS[RANK[card]] + french.SUITS[card % 4]] for card in KINDS if card != JOKER
)
"""The French card of each card except the joker."""
TEXT: Final = (*(french.TEXT[card] for card in FRENCH), "JOKER")
"""The text of each card, as it is typed: QS, 10H, JOKER."""
SIGN: Final = (*(french.SIGN[card] for card in FRENCH), "Joker")
"""The sign of each card, as people read it: ♠Q, ♥10, Joker."""
NAME: Final = (*(french.NAME[card] for card in FRENCH), "joker")
"""The name of each card: queen of spades, joker."""
CARD: Final = {text: card for card, text in enumerate(TEXT)}
"""The card of each text."""


@cache
def deck(packs: int) -> tuple[int, ...]:
    """Return the cards of that many packs, each with two jokers, ascending."""
    return tuple(sorted([*range(JOKER), JOKER, JOKER] * packs))


def points(cards: Iterable[int]) -> int:
    return sum([POINTS[card] for card in cards])


def naturals(cards: Iterable[int]) -> list[int]:
    """Return the natural cards among these."""
    return [card for card in cards if not IS_WILD[card]]


def by_rank(cards: Iterable[int]) -> list[int]:
    """Return the number of cards by rank."""
    held = [0] * len(RANKS)
    for card in cards:
        held[RANK[card]] += 1
    return held


def ranks(cards: Iterable[int]) -> str:
    """Return the ranks of cards, in their order: "K K 2 Joker"."""
    return " ".join(RANKS[RANK[card]] for card in cards)


def signs(cards: Iterable[int]) -> str:
    """Return the signs of cards in their order, equal neighbours together: "♠Q ♥10×2 Joker"."""
    return " ".join(f"{SIGN[card]}{times([*equal])}" for card, equal in groupby(cards))


def times(equal: Sequence[int]) -> str:
    """Return "×2" for two equal cards, "" for one."""
    return f"×{len(equal)}" if len(equal) > 1 else ""
