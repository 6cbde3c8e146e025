"""What holds for the form of every game: it fits a phone, offers nothing out of turn, and bears forged clicks."""

import operator
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.match.refusal import Refusal
from bot.messages.custom_ids import LONGEST
from bot.messages.game_ui import MoveText, Picks
from bot.messages.panel import Panel
from cogs.common.game import GameCog
from games import Illegal
from games.types import Action, Seat
from tests.cogs.reading import ALL_COGS, action, banner, controls, made, new, rows, said, shown, step, usable
from tests.contract.matches import DRAWS, Draw, Match, moment
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS

BANNERS = {
    "charms": "Charms: coin, key, clover, rabbit foot, 8.",
    "hand-and-foot": "Hand and Foot: K, 2, Joker.",
    "liars-dice": "Liar's Dice: cup, five, five, one (wild).",
    "palace": "Palace: 8, Q, 7, 10.",
    "palmer": "Palmer: ♦Q, ♠3, ♥Q, ♣4.",
    "thirty-one": "Thirty-One: ♠A, ♠K, ♠10.",
    "twin-it": "Twin It!: star seven, sun eight, whirl left four, star seven.",
    "twin-palms": "Twin Palms: Palm 8, Dolphin 8, Palm wild, Sunglasses 10, Dolphin 3.",
}
WHOLE = (0, 1, 2, 3, 5, 9, 13, 52, 57, -1)
NUMBERS = ("", *map(str, WHOLE), "x", "half", "²", "9-9", "9-8", "1 1", "0,1,2", "5,5,5")
"""What may come behind the name of a step, and as picks."""
SIGNS = st.sampled_from(("-", " ", ""))
"""What stands between the name of a step and what comes behind it."""
FORGED = (
    st.sampled_from(NUMBERS)
    | st.text(max_size=12)
    | st.lists(st.integers(-1, 99), max_size=5).map(lambda numbers: "-".join(map(str, numbers)))
)
MOST_TAPS = 4
"""Taps in a form that are tried."""
MOST_BUTTONS = {"twin-palms": 5}
"""Buttons of a row, where they are more than the usual 4."""
MADE_IN_TWO = ("charms", "palace", "palmer", "thirty-one")
"""Games in which two taps are enough for each move. The other games' own tests say what their forms take."""
every_cog = pytest.mark.parametrize("slug", ALL_COGS)


def moment_of(slug: str, draw: Draw) -> tuple[GameCog, Match]:
    """Return the cog of a game, and a match of it that has been played to some moment."""
    return new(ALL_COGS[slug]), moment(SUBJECTS[slug], draw)


def tapped(face: GameCog, match: Match, seat: Seat, rng: Random) -> Iterator[tuple[str, list[Any]]]:
    """Tap on the form of a seat until a move would be made. Yield the picks and what is shown, before and between."""
    chosen: Picks | MoveText = Picks("")
    for _ in range(MOST_TAPS):
        if isinstance(chosen, MoveText):
            return
        components, form, view = shown(face, match.state, seat, chosen.text)
        yield chosen.text, components
        if not (able := usable(components)):
            return
        part = rng.choice(able)
        chosen = face.pick(view, form, step(part), values_of(part, rng))


@every_cog
@given(draw=DRAWS)
def test_a_hand_fits_a_phone_whatever_is_picked(slug: str, draw: Draw) -> None:
    face, match = moment_of(slug, draw)
    for seat in match.seats:
        for _, components in tapped(face, match, seat, Random(draw.choices)):
            check_layout(components, MOST_BUTTONS.get(slug, 4))


@pytest.mark.parametrize("slug", MADE_IN_TWO)
@given(draw=DRAWS)
@example(draw=Draw(options=0, seats=1, seed=10**15, choices=0, part=1))  # Palace: two have chosen
def test_exactly_the_legal_actions_that_change_something_can_be_made_with_two_taps(
    slug: str, draw: Draw
) -> None:
    face, match = moment_of(slug, draw)
    for seat in match.active_seats():
        found = made(face, match.state, seat)
        legal = match.game.legal(match.state, seat)
        assert found == [each for each in legal if each in found or changes(match, seat, each)]


def changes(match: Match, seat: Seat, action: Action) -> bool:
    """Return whether an action changes anything. At Palace somebody can choose what they have chosen already."""
    after = deepcopy(match.state)
    match.game.apply(after, seat, action, match.now)
    return structure(after) != structure(match.state)


def check_layout(components: Sequence[Any], most: int) -> None:
    """Check that all fits, and that each part can be read and told from the others."""
    assert all(len(row) <= most for row in rows(components))
    parts = controls(components)
    assert all(part.get("label") or part.get("emoji") or part.get("placeholder") for part in parts)
    ids = [part["custom_id"] for part in parts]
    assert len({*ids}) == len(ids)
    assert all(len(each) <= LONGEST for each in ids)


def values_of(part: Any, rng: Random) -> list[str]:
    """Return some options of a menu; nothing of a button."""
    values = [option["value"] for option in part.get("options", ())]
    return rng.sample(values, part.get("min_values", 1)) if values else []


@every_cog
@given(draw=DRAWS)
def test_out_of_turn_the_hand_is_shown_but_no_move_can_be_made(slug: str, draw: Draw) -> None:
    face, match = moment_of(slug, draw)
    for seat in {*match.seats} - {*match.active_seats()}:
        components, form, view = shown(face, match.state, seat)
        assert said(components)
        for part in usable(components):  # turns a page, at most
            assert isinstance(face.pick(view, form, step(part), ()), Picks)


@every_cog
@given(
    draw=DRAWS,
    behind=st.builds(operator.add, SIGNS, FORGED),
    picks=FORGED,
    values=st.lists(FORGED, max_size=4),
    name=st.text(max_size=5),
)
def test_a_forged_form_is_refused_or_has_no_effect(
    slug: str, draw: Draw, behind: str, picks: str, values: list[str], name: str
) -> None:
    face, match = moment_of(slug, draw)
    for seat in match.active_seats()[:2]:
        for honest, components in [*tapped(face, match, seat, Random(draw.choices)), (picks, [])]:
            steps = {step(part) for part in controls(components)}
            names = {re.split(r"\b", each, maxsplit=2)[1] for each in steps if each[:1].isalnum()}
            names |= {name, "play", "move", "bid", "numbers"}
            for forged in sorted({*steps, *names, *(f"{each}{behind}" for each in names)}):
                try_forged(face, match, seat, honest, forged, values)


def try_forged(
    face: GameCog, match: Match, seat: Seat, picks: str, forged: str, values: Sequence[str]
) -> None:
    """Send a step of a form that was never offered. It may be refused with a sentence, or do what is allowed."""
    try:
        _, form, view = shown(face, match.state, seat, picks)
        chosen = face.pick(view, form, forged, values)
        if isinstance(chosen, Picks):
            shown(face, match.state, seat, chosen.text)
        else:
            match.game.apply(match.state.copy(), seat, action(face, chosen), match.now)
    except (Refusal, Illegal):
        pass


def test_the_banner_of_every_game_names_what_it_shows() -> None:
    assert {slug: said(Panel(banner(new(cog))).payload()) for slug, cog in ALL_COGS.items()} == BANNERS
