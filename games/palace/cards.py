"""Cards, actions and what goes on what in Palace, as small ints with tables.

Suits count for nothing, so a card is its *kind*: 0 to 8 are the ordinary ranks 3 4 5 6 8 9 J Q K, low to high, and
9 to 12 the wilds 2 7 10 A. Each kind is in the deck eight times, not to be told apart. Hands are counts by kind.

Actions 0 to 454 lay three kinds face up, 455 to 506 play one to four cards of a kind, the next three turn up a
face-down card by its place, and the last one takes the pile. All are numbered so that `legal` lists them sorted.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

from games.texts import parser

RANKS: Final = ("3", "4", "5", "6", "8", "9", "J", "Q", "K", "2", "7", "10", "A")
KINDS: Final = range(len(RANKS))
DECK: Final = tuple(sorted([*KINDS] * 8))
EIGHT, NINE, QUEEN, KING, TWO, SEVEN, TEN, ACE = (
    RANKS.index(rank) for rank in ("8", "9", "Q", "K", "2", "7", "10", "A")
)
ORDINARY: Final = KINDS[:TWO]
WILDS: Final = KINDS[TWO:]
FREE: Final = len(RANKS)
"""The effective top of a pile without one: no pile, or only 7s."""

MOST: Final = 4
"""Cards in one play; so many of a kind take the pile out of the game."""
EACH: Final = 3
"""Cards each seat has face down, cards it lays face up, and cards a hand is drawn up to."""


def _fitting(top: int, allow_equal: bool) -> tuple[int, ...]:
    if top in (FREE, ACE, TWO):
        return tuple(KINDS)
    if top == NINE:
        return (*ORDINARY[:NINE], *WILDS)
    return (*ORDINARY[top + (not allow_equal) :], *WILDS)


FITTING: Final = tuple(tuple(_fitting(top, equal) for top in (*KINDS, FREE)) for equal in (False, True))
"""By `allow_equal` and effective top: the kinds that go on it, ascending."""
FITTING_BITS: Final = tuple(tuple(sum(1 << kind for kind in fits) for fits in row) for row in FITTING)
"""The same as sets of bits."""

SHOWS: Final = tuple(combinations_with_replacement(KINDS, EACH))
"""The three kinds of each action that lays them face up."""
FIRST_PLAY: Final = len(SHOWS)
FIRST_BLIND: Final = FIRST_PLAY + MOST * len(KINDS)
TAKE: Final = FIRST_BLIND + EACH
ACTIONS: Final = range(TAKE + 1)
BLINDS: Final = range(FIRST_BLIND, TAKE)

PLAYS: Final = tuple(
    tuple(tuple(FIRST_PLAY + MOST * kind + n for n in range(min(held, MOST))) for held in range(9))
    for kind in KINDS
)
"""By kind and how many are held: the plays of it."""

_PLAY: Final = tuple((kind, count) for kind in KINDS for count in range(1, MOST + 1))
_SHOW_OF: Final = {kinds: action for action, kinds in enumerate(SHOWS)}


def play(action: int) -> tuple[int, int]:
    """The kind of a play, and how many cards."""
    return _PLAY[action - FIRST_PLAY]


def shows(hand: Sequence[int]) -> list[int]:
    """Every choice of three cards out of a hand (counts by kind), sorted and unique."""
    # Threes of ascending cards come ascending, but for repetitions.
    return [*dict.fromkeys(map(_SHOW_OF.__getitem__, combinations(expand(hand), EACH)))]


def counts(cards: Iterable[int]) -> list[int]:
    """Cards as counts by kind."""
    number = [0] * len(KINDS)
    for kind in cards:
        number[kind] += 1
    return number


def expand(number: Sequence[int]) -> list[int]:
    """Counts by kind as cards, ascending."""
    return [kind for kind, held in enumerate(number) for _ in range(held)]


def ranks(cards: Iterable[int]) -> str:
    """3 3 K 10: cards in the order given."""
    return " ".join(RANKS[kind] for kind in cards)


def _text(action: int) -> str:
    if action < FIRST_PLAY:
        return f"show {ranks(SHOWS[action])}"
    if action < FIRST_BLIND:
        kind, count = play(action)
        return f"play {ranks([kind] * count)}"
    return "take" if action == TAKE else f"blind {action - FIRST_BLIND + 1}"


TEXT: Final = tuple(_text(action) for action in ACTIONS)
"""The one text form of every action."""

parse: Final = parser(
    TEXT,
    "That is not a move in Palace. Cards are 2 3 4 5 6 7 8 9 10 J Q K A. Write show 7 10 A to lay three cards face up, "
    "play 9 9 for one to four cards of one rank, blind 2 for a face-down card by its place, or take for the pile.",
)
"""The action a text names; Illegal for anything else, saying the form."""
