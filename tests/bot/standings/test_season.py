"""The rules of seasons: points by placing, the best matches, shared places, and when a season closes."""

from collections.abc import Sequence

import pytest

from bot.standings.ratings import DAY, RatedMatch, RatedSeat
from bot.standings.season import (
    BEST,
    PATIENCE,
    SETTLING,
    belongs,
    clash,
    may_close,
    must_close,
    points,
    present,
    running,
    tabulate,
)
from bot.store import Season, SeasonResult

SEASON = Season(1, 5001, 6001, "Autumn", 1_000, 1_000 + 30 * DAY, None, None)


def match(*placings: int, sides: Sequence[int] = (), replaced: Sequence[int] = ()) -> RatedMatch:
    """Return a match of people with these placings, by seat."""
    seats = (
        RatedSeat(sides[seat] if sides else seat, placing, None, seat in replaced)
        for seat, placing in enumerate(placings)
    )
    return RatedMatch("palace", tuple(seats))


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        (match(1, 2), [100, 0]),
        (match(2, 1, 3), [50, 100, 0]),
        (match(1, 2, 3, 4), [100, 67, 33, 0]),
        (match(1, 1), [50, 50]),
        (match(1, 1, 3), [75, 75, 0]),
        (match(1, 2, 2), [100, 25, 25]),
        (match(1, 1, 1, 1), [50, 50, 50, 50]),
        (match(1, 2, 2, 4, 5), [100, 63, 63, 25, 0]),
        (match(1, 3, 1, 3, sides=[0, 1, 0, 1]), [100, 0, 100, 0]),
        (match(1, 1, 3, 3, 5, 5, sides=[0, 0, 1, 1, 2, 2]), [100, 100, 50, 50, 0, 0]),
        (match(1, 2, 3, replaced=[0]), [0, 100, 50]),
        (match(1, 1, 3, 3, sides=[0, 0, 1, 1], replaced=[0]), [0, 100, 0, 0]),
    ],
)
def test_points_are_the_share_of_the_other_sides_that_came_after(
    played: RatedMatch, expected: list[int]
) -> None:
    assert [points(played, seat) for seat in range(len(played.seats))] == expected


def test_computers_are_sides_that_can_be_beaten() -> None:
    seats = (RatedSeat(0, 2, None, False), RatedSeat(1, 3, None, False), RatedSeat(2, 1, "sharp", False))
    assert [points(RatedMatch("palace", seats), seat) for seat in (0, 1)] == [50, 0]


def results(number: int, *users: int, ended: int = 0) -> list[SeasonResult]:
    """Return the results of a match in which these people came first, second and so on."""
    rated = match(*range(1, len(users) + 1)).to_json()
    return [
        SeasonResult(number, seat, user, f"P{user} in {number}", ended or number, rated)
        for seat, user in enumerate(users)
    ]


def test_only_the_best_matches_of_a_person_give_points() -> None:
    played = [row for number in range(BEST + 5) for row in results(number, 1, 2)]
    played += [row for number in range(100, 103) for row in results(number, 2, 1)]
    assert [(row.user, row.points, row.wins, row.matches) for row in tabulate(played)] == [
        (1, 100 * BEST, BEST + 5, BEST + 8),
        (2, 300, 3, BEST + 8),
    ]


def test_people_with_equal_points_share_a_place() -> None:
    played = [*results(1, 4, 3), *results(2, 2, 3), *results(3, 3, 5), *results(4, 1, 6), *results(5, 1, 6)]
    assert [(row.place, row.user, row.points) for row in tabulate(played)] == [
        (1, 1, 200),
        (2, 2, 100),
        (2, 3, 100),
        (2, 4, 100),
        (5, 5, 0),
        (5, 6, 0),
    ]
    assert tabulate([]) == []


def test_a_name_is_that_of_the_match_that_ended_last() -> None:
    played = [*results(1, 1, 2, ended=900), *results(2, 1, 2, ended=300)]
    assert {row.name for row in tabulate(played)} == {"P1 in 1", "P2 in 1"}


def test_a_match_belongs_to_the_season_in_which_it_started_to_the_millisecond() -> None:
    times = (SEASON.starts - 1, SEASON.starts, SEASON.ends - 1, SEASON.ends)
    assert [belongs(SEASON, at) for at in times] == [False, True, True, False]


def test_a_season_closes_a_moment_after_its_end_or_waits_seven_days_for_matches() -> None:
    settled, late = SEASON.ends + SETTLING, SEASON.ends + PATIENCE + SETTLING
    times = (SEASON.ends, settled - 1, settled, late - 1, late)
    assert [(may_close(SEASON, at), must_close(SEASON, at)) for at in times] == [
        (False, False),
        (False, False),
        (True, False),
        (True, False),
        (True, True),
    ]
    closed = Season(1, 5001, 6001, "Autumn", SEASON.starts, SEASON.ends, SEASON.ends + 1, None)
    assert not may_close(closed, SEASON.ends + PATIENCE)


def test_after_a_clock_that_jumped_back_a_closed_season_does_not_run_again() -> None:
    closed = Season(1, 5001, 6001, "Autumn", SEASON.starts, SEASON.ends, SEASON.ends + 1, None)
    assert running([SEASON], SEASON.ends - 1) == SEASON
    assert running([closed], SEASON.ends - 1) is None
    assert running([SEASON], SEASON.ends) is None


def season(starts: int, ends: int, closed: int | None = None) -> Season:
    return Season(1, 5001, 6001, "Autumn", starts, ends, closed, None)


def test_this_season_is_the_running_one_then_the_last_that_waits_then_the_next_planned_one() -> None:
    closed, waiting, runs = season(0, 10, 11), season(10, 20), season(20, 30)
    soon, later = season(40, 50), season(50, 60)
    assert present([later, soon, runs, waiting, closed], 25) == runs
    assert present([later, soon, runs, waiting, closed], 35) == runs
    assert present([later, soon, season(20, 30, 35), waiting, closed], 35) == waiting
    assert present([later, soon, closed], 35) == soon
    assert present([closed], 35) is None


@pytest.mark.parametrize(
    ("starts", "ends", "overlaps"),
    [(0, 10, False), (0, 11, True), (19, 30, True), (12, 13, True), (20, 30, False), (0, 99, True)],
)
def test_a_season_clashes_with_one_that_covers_a_part_of_its_time(
    starts: int, ends: int, overlaps: bool
) -> None:
    assert clash([season(10, 20)], starts, ends) == (season(10, 20) if overlaps else None)


def test_the_earliest_of_several_clashing_seasons_is_named() -> None:
    assert clash([season(30, 40), season(10, 20)], 0, 99) == season(10, 20)
