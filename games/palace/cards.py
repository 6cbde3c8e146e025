"""Cards, actions and the rule of what goes on what in Palace, as small ints with lookup tables.

Suits do not matter, so a card is its *kind*: 0 to 8 are the ordinary ranks 3 4 5 6 8 9 J Q K, low to high, and
9 to 12 the wilds 2 7 10 A. Each kind is four times in a pack. Hands are counts by kind.

Actions 0 to 454 lay three kinds face up, 455 to 506 play one to four cards of a kind, the next three turn up a
face-down card by its place, and the last one takes the pile. All are numbered so that `legal` lists them sorted.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

from games.texts import parser
from games.types import Action

RANKS: Final = ("3", "4", "5", "6", "8", "9", "J", "Q", "K", "2", "7", "10", "A")
KINDS: Final = range(len(RANKS))
DECKS: Final = {packs: tuple(sorted([*KINDS] * 4 * packs)) for packs in (1, 2)}
"""All cards, by number of packs."""
EIGHT, NINE, QUEEN, KING, TWO, SEVEN, TEN, ACE = (
    RANKS.index(rank) for rank in ("8", "9", "Q", "K", "2", "7", "10", "A")
)
ORDINARY: Final = KINDS[:TWO]
WILDS: Final = KINDS[TWO:]
FREE: Final = len(RANKS)
"""Effective top when any card fits: there is no pile, or only 7s."""

MOST: Final = 4
"""Maximum number of cards in one play. A play of four cards clears the pile."""
EACH: Final = 3
"""Number of face-down cards of a seat, number of its face-up cards, and size to which it refills its hand."""


def _fitting(top: int, allow_equal: bool) -> tuple[int, ...]:
    if top in (FREE, ACE, TWO):
        return tuple(KINDS)
    if top == NINE:
        return (*ORDINARY[:NINE], *WILDS)
    return (*ORDINARY[top + (not allow_equal) :], *WILDS)


FITTING: Final = tuple(tuple(_fitting(top, equal) for top in (*KINDS, FREE)) for equal in (False, True))
"""Kinds that fit, by `allow_equal` and effective top, ascending."""
FITTING_BITS: Final = tuple(tuple(sum(1 << kind for kind in fits) for fits in row) for row in FITTING)
"""Kinds that fit, as bits, by `allow_equal` and effective top."""

SHOWS: Final = tuple(combinations_with_replacement(KINDS, EACH))
"""Three kinds of each action that lays cards face up."""
FIRST_PLAY: Final = len(SHOWS)
FIRST_BLIND: Final = FIRST_PLAY + MOST * len(KINDS)
TAKE: Final = Action(FIRST_BLIND + EACH)
ACTIONS: Final = tuple(map(Action, range(TAKE + 1)))
BLINDS: Final = ACTIONS[FIRST_BLIND:TAKE]
"""Actions that turn up a face-down card, by its place."""

PLAYS: Final = tuple(
    tuple(ACTIONS[FIRST_PLAY + MOST * kind :][: min(held, MOST)] for held in range(9)) for kind in KINDS
)
"""Plays of a kind, by kind and number held."""

_PLAY: Final = tuple((kind, count) for kind in KINDS for count in range(1, MOST + 1))
_SHOW_OF: Final = dict(zip(SHOWS, ACTIONS, strict=False))


def play(action: Action) -> tuple[int, int]:
    """Return the kind and the number of cards of a play."""
    return _PLAY[action - FIRST_PLAY]


def shows(hand: Sequence[int]) -> list[Action]:
    """Return every choice of three cards from a hand (counts by kind), sorted and unique."""
    # Combinations of ascending cards are ascending, with repetitions.
    return [*dict.fromkeys(map(_SHOW_OF.__getitem__, combinations(expand(hand), EACH)))]


def counts(cards: Iterable[int]) -> list[int]:
    """Return cards as counts by kind."""
    number = [0] * len(KINDS)
    for kind in cards:
        number[kind] += 1
    return number


def expand(number: Sequence[int]) -> list[int]:
    """Return counts by kind as cards, ascending."""
    return [kind for kind, held in enumerate(number) for _ in range(held)]


def ranks(cards: Iterable[int]) -> str:
    """Return cards in the given order: "3 3 K 10"."""
    return " ".join(RANKS[kind] for kind in cards)


def _text(action: Action) -> str:
    if action < FIRST_PLAY:
        return f"show {ranks(SHOWS[action])}"
    if action < FIRST_BLIND:
        kind, count = play(action)
        return f"play {ranks([kind] * count)}"
    return "take" if action == TAKE else f"blind {action - FIRST_BLIND + 1}"


TEXT: Final = tuple(_text(action) for action in ACTIONS)
"""Text of every action, as in the log."""

_ON_SCREEN: Final = {
    words.format(ranks(shown)): ACTIONS[number]
    for words in ("face up {}", "lay {} face up")
    for number, shown in enumerate(SHOWS)
}
_ON_SCREEN.update({f"turn up card {place}": action for place, action in enumerate(BLINDS, 1)})

parse: Final = parser(TEXT, {**_ON_SCREEN, "take the pile": TAKE})
