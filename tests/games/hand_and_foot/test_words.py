"""The texts of Hand and Foot: actions, records, descriptions and rules."""

import pytest

from games.contract import Illegal
from games.hand_and_foot import GAME, rulebook
from games.hand_and_foot.actions import ACTIONS, DISCARD
from games.hand_and_foot.events import DealBegan
from games.hand_and_foot.options import HandAndFootOptions
from tests.games.hand_and_foot.position import position
from tests.seats import FIRST, SECOND

NAMES = ["Alice", "Ben"]


def test_the_order_of_the_cards_does_not_matter_but_the_rank_does() -> None:
    assert GAME.parse("meld 7 +joker +2 x2") == GAME.parse("meld 7 x2 +2 +JOKER")
    assert GAME.parse("meld 5 x4") != GAME.parse("meld 4 x5")


def test_every_label_can_be_typed() -> None:
    for action in ACTIONS:
        assert GAME.parse(GAME.words.label(action)) == action


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("Draw two", "draw"),
        ("take pile", "take"),
        ("take 7 cards", "take"),
        ("Ask to go out", "ask"),
        ("discard ♥k", "discard KH"),
        ("discard ♥\ufe0fK", "discard KH"),
        ("♥K · discard", "discard KH"),
        ("♠10 · discard and go out", "discard 10S"),
        ("lay 7 2 7", "meld 7 x2 +2"),
        ("Lay K K Jo", "meld K x2 +JOKER"),
        ("Lay K K K and take up your foot", "meld K x3"),
        ("lay 2 and Joker on the Ks", "meld K +2 +JOKER"),
    ],
)
def test_the_words_of_buttons_can_be_typed(typed: str, text: str) -> None:
    assert GAME.text(GAME.parse(typed)) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("discard K", "Name the suit"),
        ("lay 2 Joker", "Say on which meld"),
        ("lay 3 3 3", "3s are never melded"),
        ("lay K K K K K K K 2", "A meld has at most 7 cards"),
        ("lay K Q", "no such move"),
        ("lay K K on the Qs", "no such move"),
        ("draw three", "no such move"),
        ("lay kings", "no such move"),
        ("meld K x9", "A meld has at most 7 cards"),
        ("meld k x6 +2 +joker", "A meld has at most 7 cards"),
        ("meld 3 x3", "3s are never melded"),
        ("meld K x 3", "no such move"),
        ("meld K", "no such move"),
        ("meld K x99999", "no such move"),
        ("discard 3 x9", "no such move"),
        ("", "no such move"),
    ],
)
def test_a_text_that_is_no_action_is_refused_with_its_rule_or_the_right_form(text: str, says: str) -> None:
    with pytest.raises(Illegal, match=says):
        GAME.parse(text)


def test_the_record_has_a_line_per_turn() -> None:
    seen = position(
        "Ben plays, stock 5H 3D 9H\nAlice | 9C | melds K K K\nBen | QC QD 4C 4D 4H 5D | foot 4D | melds Q Q Q Q Q"
    )
    seen.act("Ben: draw; Ben: meld 4 x3; Ben: meld Q x2; Ben: discard 9H; Alice: draw; Alice: discard 9C")
    assert GAME.record.lines([event for event in seen.events if event.to is None], NAMES)[:2] == [
        "Ben draws, lays out ♦3, lays 4 4 4, Q Q, finishes a **clean pile** of Qs, drops ♥9",
        "Alice draws, drops ♣9",
    ]


def test_wild_cards_are_laid_on_a_meld_named_in_the_plural() -> None:
    seen = position("Ben plays, drawn\nAlice | 9C\nBen | 2C JOKER 4C | melds 8 8 8 8 8")
    seen.act("Ben: meld 8 +2 +joker; Ben: discard 4C")
    line = GAME.record.lines(seen.events, NAMES)[0]
    assert line.startswith("Ben lays 2 and Joker on the 8s, finishes a **dirty pile** of 8s, ")


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (2, ""),
        (3, ""),
        (4, "Alice and Cleo play against Ben and Dan · "),
        (6, "Alice and Dan play against Ben and Eve and against Cleo and Finn · "),
    ],
)
def test_the_record_of_each_deal_says_who_are_partners(seats: int, says: str) -> None:
    names = ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn"][:seats]
    for deal in (1, 2):
        began = [DealBegan(deal=deal, dealer=FIRST, start=SECOND, minimum=50)]
        heading = f"**Deal {deal}** · {says}Alice deals, Ben begins, first melds need 50 points"
        assert GAME.record.lines(began, names) == [heading]


