"""What a computer does unasked in games of turns: what it sees, which hands it lays, and when."""

import pytest

from games.advice import RealTimePlayer
from games.strategies import STRENGTHS, Strength
from games.twin_it import GAME
from games.twin_it.skill import SKILLS, Skill
from games.twin_it.turn_player import TurnPlayer
from games.twin_it.view import View
from tests.games.twin_it.position import Position, position

CLEAR = Skill(base=1_000, item=0, sees=1.0, errs=0.0, second=500, pace=1.0)
"""Sees whatever there is within a look."""
BLURRED = Skill(base=1_000, item=0, sees=1.0, errs=1.0, second=500, pace=1.0)
"""Takes all near-twins for twins."""
PAIR = "classic\ntable | A/b A/c\nAlice | Q/d\nBen | X/h"


def watcher(skill: Skill = CLEAR, seed: str = "eyes") -> RealTimePlayer[View]:
    return TurnPlayer(skill, seed)


def moment(seen: Position, eyes: RealTimePlayer[View], name: str, at: int) -> int | None:
    """When somebody acts who looks at `at`."""
    return eyes.observe(GAME.view(seen.state, seen.names.index(name)), at)


def acted(seen: Position, eyes: RealTimePlayer[View], name: str) -> str:
    """Wait for the next moment of somebody, and let them act: what that was, in the words of the log."""
    due = moment(seen, eyes, name, seen.state.now)
    assert due is not None
    seen.wait(due)
    seat = seen.names.index(name)
    actions = eyes.act(GAME.view(seen.state, seat), due)
    for action in actions:
        seen.events += GAME.apply(seen.state, seat, action, due)
    return "; ".join(map(GAME.text, actions))


def test_where_nothing_is_alike_nothing_moves_a_computer() -> None:
    seen = position("classic\ntable | A/b\nAlice | Q/d\nBen | X/h")
    assert moment(seen, watcher(), "Ben", 0) is None


def test_out_of_turn_a_computer_lays_one_hand_and_then_the_other_and_has_the_set() -> None:
    seen, eyes = position(PAIR), watcher()
    assert acted(seen, eyes, "Ben") == "hand 2"
    first = seen.state.now
    assert acted(seen, eyes, "Ben") == "hand 1"
    assert seen.won("Ben") == "AA"
    assert seen.state.now == first + CLEAR.second


def test_two_alike_are_seen_at_the_same_moment_whatever_else_happens() -> None:
    seen, eyes = position(PAIR), watcher()
    due = moment(seen, eyes, "Ben", 0)
    seen.act("300 Alice flip")
    assert moment(seen, eyes, "Ben", 300) == due


def test_two_alike_that_come_to_show_are_not_seen_before_they_are_looked_at() -> None:
    seen, eyes = position("classic\ntable | A/b\nAlice | Q/A\nBen | X/h"), watcher()
    assert moment(seen, eyes, "Ben", 0) is None
    seen.act("5000 Alice flip")
    due = moment(seen, eyes, "Ben", 5_000)
    assert due is not None
    assert due >= 5_450


def test_who_is_late_does_nothing() -> None:
    seen, eyes = position(PAIR), watcher()
    due = moment(seen, eyes, "Ben", 0)
    assert due is not None
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert eyes.act(GAME.view(seen.state, 1), due) == ()
    assert moment(seen, eyes, "Ben", due) is None


def test_before_its_moment_a_computer_does_nothing() -> None:
    seen, eyes = position(PAIR), watcher()
    due = moment(seen, eyes, "Ben", 0)
    assert due is not None
    assert eyes.act(GAME.view(seen.state, 1), due - 1) == ()


def test_the_third_copy_of_a_won_pair_is_robbed() -> None:
    seen, eyes = position("classic\ntable | A/b\nAlice | Q/d | won A/i A/j\nBen | X/h"), watcher()
    acted(seen, eyes, "Ben")
    acted(seen, eyes, "Ben")
    assert seen.won("Ben") == "AAA"


