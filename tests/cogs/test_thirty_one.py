"""The hand of Thirty-One: what a form offers, and what its taps come to."""

from collections.abc import Sequence
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
from tests.cogs.reading import said

GAME = GAMES["thirty-one"]
NAMES = ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hal"]


class NoBot:
    """The face needs of the bot only a place to enlist itself."""

    faces: dict[str, Any] = {}  # noqa: RUF012


def new_face() -> ThirtyOne:
    bot: Any = NoBot()
    return ThirtyOne(bot)


@pytest.fixture
def face() -> ThirtyOne:
    return new_face()


def played(seed: int, moves: int, seats: int = 4) -> Any:
    """A state after so many random moves, or the last one before the match is over."""
    state, _ = GAME.new(GAME.Options(tokens=10), seats, seed)
    rng = Random(seed)
    for _ in range(moves):
        (seat,) = GAME.awaited(state)
        GAME.step(state, seat, rng.choice(GAME.legal(state, seat)))
    return state


def shown(face: ThirtyOne, state: Any, seat: int, picks: str = "") -> tuple[list[Any], Form, Any]:
    """The payload of the hand, its form and its view."""
    view, form = GAME.view(state, seat), Form(1, 2, GAME.legal(state, seat), picks)
    return Panel(*face.hand(view, NAMES[: state.seats], form)).payload(), form, view


def controls(components: Sequence[Any]) -> list[Any]:
    """Buttons, in order."""
    return [part for row in components if row["type"] == 1 for part in row["components"]]


def steps(components: Sequence[Any]) -> list[str]:
    """The steps of the buttons that can be pressed."""
    return [part["custom_id"].split(":")[-1] for part in controls(components) if not part.get("disabled")]


@given(st.integers(0, 10_000), st.integers(0, 40))
def test_every_legal_action_is_one_tap_and_nothing_else_is(seed: int, moves: int) -> None:
    face, state = new_face(), played(seed, moves)
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
    labels = [part["label"] for part in controls(shown(face, state, seat)[0])]
    assert labels[:2] == ["Draw", f"Take {SIGN[state.discards[-1]]}"]
    assert labels[2].startswith("Knock with ")


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
    assert f"{SIGN[state.taken]}, just taken" in [part["label"] for part in controls(components)]


def test_a_discard_says_what_is_left(face: ThirtyOne) -> None:
    state, seat = fresh()
    GAME.step(state, seat, GAME.parse("draw"))
    components, _, _ = shown(face, state, seat)
    assert all(", keep " in part["label"] for part in controls(components))


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
    face, state = new_face(), played(5, moves)
    (seat,) = GAME.awaited(state)
    view, form = GAME.view(state, seat), Form(1, 2, GAME.legal(state, seat), picks)
    try:
        chosen = face.pick(view, form, step, values)
        assert isinstance(chosen, int)
        GAME.apply(state, seat, chosen)
    except (Refusal, Illegal):
        pass
