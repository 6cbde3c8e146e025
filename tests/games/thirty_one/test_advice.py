"""The advice for Thirty-One in positions with an obvious best move. The notation: see `position`."""

from random import Random

import pytest

from games.advice import Strength
from games.strategies import advise
from games.thirty_one import GAME
from games.thirty_one.advice import STRATEGY
from tests.games.thirty_one.position import Position, position
from tests.seats import FIRST, SECOND

OTHERS = """
    Ben   | 2S 7D 9C
    Cleo  | 3D 4C 8S
"""


def dealt(hand: str, head: str = "") -> Position:
    return position(f"Cleo dealt, Alice plays{head}, discards 5H, stock 6D 3C\n Alice | {hand}{OTHERS}")


def advised_action(seen: Position, strength: Strength = "steady") -> str:
    return GAME.text(advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action)


def test_with_a_great_hand_the_advice_is_to_knock_at_once() -> None:
    assert advised_action(dealt("AH QH 9H")) == "knock"


def test_a_late_knock_is_not_said_to_be_early() -> None:
    seen = dealt("AH QH 9H", ", 60 turns over")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "steady", 1)
    assert advice.reason == "You have 30. Few players have more at this point of a deal."


def test_with_a_poor_hand_the_advice_is_to_play_on() -> None:
    assert advised_action(dealt("2C 7D 9S")) in {"draw", "take"}


def test_a_card_of_the_collected_suit_is_taken() -> None:
    assert advised_action(dealt("AH QH 2C")) == "take"


def test_a_card_that_adds_nothing_is_not_taken() -> None:
    assert advised_action(dealt("AS QS 2C")) == "draw"


@pytest.mark.parametrize("strength", ["steady", "sharp"])
def test_the_least_useful_card_is_discarded(strength: Strength) -> None:
    seen = dealt("AH QH 2C")
    seen.act("Alice: take")
    assert advised_action(seen, strength) == "discard 2C"


def test_after_a_knock_the_advice_is_not_to_knock() -> None:
    seen = position(
        "Cleo dealt, Alice plays, Ben knocked, discards 5H, stock 6D 3C\n Alice | AH QH 9H\n Ben | 10S KS 9S\n"
        " Cleo | 3D 4C 8S"
    )
    assert advised_action(seen, "sharp") in {"draw", "take"}


def worth_of_ben(head: str) -> float:
    """Return the mean worth, in half points, of the hands that are imagined for Ben."""
    seen = dealt("2C 7D 9S", head)
    problem = STRATEGY.problem(GAME.view(seen.state, FIRST), GAME.legal(seen.state, FIRST))
    worlds = [problem.world(Random(seed)) for seed in range(40)]
    return sum(world.worth(SECOND) for world in worlds) / len(worlds)


def test_imagined_hands_improve_with_the_turns_and_a_knocker_has_a_good_one() -> None:
    fresh, later, knocker = (
        worth_of_ben(head) for head in ("", ", 12 turns over", ", 12 turns over, Ben knocked")
    )
    assert fresh + 6 < later < knocker - 2