def test_a_hand_that_lies_is_joined_by_its_match() -> None:
    seen = position("classic\ntable | A/b A/c B/d B/e\nAlice | Q/d\nBen | X/h", hand_seconds=15)
    seen.act("100 Ben A.table")
    assert acted(seen, watcher(), "Ben") == "hand 2"


def test_a_hand_without_a_match_is_lifted_for_another_one() -> None:
    seen = position("classic\ntable | A/b B/c B/d\nAlice | Q/d\nBen | X/h", hand_seconds=15)
    seen.act("100 Ben A.table")
    assert acted(seen, watcher(), "Ben") == "lift; hand 3"


def test_in_teams_the_second_hand_is_a_mates_and_nobody_lays_both() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l")
    alice, cleo = watcher(seed="Alice"), watcher(seed="Cleo")
    assert acted(seen, alice, "Alice") == "hand 2"
    assert moment(seen, alice, "Alice", seen.state.now) is None
    assert acted(seen, cleo, "Cleo") == "hand 1"
    assert seen.won("Alice") == "AA"


def test_while_a_hand_of_its_team_lies_a_computer_leaves_other_matches_alone() -> None:
    seen = position("teams\ntable | A/b B/c B/d\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l")
    eyes = watcher()
    assert moment(seen, eyes, "Cleo", 0) is not None
    seen.act("100 Alice A.table")
    assert moment(seen, eyes, "Cleo", 100) is None
    assert moment(seen, watcher(), "Ben", 100) is not None


def test_a_hand_that_nobody_has_joined_is_not_laid_again_before_another_face_shows() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | Q/d r/s\nBen | X/h\nCleo | i/J\nDana | K/l")
    eyes = watcher()
    assert acted(seen, eyes, "Cleo") == "hand 2"
    assert moment(seen, eyes, "Cleo", seen.state.now) is None
    seen.wait(lapsed := GAME.due(seen.state) or 0)
    assert seen.hands("Cleo") == []
    assert moment(seen, eyes, "Cleo", lapsed) is None
    seen.act(f"{lapsed + 100} Alice flip")
    assert acted(seen, eyes, "Cleo") == "hand 2"


def test_a_hand_that_was_laid_in_vain_joins_that_of_a_mate_who_comes_later() -> None:
    seen, eyes = position("teams\ntable | A/b A/c\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l"), watcher()
    assert acted(seen, eyes, "Cleo") == "hand 2"
    moment(seen, eyes, "Cleo", seen.state.now)
    seen.act("9000 Alice A.table")
    assert acted(seen, eyes, "Cleo") == "hand 2"
    assert seen.won("Alice") == "AA"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_second_hand_comes_before_the_first_one_lifts_however_short_hands_lie(strength: Strength) -> None:
    seen, eyes = position(PAIR, hand_seconds=1), watcher(SKILLS[strength])
    assert acted(seen, eyes, "Ben") == "hand 2"
    assert acted(seen, eyes, "Ben") == "hand 1"
    assert seen.won("Ben") == "AA"


def test_a_barred_design_is_left_to_others() -> None:
    seen = position("forbidden\nbarred Alice | A/x\ntable | A/b A/c\nAlice | Q/d\nBen | X/h")
    assert moment(seen, watcher(), "Alice", 0) is None
    assert moment(seen, watcher(), "Ben", 0) is not None


def test_who_takes_near_twins_for_twins_errs_rests_and_then_looks_twice() -> None:
    seen, eyes = position("classic\ntable | A/z B/y\nAlice | Q/d\nBen | X/h"), watcher(BLURRED)
    acted(seen, eyes, "Ben")
    acted(seen, eyes, "Ben")
    assert seen.told().startswith("2 and 1? No match!")
    assert moment(seen, eyes, "Ben", seen.state.now) is None
    seen.wait(seen.state.rests[1])
    assert moment(seen, eyes, "Ben", seen.state.now) is None
