"""The options of Palace, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.palace import GAME
from games.palace.options import PalaceOptions

NAMES = ("allow_equal", "voluntary_pickup", "four_across_turns", "play_for_places")


def test_two_packs_are_usual_and_all_house_rules_off() -> None:
    assert PalaceOptions().model_dump() == {"packs": 2, **dict.fromkeys(NAMES, False)}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [1, "yes", None, 0.0])
def test_anything_but_true_or_false_is_refused_with_a_sentence(name: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=f"{name} must be true or false"):
        PalaceOptions.model_validate({name: value})


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="jokers"):
        PalaceOptions.model_validate({"jokers": True})


def test_two_to_eight_may_play_with_any_options() -> None:
    for name in NAMES:
        assert list(GAME.seats(PalaceOptions.model_validate({name: True}))) == [2, 3, 4, 5, 6, 7, 8]
