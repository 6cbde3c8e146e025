"""The hand of Twin Palms: which buttons a form offers, and which action each sequence of taps makes."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from discord import PartialEmoji
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.emojis import Emojis
from bot.messages.game_ui import MOST_AHEAD, MOST_PICKS, Form
from bot.messages.panel import Panel
from bot.pictures.decks.twin_palms import card
from bot.pictures.hand_style import HandStyle
from cogs.twin_palms import picture
from cogs.twin_palms.cog import TwinPalms
from games import GAMES
from games.twin_palms.cards import CARDS, STRENGTH, plays
from games.twin_palms.events import RoundScored, ScoreRow
from games.types import Seat
from tests.cogs.reading import action, controls, labels, new, picks, rows, said, shown, step
from tests.games.position import NAMES
from tests.games.twin_palms.position import opened, position
from tests.present import present
from tests.seats import FIRST, SECOND

GAME = GAMES["twin-palms"]
FACE = new(TwinPalms)


def state_after(seed: int, mode: str = "normal", plays: int = 0) -> Any:
    """Return a state in which everybody has bid 1 and that many random plays were made."""
    seen = opened(3, seed, mode=mode)
    seen.act("Alice: bid 1; Ben: bid 1; Cleo: bid 1")
    return seen.at_random(plays, Random(seed)).state


def test_a_bid_takes_two_taps_and_shows_the_stake() -> None:
    state, _ = GAME.new(GAME.Options(), 3, 5)
    state.round, state.dollars[0] = 4, 9
    components, form, view = shown(FACE, state, FIRST)
    assert labels(components) == [*"012345", "Pick a number of tricks"]
    assert picks(FACE.pick(view, form, "tricks-2", ())) == "2"
    components, form, _ = shown(FACE, state, FIRST, "2")
    assert labels(components)[6:] == ["Bid 2", "Bid 2, half bet", "Bid 2, max bet"]
    assert "-# Half bet 2, max bet 4: won with exactly 2, else lost." in said(components)
    assert action(FACE, FACE.pick(view, form, step(controls(components)[-1]), ())) == GAME.parse("bid 2 max")


@pytest.mark.parametrize(
    ("number", "held", "rounding", "bets", "rule"),
    [
        (1, 2, "up", ["Bid 2", "Bid 2, max bet"], "Max bet 1: won"),
        (1, 2, "down", ["Bid 2", "Bid 2, max bet"], "Max bet 1: won"),
        (4, 1, "up", ["Bid 2", "Bid 2, max bet"], "Max bet 1: won"),
        (4, 0, "up", ["Bid 2"], ""),
    ],
)
def test_bets_with_the_same_stake_are_offered_as_one(
    number: int, held: int, rounding: str, bets: list[str], rule: str
) -> None:
    state, _ = GAME.new(GAME.Options(half_bet_rounding=rounding), 3, 5)
    state.round, state.dollars[0] = number, held
    components, _, _ = shown(FACE, state, FIRST, "2")
    assert labels(components)[6:] == bets
    assert rule in said(components)


def test_a_button_of_a_bid_says_the_words_of_its_move() -> None:
    state, _ = GAME.new(GAME.Options(), 3, 5)
    state.round, state.dollars[0] = 4, 9
    components, form, view = shown(FACE, state, FIRST, "2")
    for button in controls(components)[6:]:
        assert button["label"] == GAME.words.label(action(FACE, FACE.pick(view, form, step(button), ())))


def test_a_bid_with_the_same_stake_as_the_one_made_does_not_stand_out() -> None:
    state, _ = GAME.new(GAME.Options(), 3, 5)
    GAME.apply(state, FIRST, GAME.parse("bid 2 half"))
    assert [each["style"] for each in controls(shown(FACE, state, FIRST)[0])[6:]] == [3, 2]


def components_after(state: Any, seat: Seat, *taps: str) -> list[Any]:
    """Return the components of the hand after taps on the buttons with these steps."""
    picked = ""
    for tap in taps:
        _, form, view = shown(FACE, state, seat, picked)
        picked = picks(FACE.pick(view, form, tap, ()))
        assert len(picked) <= MOST_PICKS
    return shown(FACE, state, seat, picked)[0]


def coloured(components: list[Any]) -> list[str]:
    return [step(part) for part in controls(components) if part.get("style") == 1]


@given(
    st.integers(0, 10_000), st.sampled_from(["normal", "advanced", "extreme"]), st.integers(0, 14), st.data()
)
def test_any_two_cards_are_played_with_three_taps_and_a_number_for_each_wild(
    seed: int, mode: str, plays: int, data: st.DataObject
) -> None:
    state = state_after(seed, mode, plays)
    (seat,) = GAME.awaited(state)
    components, form, view = shown(FACE, state, seat)
    cards = [tap for tap in map(step, controls(components)) if tap.startswith("card-")]
    assert len(cards) == len(view.hand)
    chosen = data.draw(st.permutations(cards))[:2] if len(cards) > 2 else []
    components = components_after(state, seat, *chosen)
    menus = [part for part in controls(components) if part["type"] == 3]
    if menus:
        stated = data.draw(st.permutations([option["value"] for option in menus[0]["options"]]))
        count = data.draw(st.integers(1, menus[0]["max_values"]))
        picked = Form(1, 2, form.legal, menus[0]["custom_id"].split(":")[3])
        chosen_numbers = picks(FACE.pick(view, picked, "numbers", stated[:count]))
        components, form, _ = shown(FACE, state, seat, chosen_numbers)
    confirm = controls(components)[-1]
    assert confirm["style"] == 3
    played = action(FACE, FACE.pick(view, form, step(confirm), ()))
    assert played in GAME.legal(state, seat)
    held = Counter(view.hand[int(tap.partition("-")[2])] for tap in chosen or cards)
    assert Counter(CARDS[played]) == held


@given(st.integers(0, 10_000), st.integers(0, 11), st.data())
def test_after_one_card_the_strongest_and_the_weakest_play_are_one_more_tap(
    seed: int, plays: int, data: st.DataObject
) -> None:
    state = state_after(seed, plays=plays)
    (seat,) = GAME.awaited(state)
    place = data.draw(st.integers(0, len(state.hands[seat]) - 1))
    offered = [
        part
        for part in controls(components_after(state, seat, f"card-{place}"))
        if step(part).startswith("move-")
    ]
    sure = len(state.hands[seat]) == 2 or len(offered) == 1
    assert {part["style"] for part in offered} == {3 if sure else 2}, "green once both cards are chosen"
    legal = [play for play in GAME.legal(state, seat) if state.hands[seat][place] in CARDS[play]]
    strength = [STRENGTH["normal"][play] for play in legal]
    found = [GAME.parse(step(part).removeprefix("move-")) for part in offered]
    assert set(found) <= set(legal)
    assert {max(strength), min(strength)} <= {STRENGTH["normal"][play] for play in found}
    said = [part["label"].removeprefix("Play ").removeprefix("+ ") for part in offered]
    assert all(words in GAME.words.label(play) for words, play in zip(said, found, strict=True))
    assert len({*said}) == len(said)


def test_what_goes_with_a_picked_card_is_named_alone_so_that_three_fit_a_phone() -> None:
    components = components_after(position(TEN).state, FIRST, "card-6")
    assert labels(components)[-3:] == ["Play + 🐬D6", "Play + 🐬D6 wild", "Play + 🌴P0 wild"]


TEN = """
    normal, Alice leads
    Alice | P1 P6 P6 P9 P* D2 D6 D6 D9 D* | bid 2
    Ben   | P0 P2 P3 P4 P5 D0 D1 D3 D4 D5 | bid 2
