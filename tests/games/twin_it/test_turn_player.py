"""Computers in games of turns act unasked: what they see, which hands they lay, and when."""

import pytest

from games.advice import STRENGTHS, RealTimePlayer, Strength
from games.twin_it import GAME
from games.twin_it.skill import SKILLS, Skill
from games.twin_it.turn_player import TurnPlayer
from games.twin_it.view import View
from tests.games.twin_it.position import Position, position
from tests.seats import SECOND

CLEAR = Skill(base=1_000, item=0, sees=1.0, errs=0.0, second=500, pace=1.0)
"""Sees every match within one look."""
BLURRED = Skill(base=1_000, item=0, sees=1.0, errs=1.0, second=500, pace=1.0)
"""Takes all near-twins for pairs."""
PAIR = "classic\ntable | A/b A/c\nAlice | Q/d\nBen | X/h"


def watcher(skill: Skill = CLEAR, seed: str = "eyes") -> RealTimePlayer[View]:
    return TurnPlayer(skill, seed)


def moment(seen: Position, computer: RealTimePlayer[View], name: str, at: int) -> int | None:
    """Return the time at which a computer that looks at `at` acts."""
    return computer.observe(GAME.view(seen.state, seen.seat(name)), at)


def act_next(seen: Position, computer: RealTimePlayer[View], name: str) -> str:
    """Wait for the computer's next action, make it, and return it as the log writes it."""
    due = moment(seen, computer, name, seen.state.now)
    assert due is not None
    seen.wait(due)
    seat = seen.seat(name)
    actions = computer.act(GAME.view(seen.state, seat), due)
    for action in actions:
        seen.events += GAME.apply(seen.state, seat, action, due)
    return "; ".join(map(GAME.text, actions))


def test_a_computer_does_nothing_without_a_match() -> None:
    seen = position("classic\ntable | A/b\nAlice | Q/d\nBen | X/h")
    assert moment(seen, watcher(), "Ben", 0) is None


def test_out_of_turn_a_computer_lays_one_hand_then_the_other_and_wins_the_set() -> None:
    seen, computer = position(PAIR), watcher()
    assert act_next(seen, computer, "Ben") == "hand 2"
    first = seen.state.now
    assert act_next(seen, computer, "Ben") == "hand 1"
    assert seen.won("Ben") == "AA"
    assert seen.state.now == first + CLEAR.second


def test_the_time_at_which_a_pair_is_seen_does_not_change_with_other_events() -> None:
    seen, computer = position(PAIR), watcher()
    due = moment(seen, computer, "Ben", 0)
    seen.act("300 Alice flip")
    assert moment(seen, computer, "Ben", 300) == due


def test_a_new_pair_is_not_seen_before_the_computer_has_looked() -> None:
    seen, computer = position("classic\ntable | A/b\nAlice | Q/A\nBen | X/h"), watcher()
    assert moment(seen, computer, "Ben", 0) is None
    seen.act("5000 Alice flip")
    due = moment(seen, computer, "Ben", 5_000)
    assert due is not None
    assert due >= 5_450


def test_a_computer_that_is_too_late_does_nothing() -> None:
    seen, computer = position(PAIR), watcher()
    due = moment(seen, computer, "Ben", 0)
    assert due is not None
    seen.act("100 Alice A.table; 200 Alice A.table.2")
    assert computer.act(GAME.view(seen.state, SECOND), due) == ()
    assert moment(seen, computer, "Ben", due) is None


def test_a_computer_does_nothing_before_its_time() -> None:
    seen, computer = position(PAIR), watcher()
    due = moment(seen, computer, "Ben", 0)
    assert due is not None
    assert computer.act(GAME.view(seen.state, SECOND), due - 1) == ()


def test_the_third_copy_robs_a_won_pair() -> None:
    seen, computer = position("classic\ntable | A/b\nAlice | Q/d | won A/i A/j\nBen | X/h"), watcher()
    act_next(seen, computer, "Ben")
    act_next(seen, computer, "Ben")
    assert seen.won("Ben") == "AAA"


