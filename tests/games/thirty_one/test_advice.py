"""What Thirty-One's advice says in positions that speak for themselves. The notation: see `position`."""

from random import Random

import pytest

from games.strategies import Strength, advise
from games.thirty_one import GAME
from games.thirty_one.advice import STRATEGY
from tests.games.thirty_one.position import Position, position

OTHERS = """
    Ben   | 2S 7D 9C
    Cleo  | 3D 4C 8S
"""


def dealt(hand: str, head: str = "") -> Position:
    return position(f"Cleo dealt, Alice plays{head}, discards 5H, stock 6D 3C\n Alice | {hand}{OTHERS}")


def said(seen: Position, strength: Strength = "steady") -> str:
    return GAME.text(advise(GAME, GAME.view(seen.state, 0), strength, 1).action)


def test_a_great_hand_knocks_at_once() -> None:
    assert said(dealt("AH QH 9H")) == "knock"


def test_a_poor_hand_goes_on() -> None:
    assert said(dealt("2C 7D 9S")) in {"draw", "take"}


def test_the_suit_one_collects_is_taken() -> None:
    assert said(dealt("AH QH 2C")) == "take"


def test_a_card_that_adds_nothing_stays_where_it_is() -> None:
    assert said(dealt("AS QS 2C")) == "draw"


@pytest.mark.parametrize("strength", ["steady", "sharp"])
def test_the_card_that_is_missed_least_goes(strength: Strength) -> None:
    seen = dealt("AH QH 2C")
    seen.act("Alice: take")
    assert said(seen, strength) == "discard 2C"


def test_after_a_knock_nobody_knocks_again() -> None:
    seen = position(
        "Cleo dealt, Alice plays, Ben knocked, discards 5H, stock 6D 3C\n Alice | AH QH 9H\n Ben | 10S KS 9S\n"
        " Cleo | 3D 4C 8S"
    )
    assert said(seen, "sharp") in {"draw", "take"}


def worth_of_ben(head: str) -> float:
    """The mean worth, in half points, of the hands that are imagined for Ben."""
    seen = dealt("2C 7D 9S", head)
    problem = STRATEGY.problem(GAME.view(seen.state, 0), GAME.legal(seen.state, 0))
    worlds = [problem.world(Random(seed)) for seed in range(40)]
    return sum(world.worth(1) for world in worlds) / len(worlds)


def test_imagined_hands_grow_with_the_turns_and_a_knocker_has_a_good_one() -> None:
    fresh, later, knocker = (
        worth_of_ben(head) for head in ("", ", 12 turns over", ", 12 turns over, Ben knocked")
    )
    assert fresh + 6 < later < knocker - 2
