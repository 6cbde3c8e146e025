"""The hand of Charms: which buttons a form offers, and which action each sequence of taps makes."""

from bot.messages.game_ui import Form
from bot.messages.panel import Panel
from cogs.charms import picture
from cogs.charms.cog import Charms
from games import GAMES
from games.charms.events import HandScored, ScoreRow
from tests.cogs.reading import action, controls, labels, new, picks, said, shown, step
from tests.games.charms.position import Position, opened, position
from tests.games.position import NAMES
from tests.seats import FIRST, SECOND, THIRD

GAME = GAMES["charms"]
FACE = new(Charms)


def test_a_bid_is_one_tap_and_the_bid_made_is_highlighted() -> None:
    seen = opened(3, 5)
    components, form, view = shown(FACE, seen.state, FIRST)
    assert labels(components) == [str(tricks) for tricks in range(13)]
    assert action(FACE, FACE.pick(view, form, step(controls(components)[7]), ())) == GAME.parse("bid 7")
    seen.act("Alice: bid 7")
    again, _, _ = shown(FACE, seen.state, FIRST)
    assert [part["label"] for part in controls(again) if part["style"] == 1] == ["7"]
    assert "you chose Bid 7 and may change it until all have chosen" in said(again)
    assert "you bid 7" not in str(shown(FACE, seen.state, SECOND)[0])


FIRST_TRICK = """
    Ben leads, trump L
    Alice | C C K K 1 2 3 3 4 5 5 6 7
    Ben   | C C C K L L 1 2 4 6 6 7 8
    Cleo  | L L L R R R R 1 2 4 5 7 8
"""


def test_in_the_first_trick_a_suit_is_picked_and_then_a_number() -> None:
    seen = position(FIRST_TRICK)
    components, form, view = shown(FACE, seen.state, SECOND)
    assert labels(components) == ["🪙C · coin", "🔑K · key", "🍀L · clover"]
    assert picks(FACE.pick(view, form, step(controls(components)[1]), ())) == "1"
    components, form, view = shown(FACE, seen.state, SECOND, "1")
    assert labels(components)[3:] == ["1", "2", "4", "6 · ×2", "7", "8"]
    assert action(FACE, FACE.pick(view, form, step(controls(components)[3]), ())) == GAME.parse("play K 1")


def second() -> Position:
    seen = position("""
        Alice leads, trump R
        Alice | shows C 3 | C K L 5 8
        Ben   | shows K 6 | K L L 1 6
        Cleo  | shows L 6 | C C L R 2
    """)
    seen.act("Alice: play K")
    return seen


def test_only_playable_cards_are_offered_and_the_form_says_why() -> None:
    components, _, _ = shown(FACE, second().state, SECOND)
    assert labels(components) == ["🔑K · key", "1", "6"]
    assert "Your hand (5 cards): key, clover ×2, 1, 6. Can be played now: key, 1, 6." in said(components)
    assert said(components).endswith(
        "-# 🔑K is led and you show it. Keep showing it: play a number, or another 🔑K."
    )


def test_the_table_shows_everybodys_cards_the_trump_the_led_suit_and_bids_with_tricks() -> None:
    board = said(Panel(*FACE.board(GAME.view(second().state, None), NAMES[:3])).payload())
    assert board.splitlines() == [
        "Hand 1 of 4 · trick 8 of 12. Alice, 0 points, won 0/0 · leads: key, 3. "
        "Ben, to act, 0 points, won 0/0: key, 6. Cleo, 0 points, won 0/0: clover, 6. Trump: rabbit foot. Led: key.",
    ]


def test_the_public_table_shows_no_hand() -> None:
    board = said(Panel(*FACE.board(GAME.view(opened(4).state, None), NAMES[:4])).payload())
    assert "Your" not in board
    assert board.count("bidding") == 4
    assert board.count("cards in hand ×13") == 4
    assert "Led: none." in board


def test_above_the_hand_are_one_line_and_a_picture_of_what_must_be_beaten() -> None:
    seen = second()
    seen.act("Ben: play 6")
    assert said(shown(FACE, seen.state, THIRD)[0]).splitlines() == [
        "**Your turn** · play a card · Trick 8 of 12 · trump 🐇R · led 🔑K · you: 0 of 0",
        "Trump: rabbit foot · led: key. Alice, 0/0: key, 3. Ben, best, 0/0: key, 6. "
        "You, 0/0: clover (before), 6 (before). Your hand (5 cards): coin ×2, clover, rabbit foot, 2.",
    ]


def test_cards_of_a_trick_before_are_shaded_and_the_alt_text_says_which_they_are() -> None:
    seen = second()
    scene = picture.hand(GAME.view(seen.state, SECOND), NAMES, Form(1, 2, ()))
    assert scene.strip is not None
    shaded = [[(card.alt, card.faded) for card in laid.cards] for laid in scene.strip.laid]
    assert shaded == [
        [("key", False), ("3", False)],
        [("key (before)", True), ("6 (before)", True)],
        [("clover (before)", True), ("6 (before)", True)],
    ]


def test_the_worked_example_is_the_one_in_the_rules() -> None:
    text = said(Panel(*FACE.example(FACE.game.Options())).payload())
    assert "Alice, leads key: key, 3. Ben, takes it: coin, 6. Cleo, has no key: clover, 3." in text
    assert len(text.splitlines()) == 4


def test_a_score_sheet_marks_an_exact_bid_with_a_sign() -> None:
    rows = (ScoreRow(3, 3, 0, 2), ScoreRow(0, 4, 5, 5))
    sheet = picture.score_sheet(HandScored(1, rows), ["Alice", "Ben"])
    assert sheet is not None
    assert sheet.alt == (
        "Hand 1. Alice (first): bid 3, won 3, hit ✓, cost 0, total 2. Ben: bid 0, won 4, cost 5, total 5."
    )
