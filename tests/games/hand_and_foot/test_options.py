"""The option of Hand and Foot, and how other values are refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from games.hand_and_foot.options import HandAndFootOptions
from tests.games.hand_and_foot.position import opened


@pytest.mark.parametrize("deals", [0, 5, "4", True])
def test_only_one_to_four_deals_are_played(deals: Any) -> None:
    with pytest.raises(ValidationError, match="deals must be a whole number from 1 to 4"):
        HandAndFootOptions(deals=deals)


def test_the_number_of_deals_is_announced_also_the_usual_one() -> None:
    assert HandAndFootOptions().summary() == ["4 deals"]
    assert HandAndFootOptions(deals=1).summary() == ["1 deal"]


def test_a_match_of_one_deal_ends_after_it() -> None:
    seen = opened(2, 1, deals=1)
    seen.state.stock = []
    name = seen.awaited()[0]
    assert "The match ends after 1 deal," in seen.act(f"{name}: draw")[-1]
