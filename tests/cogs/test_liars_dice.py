"""Liar's Dice in Discord: bids in two taps, calls that are only about the bid they were shown for, and the pictures."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.match.refusal import Refusal
from bot.match.table import Stale
from bot.messages.game_ui import Form, MoveText, Picks
from bot.messages.panel import Panel
from bot.pictures import score_sheet
from bot.pictures import strip as strip_painter
from bot.pictures import table as table_painter
from bot.pictures.blank import WIDTH as CARD_WIDTH
from bot.pictures.decks.dice import DIGIT, Kind
from bot.pictures.decks.dice import bid as bid_die
from bot.pictures.painting import WIDTH, paint_card, width_of
from cogs.liars_dice.cog import LiarsDice
from games import GAMES
from games.liars_dice.actions import CALZA, DOUBT
from games.liars_dice.events import RoundEnded
from tests.cogs.reading import action, controls, labels, new, picks, said, shown, steps
from tests.games.liars_dice.position import Position, position
from tests.games.position import NAMES
from tests.present import present
from tests.seats import FIRST, SECOND

GAME = GAMES["liars-dice"]
FACE = new(LiarsDice)
CUPS = "Alice | 1 2 5 5 6\n Ben | 2 3 3 4 5\n Cleo | 1 3 4 6 6"


# The form


@given(st.integers(0, 10_000), st.integers(0, 40), st.booleans())
def test_every_legal_action_is_made_in_two_taps_and_no_other(seed: int, moves: int, calza: bool) -> None:
    state = Position.after_random_moves(4, seed, moves, calza=calza).state
    for seat in GAME.awaited(state):
        components, form, view = shown(FACE, state, seat)
        assert all(len(row["components"]) <= 4 for row in components if row["type"] == 1)
        made = {
            action(FACE, FACE.pick(view, form, step, ())) for step in steps(components) if step != "quantity"
        }
        for menu in (part for part in controls(components) if part["type"] == 3):
            for option in menu["options"]:
                chosen = picks(FACE.pick(view, form, "quantity", [option["value"]]))
                again, form_again, _ = shown(FACE, state, seat, chosen)
                made |= {
                    action(FACE, FACE.pick(view, form_again, step, ()))
                    for step in steps(again)
                    if step.startswith("face")
                }
        assert sorted(made) == list(GAME.legal(state, seat))


def test_before_a_choice_the_quantity_is_the_lowest_one_of_which_most_faces_may_be_bid() -> None:
    seen = position(f"Alice 3x5\n {CUPS}")
    components, form, view = shown(FACE, seen.state, SECOND)
    assert labels(components) == [
        *("⚀ 4 ones", "⚁ 4 twos", "⚂ 4 threes", "⚃ 4 fours", "⚄ 4 fives", "⚅ 4 sixes"),
        "Doubt",
    ]
    assert all(not part.get("disabled") for part in controls(components))
    assert FACE.pick(view, form, "face 6", ()) == MoveText("bid 4x6")


def test_buttons_of_large_quantities_are_short_enough_for_three_in_a_row_of_a_phone() -> None:
    seen = position("Alice 12x5\n" + "\n".join(f"{name} | 1 1 1 1 1" for name in NAMES[:6]))
    components, *_ = shown(FACE, seen.state, SECOND)
    assert labels(components) == ["⚀ 13×1", "⚁ 13×2", "⚂ 13×3", "⚃ 13×4", "⚄ 13×5", "⚅ 13×6", "Doubt"]


def test_faces_of_which_the_chosen_quantity_may_not_be_bid_cannot_be_pressed() -> None:
    seen = position(f"Alice 3x5\n {CUPS}")
    components, _, _ = shown(FACE, seen.state, SECOND, "3")
    assert [part["label"] for part in controls(components) if part.get("disabled")] == [
        *("⚁ 3 twos", "⚂ 3 threes", "⚃ 3 fours", "⚄ 3 fives")
    ]
    menu = next(part for part in controls(components) if part["type"] == 3)
    assert [option["value"] for option in menu["options"]][:3] == ["2", "3", "4"]
    assert [option["description"] for option in menu["options"]][:3] == [
        *("face 1", "face 1 or 6", "any face")
    ]
    assert [option["value"] for option in menu["options"] if option.get("default")] == ["3"]


def test_a_call_in_the_hand_names_the_bid_that_it_is_about() -> None:
    seen = position(f"round 4, Alice 3x5\n {CUPS}", calza=True)
    components, form, view = shown(FACE, seen.state, SECOND)
    calls = [step for step in steps(components) if step.startswith(("doubt", "calza"))]
    assert calls == ["doubt 4 1", "calza 4 1"]
    assert [action(FACE, FACE.pick(view, form, call, ())) for call in calls] == [DOUBT, CALZA]
    for stale in ("doubt 4 2", "doubt 3 1", "calza 4 0", "calza", "doubt "):
        with pytest.raises(Stale):
            FACE.pick(view, form, stale, ())


# What is shown


@pytest.mark.parametrize(("players", "in_threes"), [(2, False), (4, False), (5, True), (6, True)])
def test_the_bids_of_many_players_stand_in_two_rows(players: int, in_threes: bool) -> None:
    seen = position("round 4\n" + "\n".join(f"{name} | 1 2 3 4 5" for name in NAMES[:players]))
    view = GAME.view(seen.state, FIRST)
    strip = present(FACE.looks.hand(view, NAMES[:players], Form(1, 2, ())).strip)
    assert strip.in_threes is in_threes


def test_a_bid_on_wild_ones_is_drawn_like_a_wild_one_in_the_cup() -> None:
    def star(head: str) -> bool:
        table = FACE.looks.table(GAME.view(position(f"{head}, Alice 3x1\n {CUPS}").state, None), NAMES[:3])
        drawn: str = table.piles[0].cards[0].svg
        return drawn == bid_die(3, 1, "three ones", "counts", wild=True).svg

    assert star("round 4")
    assert not star("palifico")


def test_a_table_says_once_whether_ones_are_wild() -> None:
    for head, said_first in (
        ("round 4", "Round 4 · 15 dice · ones are wild. "),
        ("palifico", "Round 1 · 15 dice · palifico. "),
    ):
        alt = FACE.looks.table(GAME.view(position(f"{head}\n {CUPS}").state, None), NAMES[:3]).alt
        assert alt.startswith(said_first)


def test_until_somebody_bids_the_table_begins_with_what_the_last_call_came_to() -> None:
    for call, title, note in (
        ("doubt", "Ben doubts Alice's five sixes", "Five there: Ben loses a die and has four."),
        (
            "calza",
            "Ben calls Alice's five sixes exact",
            "Five there: Ben keeps five dice, the most there are.",
        ),
    ):
        seen = position(f"Alice 5x6\n {CUPS}", calza=True)
        seen.act(f"Ben: {call}")
        scene = FACE.looks.table(GAME.view(seen.state, None), NAMES[:3])
        assert (scene.title, scene.note) == (title, note)
        seen.act("Ben: bid 1x2")
        scene = FACE.looks.table(GAME.view(seen.state, None), NAMES[:3])
        assert scene.title.startswith("Round 2 · ")
        assert scene.note == "Ben bids a two"


def test_the_longest_result_of_a_call_can_be_read_in_the_picture() -> None:
    seen = position("Alice 13x3\n" + "\n".join(f"{name} | 1 3 3 3 3" for name in NAMES[:6]))
    seen.act("Ben: doubt")
    scene = FACE.looks.table(GAME.view(seen.state, None), ["Maximiliano II"] * 6)
    assert scene.title == "Maximilia… doubts Maximilia…'s thirteen threes"
    assert scene.note == "Thirty there: Maximilia… loses a die and has four."
    for words, size in ((scene.title, table_painter.NAME), (scene.note, table_painter.WORDS)):
        assert width_of(words, size * 5 // 6, 2 * WIDTH) <= WIDTH - 80


def ended(head: str, script: str, cups: str = CUPS, **options: bool) -> RoundEnded:
    seen = position(f"{head}\n {cups}", **options)
    seen.act(script)
    return next(event for event in seen.events if isinstance(event, RoundEnded))


def test_the_end_of_a_round_shows_all_dice_and_counts_those_that_match() -> None:
    sheet = present(FACE.looks.score_sheet(ended("Alice 5x6", "Ben: doubt"), NAMES[:3]))
    assert sheet.alt == (
        "Alice bid five sixes? Five there. "
        "Alice: match the bid 2, dice left 5, one (wild) (counts), two, five, five, six (counts). "
        "Ben: match the bid 0, dice left ▼ 4, two, three, three, four, five. "
        "Cleo: match the bid 3, dice left 5, one (wild) (counts), three, four, six (counts), six (counts). HONEST!."
    )


@pytest.mark.parametrize("wide", [strip_painter.LARGEST, table_painter.LARGEST - 20])
@pytest.mark.parametrize("quantity", [1, 4, 12, 30])
@pytest.mark.parametrize("kind", ["plain", "counts"])
def test_the_digits_of_a_bid_cover_no_pip_of_its_die(wide: int, quantity: int, kind: Kind) -> None:
    drawn, plain = Image.new("RGB", (300, 300)), Image.new("RGB", (300, 300))
    bid = bid_die(quantity, 6, "", kind)
    paint_card(drawn, bid, 50, 50, wide)
    paint_card(plain, replace(bid, badge=""), 50, 50, wide)
    digits, die = present(ImageChops.difference(drawn, plain).getbbox()), present(plain.getbbox())
    assert digits[1] >= die[3], "the digits begin where the die ends"


def test_the_digits_below_revealed_dice_are_11_pixels_high_on_a_phone() -> None:
    assert DIGIT / CARD_WIDTH * score_sheet.CARD * 390 / WIDTH >= 11


def test_the_end_of_a_round_in_which_no_die_matches_says_none() -> None:
    sheet = FACE.looks.score_sheet(ended("Alice 2x5", "Ben: doubt", "Alice | 2 2\n Ben | 3 4"), NAMES[:2])
    assert sheet is not None
    assert sheet.alt.startswith("Alice bid two fives? None there. ")


@pytest.mark.parametrize(
    ("bid", "call", "stamp"),
    [
        ("5x6", "doubt", "HONEST!"),
        ("6x6", "doubt", "BUSTED!"),
        ("5x6", "calza", "ON THE NOSE!"),
        ("6x6", "calza", "NOT EXACTLY!"),
    ],
)
def test_the_verdict_is_stamped(bid: str, call: str, stamp: str) -> None:
    sheet = present(FACE.looks.score_sheet(ended(f"Alice {bid}", f"Ben: {call}", calza=True), NAMES[:3]))
    assert sheet.stamp is not None
    assert sheet.stamp.alt == stamp
    assert f">{stamp}</text>" in sheet.stamp.svg


def test_the_example_is_a_picture_with_an_alt_text() -> None:
    text = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Cleo bid four sixes? Five there." in text
    assert "The bid stands." in text


def test_a_form_of_picks_is_a_quantity() -> None:
    seen = position(f"Alice 3x5\n {CUPS}")
    _, form, view = shown(FACE, seen.state, SECOND)
    assert FACE.pick(view, form, "quantity", ["7"]) == Picks("7")
    for values in ([], ["0"], ["16"], ["7", "8"], ["x"]):
        with pytest.raises(Refusal):
            FACE.pick(view, form, "quantity", values)
