"""Texts for players: actions, descriptions, records, the rules."""

import pytest

from games.liars_dice import GAME
from games.liars_dice.actions import ACTIONS, BIDS
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.rulebook import EXAMPLE, EXAMPLE_BIDS
from games.liars_dice.words import cup
from games.types import SEATS, with_seats
from tests.games.liars_dice.position import Position, opened, position


def test_every_action_has_a_text_and_a_label_of_its_own() -> None:
    assert len({GAME.text(action) for action in ACTIONS}) == len({*map(GAME.words.label, ACTIONS)}) == 182


@pytest.mark.parametrize(
    "text",
    ["bid 4×6", "4x6", "4X6", "4 x 6", "bid 4 x 6", "4 sixes", "four sixes", "Bid four sixes", "bid  4×six"],
)
def test_a_bid_may_be_typed_as_people_write_and_say_it(text: str) -> None:
    assert GAME.text(GAME.parse(text)) == "bid 4x6"


def test_the_label_of_every_bid_may_be_typed() -> None:
    assert all(GAME.parse(GAME.words.label(action)) == action for action in BIDS)


CUPS = """
    Alice | 1 2 5 5 6
    Ben   | 2 3 3 4 5
    Cleo  | 1 3 4 6 6
""".strip()
TABLE = """
    round 4, Alice 2x3, Ben 3x5
    Alice | 1 3 3 5 6
    Ben   | 2 2
    Cleo  | 4 | palifico in round 3
    Dan   | out in round 2
"""


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position(TABLE)
    assert seen.describe("Cleo").splitlines() == [
        "**Your turn** · doubt three fives or bid higher",
        "**Liar's Dice** · **Round 4** · 8 dice in play · ones are wild",
        "Your cup: 4.",
        "Alice: 5 dice.",
        "Ben: 2 dice.",
        "Cleo: 1 die.",
        "Dan: out in round 2.",
        "Bids: Alice two threes · **Ben three fives**.",
    ]
    assert "**Cleo's turn** · doubt three fives or bid higher" in seen.describe(None)
    assert "Your cup" not in seen.describe(None)
    assert "Your cup: 1 3 3 5 6." in seen.describe("Alice")


def test_a_description_of_many_bids_has_the_latest() -> None:
    bids = [f"{quantity}x{face}" for quantity in (1, 2, 3) for face in range(2, 7)]
    names = ("Alice", "Ben")
    head = ", ".join(f"{names[number % 2]} {bid}" for number, bid in enumerate(bids))
    seen = position(f"{head}\n Alice | 2 2 2 2 2\n Ben | 2 2 2 2 2")
    line = next(line for line in seen.describe(None).splitlines() if line.startswith("Bids"))
    assert line.startswith("Bids: … · Ben a five · ")
    assert line.count(" · ") == 12


def test_the_longest_description_fits() -> None:
    seen = position("Alice 30x1\n" + "\n".join(f"{name} | 1 1 1 1 1" for name in ("Alice", "Ben", "Cleo")))
    seen.act("Ben: doubt")
    for seat in (None, *SEATS[:3]):
        assert len(GAME.words.describe(GAME.view(seen.state, seat), ["\\_" * 32] * 3)) <= 1500


def test_as_long_as_nobody_has_bid_a_description_has_the_end_of_the_last_round() -> None:
    seen = position(TABLE)
    seen.act("Cleo: doubt")
    last = (
        "Round 4: Cleo doubts Ben's bid of three fives. Shown: Alice 1 3 3 5 6 · Ben 2 2 · Cleo 4. With ones, two "
        "fives are there: Busted! Ben loses a die and has one."
    )
    for seat in ("Alice", "Ben", None):
        assert seen.describe(seat).splitlines()[2] == last
    assert "ound 4" not in seen.describe("Cleo"), "the caller was told then"
    seen.act("Ben: bid 1x5")
    assert "ound 4" not in seen.describe("Cleo"), "the record has it"


