"""The options of Charms, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.charms.options import CharmsOptions


def test_the_default_options() -> None:
    assert CharmsOptions().model_dump() == {"hands": 4, "bidding": "hidden"}


@pytest.mark.parametrize(("name", "value"), [("hands", 1), ("hands", 12), ("bidding", "open")])
def test_values_at_the_limits_are_accepted(name: str, value: object) -> None:
    assert getattr(CharmsOptions.model_validate({name: value}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("hands", 0, "a whole number from 1 to 12"),
        ("hands", 13, "a whole number from 1 to 12"),
        ("hands", "4", "a whole number from 1 to 12"),
        ("hands", True, "a whole number from 1 to 12"),
        ("bidding", "Open", "hidden or open"),
        ("bidding", "secret", "hidden or open"),
    ],
)
def test_any_other_value_is_refused_with_the_allowed_ones(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be {allowed}"):
        CharmsOptions.model_validate({name: value})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="buttons"):
        CharmsOptions.model_validate({"buttons": 16})