"""


def test_the_card_buttons_have_the_rows_and_order_of_the_picture() -> None:
    state = position(TEN).state
    components, form, view = shown(FACE, state, FIRST)
    (group,) = picture.hand(view, NAMES[:2], form).lines[0]
    cards = [[button["label"] for button in line] for line in rows(components)[:2]]
    assert [len(line) for line in cards] == [5, 5]
    assert cards == [
        ["🌴P1", "🌴P6", "🌴P6", "🌴P9", "🌴P wild"],
        ["🐬D2", "🐬D6", "🐬D6", "🐬D9", "🐬D wild"],
    ]
    assert [[each.alt for each in line] for line in group.rows] == [
        ["Palm 1", "Palm 6", "Palm 6", "Palm 9", "Palm wild"],
        ["Dolphin 2", "Dolphin 6", "Dolphin 6", "Dolphin 9", "Dolphin wild"],
    ]


@pytest.mark.parametrize(
    "style", [HandStyle(large=True), HandStyle(order="rank"), HandStyle(large=True, order="rank")]
)
def test_the_buttons_follow_the_picture_for_every_preference(style: HandStyle) -> None:
    state = position(TEN).state
    view, form = GAME.view(state, FIRST), Form(1, 2, GAME.legal(state, FIRST), style=style)
    components = Panel(*FACE.hand(view, NAMES[:2], form)).payload()
    (group,) = picture.hand(view, NAMES[:2], form).lines[0]
    held = [[card(view.hand[int(step(part)[5:])]).alt for part in line] for line in rows(components)[:-1]]
    assert held == [[each.alt for each in line] for line in group.rows]


def test_a_tap_on_a_picked_card_unpicks_it() -> None:
    state = position(TEN).state
    assert coloured(components_after(state, FIRST, "card-6", "card-1", "card-6")) == ["card-1"]
    components = components_after(state, FIRST, "card-6", "card-6")
    assert coloured(components) == []
    assert labels(components)[-1] == "Pick two cards"


def test_a_picked_wild_asks_for_its_number() -> None:
    state = position(TEN).state
    components = components_after(state, FIRST, "card-1", "card-4")
    (menu,) = [part for part in controls(components) if part["type"] == 3]
    assert menu["placeholder"] == "The wild counts as"
    assert labels(components)[-3:] == [
        "Play 🌴P6 + 🌴P6 wild",
        "Play 🌴P6 + 🌴P10 wild",
        "Play 🌴P6 + 🌴P0 wild",
    ]
    components, _, _ = shown(FACE, state, FIRST, "1,4=8")
    assert labels(components)[-1] == "Play 6 + wild 8"


def test_a_hand_uses_at_most_half_of_a_messages_components() -> None:
    state = position(TEN).state
    for style in (HandStyle(), HandStyle(large=True)):
        form = Form(1, 2, GAME.legal(state, FIRST), "4,9", style)
        panel = Panel(*FACE.hand(GAME.view(state, FIRST), NAMES[:2], form))
        assert panel.total_children_count <= 25


def test_with_emojis_a_button_shows_only_the_emoji_of_its_card() -> None:
    words = Emojis({name: PartialEmoji(name="card", id=1) for name in FACE.drawings})
    state = position(TEN).state
    form = Form(1, 2, GAME.legal(state, FIRST), emojis=words)
    panel = Panel(*FACE.hand(GAME.view(state, FIRST), NAMES[:2], form))
    cards = controls(panel.payload())[:10]
    assert all("emoji" in part and not part.get("label") for part in cards)
    assert panel.take_emojis_off()
    assert panel.payload()[2:] == shown(FACE, state, FIRST)[0][2:]


# Above the form


def test_above_the_hand_are_one_line_and_a_picture_of_what_must_be_beaten() -> None:
    seen = position(TEN.replace("bid 2", "bid 2 max | 3 dollars"))
    seen.act("Alice: play P6 D6")
    line, alt = said(shown(FACE, seen.state, SECOND)[0]).splitlines()
    assert line == "**Your turn** · play two cards · Trick 1 of 5 · you: 0 of 2 · 1 at stake"
    assert alt.startswith("Alice, best, 0/2: Palm 6, Dolphin 6. You, 0/2. Your hand: Palm 0")


def test_the_last_two_cards_are_picked_and_the_hand_says_so() -> None:
    seen = position("normal\nAlice | P3 D9 | bid 1\nBen | P5 D* | bid 1")
    mine, others = (said(shown(FACE, seen.state, seat)[0]).splitlines()[0] for seat in (FIRST, SECOND))
    assert mine.startswith("**Your turn** · your last two cards are picked · Trick ")
    assert others.startswith("**Alice's turn** · play two cards · Trick ")


def test_the_taker_of_a_trick_is_marked_until_the_next_is_led() -> None:
    seen = position(TEN)
    seen.act("Alice: play P6 D6; Ben: play P0 P2")
    strip = present(picture.hand(GAME.view(seen.state, SECOND), NAMES[:2], Form(1, 1, ())).strip)
    assert strip.caption == "Alice took trick 1 and leads"
    assert [(laid.name, laid.best, laid.detail) for laid in strip.laid] == [
        ("Alice", True, "1/2"),
        ("You", False, "0/2"),
    ]


def test_the_worked_example_is_the_one_in_the_rules() -> None:
    text = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Alice, takes it: Dolphin 2, Dolphin 9. Ben, cancelled: Palm 6, Dolphin 6 wild." in text
    assert len(text.splitlines()) == 4


def test_the_worked_example_of_the_easy_mode_has_two_players_and_palms_only() -> None:
    text = said(Panel(*FACE.example(GAME.Options(mode="easy"))).payload())
    assert "Alice, cancelled: Palm 4, Palm 9. Ben, cancelled: Palm 4, Palm 9 wild." in text
    assert "nobody takes the trick" in text
    assert "Dolphin" not in text


def test_a_score_sheet_marks_an_exact_bid_with_a_sign() -> None:
    rows = (ScoreRow(3, 3, 1, 7, 9), ScoreRow(0, 1, 2, -2, 0))
    sheet = present(picture.score_sheet(RoundScored(1, rows), ["Alice", "Ben"]))
    assert sheet.alt == (
        "Round 1. Alice (first): bid 3, won 3, hit ✓, bet 1, gain +7, total 9. "
        "Ben: bid 0, won 1, bet 2, gain −2, total 0."
    )


@given(seed=st.integers(0, 10**6), mode=st.sampled_from(["easy", "normal", "advanced", "extreme"]))
def test_of_many_plays_the_strongest_and_one_with_each_card_can_be_chosen_ahead(seed: int, mode: str) -> None:
    state = opened(2, seed, mode=mode).state
    view, actions = GAME.view(state, FIRST), plays(state.hands[FIRST])
    offered = [*new(TwinPalms).ahead(view, actions)]
    strengths = [STRENGTH[view.options.mode][play] for play in offered]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] == max(STRENGTH[view.options.mode][play] for play in actions)
    assert len({*offered}) == len(offered) == min(len(actions), MOST_AHEAD)
    assert {kind for play in offered for kind in CARDS[play]} == {*state.hands[FIRST]}
