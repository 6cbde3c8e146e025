"""A week of a server: when it begins, who gained most, and which match was the closest."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.standings.week import WEEK, begin, closest, gap, risen, week_of
from bot.store import FinishedMatch, Result
from tests.bot.standings.test_season import match as rated_match
from tests.stored.logs import match_of

ALICE, BEN, CLEO = 1, 2, 3


def played(number: int, *scores: int, rated: bool = True, left: bool = False) -> FinishedMatch:
    """Return a match in which people came first, second and so on with these scores; equal ones share a place."""
    placings = [1 + sum(other > own for other in scores) for own in scores]
    results = [
        Result(
            number,
            seat,
            5,
            "palace",
            user,
            f"P{user}",
            placings[seat],
            scores[seat],
            3,
            9,
            "{}",
            int(not left),
        )
        for seat, user in zip(range(len(scores)), (ALICE, BEN, CLEO), strict=False)
    ]
    row = replace(match_of("palace", "{}", "seed"), id=number, rated=None)
    return FinishedMatch(replace(row, rated=rated_match(*placings).to_json()) if rated else row, results)


def test_a_week_begins_on_monday_at_noon() -> None:
    noon = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp() * 1000)
    assert datetime.fromtimestamp(noon / 1000, UTC).strftime("%A") == "Monday"
    assert begin(week_of(noon)) == noon
    assert week_of(noon - 1) == week_of(noon) - 1
    assert begin(week_of(noon) + 1) == noon + WEEK


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((20, 19), 0.05),
        ((20, 15, 19), 0.05),
        ((7, 7), 0),
        ((3, 0), 1),
        ((0, 0, 0), 0),
        ((5, 5, 1), 0.8),
        ((2, -2), 2),
    ],
)
def test_the_gap_is_between_the_first_and_those_placed_next(scores: tuple[int, ...], expected: float) -> None:
    assert gap(played(1, *scores).results) == pytest.approx(expected)


def test_the_closest_match_is_rated_and_everybody_has_finished_it() -> None:
    week = [played(1, 9, 1), played(2, 20, 19), played(3, 20, 19, 5), played(4, 40, 38)]
    week += [played(5, 7, 7, rated=False), played(6, 7, 7, left=True)]
    assert [each.match.id for each in closest(week)] == [3, 4, 2, 1]


def test_who_has_points_of_the_week_is_named_but_no_former_player() -> None:
    week = [played(1, 9, 1, 0), played(2, 9, 1), played(3, 9, 1, rated=False)]
    assert [(each.user, each.points, each.matches) for each in risen(week)] == [(ALICE, 200, 2), (BEN, 50, 2)]
    (match, results), *_ = week
    assert risen([FinishedMatch(match, [replace(each, user=-each.user) for each in results])]) == []
