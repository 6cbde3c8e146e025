"""The French pack of 52, for every game played with it. A card is suit * 13 + rank, both as they stand here."""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "CDHS"
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
SYMBOLS: Final = "♣♦♥♠"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PACK: Final = range(len(SUITS) * len(RANKS))
SUIT: Final = tuple(card // len(RANKS) for card in PACK)
"""The suit of each card, as its place in `SUITS`."""
RANK: Final = tuple(card % len(RANKS) for card in PACK)
"""The rank of each card, as its place in `RANKS`."""

TEXT: Final = tuple(RANKS[RANK[card]] + SUITS[SUIT[card]] for card in PACK)
"""How a card is typed: QS, 10H."""
SIGN: Final = tuple(SYMBOLS[SUIT[card]] + RANKS[RANK[card]] for card in PACK)
"""The one form of a card for people: ♠Q, ♥10."""
CARD: Final = {text: card for card, text in enumerate(TEXT)}
"""The card of each text."""


def signs(cards: Iterable[int]) -> str:
    """♠Q ♥10: cards for people, in the order given."""
    return " ".join(SIGN[card] for card in cards)
