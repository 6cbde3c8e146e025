"""The hand of Palmer: what a form offers, and what its taps come to."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.face import Form
from bot.panel import Panel
from bot.refusal import Refusal
from cogs.palmer import Palmer
from games import GAMES, Illegal
from games.french import SIGN
from tests.cogs.reading import controls, labels, new, rows, said, shown, steps
from tests.games.palmer.position import Position
from tests.games.position import NAMES

GAME = GAMES["palmer"]


@pytest.fixture
def face() -> Palmer:
    return new(Palmer)


def played(seed: int, moves: int, seats: int = 4) -> Any:
    """A state after so many random moves, of a match that is not over."""
    return Position.played(seats, seed, moves, limit=200).state


@given(st.integers(0, 10_000), st.integers(0, 60))
def test_every_legal_action_is_reached_by_at_most_two_taps(seed: int, moves: int) -> None:
    face, state = new(Palmer), played(seed, moves)
    (seat,) = GAME.awaited(state)
    components, form, view = shown(face, state, seat)
    reached: set[int] = set()
    for step in steps(components):
        chosen = face.pick(view, form, step, ())
        if isinstance(chosen, int):
            reached.add(chosen)
            continue
        again, picked, _ = shown(face, state, seat, chosen)
        second = [face.pick(view, picked, other, ()) for other in steps(again) if other.startswith("card")]
        reached.update(action for action in second if isinstance(action, int))
    assert sorted(reached) == list(GAME.legal(state, seat))


@given(st.integers(0, 10_000), st.integers(0, 60), st.sampled_from(["", "take", "turn"]))
def test_no_row_has_more_than_four_buttons_and_each_has_text(seed: int, moves: int, picks: str) -> None:
    state = played(seed, moves, seats=6)
    (seat,) = GAME.awaited(state)
    components, _, _ = shown(new(Palmer), state, seat, picks)
    assert all(len(row) <= 4 for row in rows(components))
    assert all(part["label"] for part in controls(components))


def test_the_buttons_are_the_square_with_what_its_player_knows(face: Palmer) -> None:
    state = played(1, 0)
    (seat,) = GAME.awaited(state)
    components, _, view = shown(face, state, seat, "take")
    left, right = (SIGN[card] for card in state.squares[seat][2:])
    offered = labels(components)
    assert offered[0].startswith("Take ")
    assert offered[1:3] == ["Draw", "Turn over"]
    assert offered[3:5] == ["Top left: ?", "Top right: ?"]
    assert offered[5:7] == [f"Bottom left: {left}?", f"Bottom right: {right}?"]
    assert view.squares[seat][:2] == (None, None)


def test_a_drawn_card_is_shown_to_its_player_and_asks_only_for_a_place(face: Palmer) -> None:
    state = played(1, 0)
    (seat,) = GAME.awaited(state)
    GAME.step(state, seat, GAME.parse("draw"))
    components, form, view = shown(face, state, seat)
    assert steps(components) == ["card-0", "card-1", "card-2", "card-3"]
    drawn = SIGN[state.drawn]
    assert f"Drawn: {drawn}." in said(components)
    assert face.pick(view, form, "card-2", ()) == GAME.parse("place BL")
    other, _, _ = shown(face, state, (seat + 1) % 4)
    assert drawn not in said(other)


def test_nothing_can_be_chosen_out_of_turn_but_the_own_bottom_row_is_there(face: Palmer) -> None:
    state = played(1, 0)
    waiting = (state.turn + 1) % 4
    components, _, _ = shown(face, state, waiting)
    assert controls(components) == []
    own = [SIGN[card] for card in state.squares[waiting][2:]]
    assert all(f"{sign} (face down, seen by you alone)" in said(components) for sign in own)


def test_the_public_board_shows_every_square_and_nothing_face_down(face: Palmer) -> None:
    state = played(1, 0, seats=6)
    text = said(Panel(*face.board(GAME.view(state, None), NAMES[:6])).payload())
    assert all(name in text for name in NAMES[:6])
    assert "seen by you" not in text
    assert text.count("face down") == 24


def test_who_is_out_and_who_is_done_is_told_so(face: Palmer) -> None:
    state, _ = GAME.new(GAME.Options(limit=10), 3, 3)
    rng = Random(3)
    while GAME.awaited(state):
        (seat,) = GAME.awaited(state)
        GAME.step(state, seat, rng.choice(GAME.legal(state, seat)))
        gone = [other for other in range(3) if state.out[other]]
        if gone and GAME.awaited(state):
            assert "You are out with" in str(shown(face, state, gone[0])[0])
    assert "The match is over." in str(shown(face, state, 0)[0])


FORGED = ("", "draw", "way-", "way-place", "way-take", "card-", "card-9", "card-²", "card-0", "nonsense")


@given(
    st.sampled_from(FORGED),
    st.text(max_size=12),
    st.lists(st.text(max_size=5), max_size=3),
    st.integers(0, 20),
)
def test_a_forged_form_is_refused_or_harmless(step: str, picks: str, values: list[str], moves: int) -> None:
    face, state = new(Palmer), played(5, moves)
    (seat,) = GAME.awaited(state)
    view, form = GAME.view(state, seat), Form(1, 2, GAME.legal(state, seat), picks)
    try:
        chosen = face.pick(view, form, step, values)
        if isinstance(chosen, str):
            shown(face, state, seat, chosen)
        else:
            GAME.apply(state, seat, chosen)
    except (Refusal, Illegal):
        pass