@pytest.mark.parametrize(
    ("bid", "call", "told"),
    [
        (
            "4x5",
            "doubt",
            "Doubt\n🎲 **Honest!** Four fives were bid, with ones five are there. You lose a die and have four.",
        ),
        (
            "6x5",
            "doubt",
            "Doubt\n🎲 **Busted!** Six fives were bid, with ones five are there. Seat 1 loses a die and has four.",
        ),
        (
            "6x5",
            "calza",
            "Calza: exactly\n🎲 **Not exactly!** Six fives were bid, with ones five are there. "
            "You lose a die and have four.",
        ),
        (
            "5x5",
            "calza",
            "Calza: exactly\n🎲 **On the nose!** Five fives were bid, with ones five are there. "
            "You keep five dice, the most there are.",
        ),
        (
            "3x1",
            "doubt",
            "Doubt\n🎲 **Busted!** Three ones were bid, two are there. Seat 1 loses a die and has four.",
        ),
    ],
)
def test_a_caller_is_told_what_was_counted_and_what_it_cost(bid: str, call: str, told: str) -> None:
    seen = position(f"round 4, Alice {bid}\n{CUPS}", calza=True)
    assert GAME.words.done(*seen.taken(f"Ben: {call}")) == (
        f"{told}\nShown: Seat 1 1 2 5 5 6 · Seat 2 2 3 3 4 5 · Seat 3 1 3 4 6 6."
    )


def test_a_bidder_is_told_the_bid() -> None:
    assert GAME.words.done(*position(f"round 4\n{CUPS}").taken("Alice: bid 7x5")) == "Bid seven fives"


def test_a_caller_is_told_of_the_last_die() -> None:
    seen = position("round 4, Alice 1x3\n Alice | 2\n Ben | 4\n Cleo | 5 5", calza=True)
    assert GAME.words.done(*seen.taken("Ben: calza")) == (
        "Calza: exactly\n🎲 **Not exactly!** A three was bid, none is there. You lose your last die and are out."
        "\nShown: Seat 1 2 · Seat 2 4 · Seat 3 5 5."
    )
    seen = position("round 4, Alice 1x3\n Alice | 2\n Ben | 4\n Cleo | 5 5")
    assert GAME.words.done(*seen.taken("Ben: doubt")) == (
        "Doubt\n🎲 **Busted!** A three was bid, none is there. Seat 1 loses the last die and is out."
        "\nShown: Seat 1 2 · Seat 2 4 · Seat 3 5 5."
    )


def test_the_task_contains_only_public_information() -> None:
    seen = position(TABLE)
    assert {GAME.words.task(GAME.view(seen.state, seat)) for seat in (None, *SEATS[:3])} == {
        "doubt three fives or bid higher"
    }
    assert GAME.words.task(GAME.view(opened().state, None)) == "open with a bid"


def test_the_example_in_the_rules_is_correct() -> None:
    cups = "\n".join(
        f"{name} | {cup(dice)}" for name, dice in zip(("Alice", "Ben", "Cleo"), EXAMPLE, strict=True)
    )
    seen = position(f"round 1\n{cups}")
    for seat, bid in with_seats(EXAMPLE_BIDS):
        assert GAME.awaited(seen.state) == (seat,)
        GAME.apply(seen.state, seat, bid)
    assert seen.act("Alice: doubt")[0].splitlines()[-1] == (
        "With ones, five sixes are there: **Honest!** Alice loses a die and has four."
    )
    rules = GAME.rulebook.rules(LiarsDiceOptions())
    assert "Alice has 1 2 5 5 6, Ben 2 3 3 4 5, Cleo 1 3 4 6 6." in rules
    assert "Alice bids three fives, Ben four fives, Cleo four sixes. Alice doubts." in rules
    assert "three sixes and two ones, which makes five: the bid stands, and Alice loses a die" in rules


