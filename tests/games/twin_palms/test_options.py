"""The options of Twin Palms, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.twin_palms.options import TwinPalmsOptions


def test_the_default_options() -> None:
    assert TwinPalmsOptions().model_dump() == {
        "mode": "normal",
        "bets": True,
        "exact_points": (5, 4, 5, 6, 7, 8),
        "half_bet_rounding": "up",
        "rounds": None,
    }


@pytest.mark.parametrize(
    ("mode", "seats"),
    [("easy", [2]), ("normal", [2, 3, 4]), ("advanced", [2, 3, 4, 5]), ("extreme", [2, 3, 4, 5])],
)
def test_the_mode_says_how_many_may_play(mode: str, seats: list[int]) -> None:
    assert list(TwinPalmsOptions.model_validate({"mode": mode}).seats()) == seats


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exact_points", (0, 0, 0, 0, 0, 0)),
        ("exact_points", (20, 20, 20, 20, 20, 20)),
        ("rounds", 1),
        ("rounds", 12),
        ("half_bet_rounding", "down"),
        ("bets", False),
    ],
)
def test_values_at_the_limits_are_accepted(name: str, value: object) -> None:
    assert getattr(TwinPalmsOptions.model_validate({name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("mode", "hard", "easy, normal, advanced or extreme"),
        ("mode", "Easy", "easy, normal, advanced or extreme"),
        ("bets", 1, "true or false"),
        ("bets", "yes", "true or false"),
        ("exact_points", [5, 4, 5, 6, 7], "6 whole numbers from 0 to 20"),
        ("exact_points", [5, 4, 5, 6, 7, 8, 9], "6 whole numbers from 0 to 20"),
        ("exact_points", [5, 4, 5, 6, 7, 21], "6 whole numbers from 0 to 20"),
        ("exact_points", [-1, 4, 5, 6, 7, 8], "6 whole numbers from 0 to 20"),
        ("exact_points", [5, 4, 5, 6, 7, 8.0], "6 whole numbers from 0 to 20"),
        ("half_bet_rounding", "nearest", "up or down"),
        ("rounds", 0, "a whole number from 1 to 12"),
        ("rounds", 13, "a whole number from 1 to 12"),
        ("rounds", "6", "a whole number from 1 to 12"),
        ("rounds", True, "a whole number from 1 to 12"),
    ],
)
def test_any_other_value_is_refused_with_the_allowed_ones(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be {allowed}"):
        TwinPalmsOptions.model_validate({name: value})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="jokers"):
        TwinPalmsOptions.model_validate({"jokers": True})
