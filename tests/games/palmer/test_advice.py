"""The advice for Palmer in positions with an obvious best move. The notation: see `position`."""

import pytest

from games.advice import Strength
from games.palmer import GAME
from games.strategies import advise
from tests.games.palmer.position import position
from tests.seats import FIRST

OTHERS = """
    Ben   | (2S) (3S) / (4S) (5S)
    Cleo  | (AH) (2H) / (QC) (4C)
"""


def advised_action(top: str, square: str, strength: Strength) -> str:
    seen = position(f"Cleo dealt, pile {top}, stock 5D 3C\n Alice | {square}{OTHERS}")
    return GAME.text(advise(GAME, GAME.view(seen.state, FIRST), strength, 1).action)


@pytest.mark.parametrize("strength", ["steady", "sharp"])
@pytest.mark.parametrize(
    ("top", "square", "action"),
    [
        ("10C", "7S QH / (10D) (JC)", "take BR"),  # makes a pair of tens in place of the jack
        ("KH", "7S 6H / (10D) (AC)", "take BL"),  # a king counts nothing, and the ten counts most
        ("9D", "8S AC / (8D) (KC)", "turn"),  # no card can get better
    ],
)
def test_sensible_players_agree_on_the_move(top: str, square: str, action: str, strength: Strength) -> None:
    assert advised_action(top, square, strength).startswith(action)


def test_a_queen_is_never_taken() -> None:
    assert advised_action("QD", "(10S) (JC) / (9D) (8C)", "steady") == "draw"
    assert not advised_action("QD", "(10S) (JC) / (9D) (8C)", "sharp").startswith("take")


def test_a_drawn_card_is_placed_beside_its_pair() -> None:
    seen = position(f"Cleo dealt, pile QD, stock 4D\n Alice | (7S) (6H) / (4H) (JC){OTHERS}")
    seen.act("Alice: draw")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "steady", 1)
    assert GAME.text(advice.action) == "place BR"
    assert (
        advice.reason == "♦4 makes a pair with another card of yours, so both count 0. It replaces your ♣J."
    )


def test_a_drawn_card_that_must_replace_a_cheaper_one_is_not_said_to_cost_less() -> None:
    seen = position(f"Cleo dealt, pile QD, stock JD\n Alice | 7S 6H / (4H) (AC){OTHERS}")
    seen.act("Alice: draw")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "steady", 1)
    assert advice.reason == "♦J counts 10 and must be placed. It costs you least at the bottom left."


def test_the_search_knows_which_cards_of_a_rank_are_left() -> None:
    """The other three fours are gone, so a four lying face up cannot become a pair."""
    waiting = "Cleo dealt, pile QD, stock 5D 3C\n Alice | 4H KS / (KD) (5C)"
    gone = position(f"{waiting}\n Ben | 4S 3S / 4D 5S\n Cleo | 4C 2H / (QC) (9C)")
    assert GAME.text(advise(GAME, GAME.view(gone.state, FIRST), "sharp", 1).action) != "take BR"


def test_a_better_move_is_explained_by_comparison_with_the_usual_one() -> None:
    seen = position(f"Cleo dealt, pile QD, stock 5D 3C\n Alice | (10S) (JC) / (9D) (8C){OTHERS}")
    advice = advise(GAME, GAME.view(seen.state, FIRST), "sharp", 1)
    assert GAME.text(advice.action).startswith("turn")
    assert advice.reason.endswith("points compared with “Draw from the stock”.")
