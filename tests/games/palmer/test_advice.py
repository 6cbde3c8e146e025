"""What Palmer's advice says in positions that speak for themselves. The notation: see `position`."""

import pytest

from games.palmer import GAME
from games.strategies import Strength, advise
from tests.games.palmer.position import position

OTHERS = """
    Ben   | (2S) (3S) / (4S) (5S)
    Cleo  | (AH) (2H) / (QC) (4C)
"""


def said(top: str, square: str, strength: Strength) -> str:
    seen = position(f"Cleo dealt, pile {top}, stock 5D 3C\n Alice | {square}{OTHERS}")
    return GAME.text(advise(GAME, GAME.view(seen.state, 0), strength, 1).action)


@pytest.mark.parametrize("strength", ["steady", "sharp"])
@pytest.mark.parametrize(
    ("top", "square", "action"),
    [
        ("10C", "7S QH / (10D) (JC)", "take BR"),  # a pair of tens, and the jack goes
        ("KH", "7S 6H / (10D) (AC)", "take BL"),  # nothing counts less, and ten is the most
        ("9D", "8S AC / (8D) (KC)", "turn"),  # what is there cannot get better
    ],
)
def test_sensible_players_agree(top: str, square: str, action: str, strength: Strength) -> None:
    assert said(top, square, strength).startswith(action)


def test_a_queen_helps_nobody() -> None:
    assert said("QD", "(10S) (JC) / (9D) (8C)", "steady") == "draw"
    assert not said("QD", "(10S) (JC) / (9D) (8C)", "sharp").startswith("take")


def test_a_drawn_card_goes_to_its_pair() -> None:
    seen = position(f"Cleo dealt, pile QD, stock 4D\n Alice | (7S) (6H) / (4H) (JC){OTHERS}")
    seen.act("Alice: draw")
    advice = advise(GAME, GAME.view(seen.state, 0), "steady", 1)
    assert GAME.text(advice.action) == "place BR"
    assert (
        advice.reason == "♦4 makes a pair with another card of yours, so both count 0. It replaces your ♣J."
    )


def test_the_search_knows_what_is_left_of_a_rank() -> None:
    """With the other three fours gone, a four face up waits for nothing."""
    waiting = "Cleo dealt, pile QD, stock 5D 3C\n Alice | 4H KS / (KD) (5C)"
    gone = position(f"{waiting}\n Ben | 4S 3S / 4D 5S\n Cleo | 4C 2H / (QC) (9C)")
    assert GAME.text(advise(GAME, GAME.view(gone.state, 0), "sharp", 1).action) != "take BR"


def test_a_better_move_names_the_usual_one() -> None:
    seen = position(f"Cleo dealt, pile QD, stock 5D 3C\n Alice | (10S) (JC) / (9D) (8C){OTHERS}")
    advice = advise(GAME, GAME.view(seen.state, 0), "sharp", 1)
    assert GAME.text(advice.action).startswith("turn")
    assert advice.reason.endswith("points compared with “Draw from the stock”.")
