"""The French pack of 52 cards. A card is suit * 13 + rank: indices into `SUITS` and `RANKS`."""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "CDHS"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
SYMBOLS: Final = "♣♦♥♠"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PACK: Final = range(len(SUITS) * len(RANKS))
SUIT: Final = tuple(card // len(RANKS) for card in PACK)
"""The suit of each card, an index into `SUITS`."""
RANK: Final = tuple(card % len(RANKS) for card in PACK)
"""The rank of each card, an index into `RANKS`."""

TEXT: Final = tuple(RANKS[RANK[card]] + SUITS[SUIT[card]] for card in PACK)
"""The text of each card, as it is typed: QS, 10H."""
SIGN: Final = tuple(SYMBOLS[SUIT[card]] + RANKS[RANK[card]] for card in PACK)
"""The sign of each card, as people read it: ♠Q, ♥10."""
SUIT_FIRST: Final = tuple(SUITS[SUIT[card]] + RANKS[RANK[card]] for card in PACK)
"""The text of each card in the order of its sign, as some people type it: SQ, H10."""
_RANK_NAMES: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
NAME: Final = tuple(
    f"{_RANK_NAMES.get(RANKS[RANK[card]], RANKS[RANK[card]])} of {SUIT_NAMES[SUIT[card]]}" for card in PACK
)
"""The name of each card: queen of spades, 10 of hearts."""
CARD: Final = {text: card for card, text in enumerate(TEXT)}
"""The card of each text."""


def signs(cards: Iterable[int]) -> str:
    """Return the signs of these cards, in their order: "♠Q ♥10"."""
    return " ".join(SIGN[card] for card in cards)
