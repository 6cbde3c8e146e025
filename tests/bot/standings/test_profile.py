"""Figures of a profile: streaks, facts of several matches, the trend and the points of a chart."""

from dataclasses import replace
from random import Random

import pytest

from bot.standings.profile import Streak, fact_line, fact_of_match, record, streaks, thinned, trend
from bot.store import FactValues, Placed
from games import GAMES, AnyGame
from games.facts import FactKind

KINDS = {
    "bids": FactKind("bids", "sum", shown=False),
    "exact": FactKind("bids hit exactly", "sum", of="bids"),
    "run": FactKind("exact bids in a row", "most"),
    "tricks": FactKind("tricks won", "sum"),
    "fastest": FactKind("fastest pair", "least", unit="ms"),
    "sets": FactKind("sets found in races", "sum", of="time"),
    "time": FactKind("time in races", "sum", unit="ms", shown=False),
}
VALUES = {
    key: FactValues("game", key, *numbers, 3)
    for key, numbers in {
        "bids": (301, 20, 5),
        "exact": (214, 15, 0),
        "run": (20, 7, 0),
        "tricks": (31, 9, 1),
        "fastest": (5000, 2100, 840),
        "sets": (12, 8, 4),
        "time": (240_000, 120_000, 120_000),
    }.items()
}


def placed(*placings: int) -> list[Placed]:
    return [Placed("palace", placing, number) for number, placing in enumerate(placings, 1)]


@pytest.mark.parametrize(
    ("placings", "present", "longest"),
    [
        ((), Streak(), Streak()),
        ((2, 3), Streak(), Streak()),
        ((1,), Streak(1, 1, 1), Streak(1, 1, 1)),
        ((1, 1, 2, 1), Streak(1, 4, 4), Streak(2, 1, 2)),
        ((2, 1, 1, 1), Streak(3, 2, 4), Streak(3, 2, 4)),
        ((1, 1, 2, 1, 1), Streak(2, 4, 5), Streak(2, 1, 2)),
        ((1, 2), Streak(), Streak(1, 1, 1)),
    ],
)
def test_a_streak_is_wins_without_another_match_between_them(
    placings: tuple[int, ...], present: Streak, longest: Streak
) -> None:
    assert streaks(placed(*placings)) == (present, longest)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("bids", ""),
        ("exact", "214 of 301 bids hit exactly"),
        ("run", "Exact bids in a row: 7"),
        ("tricks", "Tricks won: 31"),
        ("fastest", "Fastest pair: 0.84 s"),
        ("sets", "Sets found in races: 12, 3.0 a minute"),
        ("time", ""),
    ],
)
def test_a_fact_of_several_matches_is_said_by_its_kind(key: str, line: str) -> None:
    assert fact_line(key, KINDS, VALUES) == line


def test_a_fact_that_no_match_has_or_a_part_of_nothing_is_left_out() -> None:
    assert fact_line("run", KINDS, {}) == ""
    assert fact_line("exact", KINDS, {"exact": FactValues("game", "exact", 0, 0, 0, 0)}) == ""


def test_only_facts_that_are_compared_have_a_record() -> None:
    assert [key for key, kind in KINDS.items() if record(kind, VALUES[key])] == ["run", "fastest"]
    assert record(KINDS["fastest"], VALUES["fastest"]) == 840
    assert fact_of_match(KINDS["fastest"], 840) == "fastest pair: 0.84 s"
    assert fact_of_match(KINDS["run"], 4345).endswith(": 4,345")
    assert record(None, VALUES["run"]) == 0


def test_what_only_one_match_has_is_no_record_because_it_has_beaten_nothing() -> None:
    assert record(KINDS["run"], replace(VALUES["run"], matches=1)) == 0


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_fact_of_every_game_can_be_said(game: AnyGame) -> None:
    kinds = game.facts.KINDS
    values = {key: FactValues("x", key, 5, 3, 1, 2) for key in kinds}
    lines = {key: fact_line(key, kinds, values) for key in kinds}
    assert {key for key, line in lines.items() if line} == {key for key, kind in kinds.items() if kind.shown}
    assert all(len(line) <= 100 for line in lines.values())


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        ((1500, 1540), "up 40 over the last match"),
        ((1500, 1500, 1430), "down 70 over the last 2 matches"),
        ((1500, 1510), "level over the last match"),
        ((900, *[1500] * 10, 1511), "up 11 over the last 10 matches"),
    ],
)
def test_a_trend_is_the_change_over_the_last_matches(ratings: tuple[int, ...], words: str) -> None:
    assert trend(ratings) == words


@pytest.mark.parametrize("length", [1, 2, 199, 200, 201, 202, 399, 5000])
def test_a_long_course_is_thinned_out_but_keeps_its_ends_and_its_extremes(length: int) -> None:
    values = [Random(length).gauss(1500, 100) for _ in range(length)]
    whole = [round(value) for value in values]
    kept = thinned(whole, 200)
    assert len(kept) <= 200
    assert len(kept) == length or len(kept) > 190
    assert kept == sorted({*kept})
    assert (kept[0], kept[-1]) == (0, length - 1)
    seen = [whole[place] for place in kept]
    assert (max(seen), min(seen)) == (max(whole), min(whole))
