"""The hand of Thirty-One: what a form offers, and what its taps come to."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.face import Form
from bot.panel import Panel
from bot.refusal import Refusal
from cogs.thirty_one import ThirtyOne
from games import GAMES, Illegal
from games.french import SIGN
from tests.cogs.reading import controls, labels, new, said, shown, steps
from tests.games.position import NAMES
from tests.games.thirty_one.position import Position

GAME = GAMES["thirty-one"]


@pytest.fixture
def face() -> ThirtyOne:
    return new(ThirtyOne)


def played(seed: int, moves: int, seats: int = 4) -> Any:
    """A state after so many random moves of a match that is not over then."""
    return Position.played(seats, seed, moves, tokens=10).state


@given(st.integers(0, 10_000), st.integers(0, 40))
def test_every_legal_action_is_one_tap_and_nothing_else_is(seed: int, moves: int) -> None:
    face, state = new(ThirtyOne), played(seed, moves)
    (seat,) = GAME.awaited(state)
    components, form, view = shown(face, state, seat)
    assert len(controls(components)) <= 4
    assert all(part["label"] for part in controls(components))
    taps = sorted(int(face.pick(view, form, step, ())) for step in steps(components))
    assert taps == list(GAME.legal(state, seat))


def fresh() -> tuple[Any, int]:
    """A state at the beginning of a turn, and whose turn it is."""
    state = played(1, 0)
    return state, GAME.awaited(state)[0]


def test_the_buttons_say_what_is_taken_and_what_a_knock_would_show(face: ThirtyOne) -> None:
    state, seat = fresh()
    offered = labels(shown(face, state, seat)[0])
    assert offered[:2] == ["Draw", f"Take {SIGN[state.discards[-1]]}"]
    assert offered[2].startswith("Knock with ")


def test_after_a_knock_nobody_is_offered_another(face: ThirtyOne) -> None:
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("knock"))
    components, _, _ = shown(face, state, (seat + 1) % 4)
    assert steps(components) == ["draw", "take"]
    assert "has knocked. Last turns: " in str(components)


def test_the_card_just_taken_is_there_but_cannot_be_discarded(face: ThirtyOne) -> None:
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("take"))
    components, _, _ = shown(face, state, seat)
    assert len(controls(components)) == 4
    assert len(steps(components)) == 3
    assert f"{SIGN[state.taken]}, just taken" in labels(components)


def test_a_discard_says_what_is_left(face: ThirtyOne) -> None:
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("draw"))
    components, _, _ = shown(face, state, seat)
    assert all(", keep " in label for label in labels(components))


def test_nothing_can_be_chosen_out_of_turn_but_the_hand_is_there(face: ThirtyOne) -> None:
    state, seat = fresh()
    waiting = (seat + 1) % 4
    components, _, _ = shown(face, state, waiting)
    assert controls(components) == []
    assert all(SIGN[card] in str(components) for card in state.hands[waiting])


def test_the_public_board_shows_no_hand(face: ThirtyOne) -> None:
    state = played(1, 0, seats=8)
    text = said(Panel(*face.board(GAME.view(state, None), NAMES)).payload())
    assert all(name in text for name in NAMES)
    assert text.count("face down") == 24
    assert "Your hand" not in text


def test_who_is_out_and_how_it_ended_is_told(face: ThirtyOne) -> None:
    state, _ = GAME.new(GAME.Options(tokens=1), 3, 4)
    rng = Random(4)
    told = False
    while GAME.awaited(state):
        (seat,) = GAME.awaited(state)
        GAME.step(state, seat, rng.choice(GAME.legal(state, seat)))
        for other in range(3):
            if state.out[other]:
                told = True
                assert "You are out." in str(shown(face, state, other)[0])
    assert told
    assert "wins with" in str(shown(face, state, 0)[0])


FORGED = ("", "draw", "take", "knock", "discard-", "discard-52", "discard-²", "discard-0", "nonsense")


@given(
    st.sampled_from(FORGED),
    st.text(max_size=12),
    st.lists(st.text(max_size=5), max_size=3),
    st.integers(0, 20),
)
def test_a_forged_form_is_refused_or_harmless(step: str, picks: str, values: list[str], moves: int) -> None:
    face, state = new(ThirtyOne), played(5, moves)
    (seat,) = GAME.awaited(state)
    view, form = GAME.view(state, seat), Form(1, 2, GAME.legal(state, seat), picks)
    try:
        chosen = face.pick(view, form, step, values)
        assert isinstance(chosen, int)
        GAME.apply(state, seat, chosen)
    except (Refusal, Illegal):
        pass