def test_the_first_meld_is_named_until_the_side_has_made_it() -> None:
    seen = position("Alice plays\nAlice | 9C\nBen | 9D | melds K K K\nCleo | 4C\nDan | 4D")
    assert "first meld 50" in seen.describe("Alice")
    for name in ("Ben", "Dan"):
        assert "first meld" not in seen.describe(name)


def test_the_record_for_a_player_has_a_line_per_turn_too() -> None:
    seen = position("Ben plays, stock 5H 9H\nAlice | 9C\nBen | QC 4C | foot 4D | melds Q Q Q")
    seen.act("Ben: draw; Ben: meld Q x1; Ben: discard 9H")
    assert any(event.to is not None for event in seen.events)
    assert GAME.record.lines(seen.events, NAMES) == ["Ben draws, lays Q, drops ♥9"]


def test_a_description_says_who_has_what() -> None:
    seen = position(
        "Alice plays, discards KS 5C\n"
        "Alice | 9C 9C JOKER | no foot | melds K K K 2\n"
        "Ben   | QC (QD) | melds 7 7 7 | piles Q clean, 9 dirty"
    )
    told = seen.describe("Alice")
    assert "Your foot, 3 cards: ♣9×2 Joker." in told
    assert "You: K ×4 (1 wild)." in told
    assert "Ben: clean Q, dirty 9, 7 ×3." in told
    assert "Ben: 2 cards (known: Q), foot waits." in told
    assert "Discards, the top last: ♣5 ♠K." in told


@pytest.mark.parametrize(
    ("discards", "says"),
    [
        ("", "draw two cards"),
        (", discards 2S 9H", "draw two cards"),
        (", discards 3S 9H", "draw two cards"),
        (", discards 9H 2S", "draw two cards, or take the pile with two 9s"),
    ],
)
def test_the_task_names_the_pile_only_if_anybody_could_take_it(discards: str, says: str) -> None:
    seen = position(f"Alice plays{discards}\nAlice | 9C KS\nBen | QC")
    assert GAME.words.task(GAME.view(seen.state, None)) == says


@pytest.mark.parametrize(
    ("hand", "says"),
    [("9C 9S", "or take the pile with two 9s"), ("9C KS", "**Your turn** · draw two cards\n")],
)
def test_the_own_task_names_the_pile_only_with_two_cards_for_it(hand: str, says: str) -> None:
    seen = position(f"Alice plays, discards 9H 2S\nAlice | {hand}\nBen | QC")
    assert says in seen.describe("Alice")
    assert "**Alice's turn** · draw two cards, or take the pile with two 9s" in seen.describe("Ben")


def test_a_description_says_who_plays_with_whom_and_whether_the_pile_is_blocked() -> None:
    seen = position("Alice plays, discards 2S 9H\nAlice | 9C | no foot\nBen | QC\nCleo | 5C\nDan | 6C")
    told = seen.describe("Alice")
    assert "You and Cleo: nothing laid yet." in told
    assert "Blocked: nobody can take them now." in told
    assert "Your foot, 1 card: ♣9." in told


def test_the_reference_says_what_red_threes_cost_in_a_foot() -> None:
    said = GAME.rulebook.reference(HandAndFootOptions())
    assert "cards left over are subtracted, red 3s of an unopened foot 100 each\n" in said


def test_a_player_is_told_what_came_of_an_action() -> None:
    seen = position(
        "Ben plays, stock 5H 3D 9H 4C 6D\nAlice | 9C\nBen | QC | foot 4D 3H | melds Q Q Q Q Q Q, 8 8 8"
    )

    def told(action: str) -> str:
        return GAME.words.done(*seen.taken(f"Ben: {action}"))

    assert told("draw") == "You drew ♦3 and ♥5, laid out ♦3 and drew ♥9"
    assert told("discard 5H") == "Discard ♥5"
    GAME.step(seen.state, FIRST, GAME.parse("draw"))
    GAME.step(seen.state, FIRST, GAME.parse("discard 9C"))
    assert told("draw").startswith("You drew ")
    seen.state.hands[1] = [GAME.parse("discard QC") - DISCARD]
    assert told("meld Q x1") == (
        "Lay Q. You finished a clean pile of Qs, took up your foot, laid out ♥3 and drew ♠9"
    )


