"""The options of Palmer, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.palmer.options import PalmerOptions


def test_the_default_limit_is_50() -> None:
    assert PalmerOptions().model_dump() == {"limit": 50}


@pytest.mark.parametrize("limit", [10, 200])
def test_values_at_the_limits_are_accepted(limit: int) -> None:
    assert PalmerOptions(limit=limit).limit == limit


@pytest.mark.parametrize("limit", [9, 201, "50", 50.0, True, None])
def test_any_other_value_is_refused_with_the_allowed_ones(limit: Any) -> None:
    with pytest.raises(ValidationError, match="limit must be a whole number from 10 to 200"):
        PalmerOptions(limit=limit)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="jokers"):
        PalmerOptions.model_validate({"jokers": True})
