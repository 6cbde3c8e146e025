"""Texts for players: actions, descriptions, the table, the rules."""

from typing import Any

import pytest

from games.contract import Event
from games.french import TEXT
from games.thirty_one import GAME
from games.thirty_one.actions import ACTIONS
from games.thirty_one.events import DealBegan, HadThirtyOne, HandsShown, Shown
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.rulebook import EXAMPLE
from games.thirty_one.words import situation
from games.types import SEATS, Seat, with_seats
from tests.games.position import NAMES
from tests.games.thirty_one.position import Position, after_knock, opened, position
from tests.seats import FIRST, SECOND, THIRD


@pytest.mark.parametrize("text", ["drop ♥10", "discard ♥10", "Drop 10h", "discard H10"])
def test_a_card_can_be_dropped_in_the_words_of_the_screen(text: str) -> None:
    assert GAME.parse(text) == GAME.parse("discard 10H")


def test_every_card_can_be_discarded_and_has_a_name_of_its_own() -> None:
    assert len({GAME.words.label(action) for action in ACTIONS}) == 55
    assert [GAME.text(action) for action in ACTIONS[3:]] == [f"discard {card}" for card in TEXT]


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        deal 3, Alice dealt, Ben plays, Dan knocked, discards QD 8C 9C
        Alice | 7S QH (10D) | 1 token
        Ben   | 2S 3H 4S | 2 tokens
        Cleo  | out in deal 2
        Dan   | (2D) (3D) (4D) | 3 tokens
    """)
    assert seen.describe("Ben").splitlines() == [
        "**Your turn** · draw or take ♦Q",
        "**Thirty-One**, deal 3",
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


def test_a_player_is_told_which_card_is_new() -> None:
    text = "Alice dealt, discards QD, stock 8C\nAlice | 7S QH 10D\nBen | 2S 3H 4S"
    assert GAME.words.done(*position(text).taken("Ben: draw")) == "You drew ♣8"
    seen = position(text)
    assert GAME.words.done(*seen.taken("Ben: take")) == "Take the top discard"
    assert "Your hand: ♦Q ♥3 ♠2 ♠4 (♦ 10, ♥ 3, ♠ 6). You took ♦Q.\n" in seen.describe("Ben")
    assert "You took" not in seen.describe("Alice")


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
    assert "**Thirty-One, any suit, three of a kind 30½**, deal 1\n" in text
    assert "(together 31)" in text


def test_a_description_says_how_the_last_deal_ended() -> None:
    seen = after_knock("9S 8S 7S", "9H 8H 2C", "10D KD 8C")
    assert "Last deal: Alice 24, Ben 17, Cleo 20." in seen.describe("Alice")


def test_the_longest_description_fits() -> None:
    seen = opened(8)
    for seat in SEATS[:8]:
        seen.state.known[seat] = list(seen.state.hands[seat])
    seen.state.discards += seen.state.stock
    seen.state.knocker = seen.state.dealer
    for other in (None, *range(8)):
        assert len(GAME.words.describe(GAME.view(seen.state, other), ["\\_" * 32] * 8)) <= 1500


def test_the_example_in_the_rules_is_correct() -> None:
    seen = after_knock(*EXAMPLE)
    assert [hand.worth for hand in seen.end().shown] == [42, 34, 34]
    assert seen.end().payments == (0, 1, 1)
    assert "♠A ♠K ♦4: 21 in spades" in GAME.rulebook.rules(ThirtyOneOptions())


def test_the_example_in_the_rules_with_any_suit_is_correct() -> None:
    seen = after_knock(*EXAMPLE, any_suit=True)
    assert [hand.worth for hand in seen.end().shown] == [50, 38, 54]
    assert seen.end().payments == (1, 1, 0)
    assert "which is 25" in GAME.rulebook.rules(ThirtyOneOptions(any_suit=True))


def test_rules_and_reference_follow_the_options() -> None:
    plain, own = ThirtyOneOptions(), ThirtyOneOptions(tokens=1, any_suit=True, three_of_a_kind=True)
    assert "begins with 3 tokens" in GAME.rulebook.rules(plain)
    assert "begins with 1 token." in GAME.rulebook.rules(own)
    for narration in (GAME.rulebook.rules, GAME.rulebook.reference):
        assert "30½" not in narration(plain)
        assert "30½" in narration(own)
    assert "best suit" in GAME.rulebook.reference(plain)
    assert "all three cards" in GAME.rulebook.reference(own)


# Records

TWO_ROUNDS = """
    Alice: draw; Alice: discard 4C; Ben: take; Ben: discard 2S; Cleo: draw; Cleo: discard 9D
    Alice: draw; Alice: discard 5C; Ben: knock; Cleo: take; Cleo: discard 3D; Alice: draw; Alice: discard 6C
