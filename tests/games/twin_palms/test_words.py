"""Texts for players: cards, narration, the score sheet, descriptions and the rules."""

import re
from itertools import pairwise

import pytest

from games.twin_palms import GAME
from games.twin_palms.cards import STRENGTH
from games.twin_palms.events import Played, RoundScored, ScoreRow
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.rulebook import EASY_EXAMPLE, EXAMPLE
from games.types import SEATS, Action, with_seats
from tests.games.twin_palms.position import Position, opened, position, trick
from tests.seats import FIRST, SECOND


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
def test_an_action_is_labelled_with_a_picture_and_a_letter_for_each_suit(text: str, label: str) -> None:
    assert GAME.words.label(GAME.parse(text)) == label
    if text.startswith("play"):
        narration = GAME.words.narrate(Played(SECOND, GAME.parse(text), leads=False), ["Alice", "Ben"])
        assert narration == f"Ben plays {label}."


@pytest.mark.parametrize("typed", ["play P*=8 P3", "PLAY p3 p*=8", "  play   P3  P* = 8 ", "Play p* =8 p3"])
def test_a_play_may_be_typed_in_any_case_spacing_and_order(typed: str) -> None:
    assert GAME.text(GAME.parse(typed)) == "play P3 P*=8"


def test_a_score_names_exact_bids_first_and_then_the_totals_from_the_highest() -> None:
    rows = (ScoreRow(2, 1, 0, 1, 3), ScoreRow(3, 3, 1, 7, 9), ScoreRow(0, 1, 2, -2, 0))
    assert GAME.words.narrate(RoundScored(4, rows), ["Alice", "Ben", "Cleo"]).splitlines() == [
        "🎯 Ben hit 3, +7 · Alice needed 2, got 1, +1 · Cleo needed 0, got 1, −2",
        "Sand dollars after round 4: Ben 9 · Alice 3 · Cleo 0",
    ]
    nobody = GAME.words.narrate(RoundScored(4, rows[::2]), ["Alice", "Cleo"])
    assert nobody.startswith("Nobody hit: Alice needed 2, got 1, +1 · Cleo")


ROUND = """
    normal, round 6, Ben leads
    Alice | P6 P1 P2 D3 | bid 1 | won 1 | 4 dollars
    Ben   | P5 P* D5 P7 | bid 3 max | won 2 | 9 dollars
    Cleo  | D6 P3 P8 D9 | bid 0 | won 0 | 2 dollars
"""


def test_a_record_has_a_line_for_each_trick_and_then_the_scores() -> None:
    seen = position(ROUND)
    seen.act("Ben: play P5 P*=6; Cleo: play D6 D9; Alice: play P6 P1; Ben: play D5 P7; Cleo: play P3 P8")
    seen.act("Alice: play P2 D3")
    public = [event for event in seen.events if event.to is None]
    record = GAME.record.lines(public, seen.names)
    assert [line.splitlines() for line in record[:3]] == [
        ["**Ben 🌴P5 + 🌴P6 wild, takes it** · Cleo 🐬D6 + 🐬D9 · Alice 🌴P1 + 🌴P6"],
        ["Ben 🌴P7 + 🐬D5 · **Cleo 🌴P3 + 🌴P8, takes it** · Alice 🌴P2 + 🐬D3"],
        ["🎯 Alice hit 1, +4 · Ben hit 3, +12 · Cleo needed 0, got 1, +0"],
    ]
    assert [GAME.record.closes(event) for event in public].count(True) == 1
    assert "```" not in "\n".join(record)


def test_a_record_may_begin_and_end_within_a_trick() -> None:
    seen = position(ROUND)
    seen.act("Ben: play P5 P*=6; Cleo: play D6 D9; Alice: play P6 P1; Ben: play D5 P7")
    assert GAME.record.lines(seen.events[1:], seen.names) == [
        "Cleo 🐬D6 + 🐬D9 · Alice 🌴P1 + 🌴P6 · **Ben takes it**",
        "Ben 🌴P7 + 🐬D5",
    ]
    assert GAME.record.lines(seen.events[3:4], seen.names) == ["Ben takes trick 4."]


