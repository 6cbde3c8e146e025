"""The order of people on a leaderboard, and what somebody needs to be on it."""

import pytest

from bot.standings.board import RECENT, by_rating, by_wins, missing
from bot.standings.ratings import DAY, START_SIGMA, Rating, is_provisional, lower_bound, rating_of
from bot.store import RatingRow, Standing

NOW = 1_800_000_000_000


def standing(
    user: int, *, matches: int = 20, mean: float = 2.0, ago: int = DAY, ahead: int = 5, met: int = 10
) -> Standing:
    return Standing(user, f"P{user}", matches, 5, mean, NOW - ago, ahead, met)


def row(user: int, mu: float, sigma: float = 2.0, *, n: int = 20, ago: int = DAY) -> RatingRow:
    return RatingRow(user, "palace", n, 1, 0, mu, sigma, 2.0, NOW - ago)


def ranked(rows: list[RatingRow]) -> list[tuple[int, int]]:
    standings = [standing(each.user) for each in rows]
    people = by_rating(standings, {each.user: each for each in rows}, NOW)
    return [(each.place, each.standing.user) for each in people]


def test_the_share_of_people_placed_behind_decides_and_not_the_number_of_matches() -> None:
    people = [
        standing(4, matches=4, ahead=8, met=8),
        standing(1, matches=99, ahead=60, met=120),
        standing(3),
        standing(2, mean=1.9),
        standing(5, matches=5, ahead=4, met=5),
        standing(6, matches=1, ahead=0, met=0),
    ]
    assert [(each.place, each.standing.user) for each in by_wins(people)] == [
        (1, 5),
        (2, 2),
        (3, 1),
        (3, 3),
        (0, 4),
        (0, 6),
    ]


def test_people_are_ranked_by_the_lower_bound_and_not_by_the_rating() -> None:
    assert ranked([row(1, 30, 4.5), row(2, 28, 2.0), row(3, 20, 1.0)]) == [(1, 2), (2, 1), (3, 3)]
    assert lower_bound(Rating(30, 4.5, 20, NOW), NOW) < lower_bound(Rating(28, 2.0, 20, NOW), NOW)


def test_people_with_equal_lower_bounds_share_a_place() -> None:
    assert ranked([row(3, 25), row(2, 25 + 1e-12), row(1, 24)]) == [(1, 2), (1, 3), (3, 1)]


def test_people_with_a_provisional_rating_stand_below_and_those_without_a_recent_match_here_do_not() -> None:
    standings = [standing(1), standing(2), standing(3), standing(4, ago=RECENT), standing(5)]
    rows = [row(1, 20), row(2, 27, n=3), row(3, 25, START_SIGMA), row(4, 25)]
    people = by_rating(standings, {each.user: each for each in rows}, NOW)
    assert [(each.place, each.standing.user) for each in people] == [(1, 1), (0, 2), (0, 3)]


HERE = "here within 30 days"


def test_exactly_the_people_are_ranked_to_whom_nothing_is_missing() -> None:
    cases = [(n, sigma, ago) for n in (9, 10) for sigma in (4.9, 5.1) for ago in (DAY, 40 * DAY)]
    standings = [standing(user, ago=ago) for user, (_, _, ago) in enumerate(cases)]
    rows = {user: row(user, 25, sigma, n=n, ago=0) for user, (n, sigma, _) in enumerate(cases)}
    ranked = {each.standing.user for each in by_rating(standings, rows, NOW) if each.place}
    for each in standings:
        rating = rating_of(rows[each.user])
        settled = not is_provisional(rating, NOW) and each.last > NOW - RECENT
        assert settled == (each.user in ranked) == (missing(each, rating, NOW) == "")


@pytest.mark.parametrize(
    ("matches", "sigma", "ago", "lacks"),
    [
        (10, 2.0, DAY, ""),
        (10, 2.0, RECENT - 1, ""),
        (10, 2.0, RECENT, f"1 more rated match {HERE}"),
        (10, 2.0, None, f"1 more rated match {HERE}"),
        (9, 2.0, DAY, "1 more rated match"),
        (9, 2.0, None, f"1 more rated match {HERE}"),
        (6, 2.0, DAY, "4 more rated matches"),
        (6, 2.0, RECENT, f"4 more rated matches, one of them {HERE}"),
        (0, 2.0, None, f"at least 10 more rated matches, one of them {HERE}"),
        (6, 6.0, DAY, "at least 4 more rated matches"),
        (10, 8.0, DAY, "at least 1 more rated match"),
        (99, 8.0, None, f"at least 1 more rated match {HERE}"),
    ],
)
def test_what_is_missing_to_be_ranked_is_said_in_matches(
    matches: int, sigma: float, ago: int | None, lacks: str
) -> None:
    rating = Rating(25, sigma, matches, NOW - (ago or 0)) if matches else None
    assert missing(None if ago is None else standing(1, ago=ago), rating, NOW) == lacks
