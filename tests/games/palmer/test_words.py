"""Texts for players: actions, descriptions, the rules."""

from games.french import CARD, TEXT
from games.palmer import GAME
from games.palmer.actions import ACTIONS
from games.palmer.events import DealScored, Score
from games.palmer.options import PalmerOptions
from games.palmer.rulebook import BLIND, EXAMPLE
from games.palmer.rules import points
from games.types import SEATS
from tests.games.palmer.position import Position, last_turn, opened, position
from tests.seats import FIRST, SECOND, THIRD


def test_every_action_has_a_text_and_a_label_of_its_own() -> None:
    assert (
        len({GAME.text(action) for action in ACTIONS})
        == len({GAME.words.label(action) for action in ACTIONS})
        == 13
    )


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        deal 3, Alice dealt, Ben plays, pile QD 8C 9C
        Alice | (7S) QH / (10D) KC | 12
        Ben   | (2S) (3S) / 4S (5S) | 0
        Cleo  | out in deal 2 | 51
    """)
    assert seen.describe("Ben").splitlines() == [
        "**Your turn** · take, draw or turn over a card · turn 2 of 4",
        "**Palmer** · **Deal 3** · out at 50 points",
        "Face down, known only to you: ♠5 bottom right.",
        "Alice, total 12: top ? ♥Q, bottom ? ♣K.",
        "Ben, total 0: top ? ?, bottom ♠4 ♠5?.",
        "Cleo: out in deal 2 with 51 points.",
        "? is a face-down card.",
        "Palmer pile, the top first: ♦Q ♣8 ♣9. Stock: 41 cards.",
    ]
    assert "**Ben's turn** · take, draw or turn over a card · turn 2 of 4" in seen.describe(None)
    assert "♠5" not in seen.describe("Alice")
    seen.act("Ben: draw")
    assert "**Your turn** · place the drawn card · turn 2 of 4" in seen.describe("Ben")
    assert "**Ben's turn** · place the drawn card · turn 2 of 4" in seen.describe("Alice")


def test_the_longest_description_fits() -> None:
    seen = opened(6)
    for seat in [*range(1, 6), 0] * 4:
        seen.state.turn = seat
        if seen.state.deal == 1:
            GAME.step(seen.state, seat, GAME.parse("draw"))
            GAME.step(seen.state, seat, GAME.legal(seen.state, seat)[0])
    for seat in (None, *SEATS[:6]):
        assert len(GAME.words.describe(GAME.view(seen.state, seat), ["\\_" * 32] * 6)) <= 1500


def test_the_example_in_the_rules_is_correct() -> None:
    """It is played, and narrated as the rules say."""
    tl, tr, bl, br = EXAMPLE
    seen = position(f"""
        Cleo dealt, pile {tl}
        Alice | ({BLIND}) ({tr}) / ({bl}) ({br})
        Ben   | (2S) (4S) / (5S) (6S)
        Cleo  | (2D) (4D) / (5D) (6D)
    """)
    assert seen.act("Alice: take TL") == ["Alice takes ♦Q for ♠9 (top left)."]
    others = "Ben: turn {0}; Cleo: turn {0}"
    seen.act(others.format("TL") + "; Alice: turn BL; " + others.format("TR"))
    seen.act("Alice: turn BR; " + others.format("BL") + "; Alice: turn TR; " + others.format("BR"))
    assert [TEXT[card] for card in seen.state.last[0].square] == list(EXAMPLE)
    assert points([CARD[text] for text in EXAMPLE]) == seen.state.last[0].points == 7
    rules = GAME.rulebook.rules(PalmerOptions())
    assert "♦Q ♠3 ♥Q ♣4 (top row first): the queens cancel each other, 3 + 4 = 7 points" in rules
    assert "The card that lay there is ♠9; it goes on the pile." in rules


# Records

SQUARES = """
    Cleo dealt, pile QD, stock 7H 5D
    Alice | (9S) (3S) / (QH) (4C)
    Ben   | (2S) (4S) / (5S) (6S)
    Cleo  | (2D) (4D) / (AD) (6D)