"""


def two_rounds_with_a_knock() -> Position:
    """Return a deal in which Alice, Ben and Cleo have played two rounds and Ben has knocked."""
    seen = position("""
        deal 3, Cleo dealt, discards QD, stock 4C 9D 5C 6C
        Alice | 7S QS 10D | 1 token
        Ben   | 2S 3S AS
        Cleo  | AH 2H 3D
    """)
    seen.act(TWO_ROUNDS)
    return seen


def record(seen: Position, first: int = 0, last: int | None = None) -> list[str]:
    events = [event for event in seen.events if event.to is None]
    return GAME.record.lines(events[first:last], seen.names)


def test_one_round_is_one_line_and_a_knock_ends_it() -> None:
    assert record(two_rounds_with_a_knock()) == [
        "Alice draws, drops ♣4 · Ben takes ♣4, drops ♠2 · Cleo draws, drops ♦9",
        "Alice draws, drops ♣5 · **Ben knocks**",
        "Last turns: Cleo takes ♣5, drops ♦3 · Alice draws, drops ♣6",
        "Shown: Alice ♦10 ♠7 ♠Q = **17** · Ben ♣4 ♠A ♠3 = **14** · Cleo ♣5 ♥A ♥2 = **13**",
        "Ben and Cleo pay a token each.",
        "**Deal 4** · Alice deals, ♦A is turned up, Ben begins",
    ]


def test_a_record_may_begin_and_end_at_any_event() -> None:
    assert record(two_rounds_with_a_knock(), 1, 5) == ["Alice drops ♣4 · Ben takes ♣4, drops ♠2 · Cleo draws"]
    assert record(two_rounds_with_a_knock(), 9, 12) == ["Cleo takes ♣5, drops ♦3 · Alice draws"]
    assert record(two_rounds_with_a_knock(), 3, 3) == []


def test_a_shuffle_is_recorded_before_the_card_that_needed_it() -> None:
    seen = position("Cleo dealt, discards QD 8C 9C\nAlice | 7S QS 10D\nBen | 2S 3S AS\nCleo | AH 2H 3D")
    seen.state.stock = []
    seen.act("Alice: draw")
    assert record(seen) == ["2 discards are shuffled and become the new stock · Alice draws"]


def test_a_player_who_goes_out_is_recorded_with_the_payment() -> None:
    seen = after_knock("2S 3D 4H", "9H 8H 3C", "10D KD 8C", tokens=(2, 3, 3))
    assert record(seen)[-2] == "Alice pays 2 tokens. Alice is out."


def test_a_deal_ends_with_the_hands_that_are_shown() -> None:
    seen = two_rounds_with_a_knock()
    closing = [event for event in seen.events if GAME.record.closes(event)]
    assert closing == [seen.end()]


def test_the_task_says_what_may_be_done_and_nothing_hidden() -> None:
    seen = position(
        "Cleo dealt, discards QD, stock 4C 9D\nAlice | 7S QS 10D\nBen | 2S 3S AS\nCleo | AH 2H 3D"
    )
    assert task(seen) == "draw, take ♦Q or knock"
    seen.act("Alice: draw")
    assert task(seen) == "drop a card"
    seen.act("Alice: discard 4C; Ben: knock")
    assert task(seen) == "draw or take ♣4"


def task(seen: Position) -> str:
    return GAME.words.task(GAME.view(seen.state, None))


def test_there_is_no_task_after_the_end() -> None:
    assert task(after_knock("2S 3D 4H", "9H 8H 3C", tokens=(1, 1))) == ""


def test_the_line_above_a_hand_gives_its_worth_and_who_has_knocked() -> None:
    seen = position("deal 3, Cleo dealt, discards QD\nAlice | 7S QS 7D\nBen | 2S 3S AS\nCleo | out in deal 2")
    assert line(seen, FIRST) == "**Your turn** · draw, take ♦Q or knock · you hold 17 in ♠ · deal 3"
    assert line(seen, THIRD) == "**Alice's turn** · draw, take ♦Q or knock · you are out · deal 3"
    seen.act("Alice: knock")
    hers = "**Your turn** · draw or take ♦Q · you hold 16 in ♠ · Alice has knocked, last turn · deal 3"
    assert line(seen, SECOND) == hers
    assert (
        line(seen, FIRST) == "**Ben's turn** · draw or take ♦Q · you hold 17 in ♠ · you have knocked · deal 3"
    )


def line(seen: Position, seat: Seat) -> str:
    return situation(GAME.view(seen.state, seat), seen.names)


def test_with_any_suit_or_three_of_a_kind_the_line_names_no_suit() -> None:
    cards = "Ben dealt, discards QD\nAlice | 7S 7H 7D\nBen | 2S 3S AS"
    assert "you hold 21 · " in line(position(cards, any_suit=True), FIRST)
    assert "you hold 30½ · " in line(position(cards, three_of_a_kind=True), FIRST)


# The highlight


def highlight(*hands: str, **options: Any) -> str:
    seen = after_knock(*hands, deal=9, **options)
    began = DealBegan(9, SECOND, FIRST, 0)
    return GAME.record.highlight([began, *seen.events], NAMES)


def test_the_hand_that_beat_a_knock_is_the_highlight() -> None:
    narration = highlight("9S 2D 3H", "9H 8H 3C", tokens=(1, 3))
    assert narration == "In deal 9 Ben had 17 against Alice's knock with 9, and Alice paid the last token."


def test_a_knock_that_won_is_the_highlight() -> None:
    narration = highlight("9S 8S 7S", "9H 8H 2C", "9D 8D 3C", tokens=(3, 1, 1))
    assert narration == "In deal 9 Alice knocked with 24, and Ben and Cleo paid their last token."


def test_without_a_knock_the_best_hand_is_the_highlight() -> None:
    shown = tuple(Shown(seat, (0, 1, 2), worth) for seat, worth in with_seats((20, 48, 48)))
    events = [DealBegan(9, SECOND, FIRST, 0), HandsShown(None, shown, (1, 0, 0), (FIRST,))]
    assert GAME.record.highlight(events, NAMES) == (
        "In deal 9 Ben and Cleo had the best hand, 24, and Alice paid the last token."
    )


def test_a_31_is_the_highlight() -> None:
    seen = position("deal 5, Ben dealt, discards 2D, stock QS\nAlice | AS KS 4D\nBen | 2S 3S 4S | 1 token")
    seen.act("Alice: draw; Alice: discard 4D")
    narration = GAME.record.highlight([DealBegan(5, SECOND, FIRST, 0), *seen.events], NAMES)
    assert narration == "In deal 5 Alice made 31, which cost Ben the last token."


def test_without_a_player_going_out_there_is_no_highlight() -> None:
    assert highlight("9S 8S 7S", "9H 8H 2C") == ""
    assert GAME.record.highlight([], NAMES) == ""


def thirty_one(seat: Seat, deal: int, *, dealt: bool, out: tuple[Seat, ...] = ()) -> list[Event]:
    """Return the first and the last event of a deal in which `seat` has 31."""
    shown = (Shown(seat, (0, 1, 2), 62),)
    return [DealBegan(deal, SECOND, FIRST, 0), HadThirtyOne(dealt, shown, (1, 1), out)]


def test_a_31_that_was_dealt_is_the_highlight_before_the_end() -> None:
    events = [*thirty_one(FIRST, 3, dealt=True), *thirty_one(SECOND, 4, dealt=False, out=(FIRST,))]
    assert GAME.record.highlight(events, NAMES) == "In deal 3 Alice was dealt 31."
    events = [*thirty_one(FIRST, 3, dealt=False), *thirty_one(SECOND, 4, dealt=True, out=(FIRST,))]
    assert (
        GAME.record.highlight(events, NAMES) == "In deal 4 Ben was dealt 31, which cost Alice the last token."
    )


def test_the_tokens_left_are_known_after_each_deal() -> None:
    events = [*thirty_one(FIRST, 1, dealt=False), *thirty_one(SECOND, 2, dealt=False)]
    assert GAME.record.scores_by_round(events, ThirtyOneOptions(tokens=4)) == [(3, 3), (2, 2)]
    assert GAME.record.scores_by_round(events[:1], ThirtyOneOptions()) == []
