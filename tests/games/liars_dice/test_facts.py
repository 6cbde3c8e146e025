"""Facts of Liar's Dice: from rounds, and in agreement with the events of random matches."""

import pytest

from games.contract import Event
from games.liars_dice import GAME
from games.liars_dice.events import RoundEnded
from games.types import Seat
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.liars_dice.position import position
from tests.seats import FIRST, SECOND, THIRD

LIARS_DICE = SUBJECTS["liars-dice"]
CUPS = "Alice | 2 2 3\n Ben | 4 4 1\n Cleo | 5 6 6"


def played(script: str) -> list[Event]:
    """Return the public events of a round of these cups."""
    seen = position(f"round 2\n {CUPS}", calza=True)
    seen.act(script)
    return [event for event in seen.events if event.to is None]


def counted(script: str, seat: Seat) -> dict[str, int]:
    """Return the facts that are not 0."""
    return {key: value for key, value in GAME.facts.count(played(script), seat).items() if value}


def test_doubts_and_bids_that_were_doubted_are_counted_with_those_that_were_right() -> None:
    wrong = "Alice: bid 3x2; Ben: doubt"
    assert counted(wrong, FIRST) == {"bids": 1, "doubted": 1, "stood": 1}
    assert counted(wrong, SECOND) == {"doubts": 1}
    right = "Alice: bid 4x2; Ben: doubt"
    assert counted(right, FIRST) == {"bids": 1, "doubted": 1}
    assert counted(right, SECOND) == {"doubts": 1, "doubts_right": 1}


def test_exact_calls_are_counted_and_are_no_doubts() -> None:
    assert counted("Alice: bid 3x2; Cleo: calza", THIRD) == {"calls": 1, "exact": 1}
    assert counted("Alice: bid 2x2; Cleo: calza", THIRD) == {"calls": 1}
    assert counted("Alice: bid 3x2; Cleo: calza", FIRST) == {"bids": 1}


def test_a_bluff_that_nobody_doubts_or_that_stands_got_through() -> None:
    """Alice has no four, five or six."""
    passed = "Alice: bid 1x5; Ben: bid 2x5; Cleo: bid 9x5; Alice: doubt"
    assert counted(passed, FIRST) == {"bids": 1, "bluffs": 1, "doubts": 1, "doubts_right": 1}
    assert counted("Alice: bid 2x5; Ben: doubt", FIRST) == {"bids": 1, "bluffs": 1, "doubted": 1, "stood": 1}
    assert counted("Alice: bid 5x5; Ben: doubt", FIRST) == {"bids": 1, "doubted": 1}


def test_a_bluff_is_caught_by_a_calza_that_shows_too_few_dice() -> None:
    """Alice has no five; Ben's one and Cleo's five make two."""
    assert counted("Alice: bid 3x5; Cleo: calza", FIRST) == {"bids": 1}
    assert counted("Alice: bid 2x5; Cleo: calza", FIRST) == {"bids": 1, "bluffs": 1}
    assert counted("Alice: bid 1x5; Cleo: calza", FIRST) == {"bids": 1, "bluffs": 1}
    assert counted("Alice: bid 1x5; Ben: bid 3x6; Cleo: bid 4x5; Ben: calza", FIRST) == {
        "bids": 1,
        "bluffs": 1,
    }


def test_a_bid_with_a_one_in_the_cup_is_no_bluff_unless_the_round_is_palifico() -> None:
    one = "Alice | 1 2\n Ben | 4 4\n Cleo | 5"
    for head, bluffs in (("round 2", 0), ("round 2, palifico", 1)):
        seen = position(f"{head}\n {one}")
        seen.act("Alice: bid 1x5; Ben: doubt")
        assert (
            GAME.facts.count([event for event in seen.events if event.to is None], FIRST)["bluffs"] == bluffs
        )


@pytest.mark.parametrize("number", range(20))
def test_facts_agree_with_the_rounds_of_the_match(number: int) -> None:
    match = finished_match(LIARS_DICE, number)
    facts = [GAME.facts.count(public(match), seat) for seat in match.seats]
    ends = [event for event in public(match) if isinstance(event, RoundEnded)]
    total = {key: sum(found[key] for found in facts) for key in facts[0]}
    assert total["doubts"] + total["calls"] == len(ends)
    assert total["doubted"] == total["doubts"]
    assert total["stood"] + total["doubts_right"] == total["doubts"]
