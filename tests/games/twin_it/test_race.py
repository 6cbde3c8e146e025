"""The rules of Twin It! against time (modes cooperative and timed), sentence by sentence."""

import pytest

from games.contract import Illegal
from games.twin_it import GAME
from games.twin_it.actions import claim
from games.twin_it.result import grade
from tests.games.twin_it.position import Position, opened, position
from tests.seats import FIRST

SPREAD = """
    {}
    table | A/b A/c A/d E/f E/g H/i
    Alice |
    Ben   |
"""


def spread(mode: str = "cooperative", **options: int) -> Position:
    return position(SPREAD.format(mode), **options)


# From ready to the end


def test_the_spread_is_covered_until_everybody_is_ready_and_a_countdown_is_over() -> None:
    seen = opened(2, mode="cooperative")
    assert seen.awaited() == ["Alice", "Ben"]
    assert GAME.view(seen.state, FIRST).faces == ()
    assert seen.act("1000 Ben ready") == "Ready"
    assert seen.awaited() == ["Alice"]
    assert GAME.due(seen.state) is None
    assert seen.act("2000 Alice ready") == "Ready Countdown"
    assert seen.awaited() == seen.legal("Alice") == seen.legal("Ben") == []
    assert GAME.due(seen.state) == 7000
    assert seen.act("7000 tick") == "Opened"


def test_all_135_cards_are_shown_with_a_random_side_up() -> None:
    seen = opened(1, mode="cooperative")
    seen.act("1000 Alice ready; 6000 tick")
    faces = GAME.view(seen.state, FIRST).faces
    assert [face.number for face in faces] == list(range(1, 136))
    assert {face.hidden for face in faces} == {None}


def test_the_players_get_the_full_time_even_if_the_clock_was_late() -> None:
    seen = opened(1, mode="cooperative", seconds=20)
    seen.act("1000 Alice ready")
    GAME.tick(seen.state, 9000)
    assert GAME.due(seen.state) == 29_000
    assert seen.act("29000 tick") == "Ended"


def test_nobody_can_act_before_the_spread_is_uncovered() -> None:
    seen = opened(2, mode="timed")
    seen.act("1000 Alice ready")
    assert seen.refusal("1100 Alice ready").startswith("You are ready already")
    with pytest.raises(Illegal, match="The cards are still covered"):
        GAME.apply(seen.state, FIRST, GAME.parse("hand 1"), 1100)


def test_an_action_after_the_end_is_refused_even_if_the_clock_is_late() -> None:
    seen = spread(seconds=20)
    assert "The match is over" in seen.refusal("20000 Alice A.table")


def test_after_an_outage_the_race_is_void_and_another_is_offered() -> None:
    seen = opened(2, mode="timed")
    seen.act("1000 Alice ready; 1000 Ben ready; 6000 tick")
    before, seen_faces = seen.state.faces, set(seen.state.showing)
    (offered,) = GAME.resume(seen.state, 300_000)
    assert GAME.words.narrate(offered, seen.names).startswith(
        "The bot was away, so that race does not count."
    )
    assert seen.awaited() == ["Alice", "Ben"]
    assert GAME.due(seen.state) is None
    assert seen.state.faces != before, "what was seen does not help"
    assert not any(seen.state.known)
    seen.act("300000 Alice ready; 300000 Ben ready; 305000 tick")
    assert not seen_faces & set(seen.state.showing), "numbers are not used again"


def test_an_outage_before_everybody_is_ready_changes_nothing() -> None:
    seen = opened(2, mode="timed")
    seen.act("1000 Alice ready")
    assert GAME.resume(seen.state, 300_000) == []
    assert seen.awaited() == ["Ben"]


# Cards and claims


def test_anybody_may_turn_a_card_over_and_a_hand_on_it_is_lifted() -> None:
    seen = spread()
    assert (
        seen.act("100 Alice A.table; 200 Ben turn A.table; 210 Ben turn A.table") == "HandLaid Turned Turned"
    )
    assert seen.table() == "b/A c/A A/d E/f E/g H/i"
    assert seen.hands("Alice") == []


def test_a_turned_card_shows_a_face_with_a_new_number_and_the_hidden_one_is_known() -> None:
    seen = spread()
    seen.act("100 Ben turn H.table")
    assert seen.number("i.table") == 7
    assert GAME.view(seen.state, FIRST).faces[-1].hidden is not None


def test_a_pair_scores_one_point_and_leaves_the_spread() -> None:
    seen = spread()
    assert seen.act("100 Alice E.table; 200 Alice E.table.2") == "HandLaid SetWon"
    assert seen.table() == "A/b A/c A/d H/i"
    assert GAME.view(seen.state, FIRST).scores == (1, 1)


def test_a_claim_of_three_scores_two_points_at_once() -> None:
    seen = spread("timed")
    assert (
        seen.act("100 Ben A.table; 200 Ben hold A.table.2; 300 Ben A.table.3") == "HandLaid HandLaid SetWon"
    )
    assert seen.won("Ben") == "AAA"
    assert GAME.view(seen.state, FIRST).scores == (0, 2)
    assert seen.state.showing.keys() == {4, 5, 6}, "a set of three shows no longer"


