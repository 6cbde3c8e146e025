"""What people read: actions, descriptions, the squares, the rules."""

import pytest

from games.contract import Illegal
from games.french import CARD, TEXT
from games.palmer import GAME
from games.palmer.actions import ACTIONS
from games.palmer.options import PalmerOptions
from games.palmer.rulebook import BLIND, EXAMPLE
from games.palmer.rules import points
from games.palmer.words import squares
from tests.games.palmer.position import last_turn, opened, position


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("draw", "Draw from the stock"),
        ("take TL", "Take the pile's top card for the top left"),
        ("place BR", "Place the drawn card at the bottom right"),
        ("turn TR", "Turn over the top right"),
    ],
)
def test_an_action_is_said_in_words(text: str, label: str) -> None:
    assert GAME.label(GAME.parse(text)) == label


def test_every_action_has_a_text_and_a_label_of_its_own() -> None:
    assert (
        len({GAME.text(action) for action in ACTIONS})
        == len({GAME.label(action) for action in ACTIONS})
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
        "**Palmer to 50**, deal 3",
        "You are to take, draw or turn over a card (turn 2 of 4).",
        "Face down, seen by you alone: ♠5 bottom right.",
        "Alice, total 12: top ? ♥Q, bottom ? ♣K.",
        "Ben, total 0: top ? ?, bottom ♠4 ♠5?.",
        "Cleo: out in deal 2 with 51.",
        "? is a card that lies face down.",
        "Palmer pile, the top first: ♦Q ♣8 ♣9. Stock: 41 cards.",
    ]
    assert "Ben is to take" in seen.describe(None)
    assert "♠5" not in seen.describe("Alice")
    seen.act("Ben: draw")
    assert "You have drawn a card and must place it (turn 2 of 4)." in seen.describe("Ben")
    assert "Ben has drawn a card and must place it" in seen.describe("Alice")


def test_the_squares_lie_as_on_the_table_three_abreast() -> None:
    seen = position("""
        deal 3, Alice dealt, Ben plays, pile QD
        Alice | (7S) QH / (10D) KC | 12
        Ben   | (2S) (3S) / 4S (10S) | 0
        Cleo  | out in deal 2 | 51
        Dan   | 2D 3D / 4D 5D | 9
    """)
    assert squares(GAME.view(seen.state, 1), seen.names).splitlines() == [
        "```",
        "Alice      Ben        Cleo",
        "?    ♥Q    ?    ?     out",
        "?    ♣K    ♠4   ♠10?  in deal 2",
        "total 12   total 0    total 51",
        "",
        "Dan",
        "♦2   ♦3",
        "♦4   ♦5",
        "total 9",
        "```",
    ]


def test_the_squares_of_six_with_long_names_fit_a_phone() -> None:
    seen = opened(6)
    lines = squares(GAME.view(seen.state, 0), ["W" * 32] * 6).splitlines()
    assert max(map(len, lines)) <= 33


def test_the_longest_description_fits() -> None:
    seen = opened(6)
    for seat in [*range(1, 6), 0] * 4:
        seen.state.turn = seat
        if seen.state.deal == 1:
            GAME.step(seen.state, seat, GAME.parse("draw"))
            GAME.step(seen.state, seat, GAME.legal(seen.state, seat)[0])
    for seat in (None, *range(6)):
        assert len(GAME.describe(GAME.view(seen.state, seat), ["\\_" * 32] * 6)) <= 1500


def test_one_point_is_one_point() -> None:
    seen = last_turn("AS KS / KD KC", "5S 5D / 6S 7D", "7S 9S / 8S 9D", totals=(0, 49, 49))
    assert seen.act("Alice: turn BR")[-1].startswith("**Alice wins with 1 point.**")


@pytest.mark.parametrize("text", ["fold", "take", "take XX", "draw TL", "turn 5"])
def test_what_is_no_action_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(Illegal, match="take, place or turn and one of your four places"):
        GAME.parse(text)


def test_the_example_in_the_rules_is_true() -> None:
    """It is played, and said as the rules say it."""
    tl, tr, bl, br = EXAMPLE
    seen = position(f"""
        Cleo dealt, pile {tl}
        Alice | ({BLIND}) ({tr}) / ({bl}) ({br})
        Ben   | (2S) (4S) / (5S) (6S)
        Cleo  | (2D) (4D) / (5D) (6D)
    """)
    assert seen.act("Alice: take TL") == ["Alice takes ♦Q for the top left; ♠9 goes on the pile."]
    others = "Ben: turn {0}; Cleo: turn {0}"
    seen.act(others.format("TL") + "; Alice: turn BL; " + others.format("TR"))
    seen.act("Alice: turn BR; " + others.format("BL") + "; Alice: turn TR; " + others.format("BR"))
    assert [TEXT[card] for card in seen.state.last[0].square] == list(EXAMPLE)
    assert points([CARD[text] for text in EXAMPLE]) == seen.state.last[0].points == 7
    rules = GAME.rules(PalmerOptions())
    assert "♦Q ♠3 ♥Q ♣4 (top row first): the queens cancel each other, 3 + 4 = 7 points" in rules
    assert "♠9, goes on the pile" in rules


def test_rules_and_reference_follow_the_limit() -> None:
    options = PalmerOptions(limit=77)
    for text in (GAME.rules(options), GAME.reference(options)):
        assert "77" in text
        assert "50" not in text
