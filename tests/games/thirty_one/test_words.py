"""What people read: actions, descriptions, the table, the rules."""

import pytest

from games.contract import Illegal
from games.french import TEXT
from games.thirty_one import GAME
from games.thirty_one.actions import ACTIONS
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.rulebook import EXAMPLE
from games.thirty_one.words import holdings
from tests.games.thirty_one.position import after_knock, opened, position


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("draw", "Draw from the stock"),
        ("take", "Take the top discard"),
        ("knock", "Knock"),
        ("discard 10H", "Discard ♥10"),
        ("discard AC", "Discard ♣A"),
    ],
)
def test_an_action_is_said_in_words(text: str, label: str) -> None:
    assert GAME.label(GAME.parse(text)) == label


def test_every_card_can_be_discarded_and_has_a_name_of_its_own() -> None:
    assert len({GAME.label(action) for action in ACTIONS}) == 55
    assert [GAME.text(action) for action in ACTIONS[3:]] == [f"discard {card}" for card in TEXT]


@pytest.mark.parametrize("text", ["fold", "discard", "discard 1H", "draw QS", "knock knock"])
def test_what_is_no_action_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(Illegal, match="as in discard 10H"):
        GAME.parse(text)


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        deal 3, Alice dealt, Ben plays, Dan knocked, discards QD 8C 9C
        Alice | 7S QH (10D) | 1 token
        Ben   | 2S 3H 4S | 2 tokens
        Cleo  | out in deal 2
        Dan   | (2D) (3D) (4D) | 3 tokens
    """)
    assert seen.describe("Ben").splitlines() == [
        "**Thirty-One**, deal 3",
        "You are to draw or take the top discard.",
        "Dan has knocked. Last turns: Ben.",
        "Your hand: ♥3 ♠2 ♠4 (♥ 3, ♠ 6).",
        "Alice: 1 token; ♦10 and 2 hidden cards.",
        "Ben: 2 tokens; 3 hidden cards.",
        "Cleo: out in deal 2.",
        "Dan: 3 tokens; ♦2 ♦3 ♦4.",
        "Discards, the top first: ♦Q ♣8 ♣9.",
        "Stock: 40 cards.",
    ]
    assert "Your" not in seen.describe(None)
    assert "♥3" not in seen.describe("Alice")


def test_a_description_names_the_variants_and_counts_all_cards_under_any_suit() -> None:
    seen = position(
        """
        Alice dealt, discards QD
        Alice | 7S QH 10D
        Ben   | AS AH 9D
        """,
        any_suit=True,
        three_of_a_kind=True,
    )
    text = seen.describe("Ben")
    assert text.startswith("**Thirty-One, any suit, three of a kind 30½**, deal 1")
    assert "(together 31)" in text


def test_a_last_deal_is_remembered() -> None:
    seen = after_knock("9S 8S 7S", "9H 8H 2C", "10D KD 8C")
    assert "Last deal: Alice 24, Ben 17, Cleo 20." in seen.describe("Alice")


def test_the_table_fits_a_phone() -> None:
    seen = position("""
        deal 3, Alice dealt, Ben plays, discards QD
        Alice | 7S (QH) (10D) | 10 tokens
        Ben   | (10S) (10H) (10C) | 2 tokens
        Cleo  | out in deal 2
    """)
    seen.act("Ben: draw")
    lines = holdings(GAME.view(seen.state, 0), ["W" * 32, "Ben", "Cleo"]).splitlines()
    assert lines == [
        "```",
        "             tok cards",
        "1 WWWWWWWWW…  10 ♥Q ♦10 ?",
        "2 Ben          2 ♠10 ♥10 ♣10 ?",
        "3 Cleo         - out",
        "```",
    ]
    assert max(map(len, lines)) <= 32


def test_the_longest_description_fits() -> None:
    seen = opened(8)
    for seat in range(8):
        seen.state.known[seat] = list(seen.state.hands[seat])
    seen.state.discards += seen.state.stock
    seen.state.knocker = seen.state.dealer
    for other in (None, *range(8)):
        assert len(GAME.describe(GAME.view(seen.state, other), ["\\_" * 32] * 8)) <= 1500


def test_the_example_in_the_rules_is_true() -> None:
    seen = after_knock(*EXAMPLE)
    assert [hand.worth for hand in seen.end().shown] == [42, 34, 34]
    assert seen.end().payments == (0, 1, 1)
    assert "♠A ♠K ♦4: 21 in spades" in GAME.rules(ThirtyOneOptions())


def test_the_example_in_the_rules_of_any_suit_is_true() -> None:
    seen = after_knock(*EXAMPLE, any_suit=True)
    assert [hand.worth for hand in seen.end().shown] == [50, 38, 54]
    assert seen.end().payments == (1, 1, 0)
    assert "which is 25" in GAME.rules(ThirtyOneOptions(any_suit=True))


def test_rules_and_reference_follow_the_options() -> None:
    plain, own = ThirtyOneOptions(), ThirtyOneOptions(tokens=1, any_suit=True, three_of_a_kind=True)
    assert "begins with 3 tokens" in GAME.rules(plain)
    assert "begins with 1 token;" in GAME.rules(own)
    for told in (GAME.rules, GAME.reference):
        assert "30½" not in told(plain)
        assert "30½" in told(own)
    assert "best suit" in GAME.reference(plain)
    assert "all three cards" in GAME.reference(own)