def test_anybody_may_add_a_third_card_to_a_pair() -> None:
    seen = spread()
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.act("300 Ben A.Alice's; 400 Ben A.table") == "HandLaid SetWon"
    assert seen.won("Alice") == "AAA"
    assert GAME.view(seen.state, FIRST).scores == (2, 2)


def test_numbers_typed_together_are_hands_laid_one_after_the_other() -> None:
    typed = {(12,): "hand 12", (12, 87): "hand 12, hand 87", (12, 87, 130): "hand 12, hold 87, hand 130"}
    for numbers, texts in typed.items():
        assert ", ".join(map(GAME.text, claim(numbers, lying=False))) == texts


@pytest.mark.parametrize(
    "script",
    [
        "100 Alice A.table; 200 Alice E.table",
        "100 Alice A.table; 150 Alice hold A.table.2; 200 Alice E.table",
        "100 Alice A.table; 150 Alice hold E.table; 200 Alice A.table.2",
    ],
)
def test_a_wrong_claim_takes_nothing_and_the_hands_must_rest(script: str) -> None:
    seen = spread(hand_seconds=2)
    assert seen.act(script).endswith("Erred")
    assert seen.table() == "A/b A/c A/d E/f E/g H/i"
    assert seen.won("Alice") == ""
    assert seen.refusal("2199 Alice H.table").startswith("Your hands are off")
    assert seen.act("2199 Alice turn H.table; 2200 Alice E.table") == "Turned HandLaid"


def test_a_claim_of_three_that_includes_a_pairs_face_is_wrong() -> None:
    """At most one more copy exists, so two of the other faces differ."""
    seen = spread()
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.act("300 Ben A.Alice's; 400 Ben hold A.table; 500 Ben E.table").endswith("Erred")
    assert seen.won("Ben") == "AA"


def test_a_named_face_waits_without_a_time_limit() -> None:
    seen = spread()
    seen.act("100 Alice A.table")
    assert GAME.due(seen.state) == 60_000
    assert seen.act("50000 Alice A.table.2") == "SetWon"


def test_naming_a_card_first_reserves_nothing() -> None:
    seen = spread("timed")
    assert seen.act("100 Alice E.table; 110 Ben E.table; 120 Ben E.table.2").endswith("SetWon")
    assert seen.won("Ben") == "EE"
    assert seen.hands("Alice") == []


def test_the_same_face_cannot_be_named_twice() -> None:
    seen = spread()
    seen.act("100 Alice A.table")
    assert seen.refusal("150 Alice A.table").startswith("Your hand is on 1 already")


def test_a_hold_needs_a_face_named_before() -> None:
    assert spread().refusal("100 Alice hold A.table").startswith("`hold` is for the second of three faces")


def test_cards_of_sets_cannot_be_turned() -> None:
    seen = spread()
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.refusal("300 Ben turn A.Alice's") == (
        "Face 7 is a won set. You can turn over only cards of the spread."
    )


def test_flipping_is_not_possible() -> None:
    assert spread().refusal("100 Alice flip").startswith("There are no piles in this mode")


# Who wins


def test_in_cooperative_the_score_is_common_and_below_the_first_grade_nobody_wins() -> None:
    seen = spread(seconds=60)
    seen.act("100 Alice A.table; 200 Alice A.table.2; 60000 tick")
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((0, 0), (1, 1))
    assert outcome.reason == (
        "Time's up: 1 minute. Grade: better luck next time, 9 short of prospects. Nobody saw 4 and 5."
    )


def test_only_a_race_of_60_seconds_has_a_verdict_and_can_be_won() -> None:
    seen = spread(seconds=61)
    seen.act("61000 tick")
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert outcome.placings == (0, 0)
    assert outcome.reason == "Time's up: 61 seconds. Nobody saw 1 and 2, 4 and 5."


VERDICTS = {
    1: (4, 6, 9),
    2: (9, 12, 17),
    3: (14, 18, 26),
    4: (19, 24, 35),
    5: (24, 30, 44),
    6: (29, 36, 53),
}
"""For each number of players the highest scores of the verdicts "better luck", "prospects" and "experts"."""


@pytest.mark.parametrize("players", VERDICTS)
def test_the_verdict_table(players: int) -> None:
    luck, prospects, experts = VERDICTS[players]
    assert grade(players, 0) == grade(players, luck) == "better luck next time"
    assert grade(players, luck + 1) == grade(players, prospects) == "prospects"
    assert grade(players, prospects + 1) == grade(players, experts) == "experts"
    assert grade(players, experts + 1) == grade(players, 90) == "geniuses"


def test_in_timed_sets_cannot_be_robbed() -> None:
    seen = spread("timed")
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert seen.refusal("300 Ben A.Alice's").endswith("In this mode you cannot rob a pair.")
    assert seen.act("300 Alice A.Alice's; 400 Alice A.table") == "HandLaid SetWon"


def test_in_timed_the_most_points_win() -> None:
    seen = spread("timed", seconds=20)
    seen.act(
        "100 Alice E.table; 200 Alice E.table.2; 300 Ben A.table; 400 Ben hold A.table.2; 500 Ben A.table.3"
    )
    assert seen.act("20000 tick") == "Ended"
    outcome = GAME.outcome(seen.state)
    assert outcome is not None
    assert (outcome.placings, outcome.scores) == ((2, 1), (1, 2))
