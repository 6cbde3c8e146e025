"""Points and standings of a game night.

A table is text with a person for each seat: a letter, or `.` for a computer, and the score. `A7!` is replaced by a
computer: A comes last. All tables have the same deal unless they are said to have another.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.standings.night import NightTable, round_points, standings, totals
from bot.standings.ratings import RatedMatch, RatedSeat
from bot.standings.season import MOST
from bot.standings.seating import Seats, seat_all
from games.contract import ranked


def table(text: str, *, sides: Sequence[int] = (), deal: str = "1", left: str = "") -> NightTable:
    """Return a table. `left` has those who left the first seats, in which others have played on."""
    seats = text.split()
    scores = [int(seat[1:].rstrip("!")) for seat in seats]
    placings = ranked(scores)
    rated = (
        RatedSeat(
            sides[n] if sides else n, placings[n], "steady" if seat[0] == "." else None, seat[-1] == "!"
        )
        for n, seat in enumerate(seats)
    )
    return NightTable(
        people=tuple([None if seat[0] == "." else ord(seat[0]) for seat in seats] + [*map(ord, left)]),
        match=RatedMatch("palace", tuple(rated), tuple(range(len(left)))),
        merits=tuple(zip(scores, [-placing for placing in placings], strict=True)),
        deal=deal,
    )


def said(points: dict[int, int]) -> str:
    return " ".join(f"{chr(person)}{number}" for person, number in sorted(points.items()))


# Points of a round


@pytest.mark.parametrize(
    ("tables", "points"),
    [
        (["A9 B5 C1"], "A100 B50 C0"),  # nobody else had these cards: the placing alone
        (["A9 B5", "C3 D2"], "A100 B50 C50 D0"),  # A and B have done better with their cards than C and D
        (["A9 B5", "C2 D3"], "A100 B50 C0 D50"),
        (["A9 B5", "C9 D5"], "A75 B25 C75 D25"),  # level
        (["A9 B5", "C8 D5", "E1 F5"], "A100 B13 C75 D13 E0 F100"),  # F has won with the same score
        (["A9 B5", ".3 D8"], "A100 B0 D100"),  # computers are compared, too
        (["A9 B5 C1", "D7 E3"], "A100 B50 C0 D100 E0"),  # another size has other cards
        (["A7 B4!", "C6 D3"], "A100 B0 C50 D0"),
        (["A7! B4", "C6 D3"], "A0 B100 C50 D0"),
    ],
)
def test_a_round_gives_points_for_the_placing_and_for_what_others_did_in_the_same_seat(
    tables: Sequence[str], points: str
) -> None:
    assert said(round_points([table(each) for each in tables])) == points


def test_tables_with_another_deal_are_not_compared() -> None:
    tables = [table("A9 B5"), table("C3 D2", deal="2")]
    assert said(round_points(tables)) == "A100 B0 C100 D0"


def test_partners_share_their_points() -> None:
    pairs = [0, 1, 0, 1]
    tables = [table("A9 B5 C9 D5", sides=pairs), table("E7 F6 G7 H6", sides=pairs)]
    assert said(round_points(tables)) == "A100 B0 C100 D0 E50 F50 G50 H50"


def test_who_has_left_gets_nothing_and_who_plays_on_in_their_seat_is_placed() -> None:
    assert said(round_points([table("B9 C5", left="A")])) == "A0 B100 C0"


def test_who_leaves_one_table_for_another_has_the_points_of_the_better() -> None:
    tables = [table("B9 C5", left="A"), table("A9 D5", deal="2")]
    assert said(round_points(tables)) == said(round_points(tables[::-1])) == "A100 B100 C0 D0"


def test_a_match_without_a_result_gives_nobody_points() -> None:
    assert said(round_points([NightTable((ord("A"), None, ord("B")))])) == "A0 B0"


SCORES = st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=6)


def played(scores: Sequence[Sequence[int]]) -> list[NightTable]:
    """Return tables of people with these scores: A, B, C and D at the first, and so on."""
    return [
        table(" ".join(f"{chr(ord('A') + 4 * n + seat)}{score}" for seat, score in enumerate(row)))
        for n, row in enumerate(scores)
    ]


@given(SCORES)
def test_a_round_gives_half_of_the_most_on_average(scores: Sequence[Sequence[int]]) -> None:
    """Up to what is rounded: half a point for each share, and half a point for their mean."""
    points = round_points(played(scores))
    assert abs(sum(points.values()) / len(points) - MOST / 2) <= 1
    assert 0 <= min(points.values()) <= max(points.values()) <= MOST


@given(SCORES, st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_what_happens_at_another_table_moves_nobody_by_more_than_half_of_the_most(
    scores: Sequence[Sequence[int]], other: Sequence[int]
) -> None:
    before, after = (round_points(played([*scores, last])) for last in (scores[0], other))
    for person in range(ord("A"), ord("A") + 4 * len(scores)):
        assert abs(before[person] - after[person]) <= MOST / 2 / len(scores) + 1


# Standings


def test_standings_add_up_the_rounds_and_equal_points_share_a_place() -> None:
    rounds = [[table("A9 B5"), table("C9 D5")], [table("A9 D5"), table("B9 C5")]]
    assert [(row.place, chr(row.user), row.points) for row in standings(rounds)] == [
        (1, "A", 150),
        (2, "B", 100),
        (2, "C", 100),
        (4, "D", 50),
    ]


def test_before_the_first_round_everybody_has_nothing() -> None:
    assert standings([]) == []
    assert totals([], [1, 2]) == {1: 0, 2: 0}


def test_who_comes_late_begins_with_the_mean_of_all_whoever_is_there() -> None:
    first = [table("A9 B5 C3 D2 E1")]
    assert said(totals([first])) == "A100 B75 C50 D25 E0"
    for here in ("FG", "ABFG", "ABCDEFG"):
        assert said(totals([first], [*map(ord, here)])) == "A100 B75 C50 D25 E0 F50 G50"
    assert said(totals([first, [table("A9 B5 F3")]])) == "A200 B125 C50 D25 E0 F50"


def test_who_leaves_keeps_their_points_and_has_them_when_they_are_back() -> None:
    rounds = [[table("A9 B5 C3")], [table("A9 C5")], [table("B9 A5 C3")]]
    assert said(totals(rounds)) == "A250 B150 C0"


@given(st.lists(SCORES, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_tables_in_a_round_has_no_influence(
    nights: Sequence[Sequence[Sequence[int]]], rng: Random
) -> None:
    rounds = [played(scores) for scores in nights]
    assert standings(rounds) == standings(rng.sample(each, len(each)) for each in rounds)


# A whole night


def test_in_a_night_of_sixty_four_people_nobody_meets_twice_and_the_standings_equal_a_recount() -> None:
    """After the second round two people leave and one comes."""
    rng = Random(1)
    night: list[list[NightTable]] = []
    seatings: list[Seats] = []
    own = dict.fromkeys(range(64), 0)
    for number in range(5):
        if number == 2:
            own[64] = (sum(own.values()) + 32) // 64
        present = [*range(64)] if number < 2 else [*range(2, 65)]
        known = totals(night, present)
        assert {person: known[person] for person in present} == {person: own[person] for person in present}
        tables = seat_all(present, [3, 4, 5], seatings, known, number)
        night.append([dealt(seats, rng) for seats in tables])
        seatings += tables
        for person, gained in round_points(night[-1]).items():
            own[person] += gained
    assert {row.user: row.points for row in standings(night)} == own
    met = [frozenset(pair) for seats in seatings for pair in combinations(seats, 2)]
    assert len(met) == len({*met})


def dealt(seats: Seats, rng: Random) -> NightTable:
    """Return a table of people with scores at random."""
    text = " ".join(f"A{rng.randrange(30)}" for _ in seats)
    return replace(table(text, deal=str(len(seats))), people=seats)
