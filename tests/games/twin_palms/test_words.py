"""What people read: cards, narration, the score sheet, descriptions and the rules."""

import re
from itertools import pairwise

import pytest

from games.twin_palms import GAME
from games.twin_palms.cards import STRENGTH
from games.twin_palms.events import Played, RoundScored, ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.rulebook import EASY_EXAMPLE, EXAMPLE
from tests.games.twin_palms.position import opened, position, trick

WIDE = ["W" * 32] * 5


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("bid 0", "Bid 0"),
        ("bid 2 half", "Bid 2, half bet"),
        ("bid 5 max", "Bid 5, max bet"),
        ("play P3 P*=8", "🌴P3 + 🌴P8 wild"),
        ("play D0 S10", "🐬D0 + 🕶️S10"),
        ("play D*=1 S*=1", "🐬D1 wild + 🕶️S1 wild"),
    ],
)
def test_an_action_is_said_with_a_picture_and_a_letter_for_each_suit(text: str, label: str) -> None:
    assert GAME.label(GAME.parse(text)) == label
    if text.startswith("play"):
        told = GAME.narrate(Played(1, GAME.parse(text), leads=False), ["Alice", "Ben"])
        assert told == f"Ben plays {label}."


@pytest.mark.parametrize("typed", ["play P*=8 P3", "PLAY p3 p*=8", "  play   P3  P* = 8 ", "Play p* =8 p3"])
def test_a_play_may_be_typed_in_any_case_spacing_and_order(typed: str) -> None:
    assert GAME.text(GAME.parse(typed)) == "play P3 P*=8"


def test_a_score_sheet_fits_a_phone_and_shows_every_number() -> None:
    rows = (ScoreRow(5, 5, 32, 52, 1234), ScoreRow(0, 1, 32, -32, 0), *[ScoreRow(1, 1, 0, 4, 6)] * 3)
    lines = GAME.narrate(RoundScored(32, rows), WIDE).splitlines()
    assert lines[1] == lines[-1] == "```"
    assert max(map(len, lines[2:-1])) <= 34
    assert lines[2].split() == ["bid", "won", "stake", "+/-", "total"]
    assert lines[3].split()[2:] == ["5", "5", "32", "+52", "1234"]
    assert lines[4].split()[2:] == ["0", "1", "32", "-32", "0"]


def test_a_description_before_the_reveal_shows_ones_own_bid_only() -> None:
    seen = opened(seats=3)
    seen.act("Alice: bid 2 half; Cleo: bid 4 max")
    own = GAME.describe(GAME.view(seen.state, 0), seen.names)
    assert "2 of 3 have bid; bids are awaited from Ben" in own
    assert "Your choice: Bid 2, half bet." in own
    assert own.count(" in ") == 2
    watched = GAME.describe(GAME.view(seen.state, None), seen.names)
    assert "Your" not in watched
    assert "half" not in own.replace("Bid 2, half bet", "") + watched


def test_a_description_says_everything_a_player_knows() -> None:
    seen = position("""
        advanced, round 3, Ben leads
        Alice | P1 P2 S3 D* | bid 2 max | won 1 | 1 dollars
        Ben   | P5 P6 D5 D5 | bid 0 | won 0 | 8 dollars
        Cleo  | P7 D8 D9 S* | bid 5 half | won 2 | 9 dollars
    """)
    seen.state.tricks.clear()
    seen.act("Ben: play P5 P6; Cleo: play D9 S*=10; Alice: play P1 D*=2; Ben: play D5 D5")
    text = GAME.describe(GAME.view(seen.state, 0), seen.names)
    assert text.splitlines() == [
        "**Twin Palms, advanced**, round 3 of 6, trick 2 of 5",
        "Two cards are awaited from Cleo.",
        "Your hand: 🌴P2, 🕶️S3.",
        "Your choice: Bid 2, max bet.",
        "```",
        "           bid won stake total",
        "1 Alice      2   1     1     1",
        "2 Ben        0   1     0     8",
        "3 Cleo       5   2     2     9",
        "```",
        "Trick 2 so far: Ben 🐬D5 + 🐬D5.",
        "Trick 1, to Ben: Ben 🌴P5 + 🌴P6, Cleo 🐬D9 + 🕶️S10 wild, Alice 🌴P1 + 🐬D2 wild.",
    ]


