"""Twin It! at the table: what the board and one's own pages offer, and that Discord takes it all."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import posts
from bot.face import Form
from bot.narration import Aside, Told
from bot.panel import Panel
from bot.refusal import Refusal
from bot.sitting import Player, Sitting
from cogs.twin_it.cog import TwinIt
from cogs.twin_it.layout import BEYOND, ON_BOARD
from cogs.twin_it.pages import Leaf, items
from games import GAMES, Illegal
from games.twin_it.actions import FLIP, HAND, LIFT, READY, on, parts
from games.twin_it.deck import CARDS
from games.twin_it.spread import PAGES, page
from tests.cogs.reading import new

GAME = GAMES["twin-it"]
NAMES = [letter * 32 for letter in "ABCDEF"]
MOST_COMPONENTS, MOST_TEXT = 40, 4000
TURNS, RACES = ("classic", "forbidden", "teams"), ("cooperative", "timed")


def match(mode: str, seed: int, flips: int) -> Any:
    """Six people, after so many flips, with a hand that waits now and then."""
    state, _ = GAME.new(GAME.Options(mode=mode), 6, seed)
    rng = Random(seed)
    for _ in range(flips):
        GAME.tick(state, state.now + 5000)
        if GAME.awaited(state):
            GAME.apply(state, GAME.awaited(state)[0], FLIP, state.now)
        seat = rng.randrange(6)
        if rng.randrange(3) == 0 and (hands := [a for a in GAME.legal(state, seat) if a > READY]):
            GAME.apply(state, seat, rng.choice(hands), state.now)
    return state


def race(mode: str, seed: int, deeds: int = 0) -> Any:
    """Six people over an open spread, after so many deeds at random."""
    state, _ = GAME.new(GAME.Options(mode=mode), 6, seed)
    for seat in range(6):
        GAME.apply(state, seat, READY, 1000)
    GAME.tick(state, GAME.due(state) or 0)
    rng = Random(seed)
    for _ in range(deeds):
        if legal := GAME.legal(state, seat := rng.randrange(6)):
            GAME.apply(state, seat, rng.choice(legal), state.now + 100)
    return state


def parts_of(components: Sequence[Any]) -> list[Any]:
    """All of them, the nested ones too: what Discord counts."""
    found = []
    for component in components:
        inner = [
            *component.get("components", ()),
            *([component["accessory"]] if "accessory" in component else []),
        ]
        found += [component, *parts_of(inner)]
    return found


def ids(items: Sequence[Any]) -> list[str]:
    """The custom ids of what can be used."""
    every = parts_of(Panel(*items).payload())
    return [part["custom_id"] for part in every if "custom_id" in part and not part.get("disabled")]


def form(state: Any, seat: int) -> Form:
    return Form(1, 2, GAME.legal(state, seat))


def fits(panel: Panel) -> bool:
    every = parts_of(panel.payload())
    texts = sum(len(part.get("content", "")) for part in every)
    named = [part["custom_id"] for part in every if "custom_id" in part]
    return (
        len(every) <= MOST_COMPONENTS
        and texts <= MOST_TEXT
        and len(set(named)) == len(named)
        and all(len(name) <= 100 for name in named)
    )


# The board of a game of turns


@settings(max_examples=10)
@given(st.sampled_from(TURNS), st.integers(0, 1000), st.integers(0, 150))
def test_whatever_may_be_done_in_turns_is_a_button_below_the_pictures(
    mode: str, seed: int, flips: int
) -> None:
    face, state = new(TwinIt), match(mode, seed, flips)
    view = GAME.view(state, None)
    offered = [*ids(face.controls(view, 1)), *ids(face.more(view, NAMES, 1))]
    actions = {GAME.parse(each.partition("press:1:")[2]) for each in offered}
    beyond = {on(shown.number) for shown in view.faces if shown.spot in BEYOND}
    for seat in range(6):
        assert {*GAME.legal(state, seat)} - {LIFT} - beyond <= actions
    assert len(offered) == len(actions)
    assert actions <= {FLIP, *(on(shown) for shown in state.showing)}


@settings(max_examples=10)
@given(st.sampled_from(TURNS), st.integers(0, 1000), st.integers(0, 150))
def test_from_ones_hand_everything_can_be_done_by_its_name(mode: str, seed: int, flips: int) -> None:
    face, state = new(TwinIt), match(mode, seed, flips)
    for seat in range(6):
        view, own = GAME.view(state, seat), form(state, seat)
        found = []
        for part in parts_of(Panel(*face.hand(view, NAMES, own)).payload()):
            step = part.get("custom_id", "").rpartition(":")[2]
            picks = [[option["value"]] for option in part.get("options", ())] or ([[]] if step else [])
            found += [face.pick(view, own, step, values) for values in picks]
        assert sorted(found) == sorted(own.legal)


def test_a_button_stands_where_its_face_does_as_long_as_it_shows() -> None:
    face, state = new(TwinIt), match("classic", 3, 8)
    before = face.controls(GAME.view(state, None), 1)
    gone = next(iter(state.showing))
    places = {part["label"]: (row, column) for row, column, part in placed(before)}
    state.hide(state.showing[gone])
    after = {
        part["label"]: (row, column) for row, column, part in placed(face.controls(GAME.view(state, None), 1))
    }
    assert str(gone) in places
    assert str(gone) not in after
    assert {label: places[label] for label in after if label != "·"} == {
        label: place for label, place in after.items() if label != "·"
    }


def placed(items: Sequence[Any]) -> list[tuple[int, int, Any]]:
    rows = Panel(*items).payload()
    return [(y, x, part) for y, row in enumerate(rows) for x, part in enumerate(row["components"])]


def test_what_the_board_has_no_room_for_stands_in_the_second_message() -> None:
    face, few, many = new(TwinIt), match("classic", 1, 5), match("classic", 1, 40)
    assert not face.more(GAME.view(few, None), NAMES, 1)
    assert len(ids(face.more(GAME.view(many, None), NAMES, 1))) == len(many.showing) - len(ON_BOARD)


def test_faces_beyond_all_buttons_are_shown_all_the_same() -> None:
    face, state = new(TwinIt), match("classic", 1, 130)
    shown = [
        part["items"][0]["description"]
        for part in parts_of(Panel(*face.more(GAME.view(state, None), NAMES, 1)).payload())
        if "items" in part
    ]
    assert len(shown) == 2
    assert any(f"{each.number}: " in shown[1] for each in GAME.view(state, None).faces if each.spot in BEYOND)


# What Discord takes


def table(state: Any, *, worst: bool) -> Any:
    """A table of six; at worst three have left and somebody is away, and much was said."""
    sitting = Sitting(GAME, state.options, "seed")
    sitting.players = [Player(user, name) for user, name in enumerate(NAMES, 1)]
    sitting.phase, sitting.state = "play", state
    sitting.gone, sitting.away = ({0, 1, 2}, {3}) if worst else (set(), set())
    said: Any = type("Said", (), {})()
    said.sitting, said.id, said.is_open = sitting, 10**9, True
    late = {seat: f"{name} was 1000 ms late." for seat, name in enumerate(NAMES[1:], 1)}
    said.lately = [Aside(Told(1, 1, "", aside="x" * 400), late)] * 5 if worst else []
    return said


@pytest.mark.parametrize("flips", [0, 10, 40, 150])
@pytest.mark.parametrize("mode", TURNS)
def test_board_and_second_message_fit_at_worst(mode: str, flips: int) -> None:
    face, state = new(TwinIt), match(mode, flips, flips)
    whole = table(state, worst=True)
    assert fits(posts.board(whole, face))
    assert fits(posts.more(whole, face))


@pytest.mark.parametrize(("flips", "said"), [(0, "has room enough above."), (40, "goes on here.")])
def test_the_second_message_says_which_table_it_is_of(flips: int, said: str) -> None:
    heading = posts.more(table(match("classic", flips, flips), worst=False), new(TwinIt)).payload()[0]
    assert heading["content"] == f"-# Twin It! · table {10**9} {said}"


@settings(max_examples=6)
@given(st.sampled_from(RACES), st.integers(0, 1000), st.integers(0, 400))
def test_every_page_fits_and_offers_each_face_for_both_uses(mode: str, seed: int, deeds: int) -> None:
    state = race(mode, seed, deeds)
    view = GAME.view(state, 0)
    offered = []
    for deed in ("hand", "turn"):
        for number in range(PAGES):
            leaf = Leaf(number, deed)
            shown = items(view, NAMES, 10**9, leaf)
            assert fits(Panel(*shown, *shown[:1]))  # with a note above
            offered += [each for each in ids(shown) if each.startswith(f"face:{10**9}:{leaf}/")]
    assert len(offered) == 2 * len(state.showing)
    assert fits(posts.board(table(state, worst=True), new(TwinIt)))


def test_the_pages_hold_all_spots_once() -> None:
    assert [spot for number in range(PAGES) for spot in page(number)] == [*range(CARDS)]


# A race


def test_a_race_is_opened_from_ones_hand_when_everybody_is_ready() -> None:
    face = new(TwinIt)
    state, _ = GAME.new(GAME.Options(mode="timed"), 2, 1)
    view = GAME.view(state, 0)
    assert ids(face.hand(view, NAMES[:2], form(state, 0))) == ["form:1:2::ready"]
    assert ids(face.controls(view, 1)) == ["press:1:ready"]
    GAME.apply(state, 0, READY)
    assert ids(face.hand(GAME.view(state, 0), NAMES[:2], form(state, 0))) == ["leaf:1:0/hand"]
    GAME.apply(state, 1, READY)
    assert ids(face.controls(GAME.view(state, None), 1)) == ["leaf:1:0/hand"]


def test_a_page_says_where_ones_hand_lies_and_lifts_it() -> None:
    state = race("cooperative", 5)
    GAME.apply(state, 2, on(7, HAND), state.now)
    lying, free = (Panel(*items(GAME.view(state, seat), NAMES, 1, Leaf())) for seat in (2, 3))
    said = [part["content"] for part in parts_of(lying.payload()) if "content" in part]
    assert "Your hand lies on 7." in said[0]
    assert "lift:1:0/hand" in [part.get("custom_id") for part in parts_of(lying.payload())]
    assert "lift:1:0/hand" not in [part.get("custom_id") for part in parts_of(free.payload())]


@pytest.mark.parametrize(
    ("mode", "points"),
    [
        ("cooperative", "Together you have 0 points."),
        ("timed", "Points: Alice 0, Ben 0, Cleo 0, Dana 0, Eve 0 and Fay 0."),
    ],
)
def test_while_the_time_of_a_race_runs_the_board_has_the_points(mode: str, points: str) -> None:
    who = ["Alice", "Ben", "Cleo", "Dana", "Eve", "Fay"]
    covered, _ = GAME.new(GAME.Options(mode=mode), 6, 5)
    state = race(mode, 5)
    running = GAME.view(state, None)
    GAME.tick(state, GAME.due(state) or 0)
    before, meanwhile, after = (
        words(new(TwinIt).board(view, who))
        for view in (GAME.view(covered, None), running, GAME.view(state, None))
    )
    assert before == "Not ready yet: Alice, Ben, Cleo, Dana, Eve and Fay."
    assert meanwhile == f"{points}\nThe time is up <t:{-(-running.ends // 1000)}:R>."
    assert not after.startswith(points)


def words(items: Sequence[Any]) -> str:
    """What they say, without pictures."""
    return "\n".join(part["content"] for part in parts_of(Panel(*items).payload()) if "content" in part)


def test_common_points_are_in_words_above_a_page_and_beside_nobodys_name() -> None:
    shown = Panel(*items(GAME.view(race("cooperative", 5), 0), ["Alice", "Ben"] * 3, 1, Leaf())).payload()
    said = [part["content"] for part in parts_of(shown) if "content" in part]
    assert "Page 1 of 7. Together you have 0 points." in said[0]
    (picture,) = (part["items"][0]["description"] for part in parts_of(shown) if "items" in part)
    assert picture.endswith(". Alice. Ben. Alice. Ben. Alice. Ben.")


def test_turning_a_card_changes_only_the_page_that_it_is_on() -> None:
    state = race("timed", 5)
    pages = [Panel(*items(GAME.view(state, 0), NAMES, 1, Leaf(n))).payload() for n in range(PAGES)]
    GAME.apply(state, 1, on(30, 2), state.now)
    after = [Panel(*items(GAME.view(state, 0), NAMES, 1, Leaf(n))).payload() for n in range(PAGES)]
    assert [one != other for one, other in zip(pages, after, strict=True)] == [n == 1 for n in range(PAGES)]


def test_after_the_end_a_page_is_the_tally() -> None:
    state = race("cooperative", 5)
    GAME.tick(state, GAME.due(state) or 0)
    (said,) = Panel(*items(GAME.view(state, 0), NAMES, 1, Leaf())).payload()
    assert "Together you have 0 points." in said["content"]


# Forged


@pytest.mark.parametrize("forged", ["", "0", "9/hand", "-1/hand", "0/hold", "0/hand/1", "x/turn", "1" * 90])
def test_a_forged_leaf_is_refused(forged: str) -> None:
    with pytest.raises(Refusal):
        Leaf.read(forged)


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=3))
def test_a_forged_pick_is_refused_or_an_action_that_the_table_judges(step: str, values: list[str]) -> None:
    face, state = new(TwinIt), match("classic", 1, 3)
    try:
        action = face.pick(GAME.view(state, 0), form(state, 0), step, values)
    except Illegal:
        return
    assert parts(action)[0] <= 999_999
