"""Phrases that the texts of several games share."""

import pytest

from games.contract import Outcome
from games.phrases import counted, ended, placed, plural, scored, singular, whose_turn
from games.sides import by_side


@pytest.mark.parametrize(
    ("one", "many"), [("token", "tokens"), ("sand dollar", "sand dollars"), ("die", "dice")]
)
def test_a_unit_has_a_plural_of_which_it_is_the_singular(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


def test_numbers_of_things_are_written_with_the_plural_that_the_thing_has() -> None:
    assert [counted(number, "die") for number in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [scored(number, "die") for number in (0, 1, 2)] == ["no dice", "1 die", "2 dice"]
    assert [scored(number, "token") for number in (0, 1, 2)] == ["no tokens", "1 token", "2 tokens"]


def test_a_negative_score_has_a_proper_minus() -> None:
    assert [scored(number, "token") for number in (-1, -20)] == ["−1 token", "−20 tokens"]


@pytest.mark.parametrize(
    ("awaited", "own", "line"),
    [
        ((0,), None, "**Alice's turn** · bid"),
        ((0, 1), 0, "**Your turn** · bid"),
        ((0, 1), 2, "**Alice's and Ben's turn** · bid"),
        ((0, 1, 2), None, "**Everybody's turn** · bid"),
        ((0, 2), 2, "**Alice's and 🤖 Cleo's turn** · bid"),
        ((), 0, ""),
    ],
)
def test_there_is_one_form_for_whose_turn_it_is(awaited: tuple[int, ...], own: int | None, line: str) -> None:
    """A computer plays for Cleo, so she cannot act, and reads what the others read."""
    assert whose_turn(awaited, ["Alice", "Ben", "🤖 Cleo"], own, "bid") == line


def test_those_who_share_a_place_share_a_line() -> None:
    outcome = Outcome((3, 1, 5, 3, 1, 5), (9, 20, 1, 9, 20, 1), "Most points.")
    names = ["Alice", "Ben", "Cleo", "Dana", "Eve", "Finn"]
    assert [*placed(outcome, names, "point", after=3)] == ["**5.** Cleo and Finn: 1 point"]
    sides = by_side(outcome, (0, 1, 2, 0, 1, 2))
    assert ended(sides, names, "point", team=True).splitlines() == [
        "**Ben and Eve win with 20 points.** Most points.",
        "**2.** Alice and Dana: 9 points",
        "**3.** Cleo and Finn: 1 point",
    ]


def test_sides_that_are_equal_share_a_place_among_the_sides() -> None:
    outcome = Outcome((1, 5, 1, 1, 5, 1), (9, 1, 9, 9, 1, 9), "Most points.")
    assert by_side(outcome, (0, 1, 2, 0, 1, 2)).placings == (1, 3, 1, 1, 3, 1)
    assert by_side(outcome, range(6)).placings == outcome.placings
