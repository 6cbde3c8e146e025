"""Facts of Palmer: from a deal and in agreement with the events of random matches."""

import pytest

from games.contract import Event
from games.palmer import GAME
from games.palmer.events import DealScored, Peeked
from games.types import SEATS
from tests.contract.matches import finished_match, public
from tests.contract.subjects import SUBJECTS
from tests.games.palmer.position import last_turn
from tests.seats import SECOND

PALMER = SUBJECTS["palmer"]


def deal(*squares: str) -> list[Event]:
    """Return the events at the end of a deal of Alice, Ben, ... with these squares."""
    seen = last_turn(*squares)
    seen.act("Alice: turn BR")
    return [event for event in seen.events if event.to is None]


@pytest.mark.parametrize(
    ("square", "pairs", "zero"),
    [
        ("5S 5D / 6S 6D", 2, 1),
        ("5S 5D / 5H 5C", 2, 1),
        ("5S 5D / 5H 6D", 1, 0),
        ("JS QD / 5H 6D", 0, 0),
        ("9S KD / KH 9D", 2, 1),
        ("9S KD / 4H 9D", 1, 0),
    ],
)
def test_pairs_and_deals_of_0_points_are_counted(square: str, pairs: int, zero: int) -> None:
    facts = GAME.facts.count(deal("AS 2S / 3S 4S", square, "7S 7D / 8S 9C"), SECOND)
    assert (facts["pairs"], facts["deals_zero"], facts["deals"]) == (pairs, zero, 1)


def test_the_fewest_points_of_a_deal_count_for_all_who_have_them() -> None:
    events = deal("AS 2S / 3S 4S", "AD 2D / 3D 4D", "7S 8D / 9S 10D")
    facts = [GAME.facts.count(events, seat) for seat in SEATS[:3]]
    assert [(found["deals_best"], found["fewest_points"]) for found in facts] == [(1, 10), (1, 10), (0, 34)]


@pytest.mark.parametrize("number", range(20))
def test_facts_agree_with_the_deals_and_scores_of_the_match(number: int) -> None:
    match = finished_match(PALMER, number)
    events = [event for entry in match.events for event in entry]
    facts = [GAME.facts.count(public(match), seat) for seat in match.seats]
    peeks = [event.to for event in events if isinstance(event, Peeked)]
    assert [found["deals"] for found in facts] == [peeks.count(seat) for seat in match.seats]
    deals = [event.scores for event in events if isinstance(event, DealScored)]
    fewest = [min(score.points for score in scores) for scores in deals]
    best = [
        score.seat
        for scores, points in zip(deals, fewest, strict=True)
        for score in scores
        if score.points == points
    ]
    assert [found["deals_best"] for found in facts] == [best.count(seat) for seat in match.seats]
    assert min(found["fewest_points"] for found in facts) == min(fewest)
    for found, total in zip(facts, match.state.outcome.scores, strict=True):
        assert found["deals"] * found["fewest_points"] <= total
        assert (found["deals_zero"] > 0) == (found["fewest_points"] == 0)