def test_rules_and_reference_follow_the_options() -> None:
    plain = LiarsDiceOptions(palifico=False)
    full = LiarsDiceOptions(calza=True)
    for text in (GAME.rulebook.rules, GAME.rulebook.reference):
        assert "alifico" not in text(plain)
        assert "alifico" in text(full)
        assert "alza" in text(full)
    assert "**Calza.**" in GAME.rulebook.rules(full)
    assert "Calza is an option" not in GAME.rulebook.rules(full)
    assert "**Calza.**" not in GAME.rulebook.rules(plain)
    assert "alza" not in GAME.rulebook.reference(plain)
    assert "alza" in GAME.rulebook.primer(full)
    assert "alza" not in GAME.rulebook.primer(plain)
    assert "If no higher bid is left, you must doubt." in GAME.rulebook.rules(plain)
    assert "If no higher bid is left, you must doubt or call calza." in GAME.rulebook.rules(full)


def test_the_rules_without_calza_say_that_it_can_be_chosen() -> None:
    assert "**Calza is an option,** not chosen here." in GAME.rulebook.rules(LiarsDiceOptions())


# Records


def record(seen: Position, script: str) -> list[str]:
    """Return the record of what the script does."""
    before = len(seen.events)
    seen.act(script)
    return GAME.record.lines([event for event in seen.events[before:] if event.to is None], seen.names)


def test_the_bids_of_a_round_share_a_line_and_its_end_has_three() -> None:
    seen = position("round 4\n Alice | 1 2 5 5 6\n Ben | 2 3 3 4 5\n Cleo | 1 3 4 6 6")
    assert record(seen, "Alice: bid 3x5; Ben: bid 4x5; Cleo: doubt") == [
        "Alice: three fives · Ben: four fives",
        "**Cleo doubts Ben's bid of four fives.**",
        "Shown: Alice 1 2 5 5 6 · Ben 2 3 3 4 5 · Cleo 1 3 4 6 6.",
        "With ones, five fives are there: **Honest!** Cleo loses a die and has four.",
        "**Round 5** · 14 dice · Cleo opens.",
    ]
    assert [GAME.record.closes(event) for event in seen.events[:4]] == [False, False, True, False]


def test_a_bid_on_a_single_die_is_recorded_without_its_number() -> None:
    seen = position("round 4\n Alice | 2 3\n Ben | 1 3\n Cleo | 4 5")
    assert record(seen, "Alice: bid 1x5; Ben: bid 1x6; Cleo: bid 1x1; Alice: doubt")[0] == (
        "Alice: a five · Ben: a six · Cleo: a one"
    )


# The best moment

LAST_ROUND = "Alice | 2\n Ben | 3"


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("Alice: bid 1x2; Ben: calza", "Ben called it exactly: a two."),
        ("Alice: bid 1x3; Ben: doubt", "Alice bid a three and had none: Ben doubted, and one was there."),
        ("Alice: bid 2x3; Ben: doubt", "Ben doubted two threes, and only one was there."),
        ("Alice: bid 1x2; Ben: doubt", "Ben doubted Alice's bid of a two, and one was there."),
        ("Alice: bid 2x5; Ben: doubt", "Ben doubted two fives, and none was there."),
        ("Alice: bid 2x5; Ben: calza", "Ben called Alice's bid of two fives exact, and none was there."),
    ],
)
def test_the_best_moment_is_an_exact_call_else_a_bluff_that_stood_else_the_last_call(
    script: str, sentence: str
) -> None:
    seen = position(f"round 7\n {LAST_ROUND}", calza=True)
    seen.act(script)
    assert GAME.record.highlight(seen.events, seen.names) == f"In round 7 {sentence}"


def test_a_match_that_is_not_over_has_no_last_doubt() -> None:
    seen = position("round 7\n Alice | 2 3\n Ben | 3 3")
    seen.act("Alice: bid 3x2; Ben: doubt")
    assert GAME.record.highlight(seen.events, seen.names) == ""
