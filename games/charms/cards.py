"""Cards and actions of Charms, as small ints with lookup tables.

A card is its *kind*: 0 to 3 are the suits coin, key, clover and rabbit foot, eight plain cards of each; 4 to 11 are
the numbers 1 to 8, four of each. Cards of one kind are the same, so a hand is a sorted list of kinds that may repeat.
A *set of kinds* is an int with bit `1 << kind` for each of them.

Actions 0 to 12 are bids. Then come the plays of one card, by kind; then the plays of the first trick, a suit and a
number, by suit and then by number. So listing the plays of a set of kinds in order gives a sorted list.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from games.texts import parser
from games.types import Action

TRICKS: Final = 12
"""Number of tricks in a hand."""
DEALT: Final = 13
"""Number of cards dealt to a player; two of them are played in the first trick."""
GOOD: Final = 3
"""Fewest suit cards, and fewest number cards, of a good hand."""
LETTERS: Final = "CKLR"
"""Letters of the suits. C is the coin, so the clover has its second letter."""
SUIT_NAMES: Final = ("coin", "key", "clover", "rabbit foot")
NUMBERS: Final = range(1, 9)

SUITS: Final = range(len(LETTERS))
NO_SUIT: Final = len(LETTERS)
"""Value in place of a suit while there is none."""
KINDS: Final = range(len(SUITS) + len(NUMBERS))
NUMBER: Final = (0,) * len(SUITS) + tuple(NUMBERS)
"""Number of each kind, 0 for suits."""
DECK: Final = tuple(kind for kind in KINDS for _ in range(8 if kind in SUITS else 4))

TEXTS: Final = (*LETTERS, *map(str, NUMBERS))
"""Each kind as it is typed: C, 7."""
NAMES: Final = (*SUIT_NAMES, *map(str, NUMBERS))
"""Name of each kind: clover, 7."""
SIGNS: Final = ("🪙C", "🔑K", "🍀L", "🐇R", *map(str, NUMBERS))
"""Each kind as players see it: 🪙C, 7."""

# Sets of kinds.
SUIT_CARDS: Final = (1 << len(SUITS)) - 1
NUMBER_CARDS: Final = (1 << len(KINDS)) - 1 - SUIT_CARDS
ALL_CARDS: Final = SUIT_CARDS | NUMBER_CARDS

BASE: Final = tuple(
    tuple(tuple(8 if suit == trump else 0 if suit == led else -8 for suit in SUITS) for led in SUITS)
    for trump in SUITS
)
"""Added to a number to get its strength, by trump, led suit and shown suit. A strength of 0 or less cannot win."""

BIDS: Final = tuple(map(Action, range(TRICKS + 1)))
FIRST_PLAY: Final = len(BIDS)
FIRST_PAIR: Final = FIRST_PLAY + len(KINDS)
_PAIRS: Final = tuple((suit, number) for suit in SUITS for number in KINDS[len(SUITS) :])
CARDS: Final[tuple[tuple[int, ...], ...]] = (
    *(() for _ in BIDS),
    *((kind,) for kind in KINDS),
    *_PAIRS,
)
"""Kinds that each action plays: none for a bid, one, or a suit and a number."""
ACTIONS: Final = tuple(map(Action, range(len(CARDS))))
SUIT_SHOWN: Final = tuple(next((kind for kind in cards if kind in SUITS), NO_SUIT) for cards in CARDS)
"""The suit that each action lets a player show; NO_SUIT when it plays none."""
NUMBER_SHOWN: Final = tuple(max((NUMBER[kind] for kind in cards), default=0) for cards in CARDS)
"""The number that each action lets a player show; 0 when it plays none."""

_SETS: Final = range(ALL_CARDS + 1)
PLAYS: Final = tuple(
    tuple(ACTIONS[FIRST_PLAY + kind] for kind in KINDS if some >> kind & 1) for some in _SETS
)
"""Plays of one card, by set of kinds, sorted."""
PAIRS: Final = tuple(
    tuple(
        ACTIONS[FIRST_PAIR + place]
        for place, (suit, number) in enumerate(_PAIRS)
        if some >> suit & 1 and some >> number & 1
    )
    for some in _SETS
)
"""Plays of a suit and a number, by set of kinds, sorted."""


def kinds(cards: Iterable[int]) -> int:
    """Return the set of kinds of some cards."""
    found = 0
    for kind in cards:
        found |= 1 << kind
    return found


def signs(cards: Iterable[int]) -> str:
    """Return cards for people, by kind: "🪙C×3 🔑K 4×2"."""
    counted = sorted(Counter(cards).items())
    return " ".join(SIGNS[kind] + f"×{count}" * (count > 1) for kind, count in counted)


def _text(action: Action) -> str:
    if action in BIDS:
        return f"bid {action}"
    return " ".join(["play", *(TEXTS[kind] for kind in CARDS[action])])


TEXT: Final = tuple(_text(action) for action in ACTIONS)
"""Text of every action, as in the log."""

parse: Final = parser(TEXT)
