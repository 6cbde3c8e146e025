"""The hand of Twin Palms: what a form offers, and what its taps come to."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.face import Form
from bot.refusal import Refusal
from cogs.twin_palms import TwinPalms
from cogs.twin_palms.picture import card
from games import GAMES, Illegal
from tests.cogs.reading import controls, labels, new, said, shown
from tests.games.twin_palms.position import opened

GAME = GAMES["twin-palms"]


@pytest.fixture
def face() -> TwinPalms:
    return new(TwinPalms)


def dealt(seed: int, mode: str = "normal", plays: int = 0) -> Any:
    """A state in which all have bid 1 and so many random plays were made."""
    seen = opened(3, seed, mode=mode)
    seen.act("Alice: bid 1; Ben: bid 1; Cleo: bid 1")
    return seen.at_random(plays, Random(seed)).state


def test_a_bid_takes_three_taps_and_shows_what_is_at_stake(face: TwinPalms) -> None:
    state, _ = GAME.new(GAME.Options(), 3, 5)
    components, form, view = shown(face, state, 0)
    assert labels(components) == [*"012345", "No bet", "Half: 1", "Max: 1", "Pick a number of tricks"]
    picks = face.pick(view, form, "tricks-2", ())
    assert isinstance(picks, str)
    picks = face.pick(view, Form(1, 2, form.legal, picks), "bet-2", ())
    assert isinstance(picks, str)
    components, form, _ = shown(face, state, 0, picks)
    assert controls(components)[-1]["label"] == "Bid 2, stake 1"
    assert face.pick(view, form, "bid", ()) == GAME.parse("bid 2 max")


def test_a_bid_may_be_changed_from_the_one_that_was_made(face: TwinPalms) -> None:
    state, _ = GAME.new(GAME.Options(), 3, 5)
    GAME.apply(state, 0, GAME.parse("bid 3 half"))
    components, form, view = shown(face, state, 0)
    assert controls(components)[-1]["label"] == "Bid 3, stake 1"
    picks = face.pick(view, form, "tricks-0", ())
    assert isinstance(picks, str)
    assert face.pick(view, Form(1, 2, form.legal, picks), "bid", ()) == GAME.parse("bid 0 half")


def test_a_table_without_bets_asks_for_none(face: TwinPalms) -> None:
    state, _ = GAME.new(GAME.Options(bets=False), 3, 5)
    components, _, _ = shown(face, state, 0)
    assert not any("bet" in part.get("label", "").lower() for part in controls(components))


def test_nothing_can_be_chosen_out_of_turn_but_the_hand_is_there(face: TwinPalms) -> None:
    state = dealt(1)
    (turn,) = GAME.awaited(state)
    waiting = (turn + 1) % 3
    components, _, view = shown(face, state, waiting)
    assert controls(components) == []
    assert all(card(kind).said in said(components) for kind in view.hand)


@given(
    st.integers(0, 10_000), st.sampled_from(["normal", "advanced", "extreme"]), st.integers(0, 14), st.data()
)
def test_any_two_cards_with_any_numbers_are_played_in_three_taps(
    seed: int, mode: str, plays: int, data: st.DataObject
) -> None:
    face, state = new(TwinPalms), dealt(seed, mode, plays)
    (seat,) = GAME.awaited(state)
    components, form, view = shown(face, state, seat)
    menu = controls(components)[0]
    values = [option["value"] for option in menu["options"]]
    chosen = data.draw(st.permutations(values))[:2]
    picks = face.pick(view, form, "cards", chosen)
    assert isinstance(picks, str)
    components, form, _ = shown(face, state, seat, picks)
    if len(controls(components)) == 3:
        numbers = controls(components)[1]
        stated = data.draw(st.permutations([option["value"] for option in numbers["options"]]))
        count = data.draw(st.integers(1, numbers["max_values"]))
        picks = face.pick(view, form, "numbers", stated[:count])
        assert isinstance(picks, str)
        components, form, _ = shown(face, state, seat, picks)
    confirm = controls(components)[-1]
    assert not confirm["disabled"]
    action = face.pick(view, form, "play", ())
    assert action in GAME.legal(state, seat)
    assert confirm["label"] == f"Play {GAME.label(int(action))}"


FORGED = ("", "tricks-", "tricks-9", "bet-x", "bid", "cards", "numbers", "play", "nonsense", "play-1")


@given(
    st.sampled_from(FORGED), st.text(max_size=12), st.lists(st.text(max_size=5), max_size=3), st.booleans()
)
def test_a_forged_form_is_refused_or_harmless(
    step: str, picks: str, values: list[str], bidding: bool
) -> None:
    face = new(TwinPalms)
    state = GAME.new(GAME.Options(), 3, 5)[0] if bidding else dealt(5)
    seat = GAME.awaited(state)[0]
    view, form = GAME.view(state, seat), Form(1, 2, GAME.legal(state, seat), picks)
    try:
        chosen = face.pick(view, form, step, values)
        if isinstance(chosen, str):
            shown(face, state, seat, chosen)
    except (Refusal, Illegal):
        pass