def test_a_record_says_which_sets_cancel_and_who_leads_again_if_nobody_takes_the_trick() -> None:
    seen = position("""
        normal, round 2, Alice leads
        Alice | P6 P7 P0 P1 | bid 0
        Ben   | D6 P* P2 P3 | bid 0
        Cleo  | D2 D9 P4 P5 | bid 0
    """)
    seen.act("Alice: play P6 P7; Ben: play D6 P*=6; Cleo: play D2 D9")
    assert GAME.record.lines(seen.events, seen.names)[0].startswith(
        "Alice 🌴P6 + 🌴P7 · **Ben 🌴P6 wild + 🐬D6, takes it**"
    )
    two = position("""
        normal, round 2, Alice leads
        Alice | P6 D7 P0 P1 | bid 0
        Ben   | D6 P7 P2 P3 | bid 0
    """)
    two.act("Alice: play P6 D7; Ben: play P7 D6")
    assert GAME.record.lines(two.events, two.names) == [
        "Alice 🌴P6 + 🐬D7, cancelled · Ben 🌴P7 + 🐬D6, cancelled · nobody takes it, and Alice leads again"
    ]


def test_what_follows_a_round_is_recorded_after_its_scores() -> None:
    seen = position("""
        normal, round 6, Ben leads
        Alice | P6 P1 | bid 1 | won 1 | 4 dollars
        Ben   | P5 P7 | bid 1 | won 0 | 4 dollars
    """)
    seen.act("Ben: play P5 P7; Alice: play P6 P1")
    record = GAME.record.lines([event for event in seen.events if event.to is None], seen.names)
    closing = next(place for place, line in enumerate(record) if line.startswith("🎯"))
    assert record[closing + 1] == "Alice and Ben share the lead, so a further round is played."
    assert record[closing + 2].startswith("**Round 7, a further one**")


@pytest.mark.parametrize(("script", "task"), [("", "bid"), ("Alice: bid 1; Ben: bid 1", "play two cards")])
def test_the_task_is_to_bid_and_then_to_play_two_cards(script: str, task: str) -> None:
    seen = opened(seats=2)
    if script:
        seen.act(script)
    assert GAME.words.task(GAME.view(seen.state, None)) == task


def test_nobody_has_a_task_after_the_end() -> None:
    seen = Position.after_random_moves(2, 3, 10_000, rounds=1)
    assert GAME.words.task(GAME.view(seen.state, None)) == ""


def test_the_primer_of_a_table_without_bets_names_none() -> None:
    assert "bet" not in GAME.rulebook.primer(TwinPalmsOptions(bets=False)).lower()


def test_the_primer_of_a_table_where_all_exact_bids_bring_as_much_says_so() -> None:
    primer = GAME.rulebook.primer(TwinPalmsOptions(exact_points=(1,) * 6))
    assert "An exact bid brings 1 sand dollar, a missed one" in primer


def test_a_description_before_the_reveal_shows_only_the_own_bid() -> None:
    seen = opened(seats=3)
    seen.act("Alice: bid 2 half; Cleo: bid 4 max")
    own = GAME.words.describe(GAME.view(seen.state, FIRST), seen.names)
    assert own.startswith("**Ben's turn** · bid · 2 of 3 have bid · ")
    assert " · you chose Bid 2, half bet and may change it until all have chosen\n" in own
    assert own.count("has bid") == 2
    watched = GAME.words.describe(GAME.view(seen.state, None), seen.names)
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
    text = GAME.words.describe(GAME.view(seen.state, FIRST), seen.names)
    assert text.splitlines() == [
        "**Cleo's turn** · play two cards",
        "**Twin Palms, advanced**, round 3 of 6, trick 2 of 5",
        "Your hand: 🌴P2, 🕶️S3.",
        "Alice won 1 of 2, 1 at stake, 1 sand dollar; Ben won 1 of 0, 8 sand dollars; "
        "Cleo won 2 of 5, 2 at stake, 9 sand dollars.",
        "Trick 2 so far: Ben 🐬D5 + 🐬D5.",
        "Best so far: Ben.",
        "Trick 1, to Ben: Ben 🌴P5 + 🌴P6, Cleo 🐬D9 + 🕶️S10 wild, Alice 🌴P1 + 🐬D2 wild.",
    ]


