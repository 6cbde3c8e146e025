"""The table of strengths against a slow statement of the ranking, written as the rules say it."""

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from games.twin_palms import GAME
from games.twin_palms.cards import STRENGTH, Mode

Card = tuple[str, int]
Set = tuple[Card, Card]

SUITS = {"easy": ["Palms"], "normal": ["Palms", "Dolphins"]}
ALL_SUITS = ["Palms", "Dolphins", "Sunglasses"]
MODES: list[Mode] = ["easy", "normal", "advanced", "extreme"]
ORDER = {
    "easy": ["Palms"],
    "normal": ["Palms", "Dolphins", "mixed"],
    "advanced": ["Palms", "Dolphins", "Sunglasses", "mixed"],
    "extreme": [
        "Palms",
        "Dolphins",
        "Sunglasses",
        "Palms and Dolphins",
        "Palms and Sunglasses",
        "Dolphins and Sunglasses",
    ],
}


def better(mode: Mode, one: Set, other: Set) -> Set | None:
    """The set that wins, None for a tie."""
    if is_pair(one) != is_pair(other):
        return one if is_pair(one) else other
    rank, other_rank = (ORDER[mode].index(suits(mode, cards)) for cards in (one, other))
    if rank != other_rank:
        return one if rank < other_rank else other
    for place in (0, 1):
        number, other_number = high_to_low(one)[place], high_to_low(other)[place]
        if number != other_number:
            return one if number > other_number else other
    return None


def is_pair(cards: Set) -> bool:
    return cards[0][1] == cards[1][1]


def high_to_low(cards: Set) -> list[int]:
    return sorted([cards[0][1], cards[1][1]], reverse=True)


def suits(mode: Mode, cards: Set) -> str:
    first, second = cards[0][0], cards[1][0]
    if first == second:
        return first
    if mode != "extreme":
        return "mixed"
    return " and ".join(suit for suit in ALL_SUITS if suit in (first, second))


def sets(mode: Mode) -> list[Set]:
    """Every two cards of the mode's deck, wilds already stated."""
    cards = list(product(SUITS.get(mode, ALL_SUITS), range(11)))
    return list(combinations_with_replacement(cards, 2))


def forms(cards: Set) -> list[str]:
    """All ways to play a set: with its own cards, or with one or two wilds stated as them."""
    one, other = ([f"{suit[0]}{number}", f"{suit[0]}*={number}"] for suit, number in cards)
    return [f"play {x} {y}" for x, y in product(one, other)]


def strength(mode: Mode, cards: Set) -> int:
    """What the table says, which must be the same for all forms of a set."""
    found = {STRENGTH[mode][GAME.parse(form)] for form in forms(cards)}
    assert len(found) == 1, f"{cards} is not worth the same with wilds"
    return found.pop()


@pytest.mark.parametrize("mode", MODES)
def test_the_strengths_order_all_sets_as_the_rules_do(mode: Mode) -> None:
    """All pairs of sets in the small decks, a sample of 40,000 in the large ones."""
    known = {cards: strength(mode, cards) for cards in sets(mode)}
    pairs = list(product(known, repeat=2))
    if len(pairs) > 70_000:
        pairs = Random(1).sample(pairs, 40_000)
    for one, other in pairs:
        winner = better(mode, one, other)
        if winner is None:
            assert known[one] == known[other], f"{one} ties {other}"
        else:
            loser = other if winner is one else one
            assert known[winner] > known[loser], f"{winner} beats {loser}"


def test_every_play_has_been_ranked() -> None:
    """The forms of all sets are all plays there are."""
    plays = {GAME.parse(form) for cards in sets("extreme") for form in forms(cards)}
    assert plays == set(range(18, len(STRENGTH["extreme"])))
