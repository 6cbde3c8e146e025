"""Ratings: laws over thousands of random matches, absence, replaced people, computers, and the stored form."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice, permutations
from random import Random
from typing import TypeAlias

import pytest

from bot.standings.pools import DEFAULT, POOLS, Constants, constants_of
from bot.standings.ratings import (
    COMPUTER_SIGMA,
    DAY,
    FULL,
    START_MU,
    START_SIGMA,
    Change,
    RatedMatch,
    RatedSeat,
    Rating,
    is_provisional,
    label,
    lower_bound,
    new_label,
    rate,
    reason,
    shown,
    uncertainty,
    weight,
)
from games.advice import STRENGTHS, Strength

CLOSE = 1e-9
MATCHES = 4_000
NOW = 1_700_000_000_000
NEW = Rating(START_MU, START_SIGMA, 0, NOW)
SETTLED = Rating(27.0, 2.0, 40, NOW)
POOL_NAMES = [*POOLS, "toy"]
Table: TypeAlias = tuple[RatedMatch, list[Rating | None], list[Change | None]]


def person(placing: int, side: int, *, replaced: bool = False) -> RatedSeat:
    return RatedSeat(side, placing, None, replaced)


def computer(placing: int, side: int, strength: Strength = "steady") -> RatedSeat:
    return RatedSeat(side, placing, strength, False)


def singles(*placings: int, replaced: Sequence[int] = (), pool: str = "toy") -> RatedMatch:
    """Return a match of people without partners; `replaced` are seats."""
    seats = [person(placing, seat, replaced=seat in replaced) for seat, placing in enumerate(placings)]
    return RatedMatch(pool, tuple(seats))


def changes(match: RatedMatch, before: Sequence[Rating | None], at: int = NOW) -> list[Change]:
    """Return the changes of a match of people only."""
    found = [change for change in rate(match, before, at) if change is not None]
    assert len(found) == len(match.seats)
    return found


def moved(change: Change) -> float:
    return change.after.mu - change.before.mu


def random_match(rng: Random) -> tuple[RatedMatch, list[Rating | None]]:
    """Return a match of 2 to 6 sides of 1 to 3 seats, often with ties, equal ratings, computers and replaced people."""
    few = [random_rating(rng) for _ in range(2)]
    members = 1 if rng.random() < 0.5 else rng.randint(2, 3)
    seats: list[RatedSeat] = []
    before: list[Rating | None] = []
    for side in range(rng.randint(2, 6)):
        placing = rng.randint(1, 4)
        for _ in range(members):
            strength = rng.choice(STRENGTHS) if rng.random() < 0.2 else None
            seats.append(RatedSeat(side, placing, strength, strength is None and rng.random() < 0.1))
            before.append(None if strength else rng.choice([*few, None, random_rating(rng)]))
    return RatedMatch(rng.choice(POOL_NAMES), tuple(seats)), before


def random_rating(rng: Random) -> Rating:
    return Rating(
        rng.gauss(25, 8), rng.uniform(0.5, START_SIGMA), rng.randint(1, 60), NOW - rng.randrange(DAY)
    )


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    """Return random matches, the ratings before them, and the changes."""
    rng = Random(15)
    matches = (random_match(rng) for _ in range(MATCHES))
    return [(match, before, rate(match, before, NOW)) for match, before in matches]


Member: TypeAlias = tuple[str, float, float, float]
"""Strength of a computer or "", mu and sigma before, and the move of mu."""


def sides_of(table: Table) -> list[tuple[int, list[Member]]]:
    """Return placing and members of each side in which nobody was replaced. The members are sorted."""
    match, _, rated = table
    sides: dict[int, list[Member]] = {}
    for seat, change in zip(match.seats, rated, strict=True):
        old = (change.before.mu, change.before.sigma, moved(change)) if change else (0.0, 0.0, 0.0)
        sides.setdefault(seat.side, []).append((seat.strength or "", *old))
    replaced = {seat.side for seat in match.seats if seat.replaced}
    placings = {seat.side: seat.placing for seat in match.seats}
    return [(placings[side], sorted(members)) for side, members in sides.items() if side not in replaced]


def test_equals_move_equally_and_a_better_placing_never_moves_less_than_a_worse_one(
    tables: list[Table],
) -> None:
    equal, better = Counter[int](), Counter[int]()  # comparisons by the number of members
    for table in tables:
        for (one, members), (other, others) in permutations(sides_of(table), 2):
            if one > other or [member[:3] for member in members] != [member[:3] for member in others]:
                continue
            equal[len(members)] += one == other
            better[len(members)] += one < other
            for (*_, own), (*_, theirs) in zip(members, others, strict=True):
                assert own > theirs - CLOSE
    for compared in (equal, better):
        assert compared[1] > 400
        assert compared[2] + compared[3] > 80


def test_the_order_of_seats_and_the_numbers_of_sides_change_nothing(tables: list[Table]) -> None:
    rng = Random(16)
    for match, before, rated in tables:
        order = rng.sample(range(len(before)), len(before))
        renumbered = rng.sample(range(9), 9)
        seats = [match.seats[i] for i in order]
        shuffled = [RatedSeat(renumbered[s.side], s.placing, s.strength, s.replaced) for s in seats]
        again = rate(RatedMatch(match.pool, tuple(shuffled)), [before[i] for i in order], NOW)
        for seat, change in zip(order, again, strict=True):
            for one, other in zip(numbers(change), numbers(rated[seat]), strict=True):
                assert abs(one - other) < CLOSE


def numbers(change: Change | None) -> tuple[float, ...]:
    return (change.after.mu, change.after.sigma, change.expected) if change else ()


def test_ratings_stay_in_bounds(tables: list[Table]) -> None:
    for match, _, rated in tables:
        sides = len({seat.side for seat in match.seats})
        for change in filter(None, rated):
            # However many sides there are, one match leaves some uncertainty.
            assert change.before.sigma / 3 < change.after.sigma <= START_SIGMA
            assert 1 <= change.expected <= sides


def test_a_stored_match_gives_the_same_bits(tables: list[Table]) -> None:
    for match, before, rated in tables[:1_000]:
        stored = RatedMatch.from_json(match.to_json())
        assert stored == match
        assert rate(stored, before, NOW) == rated


def test_the_expected_placings_of_a_match_add_up() -> None:
    rated = changes(singles(1, 2, 3, 4), [SETTLED, None, Rating(20.0, 3.0, 5, NOW), NEW])
    assert sum(change.expected for change in rated) == pytest.approx(1 + 2 + 3 + 4)
    assert rated[1].expected == pytest.approx(rated[3].expected)
    assert rated[0].expected < rated[1].expected < rated[2].expected


def test_only_people_have_a_rating() -> None:
    match = RatedMatch("toy", (person(2, 0), computer(1, 1), computer(3, 2, "sharp")))
    change, *others = rate(match, [None, None, None], NOW)
    assert change is not None
    assert others == [None, None]
    mus = {strength: constants_of("toy").computers[strength] for strength in STRENGTHS}
    as_people = [Rating(mus[strength], COMPUTER_SIGMA, 99, NOW) for strength in ("steady", "sharp")]
    assert numbers(rate(singles(2, 1, 3), [None, *as_people], NOW)[0]) == pytest.approx(
        numbers(change), abs=CLOSE
    )


def test_a_person_who_was_replaced_is_rated_as_last_for_all() -> None:
    before = [SETTLED, None, NEW]
    assert rate(singles(1, 2, 3, replaced=[0]), before, NOW) == rate(singles(3, 1, 2), before, NOW)
    assert rate(singles(1, 1, 3, replaced=[0]), before, NOW) == rate(singles(3, 1, 2), before, NOW)


@pytest.mark.parametrize("replaced", [True, False])
def test_of_a_pair_only_the_replaced_one_is_rated_as_last(replaced: bool) -> None:
    def pairs(first: int, second: int, *, replaced: bool = False) -> list[Change]:
        seats = person(first, 0, replaced=replaced), person(second, 1), person(first, 0), person(second, 1)
        return changes(RatedMatch("toy", seats), [SETTLED, None, NEW, None])

    won, lost, found = pairs(1, 2), pairs(2, 1), pairs(1, 2, replaced=replaced)
    assert found == [lost[0] if replaced else won[0], *won[1:]]


def test_one_side_alone_is_refused() -> None:
    with pytest.raises(AssertionError, match="one side"):
        rate(RatedMatch("toy", (person(1, 0), person(1, 0))), [None, None], NOW)


def test_absence_makes_a_rating_uncertain_up_to_the_start() -> None:
    assert uncertainty(SETTLED, NOW) == SETTLED.sigma
    assert uncertainty(SETTLED, NOW - DAY) == SETTLED.sigma
    assert uncertainty(SETTLED, NOW + 73 * DAY) == pytest.approx(3.0)
    assert uncertainty(SETTLED, NOW + 5_000 * DAY) == START_SIGMA
    assert lower_bound(SETTLED, NOW) == 23.0
    assert lower_bound(SETTLED, NOW + 73 * DAY) == pytest.approx(21.0)


@pytest.mark.parametrize("sigma", [0.001, 2.0, 4.99])
def test_any_settled_rating_is_provisional_after_a_year(sigma: float) -> None:
    rating = Rating(27.0, sigma, 500, NOW)
    assert not is_provisional(rating, NOW)
    assert is_provisional(rating, NOW + 365 * DAY)


def test_a_rating_is_provisional_for_ten_matches_and_while_it_is_uncertain() -> None:
    assert is_provisional(Rating(27.0, 2.0, 9, NOW), NOW)
    assert not is_provisional(Rating(27.0, 2.0, 10, NOW), NOW)
    assert is_provisional(Rating(27.0, 5.01, 10, NOW), NOW)


def test_absence_counts_before_the_match_and_once() -> None:
    later = NOW + 73 * DAY
    change, _ = changes(singles(1, 2), [SETTLED, SETTLED], later)
    assert change.before.sigma == pytest.approx(3.0)
    assert uncertainty(change.before, later) == change.before.sigma
    assert change.before.mu == SETTLED.mu
    assert change.before.matches == SETTLED.matches
    assert moved(change) > moved(changes(singles(1, 2), [SETTLED, SETTLED])[0])


def test_a_rating_is_shown_as_a_whole_number_with_a_question_mark_while_provisional() -> None:
    assert (shown(NEW), label(NEW, NOW)) == (1500, "1500?")
    assert (shown(SETTLED), label(SETTLED, NOW)) == (1580, "1580")
    assert label(SETTLED, NOW + 365 * DAY) == "1580?"


def rated_from(mu: float, to: float, *, matches: int = 30, expected: float = 2.4) -> Change:
    return Change(Rating(mu, 2.0, matches, NOW), Rating(to, 2.0, matches + 1, NOW), expected)


@pytest.mark.parametrize(
    ("change", "placing", "line"),
    [
        (rated_from(25, 25.3), 1, "+12: expected place 2.4 of 4, came 1st"),
        (rated_from(25, 24.7), 3, "−12: expected place 2.4 of 4, came 3rd"),
        (rated_from(25, 25.001, expected=2.04), 2, "No change: expected place 2.0 of 4, came 2nd"),
        (rated_from(25, 27, matches=3), 1, "+80: expected place 2.4 of 4, came 1st"),
        (rated_from(25, 29, matches=0, expected=2.5), 1, "came 1st · first rating 1660, still uncertain"),
    ],
)
def test_a_change_has_its_reason_in_one_line(change: Change, placing: int, line: str) -> None:
    assert reason(change, placing, 4) == line


@pytest.mark.parametrize(
    ("change", "label"),
    [
        (rated_from(25, 25.3), "1512 +12"),
        (rated_from(25, 24.7), "1488 −12"),
        (rated_from(25, 25.001), "1500"),
        (rated_from(25, 27, matches=3), "1580? +80"),
        (rated_from(25, 29, matches=0), "1660?"),
    ],
)
def test_a_new_rating_is_shown_with_its_change(change: Change, label: str) -> None:
    assert new_label(change) == label


def test_the_reason_names_the_side_of_several_people() -> None:
    change = rated_from(25, 24, expected=1.6)
    assert reason(change, 2, 2, team=True) == "−40: expected place 1.6 of 2 sides, came 2nd"


def test_the_reason_names_the_caretaker() -> None:
    assert reason(rated_from(25, 24), 1, 4, verb="counts as", last="a computer made most of the moves") == (
        "−40: expected place 2.4 of 4, counts as 1st because a computer made most of the moves"
    )


def test_the_reason_says_why_a_match_counts_little() -> None:
    assert reason(rated_from(25, 25.025), 1, 2, nth=14) == (
        "+1: expected place 2.4 of 2, came 1st; the 14th match of just these people in 30 days, which counts 51%"
    )
    assert "just these" not in reason(rated_from(25, 25.025), 1, 2, nth=FULL)


def test_a_match_is_stored_as_short_text_and_read_back() -> None:
    match = RatedMatch("toy", (person(1, 0), computer(2, 1, "sharp"), person(2, 1, replaced=True)))
    text = match.to_json()
    assert text == '{"pool":"toy","seats":[[0,1,null,false],[1,2,"sharp",false],[1,2,null,true]]}'
    assert RatedMatch.from_json(text) == match


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"pool":"toy"}',
        '{"pool":7,"seats":[]}',
        '{"pool":"toy","seats":"ab"}',
        '{"pool":"toy","seats":[],"more":1}',
        *(
            json.dumps({"pool": "toy", "seats": [row]})
            for row in ([0, 1, None], [0, 1.5, None, False], [0, True, None, False], [0, 1, "wise", False])
        ),
        '{"pool":"toy","seats":[[0,1,null,0]]}',
        '{"pool":"toy","seats":[{"side":0}]}',
    ],
)
def test_a_text_that_is_no_match_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json has words of its own
        RatedMatch.from_json(text)


def test_an_unknown_pool_has_constants_too() -> None:
    assert constants_of("toy") is DEFAULT


@pytest.mark.parametrize("constants", [*POOLS.values(), DEFAULT])
def test_a_steady_computer_stands_where_people_start_between_the_others(constants: Constants) -> None:
    assert constants.computers["casual"] < constants.computers["steady"] == START_MU
    assert constants.computers["sharp"] > START_MU


# Seats that were left, and computers that are not compared


def test_whoever_left_a_seat_is_rated_as_if_they_had_kept_it_and_come_last() -> None:
    others: list[Rating | None] = [SETTLED, Rating(22.0, 4.0, 9, NOW)]
    match = RatedMatch("toy", (person(2, 0), person(1, 1)), left=(1,))
    stayed, taker, giver = rate(match, [*others, NEW], NOW)
    assert [stayed, taker] == rate(RatedMatch("toy", match.seats), others, NOW)
    assert giver == rate(singles(1, 2, replaced=[1]), [SETTLED, NEW], NOW)[1]
    assert RatedMatch.from_json(match.to_json()) == match


# Two accounts that lose to each other


def test_all_matches_of_the_same_people_weigh_less_than_twice_the_full_ones() -> None:
    weights = [weight(nth) for nth in range(1, 100_000)]
    assert weights[:FULL] == [1.0] * FULL
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) < 2 * FULL


def after_100(first: Rating, wins: Sequence[bool], pool: str, *, leaving: bool = False) -> Rating:
    """Return the rating of the first of two equal people after 100 matches with the other one within a day. `leaving`:
    each loser leaves at once."""
    known: list[Rating | None] = [first, first]
    for nth, won in enumerate(islice(cycle(wins), 100), 1):
        match = singles(*((1, 2) if won else (2, 1)), replaced=[int(won)] * leaving, pool=pool)
        known = [change.after for change in rate(match, known, NOW, nth=nth) if change is not None]
    assert known[0] is not None
    return known[0]


GAINED = {"new": (Rating(START_MU, START_SIGMA, 0, NOW), 610), "settled": (Rating(25.0, 3.0, 50, NOW), 235)}
"""By kind: a rating, and the points that somebody with it gains at most in 100 matches of one pair."""


@pytest.mark.parametrize("leaving", [False, True])
@pytest.mark.parametrize("pool", POOL_NAMES)
@pytest.mark.parametrize("kind", GAINED)
def test_100_matches_of_a_pair_gain_a_bounded_number_of_points(
    kind: str, pool: str, *, leaving: bool
) -> None:
    first, bound = GAINED[kind]
    one_sided = after_100(first, [True], pool, leaving=leaving)
    assert shown(one_sided) - 1500 < bound
    assert abs(shown(after_100(first, [True, False], pool, leaving=leaving)) - 1500) <= 15
    # A pair of new accounts stays off the leaderboard.
    assert is_provisional(one_sided, NOW) == (kind == "new")