def test_the_longest_description_fits() -> None:
    """Five players whose names double in length in Markdown, in the last trick of a further round."""
    cards = ["P* P* P10 P10", "D* D* D10 D10", "S* S* S10 S10", "P9 P9 D9 D9", "S9 S9 S8 S8"]
    names = ["\\_" * 32] * 5
    hands = [f"{' '.join([cards[seat]] * 2)} P10 P10" for seat in SEATS[:5]]
    rows = [f"Name{seat} | {hand} | bid 5 max | 999 dollars" for seat, hand in with_seats(hands)]
    seen = position("\n".join(["extreme, round 32", *rows]))
    while len(seen.state.tricks) < 4 or len(seen.state.trick) < 4:
        (turn,) = GAME.awaited(seen.state)
        GAME.step(seen.state, turn, max(GAME.legal(seen.state, turn), key=_length))
    for seat in (None, *SEATS[:5]):
        assert len(GAME.words.describe(GAME.view(seen.state, seat), names)) <= 1500


def _length(action: Action) -> int:
    return len(GAME.words.label(action))


@pytest.mark.parametrize("mode", ["normal", "advanced", "extreme"])
def test_the_example_in_the_rules_is_correct(mode: str) -> None:
    plays = [play.removeprefix("play ") for play in EXAMPLE]
    assert trick(mode, ", ".join(map(" ".join, zip(["Alice", "Ben", "Cleo"], plays, strict=True)))) == "Alice"


def test_the_example_in_the_rules_of_the_easy_mode_is_correct() -> None:
    takers = [trick("easy", f"Alice {alice}, Ben {ben}".replace("play ", "")) for alice, ben in EASY_EXAMPLE]
    assert takers == ["nobody", "Ben"]


@pytest.mark.parametrize("mode", ["normal", "advanced", "extreme"])
def test_the_rules_name_sets_that_are_equal_in_the_mode(mode: str) -> None:
    options = TwinPalmsOptions.model_validate({"mode": mode})
    assert "🌴P8 + 🐬D9 and 🌴P9 + 🐬D8 are equal" in GAME.rulebook.rules(options)
    one, other = GAME.parse("play P8 D9"), GAME.parse("play P9 D8")
    assert STRENGTH[options.mode][one] == STRENGTH[options.mode][other]


def test_the_rules_follow_the_options() -> None:
    plain = GAME.rulebook.rules(TwinPalmsOptions())
    assert "Rounds: 6 with 2, 6 with 3, 8 with 4 players" in plain
    assert "rounded up (1, 1, 2 in the rounds 1, 2, 3)" in plain
    assert "brings 5 + 2 = 7" in plain
    own = GAME.rulebook.rules(
        TwinPalmsOptions(rounds=3, half_bet_rounding="down", exact_points=(1, 2, 9, 3, 4, 6))
    )
    assert "Rounds: 3." in own
    assert "rounded down (0, 1, 1 in the rounds 1, 2, 3)" in own
    assert "9 for a bid of 2" in own
    assert "brings 9 + 2 = 11" in own
    unbet = GAME.rulebook.rules(TwinPalmsOptions(bets=False))
    assert "without bets" in unbet
    assert "stake" not in unbet


def test_the_rules_say_that_a_table_can_set_its_own_points() -> None:
    assert "A table can set its own points for exact bids" in GAME.rulebook.rules(TwinPalmsOptions())


def test_the_rules_say_which_points_are_from_the_source_while_they_are_the_usual_ones() -> None:
    said = "The printed rules name only the points for bids of 0 and 2; the others are ours."
    assert said in GAME.rulebook.rules(TwinPalmsOptions())
    assert "ours" not in GAME.rulebook.rules(TwinPalmsOptions(exact_points=(5, 4, 5, 6, 7, 9)))


@pytest.mark.parametrize(("mode", "ranks"), [("easy", 2), ("normal", 6), ("advanced", 8), ("extreme", 12)])
def test_the_reference_lists_the_ranks_of_the_mode_in_order(mode: str, ranks: int) -> None:
    """One set of each rank beats the set of the next line, although its numbers are lower."""
    text = GAME.rulebook.reference(TwinPalmsOptions.model_validate({"mode": mode}))
    lines = re.findall(r"^\d+\. (Pair|No pair), (.+)$", text, re.MULTILINE)
    assert len(lines) == ranks
    sets = [_set(pair, suits, number) for number, (pair, suits) in enumerate(lines)]
    for strong, weak in pairwise(sets):
        assert trick(mode, f"Alice {weak}, Ben {strong}") == "Ben"


def _set(pair: str, suits: str, number: int) -> str:
    """Return two cards for a line of the reference."""
    named = [name[0] for name in re.findall("Palms|Dolphins|Sunglasses", suits)] or ["P", "D"]
    low = number % 10 if pair == "Pair" else number % 9
    high = low if pair == "Pair" else low + 1
    return f"{named[0]}{low} {named[-1]}{high}"
