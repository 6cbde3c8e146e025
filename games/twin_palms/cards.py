"""Cards, actions and strengths of Twin Palms, as small ints with lookup tables.

A card is its *kind*, suit * 12 + number: suits 0 Palms, 1 Dolphins, 2 Sunglasses; number 11 is a wild.
Each kind is in the deck twice. The two copies are the same, so a hand is a sorted list of kinds that may repeat.

Actions 0 to 17 are bids: tricks * 3 + bet (0 none, 1 half, 2 max). All others are plays: two cards, and the
number stated for each wild. Plays are numbered in the order of their two kinds, so listing the plays of a
sorted hand gives a sorted list.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from games.contract import Illegal
from games.texts import normalized, parser
from games.types import Action

Mode: TypeAlias = Literal["easy", "normal", "advanced", "extreme"]

SUITS: Final = "PDS"
SUIT_NAMES: Final = {"P": "Palms", "D": "Dolphins", "S": "Sunglasses"}
WILD: Final = 11
BETS: Final = ("", "half", "max")

KINDS: Final = range(12 * len(SUITS))
_SUITS_PLAYED: Final[dict[Mode, int]] = {"easy": 1, "normal": 2, "advanced": 3, "extreme": 3}
DECKS: Final = {mode: tuple(sorted([*range(12 * suits)] * 2)) for mode, suits in _SUITS_PLAYED.items()}
RANKING: Final[dict[Mode, tuple[str, ...]]] = {
    "easy": ("PP",),
    "normal": ("PP", "DD", "mixed"),
    "advanced": ("PP", "DD", "SS", "mixed"),
    "extreme": ("PP", "DD", "SS", "PD", "PS", "DS"),
}
"""Suits of two cards by mode, strongest first.

A pair beats any other set. Suits decide between two pairs, and between two sets that are not pairs."""

BIDS: Final = tuple(map(Action, range(6 * len(BETS))))
BIDS_WITHOUT_BETS: Final = BIDS[:: len(BETS)]
FIRST_PLAY: Final = len(BIDS)


def card_text(kind: int) -> str:
    """Return "P3", "D10", or "S*" for a wild."""
    suit, number = divmod(kind, 12)
    return SUITS[suit] + ("*" if number == WILD else str(number))


def name(kind: int) -> str:
    """Return "Palms 3", or "Palms wild"."""
    suit, number = divmod(kind, 12)
    return f"{SUIT_NAMES[SUITS[suit]]} {'wild' if number == WILD else number}"


def _plays() -> Iterator[tuple[int, int, int, int]]:
    """Yield every play as (kind, kind, number, number). The number of a wild is the one stated for it."""
    for low in KINDS:
        for high in KINDS[low:]:
            for x in _numbers(low):
                for y in _numbers(high):
                    if low < high or x <= y:  # the order of two wilds of one suit does not matter
                        yield low, high, x, y


def _numbers(kind: int) -> range:
    number = kind % 12
    return range(11) if number == WILD else range(number, number + 1)


_PLAYS: Final = tuple(_plays())
CARDS: Final = ((-1, -1),) * FIRST_PLAY + tuple((low, high) for low, high, _, _ in _PLAYS)
"""Two kinds of each play, ascending; (-1, -1) for bids."""
NUMBERS: Final = ((-1, -1),) * FIRST_PLAY + tuple((x, y) for _, _, x, y in _PLAYS)
"""Numbers that the two cards of each play count as; (-1, -1) for bids."""
ACTIONS: Final = tuple(map(Action, range(len(CARDS))))


def _strength(mode: Mode, action: Action) -> int:
    """Return the strength of a play as one int: pair or not, then suits, then the higher number, then the other."""
    order = RANKING[mode]
    suits = "".join(SUITS[kind // 12] for kind in CARDS[action])
    # Suits that the ranking does not name are "mixed", its last entry.
    rank = order.index(suits) if suits in order else len(order) - 1
    low, high = sorted(NUMBERS[action])
    return (((low == high) * len(order) + len(order) - rank) * 11 + high) * 11 + low


STRENGTH: Final[dict[Mode, tuple[int, ...]]] = {
    mode: (-1,) * FIRST_PLAY + tuple(_strength(mode, action) for action in ACTIONS[FIRST_PLAY:])
    for mode in DECKS
}
"""Strength by mode and action: the greater beats the lesser, equal ones cancel. Bids have -1."""

_BY_CARDS: Final[tuple[tuple[list[Action], ...], ...]] = tuple(tuple([] for _ in KINDS) for _ in KINDS)
for _action in ACTIONS[FIRST_PLAY:]:
    _BY_CARDS[CARDS[_action][0]][CARDS[_action][1]].append(_action)


def plays(hand: Sequence[int]) -> list[Action]:
    """Return every play of a sorted hand, sorted and unique."""
    actions: list[Action] = []
    last_low = -1
    for place, low in enumerate(hand, 1):
        if low == last_low:
            continue
        last_low, last_high = low, -1
        row = _BY_CARDS[low]
        for high in hand[place:]:
            if high != last_high:
                actions += row[high]
                last_high = high
    return actions


def _text(action: Action) -> str:
    if action in BIDS:
        tricks, bet = divmod(action, len(BETS))
        return f"bid {tricks} {BETS[bet]}".rstrip()
    cards = zip(CARDS[action], NUMBERS[action], strict=True)
    return "play " + " ".join(card_text(kind) + f"={number}" * (kind % 12 == WILD) for kind, number in cards)


TEXT: Final = tuple(_text(action) for action in ACTIONS)
"""Text of every action, as in the log."""
_parse: Final = parser(TEXT)
_CARDS: Final = frozenset(map(card_text, KINDS))


def parse(text: str) -> Action:
    """Return the action of a text; two cards need no verb: "P0 + D1". Raises Unread for any other text, or Illegal for
    another number of cards and for a wild without a number."""
    first, *cards = normalized(text.replace("+", " "))
    if first.split("=")[0] in _CARDS:
        first, *cards = "PLAY", first, *cards
    if first == "PLAY" and len(cards) != 2:
        raise Illegal("A play is two cards. Write it like this: play P3 P8.")
    if first == "PLAY" and any(card.endswith("*") for card in cards):
        raise Illegal("A wild needs a number from 0 to 10. Write it like this: play P3 P*=8.")
    return _parse(" ".join([first, *cards]))