@pytest.mark.parametrize(
    ("melds", "hand", "says"),
    [
        (" | melds K K K", "QC QD 4C", "You got ♣5 and ♦9 and melded Q Q Q"),
        ("", "QC QD KC KD KH 4C", "You got ♣5 and ♦9 and melded Q Q Q, K K K"),
    ],
)
def test_a_player_who_takes_the_pile_is_told_what_came_and_what_is_melded(
    melds: str, hand: str, says: str
) -> None:
    seen = position(f"Ben plays, discards QH 5C 9D\nAlice | 9C\nBen | {hand}{melds}")
    if not melds:
        seen.act("Ben: meld K x3")
    action = GAME.parse("take")
    assert GAME.words.done(action, GAME.apply(seen.state, SECOND, action)) == f"Take the discard pile. {says}"


def test_the_end_of_a_deal_is_the_last_that_a_player_is_told_of_an_action() -> None:
    seen = position("Ben plays, drawn\nAlice | 9C\nBen | 4D | no foot | piles K clean, 8 dirty")
    action = GAME.parse("discard 4D")
    assert GAME.words.done(action, GAME.apply(seen.state, SECOND, action)) == "Discard ♦4. You went out"
    seen = position("Ben plays, stock only 4C\nAlice | 9C\nBen | 4D")
    action = GAME.parse("draw")
    assert (
        GAME.words.done(action, GAME.apply(seen.state, SECOND, action))
        == "You ended the deal, as the stock has too few cards"
    )


def test_the_description_of_a_partner_says_what_was_answered() -> None:
    seen = position(
        "Alice plays, drawn\nAlice | QC 9C KC | no foot | melds Q Q Q | piles K clean, 8 dirty\n"
        "Ben | KC\nCleo | KD\nDan | KH"
    )
    seen.act("Alice: ask")
    assert GAME.record.lines(seen.events, seen.names) == ["Alice asks Cleo whether to go out"]
    assert "**Your turn** · Alice asks whether to go out: agree or refuse" in seen.describe("Cleo")
    assert "**Cleo's turn** · Alice asks whether to go out: agree or refuse" in seen.describe("Ben")
    seen.act("Cleo: refuse")
    assert "Cleo refuses, so you may not go out this turn: keep a card" in seen.describe("Alice")
    assert "you refused" in seen.describe("Cleo")
    assert "refuse" not in seen.describe("Ben")


def test_after_the_end_a_description_has_the_number_of_cards_left_and_one_sign() -> None:
    seen = position("deal 4, Alice plays, stock only 4C\nAlice | 9C\nBen | KC | no foot\nCleo | KD")
    seen.act("Alice: draw")
    told = seen.describe("Alice")
    assert "You: 12 cards left." in told.splitlines()
    assert "known" not in told
    assert "foot." not in told
    assert "-" not in told
    assert "Ben wins with −10 points." in told
    assert "**2.** Alice and Cleo: −65 points" in told


@pytest.mark.parametrize(("deals", "says"), [(1, "50 points in deal 1"), (2, "in deal 1 and 90 in deal 2")])
def test_the_rules_name_the_minimums_of_the_deals_that_are_played(deals: int, says: str) -> None:
    options = HandAndFootOptions(deals=deals)
    for text in (rulebook.rules(options), rulebook.primer(options), rulebook.reference(options)):
        assert says in text
    assert "in deal 3" not in rulebook.rules(options)


def test_the_rules_name_the_suits_of_red_and_black_threes() -> None:
    rules = rulebook.rules(HandAndFootOptions())
    assert "**red 3** (♥3 ♦3)" in rules
    assert "**black 3** (♠3 ♣3)" in rules
    for text in (rulebook.primer(HandAndFootOptions()), rulebook.reference(HandAndFootOptions())):
        assert "a red 3 is laid out at once" in text
        assert "partners sit opposite and share" in text