"""


def record(seen: Position, script: str) -> list[str]:
    """Return the record of what the script does."""
    before = len(seen.events)
    seen.act(script)
    return GAME.record.lines([event for event in seen.events[before:] if event.to is None], seen.names)


def test_a_line_of_the_record_is_one_round_and_shows_draws_with_their_places() -> None:
    lines = record(
        position(SQUARES),
        "Alice: take TL; Ben: draw; Ben: place TR; Cleo: turn BL; Alice: turn BL; Ben: draw",
    )
    assert lines == [
        "Alice takes ♦Q for ♠9 (top left) · Ben draws ♥7 for ♠4 (top right) · Cleo turns over ♦A (bottom left)",
        "Alice turns over ♥Q (bottom left) · Ben draws a card",
    ]


def test_a_record_that_begins_between_a_draw_and_its_placing_shows_both() -> None:
    seen = position(SQUARES)
    seen.act("Alice: draw")
    assert record(seen, "Alice: place BR; Ben: take TL") == [
        "Alice draws ♥7 for ♣4 (bottom right) · Ben takes ♣4 for ♠2 (top left)"
    ]


def test_the_end_of_a_deal_follows_its_last_play_with_the_fewest_points_in_bold() -> None:
    seen = last_turn("AS 2S / 3S 4S", "5S 5D / 6S 6D", "7S 7D / 8S 8D", totals=(45, 0, 0))
    assert record(seen, "Alice: turn BR")[:3] == [
        "Alice turns over ♠4 (bottom right)",
        "**Deal 1:** Alice 10 (total 55) · **Ben 0** (total 0) · **Cleo 0** (total 0)",
        "Out: Alice with 55",
    ]
    assert [GAME.record.closes(event) for event in seen.events[:3]] == [False, True, False]


def test_the_end_of_the_match_is_one_line_of_the_record() -> None:
    seen = last_turn("AS KS / KD KC", "5S 5D / 6S 7D", "7S 9S / 8S 9D", totals=(0, 49, 49))
    assert record(seen, "Alice: turn BR")[-1] == (
        "**Alice wins with 1 point.** Everybody else has 50 points or more."
    )


def test_the_highlight_is_the_deal_in_which_the_winner_gained_most_on_the_second() -> None:
    seen = last_turn("AS KS / KD KC", "5S 5D / 6S 7D", "7S 9S / 8S 9D", totals=(0, 49, 49))
    seen.act("Alice: turn BR")
    assert GAME.record.highlight(seen.events, seen.names) == (
        "Deal 1 decided it: Alice had 1 point, Ben had 13."
    )


def test_a_player_who_is_out_keeps_the_last_total() -> None:
    square = (0, 1, 2, 3)
    deals = [
        DealScored(
            1,
            (Score(FIRST, square, 4, 4), Score(SECOND, square, 50, 50), Score(THIRD, square, 6, 6)),
            (SECOND,),
        ),
        DealScored(2, (Score(FIRST, square, 5, 9), Score(THIRD, square, 2, 8)), ()),
    ]
    assert GAME.record.scores_by_round(deals, GAME.Options()) == [(4, 50, 6), (9, 50, 8)]


def test_a_shared_first_place_has_no_highlight() -> None:
    seen = Position.after_random_moves(3, 4, 10_000)
    assert seen.state.outcome is not None
    assert seen.state.outcome.placings == (3, 1, 1)
    assert GAME.record.highlight(seen.events, seen.names) == ""


def test_the_task_contains_only_public_information() -> None:
    seen = position(SQUARES)
    assert {GAME.words.task(GAME.view(seen.state, seat)) for seat in (None, *SEATS[:2])} == {
        "take, draw or turn over a card"
    }
    seen.act("Alice: draw")
    assert {GAME.words.task(GAME.view(seen.state, seat)) for seat in (None, *SEATS[:2])} == {
        "place the drawn card"
    }


def test_rules_primer_and_reference_follow_the_limit() -> None:
    options = PalmerOptions(limit=77)
    for text in (
        GAME.rulebook.rules(options),
        GAME.rulebook.primer(options),
        GAME.rulebook.reference(options),
    ):
        assert "77" in text
        assert "50" not in text
