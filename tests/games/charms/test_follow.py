"""The follow rule, exhaustively: every hand, as far as it matters, compared with the rule in `slow_rules`."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

import pytest

from games.charms import GAME
from games.charms.cards import ACTIONS, ALL_CARDS, KINDS, NO_SUIT, SUITS, TEXT, TEXTS
from games.charms.options import CharmsOptions
from games.charms.state import State
from games.contract import Illegal
from games.types import Action
from tests.games.charms.slow_rules import NUMBERS, may_begin, may_play
from tests.games.charms.slow_rules import SUITS as LETTERS
from tests.seats import FIRST, THIRD

SHOWN_AND_LED = [(shows, led) for shows in SUITS for led in (*SUITS, None)]


def following(hand: Sequence[int], shows: int, led: int | None, trick: int) -> State:
    """Return a state in which seat 0 is to play this hand and seat 1 is next; seat 2 has led, unless `led` is None."""
    state = State(CharmsOptions(), 3, "follow", FIRST)
    state.trump = 0
    state.trick = trick
    state.leader = FIRST if led is None else THIRD
    state.led = NO_SUIT if led is None else led
    state.turn = FIRST
    state.suits = [shows, NO_SUIT, NO_SUIT]
    state.give([list(hand), [], []])
    return state


def legal(state: State) -> list[str]:
    return [TEXT[action] for action in GAME.legal(state, FIRST)]


def expected(hand: Sequence[int], shows: int, led: int | None) -> list[str]:
    """Return the plays that the slow rule allows in tricks 2 to 12."""
    cards = [TEXTS[kind] for kind in hand]
    letter = None if led is None else TEXTS[led]
    return [f"play {card}" for card in TEXTS if may_play(card, cards, TEXTS[shows], letter)]


def expected_first(hand: Sequence[int], led: int | None) -> list[str]:
    """Return the plays that the slow rule allows in the first trick."""
    cards = [TEXTS[kind] for kind in hand]
    letter = None if led is None else TEXTS[led]
    return [
        f"play {suit} {number}"
        for suit in LETTERS
        for number in NUMBERS
        if may_begin(suit, number, cards, letter)
    ]


def hands_of_different_cards() -> Iterator[list[int]]:
    for some in range(1, ALL_CARDS + 1):
        yield [kind for kind in KINDS if some >> kind & 1]


@pytest.mark.parametrize(("shows", "led"), SHOWN_AND_LED)
def test_every_set_of_kinds_follows_as_the_slow_rule_says(shows: int, led: int | None) -> None:
    for hand in hands_of_different_cards():
        assert legal(following(hand, shows, led, 2)) == expected(hand, shows, led)


@pytest.mark.parametrize("led", [*SUITS, None])
def test_every_set_of_kinds_starts_the_first_trick_as_the_slow_rule_says(led: int | None) -> None:
    for hand in hands_of_different_cards():
        assert legal(following(hand, NO_SUIT, led, 1)) == expected_first(hand, led)


def test_every_hand_of_up_to_three_cards_follows_as_the_slow_rule_says() -> None:
    """Hands with copies included. Every action is tried; after it exactly the played cards are gone from the hand."""
    hands = [hand for size in (1, 2, 3) for hand in combinations_with_replacement(KINDS, size)]
    for hand, (shows, led) in product(hands, SHOWN_AND_LED):
        may = expected(hand, shows, led)
        for action in ACTIONS[13:25]:
            state = following(hand, shows, led, 5)
            if TEXT[action] in may:
                GAME.apply(state, FIRST, action)
                assert sorted([*state.hands[0], *state.played[0]]) == list(hand)
                assert [kind for kind in KINDS if state.holds[0] >> kind & 1] == sorted({*state.hands[0]})
            else:
                with pytest.raises(Illegal):
                    GAME.apply(state, FIRST, action)


@pytest.mark.parametrize(("shows", "led"), SHOWN_AND_LED)
def test_a_play_reveals_exactly_the_kinds_that_the_hand_cannot_hold(shows: int, led: int | None) -> None:
    possible: dict[Action, set[int]] = {}
    known: dict[Action, set[int]] = {}
    for hand in combinations_with_replacement(KINDS, 2):
        for action in GAME.legal(following(hand, shows, led, 5), FIRST):
            state = following(hand, shows, led, 5)
            GAME.step(state, FIRST, action)
            possible.setdefault(action, set()).update(state.hands[0])
            known.setdefault(action, set()).add(state.lacks[0])
    for action, held in possible.items():
        assert known[action] == {sum(1 << kind for kind in KINDS if kind not in held)}