def test_a_second_hand_joins_the_one_already_laid() -> None:
    seen = position("classic\ntable | A/b A/c B/d B/e\nAlice | Q/d\nBen | X/h", hand_seconds=15)
    seen.act("100 Ben A.table")
    assert act_next(seen, watcher(), "Ben") == "hand 2"


def test_a_hand_without_a_match_is_lifted_for_another_one() -> None:
    seen = position("classic\ntable | A/b B/c B/d\nAlice | Q/d\nBen | X/h", hand_seconds=15)
    seen.act("100 Ben A.table")
    assert act_next(seen, watcher(), "Ben") == "lift; hand 3"


def test_in_teams_the_second_hand_is_a_team_mates_and_nobody_lays_both() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l")
    alice, cleo = watcher(seed="Alice"), watcher(seed="Cleo")
    assert act_next(seen, alice, "Alice") == "hand 2"
    assert moment(seen, alice, "Alice", seen.state.now) is None
    assert act_next(seen, cleo, "Cleo") == "hand 1"
    assert seen.won("Alice") == "AA"


def test_a_computer_ignores_other_matches_while_a_hand_of_its_team_lies() -> None:
    seen = position("teams\ntable | A/b B/c B/d\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l")
    computer = watcher()
    assert moment(seen, computer, "Cleo", 0) is not None
    seen.act("100 Alice A.table")
    assert moment(seen, computer, "Cleo", 100) is None
    assert moment(seen, watcher(), "Ben", 100) is not None


def test_a_hand_that_nobody_joined_is_laid_again_only_after_another_face_shows() -> None:
    seen = position("teams\ntable | A/b A/c\nAlice | Q/d r/s\nBen | X/h\nCleo | i/J\nDana | K/l")
    computer = watcher()
    assert act_next(seen, computer, "Cleo") == "hand 2"
    assert moment(seen, computer, "Cleo", seen.state.now) is None
    seen.wait(lapsed := GAME.due(seen.state) or 0)
    assert seen.hands("Cleo") == []
    assert moment(seen, computer, "Cleo", lapsed) is None
    seen.act(f"{lapsed + 100} Alice flip")
    assert act_next(seen, computer, "Cleo") == "hand 2"


def test_a_computer_joins_a_team_mates_hand_even_after_its_own_was_in_vain() -> None:
    seen, computer = (
        position("teams\ntable | A/b A/c\nAlice | Q/d\nBen | X/h\nCleo | i/J\nDana | K/l"),
        watcher(),
    )
    assert act_next(seen, computer, "Cleo") == "hand 2"
    moment(seen, computer, "Cleo", seen.state.now)
    seen.act("9000 Alice A.table")
    assert act_next(seen, computer, "Cleo") == "hand 2"
    assert seen.won("Alice") == "AA"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_second_hand_comes_before_the_first_one_is_lifted_even_with_the_shortest_hand_time(
    strength: Strength,
) -> None:
    seen, computer = position(PAIR, hand_seconds=1), watcher(SKILLS[strength])
    assert act_next(seen, computer, "Ben") == "hand 2"
    assert act_next(seen, computer, "Ben") == "hand 1"
    assert seen.won("Ben") == "AA"


def test_a_player_does_not_claim_a_barred_design() -> None:
    seen = position("forbidden\nbarred Alice | A/x\ntable | A/b A/c\nAlice | Q/d\nBen | X/h")
    assert moment(seen, watcher(), "Alice", 0) is None
    assert moment(seen, watcher(), "Ben", 0) is not None


def test_a_computer_that_mistakes_near_twins_for_a_pair_rests_and_does_not_repeat_it() -> None:
    seen, computer = position("classic\ntable | A/z B/y\nAlice | Q/d\nBen | X/h"), watcher(BLURRED)
    act_next(seen, computer, "Ben")
    act_next(seen, computer, "Ben")
    assert seen.last_narration().startswith("2 and 1? No match!")
    assert moment(seen, computer, "Ben", seen.state.now) is None
    seen.wait(seen.state.rests[1])
    assert moment(seen, computer, "Ben", seen.state.now) is None
