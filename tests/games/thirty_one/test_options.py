"""The options of Thirty-One, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.thirty_one.options import ThirtyOneOptions


def test_the_default_options() -> None:
    assert ThirtyOneOptions().model_dump() == {"tokens": 3, "any_suit": False, "three_of_a_kind": False}


@pytest.mark.parametrize("tokens", [1, 10])
def test_values_at_the_limits_are_accepted(tokens: int) -> None:
    assert ThirtyOneOptions(tokens=tokens).tokens == tokens


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("tokens", 0, "a whole number from 1 to 10"),
        ("tokens", 11, "a whole number from 1 to 10"),
        ("tokens", "3", "a whole number from 1 to 10"),
        ("tokens", True, "a whole number from 1 to 10"),
        ("any_suit", 1, "true or false"),
        ("three_of_a_kind", "yes", "true or false"),
    ],
)
def test_any_other_value_is_refused_with_the_allowed_ones(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be {allowed}"):
        ThirtyOneOptions.model_validate({name: value})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="jokers"):
        ThirtyOneOptions.model_validate({"jokers": True})
