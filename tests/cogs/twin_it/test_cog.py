"""The messages of Twin It!: what the board and a player's own pages offer, and that Discord accepts them."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.match.pages import Pages, PublicItem
from bot.match.refusal import Refusal
from bot.match.state import Player, TableState
from bot.messages import posts
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import Form, MoveText, Picks
from bot.messages.panel import Panel, button, row, text
from bot.pictures.hand_style import USUAL_STYLE, HandStyle
from cogs.twin_it import verbs
from cogs.twin_it.cog import TwinIt
from cogs.twin_it.layout import ON_BOARD, face_buttons, on_board
from cogs.twin_it.pages import OpenPage, race_page
from games import GAMES
from games.twin_it.actions import FLIP, LIFT, READY, on
from games.twin_it.race_player import PAGES
from games.types import SEATS, Seat
from tests.cogs.reading import new
from tests.games.twin_it.position import position
from tests.present import present
from tests.seats import FIRST, FOURTH, SECOND, THIRD

GAME = GAMES["twin-it"]
NAMES = [letter * 32 for letter in "ABCDEF"]
MOST_COMPONENTS, MOST_TEXT = 40, 4000
LOOKS = [HandStyle(), HandStyle(large=True), HandStyle(pictures=False)]
TURNS, RACES = ("classic", "forbidden", "teams"), ("cooperative", "timed")


def game_of_turns(mode: str, seed: int, flips: int) -> Any:
    """Return a game of six after that many flips; now and then a hand is on a face."""
    state, _ = GAME.new(GAME.Options(mode=mode), 6, seed)
    rng = Random(seed)
    for _ in range(flips):
        GAME.tick(state, state.now + 5000)
        if GAME.awaited(state):
            GAME.apply(state, GAME.awaited(state)[0], FLIP, state.now)
        seat = rng.choice(SEATS[:6])
        if rng.randrange(3) == 0 and (hands := [a for a in GAME.legal(state, seat) if a > READY]):
            GAME.apply(state, seat, rng.choice(hands), state.now)
    return state


def race(mode: str, seed: int, actions: int = 0) -> Any:
    """Return a race of six with the cards uncovered, after that many random actions."""
    state, _ = GAME.new(GAME.Options(mode=mode), 6, seed)
    for seat in SEATS[:6]:
        GAME.apply(state, seat, READY, 1000)
    GAME.tick(state, GAME.due(state) or 0)
    rng = Random(seed)
    for _ in range(actions):
        if legal := GAME.legal(state, seat := rng.choice(SEATS[:6])):
            GAME.apply(state, seat, rng.choice(legal), state.now + 100)
    return state


def parts_of(components: Sequence[Any]) -> list[Any]:
    """Return all components, nested ones included, as Discord counts them."""
    found = []
    for component in components:
        inner = [
            *component.get("components", ()),
            *([component["accessory"]] if "accessory" in component else []),
        ]
        found += [component, *parts_of(inner)]
    return found


def ids(items: Sequence[Any]) -> list[str]:
    """Return the custom ids of everything that is enabled."""
    every = parts_of(Panel(*items).payload())
    return [part["custom_id"] for part in every if "custom_id" in part and not part.get("disabled")]


def form(state: Any, seat: Seat, picks: str = "", style: HandStyle = USUAL_STYLE) -> Form:
    return Form(1, 2, GAME.legal(state, seat), picks, style)


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
def test_every_action_in_turns_is_a_button_or_can_be_typed(mode: str, seed: int, flips: int) -> None:
    face, state = new(TwinIt), game_of_turns(mode, seed, flips)
    view = GAME.view(state, None)
    offered = ids(face.controls(view, 1))
    beyond = {on(shown.number) for shown in view.faces if shown not in on_board(view)}
    assert ("twin-it.name:1" in offered) is bool(beyond)
    assert ("`Type a number`" in words(face.board(view, NAMES))) is bool(beyond)
    actions = {
        GAME.parse(each.partition("twin-it.press:1:")[2]) for each in offered if each != "twin-it.name:1"
    }
    for seat in SEATS[:6]:
        assert {*GAME.legal(state, seat)} - {LIFT} - beyond <= actions
    assert actions <= {FLIP, *(on(shown) for shown in state.showing)}


@settings(max_examples=6)
@given(st.sampled_from(TURNS), st.integers(0, 1000), st.integers(0, 150), st.sampled_from(LOOKS))
def test_every_action_can_be_made_from_the_own_hand(
    mode: str, seed: int, flips: int, style: HandStyle
) -> None:
    face, state = new(TwinIt), game_of_turns(mode, seed, flips)
    for seat in SEATS[:6]:
        view = GAME.view(state, seat)
        found, picks, seen = set(), "", set()
        while picks not in seen:
            seen.add(picks)
            own = form(state, seat, picks, style)
            chosen = [face.pick(view, own, *tap) for tap in taps(face.hand(view, NAMES, own))]
            found |= {GAME.parse(each.text) for each in chosen if isinstance(each, MoveText)}
            picks = next((each.text for each in reversed(chosen) if isinstance(each, Picks)), "")
        lying = {on(hand.face) for hands in view.hands for hand in hands}
        assert {*GAME.legal(state, seat)} <= found
        assert view.rests[seat] or found <= {*GAME.legal(state, seat)} | lying


def taps(items: Sequence[Any]) -> list[tuple[str, list[str]]]:
    """Return everything that can be pressed or chosen on a form, as (step, values)."""
    found = []
    for part in parts_of(Panel(*items).payload()):
        if part.get("custom_id", "").startswith("form:") and not part.get("disabled"):
            step = part["custom_id"].rpartition(":")[2]
            values = [[option["value"]] for option in part["options"]] if "options" in part else [[]]
            found += [(step, each) for each in values]
    return found


@pytest.mark.parametrize("flips", [0, 10, 40, 150])
@pytest.mark.parametrize("style", LOOKS, ids=["usual", "large", "text"])
def test_a_page_of_a_hand_fits_together_with_the_buttons_below_it(flips: int, style: HandStyle) -> None:
    state = game_of_turns("classic", flips, flips)
    view = GAME.view(state, FIRST)
    hand = new(TwinIt).hand(view, NAMES, form(state, FIRST, "1", style))
    doors = row(*(button(str(n), CustomId("other", n)) for n in range(4)))
    assert fits(Panel(text("Twin It!"), *hand, doors))


def test_a_hand_has_the_picture_of_the_board_and_buttons_in_its_order() -> None:
    face, state = new(TwinIt), game_of_turns("classic", 1, 40)
    view, who = GAME.view(state, FIRST), list("ABCDEF")
    (board,) = alts(face.board(view, who))
    pages = [face.hand(view, who, form(state, FIRST, str(page))) for page in range(3)]
    assert [alts(page) for page in pages] == [[board]] * 3
    assert [f"Buttons: page {page} of 3" in words(items) for page, items in enumerate(pages, 1)] == [True] * 3
    buttons = [number for items in pages for number in placed(items)]
    assert [*map(str, buttons)] == re.findall(r"(\d+): ", board)
    assert len(buttons) == len(state.showing)
    replayed = face.looks.table(view, who)
    assert [int(pile.caption.split(" ")[0]) for pile in replayed.piles] == buttons


def test_a_hand_turns_to_pages_that_there_are() -> None:
    face, state = new(TwinIt), game_of_turns("classic", 1, 40)
    view = GAME.view(state, FIRST)
    ways = [
        [step for step, _ in taps(face.hand(view, NAMES, form(state, FIRST, picks))) if "page" in step]
        for picks in ("", "1", "2", "9")
    ]
    assert ways == [["page 1"], ["page 0", "page 2"], ["page 1"], ["page 1"]]


def test_a_page_of_a_race_has_as_many_faces_as_a_phone_shows_with_their_buttons() -> None:
    shown = ids(race_page(GAME.view(race("timed", 5), FIRST), NAMES, 1, OpenPage()))
    assert sum(each.startswith("twin-it.face:") for each in shown) == 12


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_button_of_the_board_has_a_face_and_a_flip_moves_no_other(seats: int) -> None:
    state, _ = GAME.new(GAME.Options(), seats, "buttons")
    before: dict[int, tuple[int, int]] = {}
    while GAME.awaited(state):
        GAME.apply(state, GAME.awaited(state)[0], FLIP, state.now)
        buttons = new(TwinIt).controls(GAME.view(state, None), 1)
        after = placed(buttons)
        assert len(after) == min(ON_BOARD, len(state.showing))
        if all(state.piles):
            assert {state.last - 1, state.last} <= {*after}  # the flipped card, and the next one of the pile
            assert all(before[number] == place for number, place in after.items() if number in before)
        before = after


def test_a_button_whose_faces_are_taken_gets_another_one() -> None:
    state = game_of_turns("classic", 3, 60)
    for card in [card for place, card in enumerate(state.table) if place % (ON_BOARD - 6) == 0]:
        state.take_up(card)
    assert len(placed(new(TwinIt).controls(GAME.view(state, None), 1))) == ON_BOARD


def placed(items: Sequence[Any]) -> dict[int, tuple[int, int]]:
    """Return the row and column of each numbered button."""
    rows = Panel(*items).payload()
    return {
        int(part["label"]): (y, x)
        for y, row in enumerate(rows)
        for x, part in enumerate(row.get("components", ()))
        if part["label"].isdigit()
    }


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("100 Alice A.table; 200 Alice A.table.2", "**1 and 2! Alice takes the pair.**"),
        (
            "100 Alice A.table; 110 Ben A.table.2",
            "**Tie!** Alice and Ben were 10 ms apart. The cards turn over.",
        ),
    ],
)
def test_the_board_names_no_new_face_as_it_may_have_gone_by_now(script: str, line: str) -> None:
    seen = position("classic\ntable | A/b A/c A/D\nAlice | C/d\nBen | G/h")
    seen.act(script)
    assert "New: " in seen.last_narration()
    told = new(TwinIt).told(seen.events[-1], ())
    assert told is not None
    assert GAME.words.narrate(told, seen.names) == line


def test_the_board_is_one_picture_of_all_faces() -> None:
    state = game_of_turns("classic", 1, 40)
    (described,) = alts(new(TwinIt).board(GAME.view(state, None), list("ABCDEF")))
    assert all(f"{number}: " in described for number in state.showing)


@pytest.mark.parametrize("style", [USUAL_STYLE, HandStyle(pictures=False)])
def test_board_and_hand_say_for_whom_designs_are_forbidden(style: HandStyle) -> None:
    state, _ = GAME.new(GAME.Options(mode="forbidden", barred=1), 3, "seed")
    for _ in range(10):
        GAME.apply(state, GAME.awaited(state)[0], FLIP, 1000)
    view, who = GAME.view(state, FIRST), ["Ann", "Ben", "Cleo"]
    for items in (new(TwinIt).board(view, who), new(TwinIt).hand(view, who, form(state, FIRST, style=style))):
        said = " ".join(part.get("content", "") for part in parts_of(Panel(*items).payload()))
        assert "The designs of 1, 2 and 3 are forbidden for Ben." in said


def alts(items: Sequence[Any]) -> list[str]:
    """Return the alt texts of the pictures."""
    every = parts_of(Panel(*items).payload())
    return [part["items"][0]["description"] for part in every if "items" in part]


# Discord's limits


def table(position: Any, *, worst: bool) -> Any:
    """Return the longest board of six: three have left, somebody is away, and there is much to announce."""
    state = TableState(GAME, position.options, "seed")
    state.players = tuple(Player(user, name) for user, name in enumerate(NAMES, 1))
    state.phase, state.game_state = "play", position
    state.gone, state.away = ({FIRST, SECOND, THIRD}, {FOURTH}) if worst else (set(), set())
    said: Any = type("Said", (), {})()
    said.state, said.id, said.is_open = state, 10**9, True
    said.pages, said.match = Pages(GAME), type("Place", (), {"place": 2, "channel": 1})()
    said.board_notes, said.hours = {}, {}
    if worst:
        said.pages.add(PublicItem(n, state.players, line="x" * 400) for n in range(5))
        late = [(seat, f"{name} was 1000 ms late.") for seat, name in enumerate(NAMES[1:], 1)]
        said.board_notes = {(n, seat): line for n in range(5) for seat, line in late}
    return said


@pytest.mark.parametrize("flips", [0, 10, 40, 150])
@pytest.mark.parametrize("mode", TURNS)
def test_the_longest_board_fits(mode: str, flips: int) -> None:
    assert fits(posts.live(table(game_of_turns(mode, flips, flips), worst=True), new(TwinIt)))


@pytest.mark.parametrize("flips", [0, 5, 10, 40, 150])
@pytest.mark.parametrize("mode", TURNS)
def test_the_longest_hand_fits_with_a_hint_in_private(mode: str, flips: int) -> None:
    state = game_of_turns(mode, flips, flips)
    row_of_four = row(*(button(str(n), CustomId("hint", n)) for n in range(4)))
    around = [text("heading"), text("table"), text("hint"), row_of_four]
    for seat in SEATS[:2]:
        hand = new(TwinIt).hand(GAME.view(state, seat), NAMES, form(state, seat))
        assert fits(Panel(*around, *hand))


@settings(max_examples=6)
@given(st.sampled_from(RACES), st.integers(0, 1000), st.integers(0, 400))
def test_every_page_fits_and_offers_each_face_for_both_uses(mode: str, seed: int, actions: int) -> None:
    state = race(mode, seed, actions)
    view = GAME.view(state, FIRST)
    offered = []
    for use in ("hand", "turn"):
        for number in range(PAGES):
            here = OpenPage(number, use)
            shown = race_page(view, NAMES, 10**9, here)
            assert fits(Panel(*shown, *shown[:1]))  # with a note above
            offered += [each for each in ids(shown) if each.startswith(f"twin-it.face:{10**9}:{here}/")]
    assert len(offered) == 2 * len(state.showing)
    assert fits(posts.live(table(state, worst=True), new(TwinIt)))


def test_the_button_of_a_free_place_belongs_to_no_match() -> None:
    view = GAME.view(race("timed", 1), None)
    items = face_buttons(view, [None, None, view.faces[0]], lambda face: CustomId(verbs.FACE, 7, str(face)))
    written = [part["custom_id"] for each in Panel(*items).payload() for part in each["components"]]
    assert len({*written}) == 3
    assert [present(CustomId.read(each)).match for each in written] == [0, 0, 7]


# A race


def test_a_race_is_opened_from_the_own_hand_when_everybody_is_ready() -> None:
    face = new(TwinIt)
    state, _ = GAME.new(GAME.Options(mode="timed"), 2, 1)
    view = GAME.view(state, FIRST)
    assert ids(face.hand(view, NAMES[:2], form(state, FIRST))) == ["form:1:2::ready"]
    assert ids(face.controls(view, 1)) == ["twin-it.press:1:ready"]
    GAME.apply(state, FIRST, READY)
    assert ids(face.hand(GAME.view(state, FIRST), NAMES[:2], form(state, FIRST))) == ["twin-it.page:1:0/hand"]
    GAME.apply(state, SECOND, READY)
    assert ids(face.controls(GAME.view(state, None), 1)) == ["twin-it.page:1:0/hand"]


@pytest.mark.parametrize(
    ("mode", "points"),
    [
        ("cooperative", "Together you have 0 points."),
        ("timed", "Points: Alice 0, Ben 0, Cleo 0, Dana 0, Eve 0 and Fay 0."),
    ],
)
def test_during_a_race_the_board_shows_the_points(mode: str, points: str) -> None:
    who = ["Alice", "Ben", "Cleo", "Dana", "Eve", "Fay"]
    covered, _ = GAME.new(GAME.Options(mode=mode), 6, 5)
    state = race(mode, 5)
    running = GAME.view(state, None)
    GAME.tick(state, GAME.due(state) or 0)
    before, meanwhile, after = (
        words(new(TwinIt).board(view, who))
        for view in (GAME.view(covered, None), running, GAME.view(state, None))
    )
    assert before == ""  # the table says for whom it waits
    assert meanwhile == f"{points}\nEnd of the race: <t:{-(-running.ends // 1000)}:R>."
    assert not after.startswith(points)


def words(items: Sequence[Any]) -> str:
    """Return the texts, without those of pictures."""
    return "\n".join(part["content"] for part in parts_of(Panel(*items).payload()) if "content" in part)


def test_common_points_are_above_the_page_and_not_beside_a_name() -> None:
    shown = Panel(
        *race_page(GAME.view(race("cooperative", 5), FIRST), ["Alice", "Ben"] * 3, 1, OpenPage())
    ).payload()
    said = [part["content"] for part in parts_of(shown) if "content" in part]
    assert "Page 1 of 12. Together you have 0 points." in said[0]
    (picture,) = (part["items"][0]["description"] for part in parts_of(shown) if "items" in part)
    assert picture.endswith(". Alice. Ben. Alice. Ben. Alice. Ben.")


def test_turning_a_card_changes_only_the_page_it_is_on() -> None:
    state = race("timed", 5)
    pages = [Panel(*race_page(GAME.view(state, FIRST), NAMES, 1, OpenPage(n))).payload() for n in range(7)]
    GAME.apply(state, SECOND, on(20, 2), state.now)
    after = [Panel(*race_page(GAME.view(state, FIRST), NAMES, 1, OpenPage(n))).payload() for n in range(7)]
    assert [one != other for one, other in zip(pages, after, strict=True)] == [n == 1 for n in range(7)]


# Forged


@pytest.mark.parametrize("forged", ["", "0", "12/hand", "-1/hand", "0/hold", "0/hand/1", "x/turn", "1" * 90])
def test_a_forged_page_turn_is_refused(forged: str) -> None:
    with pytest.raises(Refusal):
        OpenPage.read(forged)


# Banner and example


def test_the_example_shows_a_pair() -> None:
    example, text = new(TwinIt).example(GAMES["twin-it"].Options())
    (described,) = alts([example])
    assert described.startswith("12: daisy eight; 13: fish left; 14: daisy six; 15: daisy eight. ")
    assert words([text]).startswith("12 and 15 are alike")


@pytest.mark.parametrize(
    ("mode", "wrong"),
    [("cooperative", "last set"), ("timed", "turn to flip"), ("teams", "lay a hand on both")],
)
def test_the_example_says_nothing_that_the_rules_of_its_mode_deny(mode: str, wrong: str) -> None:
    _, text = new(TwinIt).example(GAMES["twin-it"].Options(mode=mode))
    assert wrong not in words([text])
