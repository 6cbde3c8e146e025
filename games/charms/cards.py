"""Cards and actions of Charms as small ints with tables.

A card is its *kind*: 0 to 3 are the suits coin, key, clover and rabbit foot, eight plain cards of each; 4 to 11 are
the numbers 1 to 8, four of each. Cards of a kind are not to be told apart, so a hand is a sorted list of kinds that
may repeat. A *set of kinds* is an int with bit `1 << kind` for each of them.

Actions 0 to 12 are bids. Then come the plays of one card, by kind; then the plays of the first trick, a suit and a
number, by suit and within it by number. So listing the plays of a set of kinds in its order gives them sorted.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from games.texts import parser

TRICKS: Final = 12
"""Tricks in a hand."""
DEALT: Final = 13
"""Cards in a hand: two of them go into the first trick."""
GOOD: Final = 3
"""A good hand has so many suit cards and so many number cards at least."""
LETTERS: Final = "CKLR"
"""The suits' letters. C is the coin, so the clover, the other C, has its second letter."""
SUIT_NAMES: Final = ("coin", "key", "clover", "rabbit foot")
NUMBERS: Final = range(1, 9)

SUITS: Final = range(len(LETTERS))
NO_SUIT: Final = len(LETTERS)
"""Stands where a suit would, before there is one."""
KINDS: Final = range(len(SUITS) + len(NUMBERS))
NUMBER: Final = (0,) * len(SUITS) + tuple(NUMBERS)
"""The number of each kind, 0 for the suits."""
DECK: Final = tuple(kind for kind in KINDS for _ in range(8 if kind in SUITS else 4))

TEXTS: Final = (*LETTERS, *map(str, NUMBERS))
"""How a card is typed: C, 7."""
SIGNS: Final = ("🪙C", "🔑K", "🍀L", "🐇R", *map(str, NUMBERS))
"""The one form of a card for people: 🪙C, 7."""

SUIT_CARDS: Final = (1 << len(SUITS)) - 1
NUMBER_CARDS: Final = (1 << len(KINDS)) - 1 - SUIT_CARDS
ALL_CARDS: Final = SUIT_CARDS | NUMBER_CARDS
"""Sets of kinds."""

BASE: Final = tuple(
    tuple(tuple(8 if suit == trump else 0 if suit == led else -8 for suit in SUITS) for led in SUITS)
    for trump in SUITS
)
"""By trump, led suit and shown suit: what added to a number makes its strength. What cannot win comes to 0 or less."""

BIDS: Final = tuple(range(TRICKS + 1))
FIRST_PLAY: Final = len(BIDS)
FIRST_PAIR: Final = FIRST_PLAY + len(KINDS)
_PAIRS: Final = tuple((suit, number) for suit in SUITS for number in KINDS[len(SUITS) :])
CARDS: Final[tuple[tuple[int, ...], ...]] = (
    *(() for _ in BIDS),
    *((kind,) for kind in KINDS),
    *_PAIRS,
)
"""The kinds that each action plays: none, one, or a suit and a number."""
ACTIONS: Final = range(len(CARDS))

_SETS: Final = range(ALL_CARDS + 1)
PLAYS: Final = tuple(tuple(FIRST_PLAY + kind for kind in KINDS if some >> kind & 1) for some in _SETS)
"""By set of kinds: the plays of one card of it, sorted."""
PAIRS: Final = tuple(
    tuple(
        FIRST_PAIR + place
        for place, (suit, number) in enumerate(_PAIRS)
        if some >> suit & 1 and some >> number & 1
    )
    for some in _SETS
)
"""By set of kinds: the plays of a suit and a number of it, sorted."""


def kinds(cards: Iterable[int]) -> int:
    """The set of the kinds among some cards."""
    found = 0
    for kind in cards:
        found |= 1 << kind
    return found


def signs(cards: Iterable[int]) -> str:
    """🪙C×3 🔑K 4×2: cards for people, by kind."""
    counted = sorted(Counter(cards).items())
    return " ".join(SIGNS[kind] + f"×{count}" * (count > 1) for kind, count in counted)


def _text(action: int) -> str:
    if action in BIDS:
        return f"bid {action}"
    return " ".join(["play", *(TEXTS[kind] for kind in CARDS[action])])


TEXT: Final = tuple(_text(action) for action in ACTIONS)
"""The one text form of every action."""

parse: Final = parser(
    TEXT,
    "This is no action of Charms. A bid is written bid 3 (0 to 12 tricks); a play names a suit by its letter "
    "(C coin, K key, L clover, R rabbit foot) or a number from 1 to 8: play L or play 7, and in the first trick "
    "both: play L 7.",
)
"""The action a text names; Illegal for anything else, saying the form."""
