"""The engine's table of strengths compared with the slow ranking."""

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from games.twin_palms import GAME
from games.twin_palms.cards import STRENGTH, Mode
from tests.games.twin_palms.ranking import SUITS, Set, better

MODES: list[Mode] = ["easy", "normal", "advanced", "extreme"]
SUITS_PLAYED = {"easy": SUITS[:1], "normal": SUITS[:2], "advanced": SUITS, "extreme": SUITS}


def sets(mode: Mode) -> list[Set]:
    """Return every two cards of the mode's deck, with a number for each wild."""
    cards = list(product(SUITS_PLAYED[mode], range(11)))
    return list(combinations_with_replacement(cards, 2))


def forms(cards: Set) -> list[str]:
    """Return all ways to play a set: with its own cards, or with one or two wilds in their place."""
    one, other = ([f"{suit[0]}{number}", f"{suit[0]}*={number}"] for suit, number in cards)
    return [f"play {x} {y}" for x, y in product(one, other)]


def strength(mode: Mode, cards: Set) -> int:
    """Return the strength in the table, which must be the same for all forms of a set."""
    found = {STRENGTH[mode][GAME.parse(form)] for form in forms(cards)}
    assert len(found) == 1, f"{cards} is not worth the same with wilds"
    return found.pop()


@pytest.mark.parametrize("mode", MODES)
def test_the_strengths_order_all_sets_as_the_rules_do(mode: Mode) -> None:
    """Compares all pairs of sets in the small decks and a sample of 40,000 in the large ones."""
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


def test_every_play_has_a_strength() -> None:
    """The forms of all sets are exactly all plays."""
    plays = {GAME.parse(form) for cards in sets("extreme") for form in forms(cards)}
    assert plays == set(range(18, len(STRENGTH["extreme"])))