def test_the_longest_description_fits() -> None:
    """Five players with names that Markdown doubles in length, in the last trick of a further round."""
    cards = ["P* P* P10 P10", "D* D* D10 D10", "S* S* S10 S10", "P9 P9 D9 D9", "S9 S9 S8 S8"]
    names = ["\\_" * 32] * 5
    hands = [f"{' '.join([cards[seat]] * 2)} P10 P10" for seat in range(5)]
    rows = [f"Name{seat} | {hand} | bid 5 max | 999 dollars" for seat, hand in enumerate(hands)]
    seen = position("\n".join(["extreme, round 32", *rows]))
    while len(seen.state.tricks) < 4 or len(seen.state.trick) < 4:
        GAME.step(seen.state, seen.state.turn, max(GAME.legal(seen.state, seen.state.turn), key=_length))
    for seat in (None, *range(5)):
        assert len(GAME.describe(GAME.view(seen.state, seat), names)) <= 1500


def _length(action: int) -> int:
    return len(GAME.label(action))


@pytest.mark.parametrize("mode", ["normal", "advanced", "extreme"])
def test_the_example_in_the_rules_is_true(mode: str) -> None:
    plays = [play.removeprefix("play ") for play in EXAMPLE]
    assert trick(mode, ", ".join(map(" ".join, zip(["Alice", "Ben", "Cleo"], plays, strict=True)))) == "Alice"


def test_the_example_in_the_rules_of_the_easy_mode_is_true() -> None:
    takers = [trick("easy", f"Alice {alice}, Ben {ben}".replace("play ", "")) for alice, ben in EASY_EXAMPLE]
    assert takers == ["nobody", "Ben"]


@pytest.mark.parametrize("mode", ["normal", "advanced", "extreme"])
def test_the_rules_name_sets_that_are_equal_in_the_mode(mode: str) -> None:
    options = TwinPalmsOptions.model_validate({"mode": mode})
    assert "🌴P8 + 🐬D9 and 🌴P9 + 🐬D8 are equal" in GAME.rules(options)
    one, other = GAME.parse("play P8 D9"), GAME.parse("play P9 D8")
    assert STRENGTH[options.mode][one] == STRENGTH[options.mode][other]


def test_the_rules_follow_the_options() -> None:
    plain = GAME.rules(TwinPalmsOptions())
    assert "Rounds: 6 with 2, 6 with 3, 8 with 4 players" in plain
    assert "rounded up (1, 1, 2 in the rounds 1, 2, 3)" in plain
    assert "brings 5 + 2 = 7" in plain
    own = GAME.rules(TwinPalmsOptions(rounds=3, half_bet_rounding="down", exact_points=(1, 2, 9, 3, 4, 6)))
    assert "Rounds: 3." in own
    assert "rounded down (0, 1, 1 in the rounds 1, 2, 3)" in own
    assert "9 for a bid of 2" in own
    assert "brings 9 + 2 = 11" in own
    unbet = GAME.rules(TwinPalmsOptions(bets=False))
    assert "without bets" in unbet
    assert "stake" not in unbet


def test_the_rules_say_which_points_are_the_houses_own() -> None:
    assert "states the points for exact bids of 0 and 2 only" in GAME.rules(TwinPalmsOptions())
    assert "a table can set its own" in GAME.rules(TwinPalmsOptions())


@pytest.mark.parametrize(("mode", "ranks"), [("easy", 2), ("normal", 6), ("advanced", 8), ("extreme", 12)])
def test_the_reference_card_lists_the_ranks_of_the_mode_in_their_order(mode: str, ranks: int) -> None:
    """One set of each rank, with lower numbers the stronger the rank, beats the set of the next line."""
    text = GAME.reference(TwinPalmsOptions.model_validate({"mode": mode}))
    lines = re.findall(r"^\d+\. (Pair|No pair), (.+)$", text, re.MULTILINE)
    assert len(lines) == ranks
    sets = [_set(pair, suits, number) for number, (pair, suits) in enumerate(lines)]
    for strong, weak in pairwise(sets):
        assert trick(mode, f"Alice {weak}, Ben {strong}") == "Ben"


def _set(pair: str, suits: str, number: int) -> str:
    """Two cards of a line on the reference card."""
    named = [name[0] for name in re.findall("Palms|Dolphins|Sunglasses", suits)] or ["P", "D"]
    low = number % 10 if pair == "Pair" else number % 9
    high = low if pair == "Pair" else low + 1
    return f"{named[0]}{low} {named[-1]}{high}"
