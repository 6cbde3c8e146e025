"""The pictures of Hand and Foot: who plays with whom, and all that lies on the table, is drawn and said in words."""

from bot.messages.game_ui import Form
from bot.messages.panel import Panel
from bot.pictures.bands import CHIP
from bot.pictures.decks.hand_and_foot import meld, pile
from bot.pictures.painting import WIDTH
from cogs.hand_and_foot.cog import HandAndFoot
from games import GAMES
from games.hand_and_foot import scoring
from games.hand_and_foot.cards import MELDABLE
from games.hand_and_foot.events import DealScored
from tests.cogs.reading import new, said
from tests.games.hand_and_foot.position import position
from tests.games.position import NAMES
from tests.seats import FIRST, SECOND

GAME = GAMES["hand-and-foot"]
FACE = new(HandAndFoot)


def test_the_discards_that_are_taken_together_are_shown_with_a_frame_around_the_top() -> None:
    state = position("Alice plays, discards 6S 9C 10C JC 4C 5C QC KC AC\nAlice | 9C\nBen | 9D").state
    pile = FACE.looks.table(GAME.view(state, None), NAMES[:2]).piles[1]
    assert [card.alt for card in pile.cards] == ["Q", "5", "4", "J", "10", "9", "6"]
    assert [card.framed for card in pile.cards] == [False] * 6 + [True]
    strip = FACE.looks.hand(GAME.view(state, FIRST), NAMES[:2], Form(1, 2, ())).strip
    assert strip is not None
    assert strip.laid[0].cards == pile.cards


SIDES = """
    Alice plays, drawn
    Alice | QC 9C | no foot | melds Q Q Q, 10 10 10 10 2 W | piles K clean, 8 dirty
    Ben   | KC | melds J J J J J J | piles 8 clean, K dirty
    Cleo  | KD
    Dan   | KH
"""


def test_partners_are_named_beside_their_total_and_all_that_they_have_laid() -> None:
    state = position(f"deal 2, {SIDES.strip()}").state
    state.totals[:2] = [1250, -90]
    state.reds[2] = [2]
    laid = "clean K, dirty 8, 10 ×6 (2 wild), Q ×3, red 3"
    text = said(Panel(*FACE.board(GAME.view(state, None), NAMES[:4])).payload())
    alice, ben, cleo, dan = NAMES[:4]
    total = "1,250 points after deal 1"
    assert (
        f"Circle: 1 {alice}, to act, 2 cards, in foot and 3 {cleo}, 1 card + foot, {total}: {laid}." in text
    )
    others = (
        f"2 {ben}, 1 card + foot and 4 {dan}, 1 card + foot, −90 points after deal 1: clean 8, dirty K, J ×6."
    )
    assert f"Square: {others}" in text


def test_the_picture_and_the_text_say_in_the_same_words_what_a_side_has_laid() -> None:
    state = position(f"deal 2, {SIDES.strip()}").state
    state.totals[:2] = [1250, -90]
    state.reds[2] = [2]
    scene = FACE.looks.table(GAME.view(state, None), NAMES[:4])
    told = GAME.words.describe(GAME.view(state, None), NAMES[:4])
    for band, points in zip(scene.bands, ("1,250 points", "−90 points"), strict=True):
        _, same, laid = band.describe().partition(points)
        assert same
        assert f"{points}{laid}" in told


def test_totals_are_said_from_the_second_deal_on_and_with_the_deal_after_which_they_stood() -> None:
    first, second = (position(f"{deal}{SIDES.strip()}").state for deal in ("", "deal 2, "))
    for state in (first, second):
        state.totals[:2] = [1250, -90]
    assert [band.score for band in FACE.looks.table(GAME.view(first, None), NAMES[:4]).bands] == ["", ""]
    assert "points" not in GAME.words.describe(GAME.view(first, None), NAMES[:4])
    scene = FACE.looks.table(GAME.view(second, None), NAMES[:4])
    assert [band.score for band in scene.bands] == ["1,250", "−90"]
    assert scene.title == "Deal 2 of 4 · points after deal 1"


def test_cards_laid_aside_do_not_count_in_the_own_hand() -> None:
    seen = position("Alice plays, drawn\nAlice | KC KD KH QC QD QH\nBen | 9C")
    seen.act("Alice: meld K x3")
    scene = FACE.looks.hand(GAME.view(seen.state, FIRST), NAMES[:2], Form(1, 2, ()))
    assert scene.lines[0][0].caption == "Your hand (3)"
    assert "You, to act, 3 + foot" in scene.alt
    other = FACE.looks.hand(GAME.view(seen.state, SECOND), NAMES[:2], Form(1, 2, ()))
    assert f"{NAMES[0]}, to act, 6 + foot" in other.alt


def test_a_hand_shows_what_all_sides_have_laid_its_own_first() -> None:
    scene = FACE.looks.hand(GAME.view(position(SIDES).state, SECOND), NAMES[:4], Form(1, 2, ()))
    assert [band.mark.alt for band in scene.bands] == ["Square", "Circle"]
    assert [player.name for player in scene.bands[0].players] == ["You", NAMES[3]]
    assert "Square: You, 1 + foot and" in scene.alt
    assert "10 ×6 (2 wild), Q ×3" in scene.alt


def test_chips_are_as_wide_as_50_pixels_of_a_phone_and_say_all_of_a_meld() -> None:
    assert CHIP * 360 / WIDTH >= 50
    chips = [meld(rank, cards, wilds) for rank in MELDABLE for cards in range(3, 7) for wilds in range(3)]
    chips += [pile(rank, clean=clean) for rank in MELDABLE for clean in (True, False)]
    assert len({chip.svg for chip in chips}) == len({chip.alt for chip in chips}) == len(chips)


def test_the_score_sheet_has_the_points_and_the_order_of_the_text() -> None:
    state = position(SIDES).state
    state.totals[:2] = [1250, 4000]
    state.reds[1] = [2, 2]
    scores = scoring.scores(state, SECOND)
    event = DealScored(1, SECOND, scoring.held(state), scores)
    sheet = FACE.looks.score_sheet(event, NAMES[:4])
    assert sheet is not None
    lines = GAME.words.narrate(event, NAMES[:4]).splitlines()[1:]
    for row, line in zip(sheet.rows, lines, strict=True):
        who, piles, cards, reds, out, left, deal, total = row
        assert line.startswith(f"{who} **{deal}** (1 clean pile 500, 1 dirty pile 300, cards {cards}")
        assert piles == "800"
        assert f"2 red threes {reds}" in line or reds == "0"
        assert f"out {out}" in line or out == "0"
        assert f"left over {left}" in line
        assert line.endswith(f"total {total}")
    assert [mark.alt for mark in sheet.marks] == ["Square", "Circle"]
    assert sheet.rows[0][-1] == f"{4000 + 800 + 240 + 200 + 100 - 130:,}"
