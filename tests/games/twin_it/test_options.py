"""The options of Twin It!, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.twin_it.options import TwinItOptions


def test_the_default_options() -> None:
    assert TwinItOptions().model_dump() == {
        "mode": "classic",
        "sets_to_win": 5,
        "seconds": 60,
        "singles": 10,
        "hand_seconds": 4,
        "tie_ms": 400,
        "barred": None,
        "handicap": False,
    }


@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        ("classic", range(2, 7)),
        ("forbidden", range(2, 7)),
        ("teams", range(4, 7)),
        ("cooperative", range(1, 7)),
        ("timed", range(2, 7)),
    ],
)
def test_the_mode_says_how_many_may_play(mode: str, seats: range) -> None:
    assert TwinItOptions.model_validate({"mode": mode}).seats() == seats


def test_a_barred_seat_must_exist() -> None:
    assert TwinItOptions(mode="forbidden", barred=4).seats() == range(5, 7)
    assert TwinItOptions(mode="classic", barred=4).seats() == range(2, 7)


LIMITS = {
    "sets_to_win": (1, 9),
    "seconds": (20, 300),
    "singles": (1, 18),
    "hand_seconds": (1, 15),
    "tie_ms": (0, 2000),
}


@pytest.mark.parametrize("name", LIMITS)
def test_numbers_are_accepted_up_to_their_limits_and_refused_beyond(name: str) -> None:
    low, high = LIMITS[name]
    for value in (low, high):
        assert getattr(TwinItOptions.model_validate({name: value}), name) == value
    for wrong in (low - 1, high + 1, str(low), float(high), True):
        with pytest.raises(ValidationError, match=f"{name} must be a whole number from {low} to {high}"):
            TwinItOptions.model_validate({name: wrong})


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("mode", "Classic", "classic, forbidden, teams, cooperative or timed"),
        ("barred", 6, "a whole number from 0 to 5, or nothing"),
        ("barred", -1, "a whole number from 0 to 5, or nothing"),
        ("handicap", "yes", "true or false"),
    ],
)
def test_any_other_value_is_refused_with_the_allowed_ones(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be {allowed}"):
        TwinItOptions.model_validate({name: value})
