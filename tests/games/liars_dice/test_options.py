"""The options of Liar's Dice, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.liars_dice.options import LiarsDiceOptions


def test_a_table_plays_with_palifico_and_without_calza_unless_it_says_otherwise() -> None:
    assert LiarsDiceOptions().model_dump() == {"calza": False, "palifico": True}
    assert LiarsDiceOptions().summary() == []
    assert LiarsDiceOptions(calza=True, palifico=False).summary() == ["with calza", "without palifico"]


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_any_other_value_is_refused_with_the_allowed_ones(value: Any) -> None:
    with pytest.raises(ValidationError, match="calza must be true or false"):
        LiarsDiceOptions(calza=value)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="jokers"):
        LiarsDiceOptions.model_validate({"jokers": True})
