"""Waking time against brute force: a clock on the wall that is read minute by minute."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.match.deadlines import kept_until
from bot.match.times import Pace, Times
from bot.match.waking import (
    DAY,
    FEWEST,
    HOUR,
    MOST,
    counted,
    is_awake,
    later,
    learned,
    length,
    local,
    moved,
    shared,
    time_up,
    wakes,
    waking,
)
from bot.match.zones import zone_of, zones
from bot.store import Hours

MINUTE = 60_000
ODD = (
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",  # at midnight
    "Africa/Cairo",  # at midnight
    "Asia/Beirut",  # at midnight
    "America/Havana",  # back to the day before
    "Australia/Lord_Howe",  # by half an hour
    "Africa/Casablanca",  # for a month
    "Asia/Kathmandu",  # no whole hour from others
    "Pacific/Kiritimati",
)
"""Zones whose clocks are odd."""


def ms(*when: int, zone: str = "UTC") -> int:
    return int(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[arg-type, misc]


def is_awake_by_the_wall(hours: Hours, at: int) -> bool:
    """Return whether a person is awake who looks at the clock on the wall."""
    if at < hours.away_until:
        return False
    if hours.begins is None or hours.ends is None:
        return True
    hour = datetime.fromtimestamp(at / 1000, ZoneInfo(hours.zone)).hour
    if hours.begins < hours.ends:
        return hours.begins <= hour < hours.ends
    return hour >= hours.begins or hour < hours.ends


@st.composite
def people(draw: st.DrawFn) -> tuple[Hours, int]:
    """Draw hours, and a whole minute; often one near a change of the clocks."""
    zone = draw(st.sampled_from(ODD))
    at = ms(2026, 1, 1) + draw(st.integers(0, 3 * 366 * 24 * 60)) * MINUTE
    change = next(
        (
            day
            for day in range(400)
            if (there := datetime.fromtimestamp(at / 1000, ZoneInfo(zone)) + timedelta(days=day)).utcoffset()
            != (there + timedelta(days=1)).utcoffset()
        ),
        None,
    )
    if change is not None and draw(st.booleans()):
        at += change * DAY
    begins = draw(st.integers(0, 23))
    ends = (begins + draw(st.integers(FEWEST, 23))) % 24
    hours = Hours(zone, begins, ends) if draw(st.integers(0, 9)) else Hours(zone)
    away = at + draw(st.integers(-60, 3 * 24 * 60)) * MINUTE if draw(st.booleans()) else 0
    return Hours(hours.zone, hours.begins, hours.ends, away), at


@given(people())
def test_somebody_wakes_when_the_clock_on_the_wall_says_so(person: tuple[Hours, int]) -> None:
    hours, at = person
    expected = at
    while not is_awake_by_the_wall(hours, expected):
        expected += MINUTE
    assert wakes(hours, at) == expected
    assert is_awake(hours, at) == (expected == at)


@given(people(), st.integers(0, 40 * 60))
def test_waking_time_passes_minute_by_minute(person: tuple[Hours, int], minutes: int) -> None:
    hours, at = person
    left, now = minutes, at
    while left > 0 or not is_awake_by_the_wall(hours, now):
        left -= is_awake_by_the_wall(hours, now)
        now += MINUTE
    assert later(hours, at, minutes * MINUTE) == now
    assert waking(hours, at, now) == minutes * MINUTE


@given(people(), st.integers(0, DAY), st.integers(0, DAY), st.integers(0, 3 * DAY))
def test_who_is_asked_later_has_no_less_time(
    person: tuple[Hours, int], wait: int, longer: int, ms: int
) -> None:
    hours, at = person
    assert at <= later(hours, at, ms) <= later(hours, at + wait, ms)
    assert later(hours, at, ms) <= later(hours, at, ms + longer)
    assert is_awake(hours, later(hours, at, ms))


@given(people(), people(), st.integers(0, DAY))
def test_changing_hours_again_and_again_gains_no_time(
    one: tuple[Hours, int], other: tuple[Hours, int], ms: int
) -> None:
    (hours, at), (others, _) = one, other
    due = later(hours, at, ms)
    there = moved(due, hours, others, "relaxed", at, at)
    assert due <= at or waking(others, at, there) == waking(hours, at, due)
    assert moved(due, hours, hours, "relaxed", at, at) == due


def test_a_day_a_move_is_a_day_of_who_must_move() -> None:
    evenings = Hours("Europe/Berlin", 18, 23)
    asked = ms(2026, 6, 1, 20, zone="Europe/Berlin")
    assert time_up(evenings, "correspondence", asked, DAY) == asked + DAY
    at_night = ms(2026, 6, 1, 3, zone="Europe/Berlin")
    assert time_up(evenings, "correspondence", at_night, DAY) == ms(2026, 6, 2, 18, zone="Europe/Berlin")
    assert time_up(evenings, "relaxed", at_night, HOUR) == ms(2026, 6, 1, 19, zone="Europe/Berlin")


def test_a_live_table_and_people_without_hours_wait_by_the_clock() -> None:
    asleep = ms(2026, 6, 1, 3)
    assert time_up(Hours("Europe/Berlin", 18, 23), "live", asleep, 90_000) == asleep + 90_000
    assert time_up(None, "correspondence", asleep, DAY) == asleep + DAY
    assert moved(asleep + 5, Hours("Europe/Berlin", 18, 23), None, "live", asleep, asleep) == asleep + 5


def test_the_time_of_who_is_away_begins_after_their_return() -> None:
    back = ms(2026, 6, 20)
    asked = ms(2026, 6, 1)
    assert later(Hours("UTC", away_until=back), asked, HOUR) == back + HOUR
    assert later(Hours("UTC", 18, 23, back), asked, HOUR) == ms(2026, 6, 20, 19)
    assert (
        moved(asked + DAY, None, Hours("UTC", away_until=back), "correspondence", asked, asked) == back + DAY
    )


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (Hours("Europe/Berlin", 18, 23), Hours("America/New_York", 12, 16), 4),
        (Hours("Europe/Berlin", 18, 23), Hours("America/New_York", 18, 23), 0),
        (Hours("Europe/Berlin", 18, 23), Hours("Europe/Athens", 20, 2), 4),
        (Hours("Europe/Berlin", 18, 23), None, 2.5),
        (None, Hours("Europe/Berlin"), 6),
    ],
)
def test_hours_in_which_two_people_are_awake(one: Hours | None, other: Hours | None, together: float) -> None:
    at = ms(2026, 6, 1, 19, 30)
    assert shared(one, other, at) == shared(other, one, at) == together


def test_a_missing_hour_begins_where_the_clock_jumps() -> None:
    assert wakes(Hours("Europe/Berlin", 2, 8), ms(2026, 3, 29, 0)) == ms(2026, 3, 29, 1)


def test_a_doubled_hour_counts_from_its_first_time() -> None:
    assert wakes(Hours("Europe/Berlin", 2, 8), ms(2026, 10, 24, 20)) == ms(2026, 10, 25, 0)
    assert waking(Hours("Europe/Berlin", 2, 8), ms(2026, 10, 24, 20), ms(2026, 10, 25, 20)) == 7 * HOUR


def test_zones_are_those_of_places_and_utc_which_one_that_is_gone_is_read_as() -> None:
    assert {"Europe/Berlin", "Asia/Kathmandu", "UTC"} <= zones()
    assert not {"Etc/GMT+5", "CET"} & zones()
    assert zone_of("Europe/Atlantis") is UTC
    assert local(Hours("Europe/Atlantis"), 0).hour == 0


@pytest.mark.parametrize(("begins", "ends", "hours"), [(18, 23, 5), (22, 6, 8), (8, 0, 16), (None, None, 24)])
def test_a_window_may_go_over_midnight(begins: int | None, ends: int | None, hours: int) -> None:
    assert length(Hours("UTC", begins, ends)) == hours


def test_nothing_is_learned_from_a_few_acts() -> None:
    assert learned(counted((), 20)) is None


@given(st.lists(st.integers(0, 23), min_size=30, max_size=200))
def test_what_is_learned_holds_nearly_all_acts_and_is_the_shortest(acts: list[int]) -> None:
    counts: list[int] = []
    for hour in acts:
        counts = counted(counts, hour)
    window = learned(counts)
    sizes = {
        (begin, size): sum(counts[(begin + each) % 24] for each in range(size))
        for begin in range(24)
        for size in range(FEWEST, MOST + 1)
    }
    enough = {each: held for each, held in sizes.items() if 100 * held >= 90 * sum(counts)}
    if window is None:
        assert not enough
    else:
        size = (window[1] - window[0]) % 24
        assert (window[0], size) in enough
        assert size == min(size for _, size in enough)


def test_old_habits_fade() -> None:
    counts: list[int] = []
    for _ in range(200):
        counts = counted(counts, 9)
    for day in range(90):
        counts = counted(counts, 18 + day % 5)
    assert learned(counts) == (18, 23)


def test_a_seat_is_kept_at_a_slow_pace_until_its_person_has_been_awake_for_an_hour() -> None:
    night, times = ms(2026, 6, 1, 1), Times()
    asleep = Hours("UTC", 9, 21)

    def kept(*people: Hours | None, pace: Pace = "relaxed") -> int:
        return kept_until(people, pace, night, times) - night

    assert kept(asleep, pace="live") == times.reserved
    assert kept(None) == HOUR
    assert kept(asleep, None, pace="correspondence") == 9 * HOUR
    # Nobody waits for weeks.
    assert kept(Hours("UTC", 9, 21, away_until=night + 2 * DAY)) == HOUR
