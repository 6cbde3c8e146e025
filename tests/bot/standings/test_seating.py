"""The seating of a game night: sizes of tables, the order of the aims, and the best way of all.

People are letters, a table is a word with a letter for each seat, and `.` is a computer.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.standings.division import Group, Shape, best_division, good_division
from bot.standings.seating import Seats, seat_all, tables_for, why

LOTS = range(8)
"""Seeds that are tried where every lot must give the same."""


def tables(text: str) -> list[Seats]:
    return [tuple([None if each == "." else ord(each) for each in table]) for table in text.split()]


def seated(people: str, sizes: Sequence[int], before: str = "", points: str = "", seed: int = 1) -> str:
    """Return the tables of a round in order of the alphabet. `points` has a digit for each person."""
    counted = {
        ord(each): int(number) for each, number in zip(people, points or "0" * len(people), strict=True)
    }
    found = seat_all([*counted], sizes, tables(before), counted, seed)
    return " ".join(sorted("".join("." if each is None else chr(each) for each in table) for table in found))


def together(seating: str) -> str:
    """Return the same tables without the order of seats."""
    return " ".join(sorted("".join(sorted(table)) for table in seating.split()))


# Sizes


@pytest.mark.parametrize(
    ("sizes", "people", "expected"),
    [
        ("345", 7, "3/3 4/4"),
        ("345", 8, "4/4 4/4"),
        ("345", 9, "3/3 3/3 3/3"),  # they can be compared, 4 and 5 could not
        ("345", 10, "5/5 5/5"),
        ("345", 13, "4/4 4/4 5/5"),
        ("345", 2, "2/3"),
        ("345", 1, "1/3"),
        ("4", 5, "2/4 3/4"),  # nobody is alone with three computers
        ("4", 9, "3/4 3/4 3/4"),
        ("46", 5, "5/6"),  # one computer, not three
        ("46", 7, "3/4 4/4"),
        ("46", 10, "4/4 6/6"),
        ("2", 5, "1/2 2/2 2/2"),  # somebody must be
        ("2345678", 2, "2/2"),
        ("2345678", 6, "3/3 3/3"),
        ("2345678", 7, "3/3 4/4"),
        ("123456", 1, "1/1"),
    ],
)
def test_tables_have_few_computers_and_sizes_near_four(sizes: str, people: int, expected: str) -> None:
    found = tables_for(people, [*map(int, sizes)])
    assert " ".join(f"{at}/{seats}" for at, seats in found) == expected


@given(st.integers(1, 70), st.sets(st.integers(1, 8), min_size=1))
def test_everybody_has_a_table_of_a_size_that_the_game_allows(people: int, sizes: set[int]) -> None:
    found = tables_for(people, sizes)
    assert sum(at for at, _ in found) == people
    assert all(1 <= at <= seats and seats in sizes for at, seats in found)
    assert sum(seats for _, seats in found) - people < min(sizes)


# Aims


def test_people_meet_who_have_not_met() -> None:
    assert {together(seated("ABCD", [2], "AB CD AC BD", seed=seed)) for seed in LOTS} == {"AD BC"}


def test_a_pair_that_has_met_twice_counts_twice() -> None:
    before = "AB CD AC BD AD BC AB CD AD BC"
    assert {together(seated("ABCD", [2], before, seed=seed)) for seed in LOTS} == {"AC BD"}


def test_of_equal_ways_that_with_the_nearest_points_is_taken() -> None:
    assert {together(seated("ABCD", [2], points="1526", seed=seed)) for seed in LOTS} == {"AC BD"}


def test_not_even_the_greatest_difference_makes_a_pair_meet_again() -> None:
    assert {together(seated("ABCD", [2], "AB CD AC BD", "0099", seed)) for seed in LOTS} == {"AD BC"}


def test_no_seat_however_often_used_makes_points_less_near() -> None:
    before = "A. A. A. B. B. B. .C .C .C .D .D .D"
    assert {together(seated("ABCD", [2], before, "1122", seed)) for seed in LOTS} == {"AB CD"}


def test_people_take_the_seats_that_they_have_had_least() -> None:
    assert {seated("ABC", [3], "ABC CAB", seed=seed) for seed in LOTS} == {"BCA"}


def test_of_equal_ways_that_with_the_least_used_seats_is_taken() -> None:
    """A and B have had the first seat, C and D the second."""
    found = {seated("ABCD", [2], "A. B. .C .D", seed=seed) for seed in LOTS}
    assert found == {"CA DB", "CB DA"}


def test_a_computer_takes_a_seat_that_is_left() -> None:
    assert {seated("AB", [3], "AB. .AB", seed=seed) for seed in LOTS} == {"B.A"}


def test_a_lot_decides_between_equal_ways() -> None:
    assert len({seated("ABCDEFGH", [4], seed=seed) for seed in LOTS}) == len(LOTS)


def test_the_order_in_which_people_came_has_no_influence() -> None:
    assert seated("ABCDEFGH", [4]) == seated("HGFEDCBA", [4])


def test_who_has_left_is_seated_no_more_and_who_is_new_is() -> None:
    assert together(seated("ABCE", [2], "AB CD", "1111")) in {"AC BE", "AE BC"}


# The best of all ways


def played(people: int, sizes: Collection[int], rounds: int, seed: int) -> tuple[list[Seats], dict[int, int]]:
    """Return tables of rounds at random, and points at random."""
    rng = Random(seed)
    before: list[Seats] = []
    for _ in range(rounds):
        waiting = iter(rng.sample(range(people), people))
        for at, seats in tables_for(people, sizes):
            before.append(tuple(rng.sample([*islice(waiting, at), *[None] * (seats - at)], seats)))
    return before, {person: rng.choice((0, 1, 2, 50, 100)) for person in range(people)}


class Judge:
    """Counts what the three aims speak of."""

    def __init__(self, before: Iterable[Seats], points: Mapping[int, int]) -> None:
        self.points = points
        self.met: Counter[frozenset[int]] = Counter()
        self.held: Counter[tuple[int, int]] = Counter()
        for table in before:
            people = [(person, seat) for seat, person in enumerate(table) if person is not None]
            self.held.update(people)
            self.met.update(frozenset((one, other)) for (one, _), (other, _) in combinations(people, 2))

    def cost(self, seats: Sequence[tuple[int, int]]) -> tuple[int, int, int]:
        """Return the cost of a table, from its people and their seats."""
        pairs = [*combinations([person for person, _ in seats], 2)]
        return (
            sum(self.met[frozenset(pair)] for pair in pairs),
            sum(abs(self.points[one] - self.points[other]) for one, other in pairs),
            sum(self.held[place] for place in seats),
        )

    def total(self, tables: Iterable[Seats]) -> tuple[int, ...]:
        return added(
            self.cost([(person, seat) for seat, person in enumerate(table) if person is not None])
            for table in tables
        )

    def least(self, people: int, sizes: Collection[int]) -> tuple[int, ...]:
        """Return the least cost of all tables of all ways to divide people, in all orders of seats."""

        @cache
        def least_of(group: tuple[int, ...], seats: int) -> tuple[int, int, int]:
            return min(
                self.cost([*zip(group, order, strict=True)])
                for order in permutations(range(seats), len(group))
            )

        ways = all_divisions(tuple(range(people)), tuple(tables_for(people, sizes)))
        return min(added(least_of(group, seats) for group, seats in way) for way in ways)


def added(costs: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*costs, strict=True)))


def all_divisions(people: Group, shapes: tuple[Shape, ...]) -> Iterator[list[tuple[Group, int]]]:
    """Yield every way to divide people into tables, some of them several times."""
    if not shapes:
        yield []
        return
    (at, seats), *left = shapes
    for group in combinations(people, at):
        # If all tables are alike, the first one is that of the first person.
        if len({*shapes}) > 1 or group[0] == people[0]:
            rest = tuple(each for each in people if each not in group)
            yield from ([(group, seats), *others] for others in all_divisions(rest, tuple(left)))


SIZES = st.sampled_from([(2,), (3,), (4,), (3, 4, 5), (2, 3, 4, 5), (4, 6)])
SEEDS = st.integers(0, 10**6)


@given(st.integers(1, 8), SIZES, st.integers(0, 4), SEEDS)
def test_no_way_is_better_than_the_one_that_is_found(
    people: int, sizes: Sequence[int], rounds: int, seed: int
) -> None:
    before, points = played(people, sizes, rounds, seed)
    judge = Judge(before, points)
    assert judge.total(seat_all([*points], sizes, before, points, seed)) == judge.least(people, sizes)


@pytest.mark.parametrize(
    ("people", "sizes", "rounds"),
    [
        *[(people, (3, 4, 5), rounds) for people in (9, 10, 11) for rounds in (1, 3)],
        *[(12, (size,), rounds) for size in (2, 3, 4) for rounds in (1, 2, 3, 6)],
        (9, (4, 6), 2),
        (12, (5,), 2),
    ],
)
def test_nor_for_up_to_twelve_people(people: int, sizes: Sequence[int], rounds: int) -> None:
    before, points = played(people, sizes, rounds, seed=people + rounds)
    judge = Judge(before, points)
    assert judge.total(seat_all([*points], sizes, before, points, 1)) == judge.least(people, sizes)


@given(st.integers(0, 40), SIZES, st.integers(0, 4), SEEDS)
def test_each_person_has_one_seat_at_a_table_of_a_legal_size_and_the_same_one_again(
    people: int, sizes: Sequence[int], rounds: int, seed: int
) -> None:
    before, points = played(people, sizes, rounds, seed)
    found = seat_all([*points], sizes, before, points, seed)
    assert sorted(person for table in found for person in table if person is not None) == [*points]
    assert {len(table) for table in found} <= {*sizes}
    assert found == seat_all([*points][::-1], sizes, before, points, seed)


@given(st.integers(13, 24), SIZES, st.integers(1, 4), SEEDS)
def test_of_more_people_no_two_could_exchange_their_tables_for_the_better(
    people: int, sizes: Sequence[int], rounds: int, seed: int
) -> None:
    before, points = played(people, sizes, rounds, seed)
    judge = Judge(before, points)
    found = [list(table) for table in seat_all([*points], sizes, before, points, seed)]
    best = judge.total(map(tuple, found))[:2]
    for one, other in combinations(found, 2):
        for here, there in product(range(len(one)), range(len(other))):
            if None not in (one[here], other[there]):
                one[here], other[there] = other[there], one[here]
                assert judge.total(map(tuple, found))[:2] >= best
                one[here], other[there] = other[there], one[here]


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_search_for_many_people_finds_the_best_way_of_twelve(size: int, seed: int) -> None:
    rng = Random(seed)
    weights = [[0] * 12 for _ in range(12)]
    for one, other in combinations(range(12), 2):
        weights[one][other] = weights[other][one] = rng.choice((0, 1000)) + rng.randrange(100)
    shapes = [(size, size)] * (12 // size)
    ways = best_division(shapes, weights, [[0] * size] * 12), good_division(shapes, weights, range(12), seed)
    best, good = (sum(weights[a][b] for group, _ in way for a, b in combinations(group, 2)) for way in ways)
    assert good == best


# Reasons


@pytest.mark.parametrize(
    ("table", "before", "points", "reason"),
    [
        ("ABCD", "", "0000", "Drawn by lot, as this is the first round."),
        ("AB.", "", "00", "Drawn by lot, as this is the first round; 1 computer fills in."),
        ("ABCD", "AE BF CG DH", "3589", "You have not met yet; you have 3 to 9 points."),
        (
            "ABCD",
            "AB CD",
            "5555",
            "2 pairs have met before, as few as could be found; you have equally many points.",
        ),
        ("AB", "AB AB", "12", "1 pair has met before, as few as could be found; you have 1 to 2 points."),
        ("A...", "AB", "5", "Nobody else was left for this table; 3 computers fill in."),
    ],
)
def test_a_table_is_told_why_its_people_sit_together(
    table: str, before: str, points: str, reason: str
) -> None:
    people = table.replace(".", "")
    counted = {ord(each): int(number) for each, number in zip(people, points, strict=True)}
    (own,) = tables(table)
    assert why(own, tables(before), counted) == reason
